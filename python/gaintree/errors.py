"""What can go wrong, as exceptions, and what to know of a result, as a warning.

Each exception is a `GaintreeError`, and also the built-in exception one would expect.
"""

from __future__ import annotations

__all__ = [
    "DataError",
    "FileError",
    "ForkError",
    "FrameTypeError",
    "GaintreeError",
    "GaintreeWarning",
    "ModelError",
    "SpecError",
]


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


class ForkError(GaintreeError, RuntimeError):
    """A process was forked from one that had worked, whose threads a fork leaves behind.

    Work that needs them would wait for ever. With the other start methods a process begins anew.

    Examples
    --------
    >>> import multiprocessing
    >>> context = multiprocessing.get_context("spawn")
    >>> context.get_start_method()
    'spawn'
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


class GaintreeWarning(UserWarning):
    """What to know before trusting a result, as a fit's notes.

    `warnings.simplefilter("ignore", gt.GaintreeWarning)` keeps them quiet, and `"error"` makes them
    errors.

    Examples
    --------
    >>> import warnings
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [3, 1, 2] * 9, "age": range(27)})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     fit = gt.fit_tree(df, "age", gt.cart(max_depth=1))
    >>> print(caught[0].message)
    target `age` (i64) holds integers, so each of its 27 values is a class; ...
    """
