"""From tables of other packages to frames of Polars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import polars as pl

from gaintree.errors import DataError

# Of a package that need not be there. Tables of pandas have `iloc`.
Table: TypeAlias = Any

# Polars' name for what its Rust code gives up on. It is no Exception.
_PANIC = "PanicException"


class Unread:
    """Stands in the rows of a column that Polars has no dtype for."""

    def __init__(self, dtype: str, why: str, advice: str) -> None:
        self.dtype, self.why, self.advice = dtype, why, advice


def native_of(table: Any) -> Any:  # noqa: ANN401
    """The table or column that one of narwhals holds, or the one that is given."""
    is_held = type(table).__module__.partition(".")[0] == "narwhals"
    return table.to_native() if is_held else table


def frame_of(table: Table) -> pl.DataFrame:
    """A frame of a table that exports the Arrow C stream.

    Columns that Polars has no dtype for are of Python objects, `Unread`: they fail where they are
    asked for.
    """
    # It is read once, but may have to be tried column by column.
    if hasattr(table, "read_all"):
        table = table.read_all()
    try:
        frame = _polars(table)
    except pl.exceptions.SchemaError:
        # A stream of one column: a Series of pandas, a chunked array.
        raise
    except Exception as error:
        columns = _columns(table)
        # Without pyarrow, the columns are not what is wrong.
        if columns is None or isinstance(error, ImportError):
            raise
        frame = pl.DataFrame([_column(*column) for column in columns])
    return _known_missing(table, frame) if hasattr(table, "iloc") else frame


def _polars(table: Table) -> pl.DataFrame:
    try:
        return pl.DataFrame(table)
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise DataError(str(error)) from error


def _columns(table: Table) -> list[tuple[str, int, str, Table]] | None:
    """The name, rows and dtype of each column, and a table of it alone."""
    if hasattr(table, "iloc"):
        return [
            (str(name), len(table), str(dtype), table.iloc[:, [at]])
            for at, (name, dtype) in enumerate(table.dtypes.items())
        ]
    try:
        import pyarrow

        read = pyarrow.RecordBatchReader.from_stream(table).read_all()
    except Exception:
        return None
    return [
        (field.name, len(read), str(field.type), read.select([at]))
        for at, field in enumerate(read.schema)
    ]


def _column(name: str, rows: int, dtype: str, table: Table) -> pl.Series:
    try:
        return _polars(table).to_series().alias(name)
    except Exception:
        return pl.Series(name, [_unread(dtype, table)] * rows, dtype=pl.Object)


def _unread(dtype: str, table: Table) -> Unread:
    if dtype != "object":
        return Unread(dtype, "has a type of Arrow", "cast it to a number, a time or text")
    types = sorted({type(value).__name__ for value in table.iloc[:, 0].dropna()})
    return Unread(
        dtype,
        f"holds values of the types {', '.join(types)}",
        f"make it one type, as text with df[{table.columns[0]!r}].astype('string')",
    )


def _known_missing(pandas: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """Columns of objects that are all missing without a dtype, which Polars takes for text."""
    missing = [
        pl.Series(column.name, [None] * len(frame), dtype=pl.Null)
        for column, dtype in zip(frame.get_columns(), pandas.dtypes, strict=True)
        if str(dtype) == "object" and column.dtype == pl.String and column.is_null().all()
    ]
    return frame.with_columns(missing) if missing else frame


def number_categories(table: Table, frame: pl.DataFrame | pl.LazyFrame) -> list[str]:
    """Categories of pandas without an order whose values are numbers, dates or times.

    Polars has only the values of these.
    """
    table = native_of(table)
    if not hasattr(table, "iloc"):
        return []
    return [
        name
        for (name, dtype), pandas in zip(frame.collect_schema().items(), table.dtypes, strict=True)
        if str(pandas) == "category"
        and not pandas.ordered
        and (dtype.is_numeric() or dtype.is_temporal())
    ]


def unread(frame: pl.DataFrame | pl.LazyFrame, names: Iterable[str]) -> dict[str, Unread]:
    """The columns that Polars has no dtype for."""
    if isinstance(frame, pl.LazyFrame) or not len(frame):
        return {}
    # Polars makes a schema of all columns anew each time.
    schema = frame.schema
    first = {name: frame[name][0] for name in names if schema[name] == pl.Object}
    return {name: value for name, value in first.items() if isinstance(value, Unread)}
