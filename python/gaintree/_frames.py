"""From what a caller gives to the columns that cross into Rust."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import polars as pl
from polars import selectors as cs

from gaintree.errors import DataError, FrameTypeError

if TYPE_CHECKING:
    from polars._typing import SelectorType


class ArrowStream(Protocol):
    """A table that exports the Arrow C stream: of pandas, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the table."""


FrameLike: TypeAlias = pl.DataFrame | pl.LazyFrame | ArrowStream
Names: TypeAlias = str | Sequence[str]
Columns: TypeAlias = "Names | SelectorType"


def as_frame(data: FrameLike) -> pl.DataFrame | pl.LazyFrame:
    """A Polars frame of what a caller gives."""
    if isinstance(data, (pl.DataFrame, pl.LazyFrame)):
        return data
    if hasattr(data, "__arrow_c_stream__") and not isinstance(data, pl.Series):
        made = pl.DataFrame(data)
        assert isinstance(made, pl.DataFrame)
        return made
    msg = (
        "expected a Polars DataFrame or LazyFrame, or a table with `__arrow_c_stream__` "
        f"(pandas, pyarrow, DuckDB), got {type(data).__name__}: make it a frame with "
        "polars.DataFrame(…)"
    )
    raise FrameTypeError(msg)


def names(given: Names | None) -> list[str]:
    """A list of names; one name may stand alone."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


def expand(
    columns: Columns | None, frame: pl.DataFrame | pl.LazyFrame, reserved: Iterable[str] = ()
) -> list[str] | None:
    """The names that a selector picks, but for the reserved ones; names stay as they are."""
    if columns is None or isinstance(columns, str):
        return None if columns is None else [columns]
    if cs.is_selector(columns):
        taken = set(reserved)
        picked = cs.expand_selector(frame.collect_schema(), columns)
        return [name for name in picked if name not in taken]
    return list(columns)


def columns_of(
    data: FrameLike,
    needed: Sequence[str] | None = None,
    optional: Sequence[str] = (),
) -> list[pl.Series]:
    """The columns needed, or all, as Series.

    Where a needed one is not there, an empty frame with all columns is given: the verb then says
    which one is meant, before anything is read.
    """
    frame = as_frame(data)
    schema = frame.collect_schema()
    if needed is not None:
        wanted = list(dict.fromkeys([*needed, *(name for name in optional if name in schema)]))
        if not all(name in schema for name in wanted):
            known = {n: pl.Null() if t == pl.Object else t for n, t in schema.items()}
            return pl.DataFrame(schema=known).get_columns()
        frame = frame.select(cs.by_name(wanted)) if wanted else frame.select()
        schema = frame.collect_schema()
    for name, dtype in schema.items():
        if dtype == pl.Object:
            msg = (
                f"column `{name}` (Object) holds Python objects, which have no order and no "
                "levels: cast it to a dtype of Polars, or leave it out"
            )
            raise DataError(msg)
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    return frame.get_columns()
