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
    """A column is missing, has the wrong dtype, or holds values that cannot be used."""


class SpecError(GaintreeError, ValueError):
    """An option contradicts another one, or names something unknown."""


class ModelError(GaintreeError, ValueError):
    """A model file is damaged, of another version, or not a model."""


class FileError(GaintreeError, OSError):
    """A file could not be read or written."""


class FrameTypeError(GaintreeError, TypeError):
    """What was given is not a frame."""
