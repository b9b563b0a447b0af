"""Weights of evidence as the points of a scorecard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from gaintree._checks import text
from gaintree._frames import present

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Scorecard"]


class Scorecard:
    """The points of bins, which sum to a score: the higher, the less likely the event.

    Made by `WoeBins.scorecard`. A notebook shows its table.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
    >>> gt.woe_bins(df, "y", intervals=2).scorecard()
    <gaintree.Scorecard: 2 bins of 1 feature>
    """

    def __init__(
        self,
        table: pl.DataFrame,
        scale: tuple[float, float, float],
        points: dict[str, Callable[[], pl.Expr]],
    ) -> None:
        self._table, self._scale, self._points = table, scale, points

    @property
    def table(self) -> pl.DataFrame:
        """A line per bin: rule, event, rows, event rate, `woe`, coefficient and `points`.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> card = gt.woe_bins(df, "y", intervals=2).scorecard(rounded=True)
        >>> card.table.select("rule", "points").rows()
        [('x < 2', 507.0), ('x >= 2', 467.0)]
        """
        return self._table

    @property
    def features(self) -> list[str]:
        """The features, in order of the table.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> gt.woe_bins(df, "y", intervals=2).scorecard().features
        ['x']
        """
        return list(self._points)

    @property
    def factor(self) -> float:
        """What the log-odds of the event are multiplied by, and taken from `offset`.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> round(gt.woe_bins(df, "y", intervals=2).scorecard().factor, 4)
        28.8539
        """
        return self._scale[0]

    @property
    def offset(self) -> float:
        """The score at even odds.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> round(gt.woe_bins(df, "y", intervals=2).scorecard().offset, 3)
        487.123
        """
        return self._scale[1]

    @property
    def intercept(self) -> float:
        """The intercept of the log-odds.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 2, 2], "y": ["a", "a", "a", "b"]})
        >>> round(gt.woe_bins(df, "y", intervals=2).scorecard().intercept, 4)
        -1.0986
        """
        return self._scale[2]

    def __repr__(self) -> str:
        bins, features = self._table.height, len(self._points)
        return (
            f"<gaintree.Scorecard: {bins} {'bin' if bins == 1 else 'bins'} of "
            f"{features} {'feature' if features == 1 else 'features'}>"
        )

    def __str__(self) -> str:
        return str(self._table)

    def _repr_html_(self) -> str:
        return self._table._repr_html_()

    def points(self, feature: str) -> pl.Expr:
        """Make the expression `<feature>_points`: the points of each row.

        It is elementwise over the column of this name, so that a query streams. A missing value
        and a level never seen have the points of their weight of evidence; see `WoeBins.woe`.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> card = gt.woe_bins(df, "y", intervals=2).scorecard(rounded=True)
        >>> df.select(card.points("x"))["x_points"].to_list()
        [507.0, 507.0, 507.0, 467.0, 467.0, 467.0]
        """
        present("feature of the card", [text("feature", feature)], self._points)
        return self._points[feature]().alias(f"{feature}_points")

    def score(self) -> pl.Expr:
        """Make the expression `score`: the sum of the points, null where a feature has none.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> card = gt.woe_bins(df, "y", intervals=2).scorecard(rounded=True)
        >>> df.lazy().select(card.score()).collect()["score"].to_list()
        [507.0, 507.0, 507.0, 467.0, 467.0, 467.0]
        """
        first, *others = map(self.points, self._points)
        for points in others:
            first = first + points
        return first.alias("score")
