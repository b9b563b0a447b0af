"""The cells of a case as ONNX takes them."""

from decimal import Decimal

import numpy as np
from parquet import series

ELEMENTS = {
    "tensor(bool)": bool,
    "tensor(float16)": np.float16,
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(string)": object,
}


def cells(dtype, texts, slot):
    """An input: values, where any stands for null, or whether they are missing."""
    if slot.name.endswith("__missing") and slot.type == "tensor(bool)":
        return np.array([[text is None] for text in texts])
    element = ELEMENTS.get(slot.type) or np.dtype(slot.type[len("tensor(") : -1])
    if slot.type == "tensor(string)":
        values = ["" if text is None else text for text in texts]
    elif dtype.startswith("decimal"):
        scale = int(dtype.rstrip("]").split(",")[1])
        values = [0 if text is None else int(Decimal(text).scaleb(scale)) for text in texts]
        # No cut is as large.
        values = [min(max(value, -(2**62)), 2**62) for value in values]
    else:
        column = series("x", dtype, texts).to_physical()
        null = float("nan") if column.dtype.is_float() else 0
        values = [null if value is None else value for value in column.to_list()]
    return np.array(values, dtype=element).reshape(-1, 1)
