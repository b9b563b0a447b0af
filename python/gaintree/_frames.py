"""From what a caller gives to the columns that cross into Rust."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import polars as pl
from polars import selectors as cs

from gaintree._call import call
from gaintree._checks import nearest, path_of, refuse, text
from gaintree._gaintree import check_not_forked
from gaintree._notes import warn_of
from gaintree._tables import frame_of, native_of, number_categories, unread
from gaintree.errors import DataError, FrameTypeError, SpecError

if TYPE_CHECKING:
    from polars._typing import SelectorType


class ArrowStream(Protocol):
    """A table that exports the Arrow C stream: of pandas, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the table."""


FrameLike: TypeAlias = pl.DataFrame | pl.LazyFrame | ArrowStream
# The paths are of Parquet files; `*` stands for any characters.
Paths: TypeAlias = "str | PathLike[str] | Sequence[str | PathLike[str]]"
RowsLike: TypeAlias = "FrameLike | Paths"
Names: TypeAlias = str | Sequence[str]
Columns: TypeAlias = "Names | SelectorType"
# A table of `screen` stands for the columns that it says to leave out.
Excluded: TypeAlias = "Columns | pl.DataFrame | ArrowStream"
# What crosses into Rust: the columns of frames, by what these are to a verb.
Frames: TypeAlias = dict[str, list[pl.Series]]


def as_frame(data: FrameLike) -> pl.DataFrame | pl.LazyFrame:
    """A Polars frame of what a caller gives."""
    # Polars would wait for its own threads first.
    check_not_forked()
    data = native_of(data)
    if isinstance(data, (pl.DataFrame, pl.LazyFrame)):
        return data
    if isinstance(data, (str, PathLike)):
        msg = f"expected a frame, got the path {str(data)!r}: {_reader(path_of(data))}"
        raise FrameTypeError(msg)
    kind, cause = type(data).__name__, None
    if hasattr(data, "__arrow_c_stream__") and not isinstance(data, (pl.Series, type)):
        try:
            return frame_of(data)
        except pl.exceptions.SchemaError as error:
            # A stream of one column: a Series of pandas, a chunked array.
            cause = error
        except Exception as error:
            msg = f"the {kind} cannot be made a Polars frame: {error}"
            raise DataError(msg) from error
    msg = (
        "expected a Polars DataFrame or LazyFrame, or a table with `__arrow_c_stream__` "
        f"(pandas, pyarrow, DuckDB), got {kind}: make it a frame with polars.DataFrame(…)"
    )
    raise FrameTypeError(msg) from cause


def as_series(values: Any) -> pl.Series:  # noqa: ANN401
    """A Polars Series of a column that a caller gives, with its name."""
    check_not_forked()
    values = native_of(values)
    if isinstance(values, pl.Series):
        return values
    kind, name = type(values).__name__, getattr(values, "name", None)
    if not hasattr(values, "iloc") or not isinstance(name, str):
        msg = f"expected a Series of Polars or pandas that has a name, got {kind}"
        raise FrameTypeError(msg)
    try:
        return pl.Series(name, values)
    except Exception as error:
        msg = f"column `{name}` cannot be made a Polars Series: {error}"
        raise DataError(msg) from error


def names(
    what: str, given: Excluded | None, frame: pl.DataFrame | pl.LazyFrame, but: Iterable[str] = ()
) -> list[str]:
    """The names given, or the names that a pattern or a selector picks, without the names in `but`.

    One name may stand alone.
    """
    if given is None:
        return []
    if hasattr(given, "__arrow_c_stream__") and hasattr(given, "columns"):
        if what != "exclude":
            refuse(what, given, "the name of a column, a list of names, or a Polars selector")
        lines = columns_of(given)
        excluded: list[str] = call("columns_to_exclude", {"rows": lines})
        return excluded
    if isinstance(given, str):
        given = [given]
    if cs.is_selector(given):
        schema, left_out = frame.collect_schema(), set(but)
        try:
            picked = cs.expand_selector(schema, given)
        except pl.exceptions.PolarsError as error:
            msg = f"`{what}`: {error}; the columns are {quoted(schema)}"
            raise DataError(msg) from error
        return [name for name in picked if name not in left_out]
    if isinstance(given, pl.Expr) or not isinstance(given, Iterable):
        refuse(what, given, "the name of a column, a list of names, or a Polars selector")
    listed = [text(what, name) for name in given]
    if not any(map(_is_pattern, listed)):
        return listed
    schema, left_out = frame.collect_schema(), set(but)
    found: dict[str, None] = {}
    for name in listed:
        if name in schema or not _is_pattern(name):
            found[name] = None
        else:
            found |= dict.fromkeys(_matched(what, name, schema, left_out))
    return list(found)


def _is_pattern(name: str) -> bool:
    return name.startswith("^") and name.endswith("$")


def _matched(what: str, pattern: str, schema: pl.Schema, left_out: set[str]) -> list[str]:
    """The columns that a pattern matches; it has to match one."""
    try:
        matched = [name for name in schema if re.search(pattern, name) and name not in left_out]
    except re.error as error:
        msg = f"`{what}` is {pattern!r}: a pattern of names, {error}"
        raise SpecError(msg) from error
    if not matched:
        msg = f"`{what}`: no column fits the pattern `{pattern}`; the columns are {quoted(schema)}"
        raise DataError(msg)
    return matched


def prepared(
    data: FrameLike, target: str, options: dict[str, Any]
) -> tuple[list[pl.Series], dict[str, Any]]:
    """The columns that options name, and the options with names in place of selectors."""
    frame, needed, options = resolved(data, target, options)
    return columns_of(frame, needed), options


def reader_of(
    data: FrameLike, target: str, options: dict[str, Any]
) -> tuple[LazyReader, dict[str, Any]]:
    """A reader of the columns that options name, and the options without selectors."""
    frame, needed, options = resolved(data, target, options)
    return LazyReader(usable_columns(frame, needed).lazy()), options


def resolved(
    data: FrameLike, target: str, options: dict[str, Any]
) -> tuple[pl.DataFrame | pl.LazyFrame, list[str] | None, dict[str, Any]]:
    """The frame, the columns that options name (or all), and the options without selectors."""
    frame = as_frame(data)
    known = frame.collect_schema()
    present("target", [target], known)
    reserved = [target]
    if (weight := options.get("weight")) is not None:
        present("weight", [weight], known)
        reserved.append(weight)
    for role, what in (("by", "group column"), ("given", "given column")):
        if role in options:
            options[role] = names(role, options[role], frame, reserved)
            present(what, options[role], known)
            reserved += options[role]
    chosen = options.pop("features", None)
    chosen = None if chosen is None else names("features", chosen, frame, reserved)
    left_out = set(names("exclude", options.pop("exclude", None), frame))
    present("feature", [*(chosen or ()), *left_out], known)
    if left_out:
        taken = set(reserved)
        features = [name for name in known if name not in taken] if chosen is None else chosen
        chosen = [name for name in features if name not in left_out]
    for kind in ("ordered", "nominal"):
        if kind in options:
            options[kind] = names(kind, options[kind], frame, reserved)
    but, among = [*reserved, *left_out], known if chosen is None else chosen
    add_categories(options, [(data, frame)], but, among)
    if chosen is None:
        return frame, None, options
    return frame, [*reserved, *chosen], options | {"features": chosen}


def add_categories(
    options: dict[str, Any],
    tables: Iterable[tuple[FrameLike, pl.DataFrame | pl.LazyFrame]],
    but: Iterable[str],
    among: Iterable[str],
) -> None:
    """Add the columns that a table of pandas says are nominal to the options'."""
    nominal = options.get("nominal", [])
    told, among = {*options.get("ordered", ()), *nominal, *but}, set(among)
    found = [name for data, frame in tables for name in number_categories(data, frame)]
    said = [name for name in dict.fromkeys(found) if name in among and name not in told]
    if said:
        options["nominal"] = [*nominal, *said]


def columns_of(
    data: FrameLike,
    needed: Sequence[str] | None = None,
    optional: Sequence[str] = (),
) -> list[pl.Series]:
    """The columns needed, or all, as Series; optional ones only where they are there."""
    frame = usable_columns(as_frame(data), needed, optional)
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    return frame.get_columns()


def usable_columns(
    frame: pl.DataFrame | pl.LazyFrame,
    needed: Sequence[str] | None = None,
    optional: Sequence[str] = (),
) -> pl.DataFrame | pl.LazyFrame:
    """The frame of the columns needed, or of all, if they can cross into Rust."""
    schema = frame.collect_schema()
    if needed is not None:
        present("column", needed, schema)
        wanted = list(dict.fromkeys([*needed, *(name for name in optional if name in schema)]))
        frame = frame.select(column(name) for name in wanted)
        schema = frame.collect_schema()
    refuse_unread(frame)
    for name, dtype in schema.items():
        usable(name, dtype)
    return frame


class LazyReader:
    """The rows of a query, which Rust asks for a few columns or a few rows at a time."""

    def __init__(self, rows: pl.LazyFrame) -> None:
        self._rows = rows

    def empty(self) -> list[pl.Series]:
        """All columns, without rows."""
        return self._rows.clear().collect().get_columns()

    def n_rows(self) -> int:
        """The number of rows."""
        return int(self._rows.select(pl.len()).collect().item())

    def read(self, names: Sequence[str], first: int | None) -> list[pl.Series]:
        """The columns of these names: all rows, or the first few."""
        rows = self._of(names)
        return (rows if first is None else rows.head(first)).collect().get_columns()

    def batches(self, names: Sequence[str], rows_at_once: int) -> Batches:
        """The columns of these names, some rows at a time."""
        rows = self._of(names)
        if hasattr(rows, "collect_batches"):
            return Batches(rows.collect_batches(chunk_size=rows_at_once, maintain_order=True))
        return Batches(_slices(rows))

    def _of(self, names: Sequence[str]) -> pl.LazyFrame:
        return self._rows.select(column(name) for name in names)


class Batches:
    """The batches of one reading, which Rust asks for one by one."""

    def __init__(self, frames: Iterable[pl.DataFrame]) -> None:
        self._frames = frames
        self._rest = iter(frames)

    def next(self) -> list[pl.Series] | None:
        """The columns of the next batch; None after the last one."""
        batch = next(self._rest, None)
        return None if batch is None else batch.get_columns()

    def close(self) -> None:
        """End the reading."""
        # The query goes on to its end otherwise. Not all versions of Polars have `stop`.
        stop = getattr(self._frames, "stop", None)
        if stop is not None:
            stop()


# Rows of a slice of a query, where Polars makes no batches: each reads its row groups anew.
_SLICE = 1 << 20


def _slices(rows: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    """The rows of a query slice by slice, for Polars without `collect_batches`."""
    for first in itertools.count(0, _SLICE):
        batch = rows.slice(first, _SLICE).collect()
        yield batch
        if batch.height < _SLICE:
            return


def rows_of(data: RowsLike) -> FrameLike:
    """What a caller gives, with a LazyFrame in place of the paths of Parquet files."""
    paths = data if isinstance(data, (list, tuple)) else [data]
    if not paths or not all(isinstance(path, (str, PathLike)) for path in paths):
        return data  # type: ignore[return-value]
    listed = [path_of(path) for path in paths]
    for path in listed:
        if path.lower().endswith(tuple(_READERS)):
            msg = f"paths are of Parquet files, and one is {path!r}: {_reader(path)}"
            raise FrameTypeError(msg)
    return pl.scan_parquet(listed)


# How Polars reads files that are not Parquet, by the ending of the name.
_READERS = {
    ".csv": "read_csv({!r})",
    ".tsv": "read_csv({!r}, separator='\\t')",
    ".csv.gz": "read_csv({!r})",
    ".ndjson": "read_ndjson({!r})",
    ".jsonl": "read_ndjson({!r})",
    ".json": "read_json({!r})",
    ".arrow": "read_ipc({!r})",
    ".feather": "read_ipc({!r})",
    ".ipc": "read_ipc({!r})",
}


def _reader(path: str) -> str:
    """How a file is read."""
    calls = (call for ending, call in _READERS.items() if path.lower().endswith(ending))
    return f"read the file with polars.{next(calls, 'read_parquet({!r})').format(path)}"


def refuse_unread(frame: pl.DataFrame | pl.LazyFrame) -> None:
    """Refuse a column that Polars has no dtype for."""
    for name, of in unread(frame, frame.collect_schema()).items():
        msg = (
            f"column `{name}` ({of.dtype}) {of.why}, and Polars has no dtype for it: "
            f"{of.advice}, or leave it out"
        )
        raise DataError(msg)


def without_unread(frame: pl.DataFrame | pl.LazyFrame) -> list[str]:
    """The columns that a frame can have; a warning names the others."""
    schema = frame.collect_schema()
    lost = unread(frame, schema)
    if lost:
        left_out = ", ".join(f"`{name}` ({of.dtype})" for name, of in lost.items())
        warn_of(
            [f"left out of the rows that are scored: {left_out}, which Polars has no dtype for"]
        )
    return [name for name in schema if name not in lost]


def column(name: str) -> pl.Expr:
    """The column of this very name."""
    # `col` takes `*` and `^…$` for patterns; selectors by name do too in Polars 1.33.
    pattern = name == "*" or _is_pattern(name)
    return pl.col(f"^{re.escape(name)}$" if pattern else name)


def usable(name: str, dtype: pl.DataType) -> None:
    """Refuse a column that cannot cross into Rust."""
    if dtype == pl.Object:
        msg = (
            f"column `{name}` (Object) holds Python objects, which have no order and no "
            "levels: cast it to a dtype of Polars, or leave it out"
        )
        raise DataError(msg)
    # Older versions of Polars have none. Periods and intervals of pandas are such columns.
    if isinstance(dtype, getattr(pl, "BaseExtension", ())):
        msg = (
            f"column `{name}` ({dtype}) is of an extension type: cast it to a dtype of "
            "Polars, or leave it out"
        )
        raise DataError(msg)
    # Arrow's names end at the first NUL, and Polars panics there.
    if "\0" in name:
        msg = f"column {name!r} has a NUL in its name: rename it, or leave it out"
        raise DataError(msg)
    if isinstance(dtype, (pl.List, pl.Array)):
        usable(name, dtype.inner)  # type: ignore[arg-type]
    for field in dtype.fields if isinstance(dtype, pl.Struct) else ():
        usable(f"{name}.{field.name}", field.dtype)  # type: ignore[arg-type]


def present(what: str, wanted: Iterable[str], known: Collection[str]) -> None:
    """Refuse a name that no column has."""
    for name in wanted:
        if name not in known:
            close = nearest(name, known)
            advice = f"the columns are {quoted(known)}" if known else "the table has no columns"
            advice = f"did you mean `{close}`?" if close else advice
            msg = f"{what} `{name}`: no such column; {advice}"
            raise DataError(msg)


def quoted(names: Iterable[str]) -> str:
    """Names in a sentence."""
    return ", ".join(f"`{name}`" for name in names)
