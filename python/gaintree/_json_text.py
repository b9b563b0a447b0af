"""Objects of the native library that a JSON text holds whole."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from gaintree.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

Parsed = TypeVar("Parsed")


class _Native(Protocol):
    def to_json(self) -> str: ...


class JsonText:
    """Is compared, hashed and pickled by its JSON text."""

    _native: _Native

    if TYPE_CHECKING:

        @classmethod
        def from_json(cls, text: str) -> Self:
            """Read the text."""

    def __eq__(self, other: object) -> bool:
        return self._json == other._json if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._json)

    def __reduce__(self) -> tuple[Callable[[str], Self], tuple[str]]:
        return type(self).from_json, (self._json,)

    @cached_property
    def _json(self) -> str:
        return self._native.to_json()

    @cached_property
    def _hash(self) -> str:
        return hash_of(self._json)


def hash_of(text: str) -> str:
    """The hash by which the native library finds what it has parsed."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def parsed(text: object, read: Callable[[str], Parsed], what: str, refused: str) -> Parsed:
    """What `read` makes of the text of something; an error says that it is refused."""
    if not isinstance(text, str):
        msg = f"expected the text of {what}, got {type(text).__name__}"
        raise ModelError(msg)
    try:
        return read(text)
    except UnicodeEncodeError as error:
        msg = f"{refused}: {error}"
        raise ModelError(msg) from error
