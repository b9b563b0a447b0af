"""Measures of a feature and a target as Polars expressions.

Each is one number in `select`, `group_by().agg()` and `over()`, eager and lazy. Rows with a null
target are dropped; fewer than two classes give 0.0, no rows null. Entropies are in bits.

Polars gives a measure whole columns: `select` does not stream, and a streaming `group_by().agg()`
collects each group in memory first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from gaintree._checks import switch
from gaintree._plugin import plugin

if TYPE_CHECKING:
    from polars._typing import IntoExprColumn

__all__ = [
    "GainNamespace",
    "class_entropy",
    "conditional_entropy",
    "gain_ratio",
    "gini_gain",
    "info_gain",
    "mdl_cut",
    "split_info",
    "symmetric_uncertainty",
]


def info_gain(feature: IntoExprColumn, target: IntoExprColumn) -> pl.Expr:
    """Information gain of a feature about a target of classes.

    Parameters
    ----------
    feature : str or Expr
        The column to rate: a nominal one by all its levels, an ordered one by its best cut.
    target : str or Expr
        The column of classes.

    Returns
    -------
    Expr
        One Float64, named as the feature.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"g": [1, 1, 2, 2], "x": [1, 2, 3, 4], "y": ["a", "b", "b", "b"]})
    >>> df.group_by("g", maintain_order=True).agg(gt.info_gain("x", "y")).rows()
    [(1, 1.0), (2, 0.0)]
    """
    return plugin("info_gain", feature, target, returns_scalar=True)


def gain_ratio(feature: IntoExprColumn, target: IntoExprColumn) -> pl.Expr:
    """Information gain over split info.

    Parameters
    ----------
    feature : str or Expr
        The column to rate.
    target : str or Expr
        The column of classes.

    Returns
    -------
    Expr
        One Float64, named as the feature.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> df.select(gt.gain_ratio("x", "y")).item()
    1.0
    """
    return plugin("gain_ratio", feature, target, returns_scalar=True)


def gini_gain(feature: IntoExprColumn, target: IntoExprColumn) -> pl.Expr:
    """Gini gain of a feature's best rule of two branches.

    Parameters
    ----------
    feature : str or Expr
        The column to rate.
    target : str or Expr
        The column of classes.

    Returns
    -------
    Expr
        One Float64, named as the feature.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> df.select(gt.gini_gain("x", "y")).item()
    0.5
    """
    return plugin("gini_gain", feature, target, returns_scalar=True)


def conditional_entropy(feature: IntoExprColumn, target: IntoExprColumn) -> pl.Expr:
    """Entropy of a target that is left when a feature is known.

    Parameters
    ----------
    feature : str or Expr
        The column to rate.
    target : str or Expr
        The column of classes.

    Returns
    -------
    Expr
        One Float64, named as the feature.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": ["n", "s", "n", "s"], "y": ["a", "a", "b", "b"]})
    >>> df.select(gt.conditional_entropy("x", "y")).item()
    1.0
    """
    return plugin("conditional_entropy", feature, target, returns_scalar=True)


def symmetric_uncertainty(
    feature: IntoExprColumn, target: IntoExprColumn, *, levels: bool = False
) -> pl.Expr:
    """Twice the gain over the sum of both entropies: 0 tells nothing, 1 tells all.

    An ordered feature is cut in two where that gains most, as in `rank_gain`. So a number does not
    tell all of itself, and two numbers do not tell as much of each other either way round. With
    `levels` they do.

    Parameters
    ----------
    feature : str or Expr
        The column to rate.
    target : str or Expr
        The column of classes.
    levels : bool
        Take both columns by all their values, numbers too, over the rows where both have one.

    Returns
    -------
    Expr
        One Float64, named as the feature.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> df.select(gt.symmetric_uncertainty("x", "y")).item()
    1.0
    >>> numbers = pl.DataFrame({"a": [1, 2, 3, 4], "b": [5, 5, 6, 7]})
    >>> either_way = [gt.symmetric_uncertainty(*pair, levels=True) for pair in ["ab", "ba"]]
    >>> numbers.select(either_way).row(0)
    (0.857142..., 0.857142...)
    """
    name = (
        "symmetric_uncertainty_of_levels" if switch("levels", levels) else "symmetric_uncertainty"
    )
    return plugin(name, feature, target, returns_scalar=True)


def split_info(feature: IntoExprColumn) -> pl.Expr:
    """Entropy of a column's own levels, nulls dropped.

    Parameters
    ----------
    feature : str or Expr
        The column.

    Returns
    -------
    Expr
        One Float64, named as the feature.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> pl.DataFrame({"x": ["n", "s", None]}).select(gt.split_info("x")).item()
    1.0
    """
    return plugin("level_entropy", feature, returns_scalar=True)


def class_entropy(target: IntoExprColumn) -> pl.Expr:
    """Entropy of a target's classes, nulls dropped.

    Parameters
    ----------
    target : str or Expr
        The column.

    Returns
    -------
    Expr
        One Float64, named as the target.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> pl.DataFrame({"y": ["a", "a", "b", "b"]}).select(gt.class_entropy("y")).item()
    1.0
    """
    return plugin("level_entropy", target, returns_scalar=True)


def mdl_cut(feature: IntoExprColumn, target: IntoExprColumn) -> pl.Expr:
    """The interval of each value of an ordered feature between its cuts of `mdl_cuts`.

    Parameters
    ----------
    feature : str or Expr
        The column to cut.
    target : str or Expr
        The column of classes. Rows with a null do not influence the cuts, but have an interval too.

    Returns
    -------
    Expr
        A UInt32 per row, from 0 up; null for a missing value.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4, 10, 11, 12, 13], "y": ["n"] * 4 + ["y"] * 4})
    >>> df.select(gt.mdl_cut("x", "y"))["x"].to_list()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    return plugin("mdl_cut", feature, target)


@pl.api.register_expr_namespace("gain")
class GainNamespace:
    """The same as methods: `pl.col("x").gain.info("y")`.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> df.select(pl.col("x").gain.info("y")).item()
    1.0
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def info(self, target: IntoExprColumn) -> pl.Expr:
        """`info_gain` of this feature.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> df.select(pl.col("x").gain.info("y")).item()
        1.0
        """
        return info_gain(self._expr, target)

    def ratio(self, target: IntoExprColumn) -> pl.Expr:
        """`gain_ratio` of this feature.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> df.select(pl.col("x").gain.ratio("y")).item()
        1.0
        """
        return gain_ratio(self._expr, target)

    def gini(self, target: IntoExprColumn) -> pl.Expr:
        """`gini_gain` of this feature.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> df.select(pl.col("x").gain.gini("y")).item()
        0.5
        """
        return gini_gain(self._expr, target)

    def conditional_entropy(self, target: IntoExprColumn) -> pl.Expr:
        """`conditional_entropy` of the target, this feature known.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": ["n", "s", "n", "s"], "y": ["a", "a", "b", "b"]})
        >>> df.select(pl.col("x").gain.conditional_entropy("y")).item()
        1.0
        """
        return conditional_entropy(self._expr, target)

    def symmetric_uncertainty(self, target: IntoExprColumn, *, levels: bool = False) -> pl.Expr:
        """`symmetric_uncertainty` of this feature and the target, by `levels` if asked for.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> df.select(pl.col("x").gain.symmetric_uncertainty("y")).item()
        1.0
        >>> df.select(pl.col("x").gain.symmetric_uncertainty("x", levels=True)).item()
        1.0
        """
        return symmetric_uncertainty(self._expr, target, levels=levels)

    def split_info(self) -> pl.Expr:
        """`split_info` of this feature.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": ["n", "s", "n", "s"], "y": ["a", "a", "b", "b"]})
        >>> df.select(pl.col("x").gain.split_info()).item()
        1.0
        """
        return split_info(self._expr)

    def class_entropy(self) -> pl.Expr:
        """`class_entropy` of this target.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> df.select(pl.col("y").gain.class_entropy()).item()
        1.0
        """
        return class_entropy(self._expr)

    def mdl_cut(self, target: IntoExprColumn) -> pl.Expr:
        """`mdl_cut` of this feature.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4, 10, 11, 12, 13], "y": ["n"] * 4 + ["y"] * 4})
        >>> df.select(pl.col("x").gain.mdl_cut("y"))["x"].to_list()
        [0, 0, 0, 0, 1, 1, 1, 1]
        """
        return mdl_cut(self._expr, target)
