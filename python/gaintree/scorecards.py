"""Weights of evidence as the points of a scorecard."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from gaintree import _gaintree
from gaintree._checks import path_of, text
from gaintree._frames import column, present
from gaintree._json_text import JsonText, parsed
from gaintree._output import shown
from gaintree._plugin import plugin
from gaintree._woe_texts import WoeTexts
from gaintree.errors import ModelError

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["Scorecard"]


class Scorecard(JsonText):
    """The points of bins, which sum to a score: the higher, the less likely the event.

    Made by `WoeBins.scorecard`, `Scorecard.load` or `Scorecard.from_json`. It can be pickled,
    compared and printed; a notebook shows its table. `gaintree score` applies a saved one to files.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
    >>> gt.woe_bins(df, "y", intervals=2).scorecard()
    <gaintree.Scorecard: 2 bins of 1 feature>
    """

    _native: _gaintree.Scorecard

    def __init__(self, native: _gaintree.Scorecard) -> None:
        if not isinstance(native, _gaintree.Scorecard):
            msg = "a card is made by WoeBins.scorecard, Scorecard.load or Scorecard.from_json"
            raise ModelError(msg)
        self._native = native

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
        return shown(self._lines)

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
        return list(self._scales)

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
        return self._native.scale[0]

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
        return self._native.scale[1]

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
        return self._native.scale[2]

    def __repr__(self) -> str:
        bins, features = self._lines.height, len(self._scales)
        return (
            f"<gaintree.Scorecard: {bins} {'bin' if bins == 1 else 'bins'} of "
            f"{features} {'feature' if features == 1 else 'features'}>"
        )

    def __str__(self) -> str:
        return str(self._lines)

    def _repr_html_(self) -> str:
        return self._lines._repr_html_()

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
        present("feature of the card", [text("feature", feature)], self._scales)
        base, per_woe = self._scales[feature]
        points = pl.lit(base) + pl.lit(per_woe) * self._texts.woe(feature)
        if self._native.rounded:
            points = points.round(0, mode="half_to_even")
        return points.alias(f"{feature}_points")

    def score(self) -> pl.Expr:
        """Make the expression `score`: the sum of the points, null where a feature has none.

        It is one function of the columns of all features, and elementwise, so that a query streams.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> card = gt.woe_bins(df, "y", intervals=2).scorecard(rounded=True)
        >>> df.lazy().select(card.score()).collect()["score"].to_list()
        [507.0, 507.0, 507.0, 467.0, 467.0, 467.0]
        """
        self._native.keep(self._hash)
        kwargs = {"hash": self._hash, "card": self._json}
        columns = map(column, self._scales)
        return plugin("card_score", *columns, kwargs=kwargs, is_elementwise=True).alias("score")

    def to_json(self) -> str:
        """Write the card as JSON, to score rows later or elsewhere.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> card = gt.woe_bins(df, "y", intervals=2).scorecard()
        >>> gt.Scorecard.from_json(card.to_json()) == card
        True
        """
        return self._json

    @classmethod
    def from_json(cls, text: str) -> Scorecard:
        """Read the card that `to_json` wrote.

        Raises
        ------
        ModelError
            A text that it did not write, as that of a tree, or one of a later version.

        Examples
        --------
        >>> import gaintree as gt
        >>> gt.Scorecard.from_json("nonsense")
        Traceback (most recent call last):
        ...
        gaintree.errors.ModelError: ...
        """
        read, what = _gaintree.Scorecard.from_json, "a scorecard"
        return cls(parsed(text, read, what, f"it is no text of {what}"))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the card to a file, which appears whole or not at all.

        `gaintree score CARD INPUT` applies it to files.

        Raises
        ------
        FileError
            A file that cannot be written.

        Examples
        --------
        >>> import polars as pl, gaintree as gt, tempfile
        >>> df = pl.DataFrame({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> card = gt.woe_bins(df, "y", intervals=2).scorecard()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     card.save(f"{folder}/y.card.json")
        ...     gt.Scorecard.load(f"{folder}/y.card.json") == card
        True
        """
        self._native.save(path_of(path))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Scorecard:
        """Read the card that `save` or `gaintree woe --save-card` wrote.

        Raises
        ------
        FileError
            A file that cannot be read.
        ModelError
            A file that holds no scorecard, or one of a later version.

        Examples
        --------
        >>> import gaintree as gt
        >>> gt.Scorecard.load("there is none.json")
        Traceback (most recent call last):
        ...
        gaintree.errors.FileError: ...
        """
        return cls(_gaintree.Scorecard.load(path_of(path)))

    @cached_property
    def _scales(self) -> dict[str, tuple[float, float]]:
        """Each feature's points, in order, at a weight of 0 and per unit of weight."""
        return {name: (base, per_woe) for name, base, per_woe in self._native.scales}

    @cached_property
    def _lines(self) -> pl.DataFrame:
        return self._native.table()

    @cached_property
    def _texts(self) -> WoeTexts:
        return WoeTexts(self._native.bins_to_json())
