"""Frames of every dtype, made from a seed."""

from __future__ import annotations

import random
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

import polars as pl

CLASSES = ["ash", "birch", "cedar"]


def every_dtype(seed: int, n: int = 60) -> pl.DataFrame:
    """A column per dtype that can be a feature, a tenth of it null, and a target `y`."""
    draw = random.Random(seed)

    def column(value: object, dtype: pl.DataType | type[pl.DataType]) -> pl.Series:
        values = [None if draw.random() < 0.1 else value(draw.randrange(12)) for _ in range(n)]
        return pl.Series(values, dtype=dtype, strict=False)

    day, moment = date(2020, 1, 1), datetime(2020, 1, 1)
    text = [f"level {i}" for i in range(12)]
    made = {
        **{
            str(dtype).lower(): column(lambda i: i * 9, dtype)
            for dtype in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16)
        },
        "u32": column(lambda i: i, pl.UInt32),
        "u64": column(lambda i: 2**63 + i, pl.UInt64),
        "i128": column(lambda i: 2**100 + i, pl.Int128),
        "f32": column(lambda i: i / 7, pl.Float32),
        "f64": column(lambda i: float("nan") if i == 3 else i / 7, pl.Float64),
        "bool": column(lambda i: i % 2 == 0, pl.Boolean),
        "str": column(lambda i: text[i], pl.String),
        "cat": column(lambda i: text[i], pl.Categorical),
        "enum": column(lambda i: text[i], pl.Enum(text[::-1])),
        "date": column(lambda i: day + timedelta(days=i), pl.Date),
        "ms": column(lambda i: moment + timedelta(hours=i), pl.Datetime("ms")),
        "zoned": column(
            lambda i: (moment + timedelta(hours=i)).replace(tzinfo=timezone.utc),
            pl.Datetime("us", "Europe/Paris"),
        ),
        "duration": column(lambda i: timedelta(minutes=i), pl.Duration("ns")),
        "time": column(lambda i: time(i), pl.Time),
        "decimal": column(lambda i: Decimal(i) / 4, pl.Decimal(10, 2)),
        "null": pl.Series([None] * n, dtype=pl.Null),
    }
    target = [draw.choice(CLASSES) for _ in range(n)]
    return pl.DataFrame({**made, "y": target, "number": [draw.random() for _ in range(n)]})


def in_chunks(df: pl.DataFrame, n: int) -> pl.DataFrame:
    """The same frame in n chunks a column."""
    size = -(-df.height // n)
    parts = [df.slice(start, size) for start in range(0, df.height, size)]
    return pl.concat(parts, rechunk=False)


def failing_after(n: int, df: pl.DataFrame) -> pl.LazyFrame:
    """A query of the rows of a frame that fails with `gone` when it is run again after n times."""
    runs = []

    def count(df: pl.DataFrame) -> pl.DataFrame:
        runs.append(df.height)
        if len(runs) > n:
            raise OSError("gone")
        return df

    options = {"streamable": True, "schema": df.schema, "projection_pushdown": False}
    return df.lazy().map_batches(count, **options)
