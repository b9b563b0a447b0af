"""The columns of y and of the weights."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length

from gaintree.errors import DataError
from gaintree.sklearn._columns import is_missing

if TYPE_CHECKING:
    import numpy.typing as npt


def free_name(wanted: str, columns: list[pl.Series]) -> str:
    """A name that no column has."""
    while any(column.name == wanted for column in columns):
        wanted += "_"
    return wanted


def target_name(y: object, columns: list[pl.Series]) -> str:
    """The name of a Series, or `y`."""
    name = getattr(y, "name", None)
    return free_name(name if isinstance(name, str) and name else "y", columns)


def one_column(estimator: object, y: npt.ArrayLike | None, columns: list[pl.Series]) -> Any:
    """What y is as an array of one dimension, without missing values."""
    if y is None:
        msg = f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        raise DataError(msg)
    values = column_or_1d(y, warn=True)
    check_consistent_length(columns[0], values)
    if values.dtype.kind == "c":
        msg = "Complex data not supported: y has complex numbers"
        raise DataError(msg)
    if values.dtype.kind == "O":
        absent = np.fromiter(map(is_missing, values), np.bool_, len(values))
    else:
        absent = ~np.isfinite(values) if values.dtype.kind in "fmM" else np.array([False])
    if absent.any():
        msg = (
            f"target `{target_name(y, [])}` is missing or infinite in {int(absent.sum())} of "
            f"{len(values)} rows, the first is row {int(absent.argmax()) + 1}: drop these rows"
        )
        raise DataError(msg)
    return values


def numbers(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Numbers to regress on; whole ones stay so."""
    kind = values.dtype.kind
    if kind == "O" and all(isinstance(value, (Real, Decimal)) for value in values):
        kind = "f"
    if kind not in "biuf":
        msg = f"y has values of the types {_types(values)}: expected numbers to regress on"
        raise DataError(msg)
    return values if kind in "iu" else values.astype(np.float64)


def classes(values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The classes in order, and the place of each row's."""
    try:
        found, codes = np.unique(values, return_inverse=True)
    except TypeError as error:
        msg = f"y has values of the types {_types(values)}, without an order: make it one type"
        raise DataError(msg) from error
    check_classification_targets(values)
    return found, codes


def labels(classes: npt.NDArray[Any]) -> pl.Series:
    """Classes as a column that can be a target, in the same order."""
    values = classes.tolist()
    if classes.dtype.kind == "f":
        # Whole, or scikit-learn had refused them.
        values = [int(value) for value in values]
    for kind in (bool, int, str):
        if all(isinstance(value, kind) for value in values):
            return pl.Series(values)
    texts = [str(value) for value in values]
    return pl.Series(texts, dtype=pl.Enum(texts))


def weights(sample_weight: npt.ArrayLike, columns: list[pl.Series]) -> pl.Series:
    """A column of weights, one a row."""
    found = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if found.ndim != 1:
        msg = f"sample_weight has {found.ndim} dimensions: give one weight a row"
        raise DataError(msg)
    check_consistent_length(columns[0], found)
    if not found.any():
        msg = "all of sample_weight is zero: some row has to weigh more"
        raise DataError(msg)
    if found.min() < 0:
        row = int(found.argmin())
        msg = f"Negative values in sample_weight: the weight of row {row + 1} is {found[row]}"
        raise DataError(msg)
    return pl.Series(free_name("sample_weight", columns), found)


def weighted(
    columns: list[pl.Series], sample_weight: npt.ArrayLike | None
) -> tuple[list[pl.Series], str | None]:
    """Columns and one of weights, with its name, if there are weights."""
    if sample_weight is None:
        return columns, None
    weight = weights(sample_weight, columns)
    return [*columns, weight], weight.name


def _types(values: npt.NDArray[Any]) -> str:
    return ", ".join(sorted({type(value).__name__ for value in values.tolist()}))
