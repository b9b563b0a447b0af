"""What can go wrong, as exceptions.

Each is a `GaintreeError`, and also the built-in exception one would expect.
"""

from __future__ import annotations

__all__ = ["DataError", "FileError", "FrameTypeError", "GaintreeError", "ModelError", "SpecError"]


class GaintreeError(Exception):
    """Any error of gaintree.

    Examples
    --------
    >>> import gaintree as gt
    >>> try:
    ...     gt.Tree.from_json("{}")
    ... except gt.GaintreeError as error:
    ...     print(type(error).__name__)
    ModelError
    """


class DataError(GaintreeError, ValueError):
    """A column is missing, has the wrong dtype, or holds values that cannot be used.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> gt.fit_tree(pl.DataFrame({"x": [1, 2], "kind": ["a", "b"]}), "kinds")
    Traceback (most recent call last):
    ...
    gaintree.errors.DataError: target `kinds`: no such column; did you mean `kind`?
    """


class SpecError(GaintreeError, ValueError):
    """An option contradicts another one, or names something unknown.

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.cart(max_depth="5")
    Traceback (most recent call last):
    ...
    gaintree.errors.SpecError: `max_depth` is '5': expected a whole number from 0 to 4294967295
    """


class ModelError(GaintreeError, ValueError):
    """A model file is damaged, of another version, or not a model.

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.Tree.from_json("nonsense")
    Traceback (most recent call last):
    ...
    gaintree.errors.ModelError: ...
    """


class FileError(GaintreeError, OSError):
    """A file could not be read or written.

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.Tree.load("there is none.json")
    Traceback (most recent call last):
    ...
    gaintree.errors.FileError: ...
    """


class FrameTypeError(GaintreeError, TypeError):
    """What was given is not a frame.

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.rank_gain([1, 2, 3], "y")
    Traceback (most recent call last):
    ...
    gaintree.errors.FrameTypeError: expected a Polars DataFrame or LazyFrame, ... got list: ...
    """
