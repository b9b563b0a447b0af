"""Notes on results, as warnings."""

from __future__ import annotations

import sys
import warnings
from itertools import count
from typing import TYPE_CHECKING

from gaintree.errors import GaintreeWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PACKAGE = __name__.partition(".")[0]


def warn_of(notes: Iterable[str]) -> None:
    """Raise a warning for each note, at the line that called into the package."""
    for note in notes:
        warnings.warn(note, GaintreeWarning, stacklevel=_caller())


def number_of(notes: Sequence[str]) -> str:
    """How many notes there are, to end a line with; nothing where there are none."""
    noted = f", {len(notes)} notes" if len(notes) != 1 else ", 1 note"
    return noted if notes else ""


def _caller() -> int:
    """How many calls above the one who asks the first line outside of the package is."""
    for level in count(1):
        try:
            module = sys._getframe(level).f_globals.get("__name__", "")
        except ValueError:
            break
        if module.partition(".")[0] != _PACKAGE:
            return level
    return 2
