"""What tables come back as: frames of Polars, of pandas, or tables of pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import polars as pl

from gaintree._checks import choice
from gaintree._tables import native_of
from gaintree.errors import DataError, SpecError

if TYPE_CHECKING:
    from typing_extensions import Self

Output = Literal["polars", "pandas", "pyarrow"]
_Answer = TypeVar("_Answer")

# Polars makes tables of both by pyarrow.
_NEEDED = {"polars": (), "pandas": ("pandas", "pyarrow"), "pyarrow": ("pyarrow",)}

_output: str = "polars"
_inside: ContextVar[bool] = ContextVar("_inside", default=False)


class Config:
    """Say what tables come back as, for the whole process; in a `with` block, until its end.

    It is what `polars.Config` is to Polars. Queries stay queries: a LazyFrame that is scored is a
    LazyFrame, and expressions are of Polars.

    Parameters
    ----------
    output : {'polars', 'pandas', 'pyarrow'}
        What tables and columns of answers are: a DataFrame and a Series of Polars (at first) or of
        pandas, or a Table and an Array of pyarrow. Answers for the rows of a pandas DataFrame have
        its index, and `score` keeps its columns as they are. What `predict_proba` gives is a
        DataFrame in pandas.

    Raises
    ------
    SpecError
        Something else, or a package that is not installed.

    Examples
    --------
    >>> import gaintree as gt, pandas as pd
    >>> df = pd.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}, index=[5, 6, 7, 8])
    >>> with gt.Config(output="pandas"):
    ...     tree = gt.fit_tree(df, "y").tree
    ...     tree.score(df, keep="x")
       x prediction
    5  1          a
    6  2          a
    7  3          b
    8  4          b
    """

    def __init__(self, *, output: Output) -> None:
        global _output
        choice("output", output, get_args(Output))
        for package in _NEEDED[output]:
            if find_spec(package) is None:
                msg = (
                    f"`output` is {output!r}, and {package} is not installed: pip install {package}"
                )
                raise SpecError(msg)
        self._before, _output = _output, output

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        global _output
        _output = self._before


@contextmanager
def polars_inside() -> Iterator[None]:
    """Tables of Polars for code of the package that goes on with them."""
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


def _is_other() -> bool:
    return _output != "polars" and not _inside.get()


def shown(answer: _Answer, rows: object = None) -> _Answer:
    """A table or a column as the caller wants it; with the index of `rows` that it answers."""
    if not _is_other() or not isinstance(answer, (pl.DataFrame, pl.Series)):
        return answer
    made, given = _made(answer), native_of(rows)
    if hasattr(made, "iloc") and hasattr(given, "iloc"):
        made.index = given.index
    return made  # type: ignore[no-any-return]


def shown_beside(kept: pl.DataFrame, added: pl.DataFrame, rows: object) -> pl.DataFrame:
    """The columns kept of a frame that was made of `rows`, and the ones added."""
    if _is_other():
        given, made = native_of(rows), shown(added, rows)
        scored: Any = None
        if hasattr(given, "iloc") and hasattr(made, "iloc"):
            import pandas

            names = list(map(str, given.columns))
            of_rows = given.iloc[:, list(map(names.index, kept.columns))]
            scored = pandas.concat([of_rows, made], axis=1)
        elif hasattr(given, "append_column") and hasattr(made, "append_column"):
            scored = given.select(kept.columns)
            for name, column in zip(added.columns, made.columns, strict=True):
                scored = scored.append_column(name, column)
        if scored is not None:
            return scored  # type: ignore[no-any-return]
    return shown(kept.hstack(added.get_columns()) if kept.width else added)


def _made(answer: pl.DataFrame | pl.Series) -> Any:  # noqa: ANN401
    try:
        if _output == "pyarrow":
            return answer.to_arrow()
        if isinstance(answer, pl.Series) and answer.dtype == pl.Struct:
            answer = answer.struct.unnest()
        return answer.to_pandas()
    except BaseException as error:
        # What Polars' Rust code gives up on is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        msg = (
            f"the answer cannot be made a table of {_output}: {error}; "
            'with gaintree.Config(output="polars") it is one of Polars'
        )
        raise DataError(msg) from error
