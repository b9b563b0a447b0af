"""A transformer that keeps the features that tell most."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from gaintree._frames import as_frame, column
from gaintree._output import polars_inside
from gaintree._rank import rank_gain
from gaintree.errors import SpecError
from gaintree.sklearn._columns import check_names, columns, is_frame, kinds
from gaintree.sklearn._target import classes, labels, numbers, one_column, target_name, weighted

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from gaintree._options import Cuts, LogBase, RankMissing, SortBy, Task
    from gaintree.sklearn._columns import Picked, Rows


class GainSelector(SelectorMixin, BaseEstimator):
    """Keep the features that tell most about a target, by `gaintree.rank_gain`.

    The columns kept of a frame stay as they are: one of pandas stays one of pandas, and any other
    is one of Polars then. `set_output` asks for something else.

    Parameters
    ----------
    k : int
        How many features to keep at most; all with None.
    threshold : float
        The least figure of a feature that is kept.
    sort_by : {'info_gain', 'gain_ratio', 'gini_gain', 'symmetric_uncertainty'}
        The figure. For a target that is a number it is the reduction of variance.
    task : {'auto', 'classify', 'regress'}
        Whether y is classes or a number. With auto, floats are numbers.
    missing : {'known', 'own_level'}
        Rate over the rows whose value is known, or count missing as one more level.
    cuts : {'best', 'mdl'}
        Rate an ordered feature by its best cut, or by all cuts that the minimum description
        length allows.
    log_base : {2, 'e'}
        Entropies in bits or nats.
    ordered, nominal : names or places of columns, or a Polars selector
        Features taken as of the other kind.
    threads : int
        Threads to work with.

    Attributes
    ----------
    ranking_ : DataFrame
        The ranking, of Polars: a line per feature, best first.
    scores_ : array
        The figure of each feature, in the order of the columns; NaN of one that cannot be ranked.
    n_features_in_ : int
        Number of columns of X in `fit`.
    feature_names_in_ : array of str
        Their names, if X was a frame.

    Examples
    --------
    >>> import polars as pl
    >>> from gaintree.sklearn import GainSelector
    >>> X = pl.DataFrame({"n": [1, 1, 2, 2], "c": ["r", "g", "r", "g"]})
    >>> selector = GainSelector(k=1).fit(X, ["no", "yes", "no", "yes"])
    >>> selector.transform(X).columns
    ['c']
    >>> selector.ranking_.select("feature", "info_gain").rows()
    [('c', 1.0), ('n', 0.0)]
    """

    ranking_: pl.DataFrame
    scores_: npt.NDArray[np.float64]

    def __init__(
        self,
        k: int | None = 10,
        *,
        threshold: float | None = None,
        sort_by: SortBy = "info_gain",
        task: Task = "auto",
        missing: RankMissing = "known",
        cuts: Cuts = "best",
        log_base: LogBase = 2,
        ordered: Picked = (),
        nominal: Picked = (),
        threads: int | None = None,
    ) -> None:
        self.k = k
        self.threshold = threshold
        self.sort_by = sort_by
        self.task = task
        self.missing = missing
        self.cuts = cuts
        self.log_base = log_base
        self.ordered = ordered
        self.nominal = nominal
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    def fit(self, X: Rows, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Rank the features.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The features. One of a dtype without order or levels is never kept.
        y : array or Series of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,)
            Weights; a row of weight 0 is as if absent.

        Returns
        -------
        self

        Examples
        --------
        >>> from gaintree.sklearn import GainSelector
        >>> GainSelector(threshold=0.5).fit([[1, 3], [2, 3]], ["a", "b"]).get_support()
        array([ True, False])
        """
        if self.k is not None and not (isinstance(self.k, (int, np.integer)) and self.k >= 1):
            msg = f"`k` is {self.k!r}: it has to be a whole number of 1 or more, or None for all"
            raise SpecError(msg)
        features = columns(self, X, fit=True)
        values = one_column(self, y, features)
        task = self.task
        if task == "auto":
            task = "regress" if values.dtype.kind == "f" else "classify"
        if task == "regress":
            target = pl.Series(numbers(values))
        else:
            found, codes = classes(values)
            target = labels(found).gather(codes)
        target = target.alias(target_name(y, features))
        table, weight = weighted([*features, target], sample_weight)
        ordered, nominal = kinds(self, X, features)
        with polars_inside():
            self.ranking_ = rank_gain(
                pl.DataFrame(table),
                target.name,
                ordered=ordered,
                nominal=nominal,
                task=task,
                weight=weight,
                log_base=self.log_base,
                missing=self.missing,
                cuts=self.cuts,
                sort_by=self.sort_by,
                threads=self.threads,
                progress=False,
            )
        figure = "variance_reduction" if task == "regress" else self.sort_by
        scores = dict(self.ranking_.select("feature", figure).iter_rows())
        self.scores_ = np.array([scores[column.name] for column in features], dtype=np.float64)
        best = self.ranking_.filter(pl.col(figure).is_not_null()).head(self.k or len(features))
        if self.threshold is not None:
            best = best.filter(pl.col(figure) >= self.threshold)
        kept = set(best["feature"])
        self._kept = np.array([column.name in kept for column in features])
        return self

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return self._kept

    def transform(self, X: Any) -> Any:
        """Keep the columns of the features chosen.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        frame or array
            As X is, or as `set_output` says.

        Examples
        --------
        >>> from gaintree.sklearn import GainSelector
        >>> GainSelector(k=1).fit([[1, 3], [2, 3]], ["a", "b"]).transform([[5, 6]])
        array([[5]])
        """
        mask = self.get_support()
        # What was fitted on arrays has no names for a frame.
        if not is_frame(X) or not hasattr(self, "feature_names_in_"):
            return super().transform(X)
        of_pandas = hasattr(X, "iloc")
        frame: Any = X if of_pandas else as_frame(X)
        names = list(X.columns) if of_pandas else frame.collect_schema().names()
        check_names(self, names, fit=False)
        if not mask.any():
            warnings.warn("No features were selected: lower the threshold", stacklevel=3)
        if of_pandas:
            return frame.loc[:, mask]
        kept = frame.select(column(n) for n, keep in zip(names, mask, strict=True) if keep)
        wanted = _get_output_config("transform", estimator=self)["dense"]
        if wanted != "default":
            kept = kept.lazy().collect()
        return kept.to_pandas() if wanted == "pandas" else kept
