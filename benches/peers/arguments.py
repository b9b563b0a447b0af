"""Arguments that several scripts take."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable


def names_of(known: Iterable[str]) -> Callable[[str], list[str]]:
    """The type of an argument that is some of these names, with commas between them."""
    known = list(known)

    def names(text: str) -> list[str]:
        given = text.split(",")
        if unknown := [name for name in given if name not in known]:
            raise ArgumentTypeError(f"unknown: {', '.join(unknown)}; there are {', '.join(known)}")
        return given

    return names
