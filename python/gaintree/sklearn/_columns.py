"""The columns of X."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl
from polars import selectors as cs
from sklearn.utils.validation import validate_data

from gaintree._frames import as_frame, columns_of
from gaintree._tables import number_categories
from gaintree.errors import DataError, FrameTypeError, SpecError

if TYPE_CHECKING:
    import numpy.typing as npt
    from polars._typing import SelectorType

    from gaintree._frames import FrameLike

Rows: TypeAlias = "FrameLike | npt.ArrayLike"
Picked: TypeAlias = "str | int | Sequence[str] | Sequence[int] | SelectorType"

# Every whole number up to here is a float64 of its own.
_WHOLE = 2**53


def is_frame(X: Rows) -> bool:
    """Whether X is a table with names, and not an array. One column is neither, which fails."""
    return isinstance(X, pl.LazyFrame) or hasattr(X, "__arrow_c_stream__")


def columns(estimator: Any, X: Any, *, fit: bool) -> list[pl.Series]:
    """The columns of X, after scikit-learn's own checks."""
    if is_frame(X):
        # Columns in use are looked at later, when they are scored.
        frame = as_frame(X)
        series = columns_of(frame) if fit else frame.lazy().collect().get_columns()
        # In pandas a name need not be a text.
        names = list(X.columns) if hasattr(X, "iloc") else [column.name for column in series]
        check_names(estimator, names, fit=fit)
        return series
    # Numpy would make text of a list of text and numbers.
    if isinstance(X, (list, tuple)) and np.asarray(X).dtype.kind in "US":
        X = np.asarray(X, dtype=object)
    finite = getattr(estimator, "missing", None) == "error"
    array = validate_data(estimator, X, reset=fit, dtype=None, ensure_all_finite=finite)
    return _columns_of_array(array)


def check_names(estimator: Any, names: list[Any], *, fit: bool) -> None:
    """Set the names of the features, or hold others against them.

    scikit-learn does the same, but not all its versions know other frames than pandas'.
    """
    if not names:
        msg = "X has 0 feature(s): a frame with columns is required"
        raise DataError(msg)
    texts = [name for name in names if isinstance(name, str)]
    if texts and len(texts) < len(names):
        msg = (
            "Feature names are only supported if all input features have string names: "
            f"of the columns {names} some have not; rename them, in pandas with "
            "X.columns = X.columns.astype(str)"
        )
        raise FrameTypeError(msg)
    name = type(estimator).__name__
    if fit:
        estimator.n_features_in_ = len(names)
        if texts:
            estimator.feature_names_in_ = np.array(texts, dtype=object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is not None and texts and list(fitted) != texts:
        raise DataError(_other_names(list(fitted), texts))
    if len(names) != estimator.n_features_in_:
        msg = (
            f"X has {len(names)} features, but {name} is expecting "
            f"{estimator.n_features_in_} features as input"
        )
        raise DataError(msg)
    if texts and fitted is None:
        warnings.warn(
            f"X has feature names, but {name} was fitted without feature names: the columns are "
            "taken by their place; set `feature_names_in_` to have them checked",
            stacklevel=4,
        )
    elif fitted is not None and not texts:
        warnings.warn(
            f"X does not have valid feature names, but {name} was fitted with feature names",
            stacklevel=4,
        )


def _other_names(fitted: list[str], names: list[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unseen, absent = sorted({*names} - {*fitted}), sorted({*fitted} - {*names})
    for title, some in (
        ("unseen at fit time", unseen),
        ("seen at fit time, yet now missing", absent),
    ):
        if some:
            lines = some[:5] + ["..."] * (len(some) > 5)
            message += f"Feature names {title}:\n" + "".join(f"- {line}\n" for line in lines)
    if not unseen and not absent:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message + "Select the columns of `feature_names_in_`, in its order."


def _columns_of_array(array: npt.NDArray[Any]) -> list[pl.Series]:
    names = [f"x{place}" for place in range(array.shape[1])]
    kind = array.dtype.kind
    if kind in "biuf" and not (kind in "iu" and _is_wide(array)):
        # An array has one dtype for all: whether it came as whole numbers says nothing.
        array = np.asfortranarray(array, dtype=np.float64)
    elif kind not in "iumM":
        return [_of_objects(name, array[:, i].tolist()) for i, name in enumerate(names)]
    return [pl.Series(name, array[:, i]) for i, name in enumerate(names)]


def _is_wide(array: npt.NDArray[Any]) -> bool:
    return array.itemsize > 4 and (int(array.max()) > _WHOLE or int(array.min()) < -_WHOLE)


def _of_objects(name: str, values: list[Any]) -> pl.Series:
    known = [None if is_missing(value) else value for value in values]
    kinds = {type(value) for value in known if value is not None}
    if bool not in kinds and all(issubclass(kind, Number) for kind in kinds):
        return pl.Series(name, [None if v is None else float(v) for v in known], dtype=pl.Float64)
    cause = None
    # Older versions of Polars make a struct of a number and a dict.
    if not kinds or any(all(issubclass(kind, base) for kind in kinds) for base in kinds):
        try:
            return pl.Series(name, known)
        except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
            cause = error
    mixed = ", ".join(sorted(kind.__name__ for kind in kinds))
    msg = (
        f"column `{name}` mixes values of the types {mixed}: each argument must be either a "
        "string in all rows or a number in all rows; make it one type"
    )
    raise FrameTypeError(msg) from cause


def is_missing(value: object) -> bool:
    """Whether an object stands for no value: None, NaN, or NA and NaT of pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Number) and value != value


def picked(columns: list[pl.Series], given: Picked, option: str) -> list[str]:
    """The names of features given by name, by place, by a mask or by a selector."""
    if isinstance(given, pl.Expr):
        return list(cs.expand_selector(pl.DataFrame(columns), given))
    chosen: list[Any] = [given] if isinstance(given, (str, int, np.integer)) else list(given)
    if len(chosen) == len(columns) and all(isinstance(c, (bool, np.bool_)) for c in chosen):
        return [column.name for column, choose in zip(columns, chosen, strict=True) if choose]
    try:
        return [name if isinstance(name, str) else columns[name].name for name in chosen]
    except (IndexError, TypeError) as error:
        msg = f"`{option}` is {given!r}: give names, or places from 0 to {len(columns) - 1}"
        raise SpecError(msg) from error


def categories(X: Any, columns: list[pl.Series], told: Collection[str]) -> list[str]:
    """The columns that a table of pandas says are nominal, except the ones told."""
    said = number_categories(X, pl.DataFrame(columns)) if is_frame(X) else []
    return [name for name in said if name not in told]


def kinds(estimator: Any, X: Any, columns: list[pl.Series]) -> tuple[list[str], list[str]]:
    """The columns taken as ordered and as nominal: as told, and as X says."""
    ordered = picked(columns, estimator.ordered, "ordered")
    nominal = picked(columns, estimator.nominal, "nominal")
    nominal += categories(X, columns, {*ordered, *nominal})
    return ordered, nominal


def as_fitted(column: pl.Series, dtype: pl.DataType | None, *, nominal: bool) -> pl.Series:
    """A column of numbers in the dtype that the tree was fitted on.

    A frame has a column as whole numbers in one part of its rows and, beside a missing value, as
    floats in another. A rule is `x >= cut` with a cut of the fitted dtype, so the next lower
    value of that dtype goes the same way. Levels have to be equal. Without a value, as a row may be
    that is scored alone, the dtype says nothing.
    """
    given = column.dtype
    if (column.fill_nan(None) if given.is_float() else column).is_null().all():
        return pl.Series(column.name, [None] * len(column), dtype=pl.Null)
    if dtype is None or given == dtype or not (given.is_integer() or given.is_float()):
        return column
    if dtype == pl.Float64:
        return column.cast(pl.Float64)
    if dtype.is_integer() and given.is_float():
        column = column.fill_nan(None)
        lower = column.floor()
        fitted = lower.clip(-(2.0**65), 2.0**65).cast(pl.Int128)
    elif dtype == pl.Float32:
        wide = column.cast(pl.Float64).to_numpy()
        with np.errstate(over="ignore"):
            narrow = wide.astype(np.float32)
        down = np.nextafter(narrow, np.float32(-np.inf))
        lower = fitted = pl.Series(column.name, np.where(narrow > wide, down, narrow))
    else:
        return column
    return column if nominal and not (lower == column).all() else fitted
