"""Weights of evidence for a target of two classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from gaintree import _gaintree
from gaintree._call import call
from gaintree._checks import finite, path_of, refuse, switch, text
from gaintree._frames import as_series, prepared, present, usable
from gaintree._json_text import JsonText, parsed
from gaintree._options import woe_options
from gaintree._output import shown
from gaintree._woe_texts import WoeTexts
from gaintree.errors import ModelError
from gaintree.pictures import Svg
from gaintree.scorecards import Scorecard

if TYPE_CHECKING:
    from os import PathLike

    from gaintree._frames import Columns, Excluded, FrameLike
    from gaintree._options import Intervals, Monotone

__all__ = ["WoeBins", "woe_bins"]


class WoeBins(JsonText):
    """Features in bins, with the weight of evidence of each bin.

    Made by `woe_bins`, `WoeBins.load` or `WoeBins.from_json`. It can be pickled and compared. A
    print and a notebook show the columns of its table that matter most, rounded.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.woe_bins(df, "y")
    <gaintree.WoeBins: 2 bins of 1 feature>
    """

    _native: _gaintree.WoeBins

    def __init__(self, native: _gaintree.WoeBins) -> None:
        if not isinstance(native, _gaintree.WoeBins):
            msg = "bins are made by woe_bins, WoeBins.load or WoeBins.from_json"
            raise ModelError(msg)
        self._native = native

    @property
    def table(self) -> pl.DataFrame:
        """A line per bin: rule, event, rows, events, event rate, `woe` and `iv`.

        The feature of most information value comes first.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.woe_bins(df, "y").table.select("rule", "n", "events").rows()
        [('x < 3', 2, 0.0), ('x >= 3', 2, 2.0)]
        """
        return shown(self._lines)

    @property
    def features(self) -> list[str]:
        """The features, in order of the table.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.woe_bins(df, "y").features
        ['x']
        """
        return list(self._known)

    def __repr__(self) -> str:
        bins, features = self._lines.height, len(self.features)
        return (
            f"<gaintree.WoeBins: {bins} {'bin' if bins == 1 else 'bins'} of "
            f"{features} {'feature' if features == 1 else 'features'}>"
        )

    def __str__(self) -> str:
        return str(self._native.short_table())

    def _repr_html_(self) -> str:
        return self._native.short_table()._repr_html_()

    def woe(self, feature: str) -> pl.Expr:
        """Make the expression `<feature>_woe`: the weight of evidence of each row.

        It is elementwise over the column of this name, so that a query streams. A missing value
        has the weight of its bin; without such a bin, and for a level never seen, it is `unseen`.
        A column of another dtype is an error of the query.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "b", "a", "b"]})
        >>> woe = gt.woe_bins(df, "y", intervals=2)
        >>> df.lazy().select(woe.woe("x")).collect().to_dict(as_series=False)
        {'x_woe': [0.0, 0.0, 0.0, 0.0]}
        >>> df.with_columns(map(woe.woe, woe.features)).columns
        ['x', 'y', 'x_woe']
        """
        present("feature", [text("feature", feature)], self._known)
        return self._texts.woe(feature)

    def map(self, values: pl.Series) -> pl.Series:
        """Give the weight of evidence of each value of a Series that has its feature's name.

        The Series is of Polars, or of pandas.

        Raises
        ------
        DataError
            A name that is no feature, or another dtype.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": ["p", "p", "q", "q"], "y": ["a", "b", "b", "b"]})
        >>> woe = gt.woe_bins(df, "y", intervals=2, unseen=None)
        >>> [value is None for value in woe.map(pl.Series("x", ["p", "q", "r"]))]
        [False, False, True]
        """
        column = as_series(values)
        present("feature", [column.name], self._known)
        usable(column.name, column.dtype)
        return shown(self._native.map(column.name, [column]), values)

    def to_svg(self, feature: str) -> Svg:
        """Draw a feature's weights of evidence as an SVG picture, a bar a bin.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.woe_bins(df, "y").to_svg("x")[:4]
        '<svg'
        """
        present("feature", [text("feature", feature)], self._known)
        return Svg(self._native.to_svg(feature))

    def scorecard(
        self,
        *,
        points: float = 600.0,
        odds: float = 50.0,
        pdo: float = 20.0,
        coefficients: Mapping[str, float] | None = None,
        intercept: float | None = None,
        rounded: bool = False,
    ) -> Scorecard:
        """Put the weights on the scale of a scorecard: a higher score, a less likely event.

        The score is `offset - factor * log_odds`, with `factor = pdo / ln 2` and `offset = points -
        factor * ln(odds)` (Siddiqi 2006, "Credit Risk Scorecards"). The log-odds of the event are
        `intercept` and the weights times their coefficients; each feature has an equal part of
        what does not depend on its weight.

        Parameters
        ----------
        points : float
            The score at `odds`.
        odds : float
            The non-events to one event at `points`.
        pdo : float
            The points that double the odds.
        coefficients : mapping, optional
            The features of the card, each with its coefficient in a logistic regression of the
            event on their weights, as `gaintree.sklearn.WoeEncoder` makes them. Without it every
            feature has a coefficient of 1, which is naive Bayes: features that tell the same count
            twice.
        intercept : float, optional
            The intercept of the regression; without it the log-odds of the event in the rows that
            were binned, which goes with coefficients of 1.
        rounded : bool
            Whether the points of each bin are rounded, to the even one of two as near.

        Returns
        -------
        Scorecard
            A table of the bins, and the map from rows to points and scores. It can be saved, and
            `gaintree score` applies it to files.

        Raises
        ------
        SpecError
            A number that cannot be, or no intercept where features leave out different rows.
        DataError
            A coefficient of no feature.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> card = gt.woe_bins(df, "y", intervals=2).scorecard(rounded=True)
        >>> df.select(card.score())["score"].to_list()
        [507.0, 507.0, 507.0, 467.0, 467.0, 467.0]
        """
        if coefficients is not None and not isinstance(coefficients, Mapping):
            refuse("coefficients", coefficients, "numbers by the names of features")
        rounded = switch("rounded", rounded)
        options = {
            "points": finite("points", points),
            "odds": finite("odds", odds),
            "pdo": finite("pdo", pdo),
            "intercept": None if intercept is None else finite("intercept", intercept),
            "coefficients": None
            if coefficients is None
            else [
                (text("feature", name), finite(f"coefficient of `{name}`", x))
                for name, x in coefficients.items()
            ],
            "rounded": rounded,
        }
        return Scorecard(self._native.scorecard(json.dumps(options, allow_nan=False)))

    def to_json(self) -> str:
        """Write the bins as JSON, to map rows later or elsewhere.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> woe = gt.woe_bins(df, "y")
        >>> gt.WoeBins.from_json(woe.to_json()) == woe
        True
        """
        return self._json

    @classmethod
    def from_json(cls, text: str) -> WoeBins:
        """Read the bins that `to_json` wrote.

        Raises
        ------
        ModelError
            A text that it did not write.

        Examples
        --------
        >>> import gaintree as gt
        >>> gt.WoeBins.from_json("nonsense")
        Traceback (most recent call last):
        ...
        gaintree.errors.ModelError: ...
        """
        read = _gaintree.WoeBins.from_json
        return cls(parsed(text, read, "bins", "it is no text of WoE bins"))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the bins to a file, which appears whole or not at all.

        Raises
        ------
        FileError
            A file that cannot be written.

        Examples
        --------
        >>> import polars as pl, gaintree as gt, tempfile
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> woe = gt.woe_bins(df, "y")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     woe.save(f"{folder}/y.bins.json")
        ...     gt.WoeBins.load(f"{folder}/y.bins.json") == woe
        True
        """
        self._native.save(path_of(path))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> WoeBins:
        """Read the bins that `save` wrote.

        Raises
        ------
        FileError
            A file that cannot be read.
        ModelError
            A file that holds no bins, or one of a later version.

        Examples
        --------
        >>> import gaintree as gt
        >>> gt.WoeBins.load("there is none.json")
        Traceback (most recent call last):
        ...
        gaintree.errors.FileError: ...
        """
        return cls(_gaintree.WoeBins.load(path_of(path)))

    @cached_property
    def _lines(self) -> pl.DataFrame:
        return self._native.table()

    @cached_property
    def _texts(self) -> WoeTexts:
        return WoeTexts(self._json)

    @cached_property
    def _known(self) -> dict[str, None]:
        """The features, in order."""
        return dict.fromkeys(self._native.features)


def woe_bins(
    data: FrameLike,
    target: str,
    *,
    features: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    weight: str | None = None,
    event: object = None,
    intervals: Intervals = "mdl",
    max_bins: int | None = None,
    min_share: float = 0.0,
    monotone: Monotone = "no",
    missing_bin: bool = True,
    unseen: float | None = 0.0,
    threads: int | None = None,
) -> WoeBins:
    """Bin features by what they tell about a target of two classes, and weigh each bin.

    The weight of evidence of a bin is `ln(share of the events / share of the non-events)`, and a
    feature's information value is the sum of `(share of the events - share of the non-events) *
    woe` over its bins.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns needed of a LazyFrame are collected.
    target : str
        The column of two classes.
    features, exclude : list of names, or a Polars selector
        The columns to bin, or not to bin.
    ordered, nominal : list of names, or a Polars selector
        Features taken as of the other kind.
    weight : str, optional
        A column of non-negative weights.
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
        The weight of a level never seen, and of a missing value without a bin; None is null.
    threads : int
        Threads to work with; without it, Polars' number.

    Returns
    -------
    WoeBins
        A table of the bins, and the map from values to their weights.

    Raises
    ------
    DataError
        A column that does not exist, or a target with nulls or of other than two classes.
    SpecError
        An option that cannot be, or an event that is no class.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({
    ...     "price": [1, 2, 3, 4, 5, 6],
    ...     "churn": ["no", "no", "yes", "no", "yes", "yes"],
    ... })
    >>> woe = gt.woe_bins(df, "churn", intervals=3, monotone="increasing")
    >>> woe.table.select("rule", "n", "events", "event_rate").rows()
    [('price < 3', 2, 0.0, 0.0), ('3 <= price < 5', 2, 1.0, 0.5), ('price >= 5', 2, 2.0, 1.0)]
    >>> df.lazy().select(woe.woe("price")).collect()["price_woe"].round(3).to_list()
    [-1.609, -1.609, 0.0, 0.0, 1.609, 1.609]
    """
    options: dict[str, Any] = {
        "features": features,
        "exclude": exclude,
        "ordered": ordered,
        "nominal": nominal,
        "weight": weight,
        "event": event,
        "intervals": intervals,
        "max_bins": max_bins,
        "min_share": min_share,
        "monotone": monotone,
        "missing_bin": missing_bin,
        "unseen": unseen,
        "threads": threads,
    }
    if event is not None and not isinstance(event, (str, int)) and not hasattr(event, "item"):
        refuse("event", event, "one of the target's classes")
    target, options = text("target", target), woe_options(options)
    columns, options = prepared(data, target, options)
    if features is None:
        # Columns that are not named may be of a dtype that has no bins.
        options.pop("features", None)
    return WoeBins(call("woe_bins", {"rows": columns}, options, target=target))
