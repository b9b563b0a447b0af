"""A transformer from features to their weights of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from gaintree._frames import columns_of
from gaintree._output import polars_inside
from gaintree._woe import woe_bins
from gaintree.errors import SpecError
from gaintree.sklearn._columns import as_fitted, columns, kinds
from gaintree.sklearn._target import classes, labels, one_column, target_name, weighted

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from gaintree._options import Intervals, Monotone
    from gaintree._woe import WoeBins
    from gaintree.sklearn._columns import Picked, Rows


class WoeEncoder(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Replace features by their weights of evidence for two classes, by `gaintree.woe_bins`.

    The weight of a bin is `ln(share of the events / share of the non-events)`. What `transform`
    gives are numbers without missing values, as a linear model needs them, in an array of float64;
    `set_output` asks for a frame.

    Parameters
    ----------
    event : optional
        The class that is the event; the rarer of the two by weight if not given, and of equals
        the later one.
    intervals : 'mdl' or int
        The bins to begin with: between the cuts that pay, or this many of about as many rows each.
    max_bins : int, optional
        The most bins beside that of missing values. Neighbours are merged so that the information
        value stays highest.
    min_share : float
        The least share of the known rows in a bin, from 0 to 1; neighbours are merged likewise.
    monotone : {'no', 'either', 'increasing', 'decreasing'}
        Whether event rates are to rise or fall with the feature; neighbours are merged likewise.
    missing_bin : bool
        Whether missing values have a bin of their own; otherwise their rows are not counted.
    unseen : float or None
        The weight of a level never seen, and of a missing value without a bin; None is NaN.
    ordered, nominal : names or places of columns, or a Polars selector
        Features taken as of the other kind.
    threads : int
        Threads to work with.

    Attributes
    ----------
    bins_ : WoeBins
        The bins: they print, draw and save themselves, and map lazy queries.
    iv_ : array
        The information value of each feature, in the order of the columns.
    classes_ : array
        The two classes, in order.
    n_features_in_ : int
        Number of columns of X in `fit`.
    feature_names_in_ : array of str
        Their names, if X was a frame.

    Examples
    --------
    >>> import polars as pl
    >>> from gaintree.sklearn import WoeEncoder
    >>> X = pl.DataFrame({"sky": ["sun", "sun", "rain", "rain", None], "wind": [8, 30, 9, 12, 10]})
    >>> encoder = WoeEncoder(intervals=2).fit(X, ["yes", "no", "yes", "yes", "no"])
    >>> encoder.transform(X).round(2)
    array([[ 0.41, -0.29],
           [ 0.41,  0.41],
           [-1.2 , -0.29],
           [-1.2 ,  0.41],
           [ 1.5 , -0.29]])
    >>> encoder.iv_.round(2)
    array([1.65, 0.12])
    """

    bins_: WoeBins
    iv_: npt.NDArray[np.float64]
    classes_: npt.NDArray[Any]

    def __init__(
        self,
        *,
        event: object = None,
        intervals: Intervals = "mdl",
        max_bins: int | None = None,
        min_share: float = 0.0,
        monotone: Monotone = "no",
        missing_bin: bool = True,
        unseen: float | None = 0.0,
        ordered: Picked = (),
        nominal: Picked = (),
        threads: int | None = None,
    ) -> None:
        self.event = event
        self.intervals = intervals
        self.max_bins = max_bins
        self.min_share = min_share
        self.monotone = monotone
        self.missing_bin = missing_bin
        self.unseen = unseen
        self.ordered = ordered
        self.nominal = nominal
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        # It is no classifier, but its y has two classes too.
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    def fit(self, X: Rows, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Bin the features and weigh the bins.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The features.
        y : array or Series of shape (n_samples,)
            The target, of two classes.
        sample_weight : array of shape (n_samples,)
            Weights; a row of weight 0 is as if absent.

        Returns
        -------
        self

        Examples
        --------
        >>> from gaintree.sklearn import WoeEncoder
        >>> encoder = WoeEncoder().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
        >>> encoder.bins_.table.select("rule", "events").rows()
        [('x0 < 2.5', 0.0), ('x0 >= 2.5', 2.0)]
        """
        features = columns(self, X, fit=True)
        found, codes = classes(one_column(self, y, features))
        levels = labels(found)
        target = levels.gather(codes).alias(target_name(y, features))
        table, weight = weighted([*features, target], sample_weight)
        ordered, nominal = kinds(self, X, features)
        names = [column.name for column in features]
        self.bins_ = woe_bins(
            pl.DataFrame(table),
            target.name,
            # Named, a feature that cannot be binned is an error; otherwise it would be passed over.
            features=names,
            ordered=ordered,
            nominal=nominal,
            weight=weight,
            event=self._event(found, levels),
            intervals=self.intervals,
            max_bins=self.max_bins,
            min_share=self.min_share,
            monotone=self.monotone,
            missing_bin=self.missing_bin,
            unseen=self.unseen,
            threads=self.threads,
        )
        # A feature may have no bin: all its values are missing, and they are not counted.
        iv = dict(self.bins_._lines.select("feature", "feature_iv").iter_rows())
        self.iv_ = np.array([iv.get(name, 0.0) for name in names])
        self.classes_, self._names = found, names
        return self

    def _event(self, found: npt.NDArray[Any], levels: pl.Series) -> str | None:
        """The event as text of the column that is the target."""
        if self.event is None:
            return None
        for label, text in zip(found.tolist(), levels.cast(pl.String), strict=True):
            if label == self.event:
                return str(text)
        msg = f"`event` is {self.event!r}, which is no class: they are {found.tolist()}"
        raise SpecError(msg)

    def transform(self, X: Rows) -> npt.NDArray[np.float64]:
        """Give the weight of evidence of each value.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        array of shape (n_samples, n_features)
            The weights, or a frame of them as `set_output` says.

        Examples
        --------
        >>> from gaintree.sklearn import WoeEncoder
        >>> X, y = [["red"]] * 3 + [["blue"]] * 3, ["yes", "yes", "no", "yes", "no", "no"]
        >>> encoder = WoeEncoder(intervals=2).fit(X, y)
        >>> encoder.transform([["red"], ["blue"], ["green"]]).round(2)
        array([[ 0.69],
               [-0.69],
               [ 0.  ]])
        """
        check_is_fitted(self, "bins_")
        given = columns_of(pl.DataFrame(columns(self, X, fit=False)))
        # Columns are told by their place: scikit-learn lets nobody change their order.
        named = (c.alias(name) for c, name in zip(given, self._names, strict=True))
        # The bins know other dtypes of numbers themselves.
        with polars_inside():
            woe = [self.bins_.map(as_fitted(column, None, nominal=False)) for column in named]
        return pl.DataFrame(woe).to_numpy()
