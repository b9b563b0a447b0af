"""How two frames differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaintree._call import svg, table
from gaintree._checks import text
from gaintree._frames import as_frame, present
from gaintree._options import DriftOptions, drift_options, options_shown
from gaintree._sides import sides

if TYPE_CHECKING:
    import polars as pl
    from typing_extensions import Unpack

    from gaintree._frames import Columns, Excluded, FrameLike, Frames
    from gaintree._options import Intervals
    from gaintree.pictures import Svg

__all__ = ["drift", "drift_bins", "drift_svg"]


def drift(
    reference: FrameLike,
    current: FrameLike,
    *,
    features: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    intervals: Intervals = 10,
    target: str | None = None,
    alpha: float = 0.05,
    threshold: float = 0.1,
    full: bool = False,
    threads: int | None = None,
) -> pl.DataFrame:
    """Compare the columns of two frames, the one that drifted most first.

    Parameters
    ----------
    reference, current : DataFrame, LazyFrame or Arrow table
        The rows to compare with, and the rows that may have moved. Only the columns compared of
        LazyFrames are collected.
    features, exclude : list of names, or a Polars selector
        The columns to compare, or not to compare.
    ordered, nominal : list of names, or a Polars selector
        Columns taken as of the other kind.
    intervals : int or 'mdl'
        The bins of an ordered column: this many intervals of as many rows of the reference each, or
        the intervals between the cuts that pay by the classes of `target`. A value of more rows
        than such an interval is a bin by itself.
    target : str, optional
        With 'mdl', the column of the reference whose classes choose the intervals.
    alpha, threshold : float
        A column has moved if its `q_value` is at most `alpha`, and its `psi` is above its
        `expected_psi` by `threshold` or more.
    full : bool
        Whether the table has all its columns, or the eight that matter most.
    threads : int
        Threads to work with; without it, Polars' number.

    Returns
    -------
    DataFrame
        A line per column: its `verdict` (`moved`; `stable` where `psi` is above `expected_psi` by
        less than `threshold`, and `expected_psi` is not above it; else `cannot tell`), `psi`, what
        it is on average without drift (`expected_psi`), `q_value` (null where there are too few
        rows for a test), the bin that moved most, and a `note`. `full` adds `js_divergence`, the
        rule that differs most, new and vanished levels, missing shares and more.

    Raises
    ------
    DataError
        Frames without rows or without a column that can be compared.
    SpecError
        An option that cannot be.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> age = list(range(300))
    >>> reference = pl.DataFrame({"age": age, "city": ["rome", "oslo"] * 150})
    >>> current = pl.DataFrame({"age": age, "city": ["rome", "bonn"] * 150})
    >>> gt.drift(reference, current).select("feature", "verdict", "worst_bin").rows()
    [('city', 'moved', 'city == oslo'), ('age', 'stable', 'age < 30')]
    """
    options = {
        "features": features,
        "exclude": exclude,
        "ordered": ordered,
        "nominal": nominal,
        "intervals": intervals,
        "target": target,
        "alpha": alpha,
        "threshold": threshold,
        "full": full,
        "threads": threads,
    }
    return table("drift", *sides(reference, current, drift_options(options)))


@options_shown(DriftOptions)
def drift_bins(
    reference: FrameLike, current: FrameLike, feature: str, **options: Unpack[DriftOptions]
) -> pl.DataFrame:
    """The bins of one column of two frames.

    Parameters
    ----------
    reference, current : DataFrame, LazyFrame or Arrow table
        The rows to compare with, and the rows that may have moved.
    feature : str
        The column.
    **options
        `ordered`, `nominal`, `intervals`, `target` and `threads`, as of `drift`.

    Returns
    -------
    DataFrame
        A line per bin that has rows: its rule, its rows and shares in both frames, and what it
        adds to `psi`.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> reference = pl.DataFrame({"city": ["rome", "oslo", "oslo"]})
    >>> current = pl.DataFrame({"city": ["rome", "rome", "bonn"]})
    >>> bins = gt.drift_bins(reference, current, "city")
    >>> bins.select("rule", "n_reference", "n_current").rows()
    [('city == oslo', 2, 0), ('city == rome', 1, 2), ('city is new', 0, 1)]
    """
    frames, given = _of_one(reference, current, feature, options)
    return table("drift_bins", frames, given, feature=feature)


@options_shown(DriftOptions)
def drift_svg(
    reference: FrameLike, current: FrameLike, feature: str, **options: Unpack[DriftOptions]
) -> Svg:
    """A column of two frames as an SVG picture: the shares of both in each bin.

    A dashed line is at the cut that tells the frames apart best.

    Parameters
    ----------
    reference, current : DataFrame, LazyFrame or Arrow table
        The rows to compare with, and the rows that may have moved.
    feature : str
        The column.
    **options
        `ordered`, `nominal`, `intervals`, `target` and `threads`, as of `drift`.

    Returns
    -------
    Svg
        The picture.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> reference, current = pl.DataFrame({"x": [1, 2, 3]}), pl.DataFrame({"x": [2, 3, 4]})
    >>> gt.drift_svg(reference, current, "x")[:4]
    '<svg'
    """
    frames, given = _of_one(reference, current, feature, options)
    return svg("drift_svg", frames, given, feature=feature)


def _of_one(
    reference: FrameLike, current: FrameLike, feature: str, options: DriftOptions
) -> tuple[Frames, dict[str, Any]]:
    feature, frames = text("feature", feature), (as_frame(reference), as_frame(current))
    given = drift_options(options)
    for side, frame in zip(("reference", "current frame"), frames, strict=True):
        present(f"column of the {side}", [feature], frame.collect_schema())
    return sides(*frames, {**given, "features": [feature]})
