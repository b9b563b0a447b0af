"""How much columns tell about each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaintree import _gaintree
from gaintree._call import table
from gaintree._checks import finite
from gaintree._frames import add_categories, as_frame, columns_of, names, present
from gaintree._options import matrix_options
from gaintree.pictures import Svg

if TYPE_CHECKING:
    import polars as pl

    from gaintree._frames import Columns, Excluded, FrameLike
    from gaintree._options import LogBase, MatrixForm

__all__ = ["gain_matrix", "matrix_svg", "redundant_groups"]


def gain_matrix(
    data: FrameLike,
    *,
    columns: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    bins: int = 10,
    log_base: LogBase = 2,
    form: MatrixForm = "long",
    threads: int | None = None,
) -> pl.DataFrame:
    """Find how much columns tell about each other: the symmetric uncertainty of all pairs.

    It is 1 where each column tells all of the other, and 0 where they are independent.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns compared of a LazyFrame are collected.
    columns, exclude : list of names, or a Polars selector
        The columns to compare, or not to compare; all of a dtype that can be compared.
    ordered, nominal : list of names, or a Polars selector
        Columns taken as of the other kind.
    bins : int
        An ordered column of more levels than this is taken by this many intervals of about as many
        rows each.
    log_base : {2, 'e'}
        Entropies in bits or nats.
    form : {'long', 'wide'}
        A line for each pair, the closest first; or a line and a column for each column.
    threads : int
        Threads to work with; without it, Polars' number.

    Returns
    -------
    DataFrame
        `feature_1`, `feature_2`, their rows, entropies, gain and `symmetric_uncertainty`; or the
        wide form.

    Raises
    ------
    DataError
        A column that does not exist or cannot be compared, or fewer than two.
    SpecError
        An option that cannot be.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({
    ...     "city": ["Bern", "Bern", "Rome", "Rome"],
    ...     "land": ["CH", "CH", "IT", "IT"],
    ...     "size": [1, 2, 1, 2],
    ... })
    >>> gt.gain_matrix(df).select("feature_1", "feature_2", "symmetric_uncertainty").rows()
    [('city', 'land', 1.0), ('city', 'size', 0.0), ('land', 'size', 0.0)]
    >>> gt.gain_matrix(df, form="wide").row(0)
    ('city', 1.0, 1.0, 0.0)
    """
    options = matrix_options({"bins": bins, "log_base": log_base, "form": form, "threads": threads})
    compared = _compared(data, columns, exclude, ordered, nominal, options)
    return table("gain_matrix", {"rows": compared}, options)


def redundant_groups(
    data: FrameLike,
    threshold: float = 0.8,
    *,
    columns: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    bins: int = 10,
    threads: int | None = None,
) -> pl.DataFrame:
    """Group the columns that tell the same: one of each group may do.

    Columns that share at least `threshold` stand in one group. A chain of such pairs makes one
    group too, so that two columns of it may share less.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns compared of a LazyFrame are collected.
    threshold : float
        The symmetric uncertainty of two columns from which they tell the same: above 0, and 1 of
        columns that tell all of each other.
    columns, exclude, ordered, nominal, bins, threads
        As of `gain_matrix`. With more `bins`, an ordered column shares more with one of its levels.

    Returns
    -------
    DataFrame
        A line per column of a group: `group`, from 0 up; `feature`; `nearest`, the column of the
        group that it shares most with, and their `symmetric_uncertainty`; and `least_in_group`, the
        least one with any of the group. Columns that share with none are not there.

    Raises
    ------
    DataError
        A column that does not exist or cannot be compared, or fewer than two.
    SpecError
        An option that cannot be.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({
    ...     "city": ["Bern", "Bern", "Rome", "Rome"],
    ...     "land": ["CH", "CH", "IT", "IT"],
    ...     "size": [1, 2, 1, 2],
    ... })
    >>> gt.redundant_groups(df).rows()
    [(0, 'city', 'land', 1.0, 1.0), (0, 'land', 'city', 1.0, 1.0)]
    """
    threshold = finite("threshold", threshold)
    options = matrix_options({"bins": bins, "threads": threads})
    compared = _compared(data, columns, exclude, ordered, nominal, options)
    return table("redundant_groups", {"rows": compared}, options, threshold=threshold)


def _compared(
    data: FrameLike,
    columns: Columns | None,
    exclude: Excluded | None,
    ordered: Columns,
    nominal: Columns,
    options: dict[str, Any],
) -> list[pl.Series]:
    """The columns to compare; their names are added to the options."""
    frame = as_frame(data)
    for kind, given in (("ordered", ordered), ("nominal", nominal)):
        options[kind] = names(kind, given, frame)
    known = frame.collect_schema()
    left_out = set(names("exclude", exclude, frame))
    chosen = None if columns is None else names("columns", columns, frame)
    present("column", [*(chosen or ()), *left_out], known)
    taken = [name for name in (known if chosen is None else chosen) if name not in left_out]
    add_categories(options, [(data, frame)], left_out, taken)
    # Without it, columns that cannot be compared are left out.
    if chosen is not None:
        options["columns"] = taken
    return columns_of(frame, taken)


def matrix_svg(matrix: pl.DataFrame) -> Svg:
    """A matrix of pairs as a heat map in SVG: a darker cell where columns tell more of each other.

    Parameters
    ----------
    matrix : DataFrame
        Of `gain_matrix`, in either form. The sixty first columns are drawn.

    Returns
    -------
    Svg
        The picture.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.matrix_svg(gt.gain_matrix(df))[:4]
    '<svg'
    """
    return Svg(_gaintree.table_svg("matrix", columns_of(matrix), ""))
