"""A tree as plain Polars expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from gaintree._frames import column

Step = tuple[str, Sequence[int], str | None, pl.Series | None]

_OF_EARLIER: dict[str, Callable[..., pl.Expr]] = {
    "is_null": pl.Expr.is_null,
    "is_nan": pl.Expr.is_nan,
    "not_": pl.Expr.not_,
    "and_": pl.Expr.and_,
    "or_": pl.Expr.or_,
    "eq": pl.Expr.eq,
    "ge": pl.Expr.ge,
    "when": lambda holds, then, otherwise: pl.when(holds).then(then).otherwise(otherwise),
    # A field of a struct that holds the column too.
    "in_order_of": lambda x, by: pl.struct(x.alias("prediction"), by.alias("order")).struct.field(
        "prediction"
    ),
}


def when_then_of(steps: Sequence[Step]) -> pl.Expr:
    """The last of the steps as an expression."""
    written: list[pl.Expr] = []
    for what, earlier, name, of in steps:
        if name is not None:
            step = column(name)
        elif of is None:
            step = _OF_EARLIER[what](*(written[at] for at in earlier))
        elif earlier:
            step = written[earlier[0]].cast(of.dtype, strict=False)
        else:
            step = _literal(of)
        written.append(step)
    return written[-1].alias("prediction")


def _literal(value: pl.Series) -> pl.Expr:
    """The only value of a Series, in its dtype. Times are integers: Python has no nanoseconds."""
    dtype = value.dtype
    if dtype.is_temporal():
        return pl.lit(value.to_physical().item()).cast(dtype)
    if isinstance(dtype, (pl.Categorical, pl.Enum)):
        return pl.lit(value.item()).cast(dtype)
    return pl.lit(value.item(), dtype=dtype)
