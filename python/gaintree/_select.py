"""Selection of features, each beside the ones before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaintree import _gaintree
from gaintree._call import call
from gaintree._checks import text
from gaintree._frames import columns_of, prepared
from gaintree._notes import warn_of
from gaintree._options import select_options
from gaintree._output import shown
from gaintree.pictures import Svg

if TYPE_CHECKING:
    import polars as pl

    from gaintree._frames import Columns, Excluded, FrameLike
    from gaintree._options import Intervals, LogBase, SelectScore, Task

__all__ = ["select_features", "selection_svg"]

# The most features that a warning names.
_SHOWN = 12


def select_features(
    data: FrameLike,
    target: str,
    *,
    features: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    task: Task = "auto",
    weight: str | None = None,
    log_base: LogBase = 2,
    score: SelectScore = "jmi",
    k: int = 10,
    alpha: float = 0.05,
    keep_all: bool = False,
    full: bool = False,
    intervals: Intervals = 10,
    threads: int | None = None,
) -> pl.DataFrame:
    """Select features one after the other: each tells much beside the ones before it.

    The scores are from Brown, Pocock, Zhao & Luján (2012).

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns needed of a LazyFrame are collected.
    target : str
        The column to tell: classes, or a number, which is taken by ten intervals.
    features, exclude : list of names, or a Polars selector
        The columns to select from, or not to; `exclude` may be a table of `screen`.
    ordered, nominal : list of names, or a Polars selector
        Features taken as of the other kind.
    task : {'auto', 'classify', 'regress'}
        Whether the target is classes or a number.
    weight : str, optional
        A column of non-negative weights.
    log_base : {2, 'e'}
        Gains in bits or nats.
    score : {'jmi', 'mrmr', 'cmim', 'conditional_gain'}
        What a feature is selected by: the mean of what it tells beside each feature before it, its
        own gain less the mean of what it shares with them, the least of what it tells beside one of
        them, or what it tells beside all of them together.
    k : int
        The most features to select.
    alpha : float
        Select only features whose `p_adjusted` is at most this, and end where none is left; 1
        takes all.
    keep_all : bool
        Whether to select from ids, leaks and twins too. Without it they are passed over, and a
        warning names them.
    full : bool
        Whether a line for each feature that was passed over follows the steps, in place of the
        warning. Its `note` says why, and its step and figures are null.
    intervals : int or 'mdl'
        The bins of an ordered feature of more than ten levels.
    threads : int
        Threads to work with; without it, Polars' number.

    Returns
    -------
    DataFrame
        A line per step: the feature, its score, its own gain, its gain given the ones before, its
        redundancy with them, and p-values.

    Raises
    ------
    DataError
        A column that does not exist, or a target with nulls or of one class.
    SpecError
        An option that cannot be.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({
    ...     "shape": ["round", "round", "long", "long"] * 10,
    ...     "form": ["o", "o", "l", "l"] * 10,
    ...     "color": ["red", "blue", "red", "blue"] * 10,
    ...     "sort": ["apple", "plum", "pepper", "aubergine"] * 10,
    ... })
    >>> steps = gt.select_features(df, "sort", full=True)
    >>> steps.select("step", "feature", "gain_given").rows()
    [(1, 'shape', 1.0), (2, 'color', 1.0), (None, 'form', None)]
    >>> steps["note"][-1]
    'twin: 100 % told by shape'
    """
    options: dict[str, Any] = {
        "features": features,
        "exclude": exclude,
        "ordered": ordered,
        "nominal": nominal,
        "task": task,
        "weight": weight,
        "log_base": log_base,
        "score": score,
        "k": k,
        "alpha": alpha,
        "keep_all": keep_all,
        "full": True,
        "intervals": intervals,
        "threads": threads,
    }
    target, options = text("target", target), select_options(options)
    columns, options = prepared(data, target, options)
    if features is None:
        # Columns that are not named may be of a dtype that cannot be used.
        options.pop("features", None)
    lines: pl.DataFrame = call("select_features", {"rows": columns}, options, target=target)
    if full:
        return shown(lines)
    is_step = lines["step"].is_not_null()
    warn_of(_of_passed_over(lines.filter(~is_step)))
    return shown(lines.filter(is_step))


def _of_passed_over(lines: pl.DataFrame) -> list[str]:
    """A note on the features that a selection passed over, if there are any."""
    if lines.is_empty():
        return []
    reasons = (note.partition(":")[0] for note in lines["note"])
    named = zip(lines["feature"], reasons, strict=True)
    shown = [f"`{feature}` ({reason})" for feature, reason in named]
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return [
        f"passed over {', '.join(shown[:_SHOWN])}{more}: keep_all=True selects from them too, and "
        "full=True says why"
    ]


def selection_svg(steps: pl.DataFrame) -> Svg:
    """The steps of `select_features` as an SVG picture.

    A bar is a feature's own gain, and in it what it tells beside the ones before it.

    Parameters
    ----------
    steps : DataFrame
        Of `select_features`.

    Returns
    -------
    Svg
        The picture.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.selection_svg(gt.select_features(df, "y"))[:4]
    '<svg'
    """
    drawn = ["feature", "info_gain", "gain_given", "p_adjusted"]
    return Svg(_gaintree.table_svg("selection", columns_of(steps, drawn), ""))
