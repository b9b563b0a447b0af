"""Notes on results, as warnings."""

from __future__ import annotations

import re
import sys
import warnings
from typing import TYPE_CHECKING

from gaintree.errors import GaintreeWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import FrameType

_PACKAGE = __name__.partition(".")[0]

_NAMES = re.compile(r"`[^`]*`|\([^)]*\)")
_NUMBERS = re.compile(r"\d[\d.,]*")

# The warnings that were given, without their figures, and where.
_GIVEN: set[tuple[str, str, int]] = set()


def warn_of(notes: Iterable[str]) -> None:
    """Raise a warning for each kind of note, at the line that called into the package.

    A line that runs again and again, as in a grid search, warns once, unless the filters of
    `warnings` say `always`. Python's own record of warnings goes by their texts, whose figures
    differ from fit to fit.
    """
    of_kinds: dict[str, list[str]] = {}
    for note in notes:
        of_kinds.setdefault(_NUMBERS.sub("", _NAMES.sub("", note)), []).append(note)
    frame, level = _caller()
    for first, *others in of_kinds.values():
        warned = (_NUMBERS.sub("", first), frame.f_code.co_filename, frame.f_lineno)
        if warned in _GIVEN and _is_given_once(first, frame):
            continue
        _GIVEN.add(warned)
        more = f" (and {len(others)} more such notes, in the result's `notes`)" if others else ""
        warnings.warn(first + more, GaintreeWarning, stacklevel=level)


def number_of(notes: Sequence[str]) -> str:
    """How many notes there are, to end a line with; nothing where there are none."""
    noted = f", {len(notes)} notes" if len(notes) != 1 else ", 1 note"
    return noted if notes else ""


def _caller() -> tuple[FrameType, int]:
    """The first line outside of the package, and how many calls above `warn_of` it is."""
    frame, level = sys._getframe(1), 1
    while _module(frame).partition(".")[0] == _PACKAGE and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    return frame, level


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _is_given_once(text: str, frame: FrameType) -> bool:
    """Whether the filters of `warnings` let a warning of a line through once only."""
    for action, message, category, module, line in warnings.filters:
        if (
            issubclass(GaintreeWarning, category)
            and (message is None or re.match(message, text))
            and (module is None or re.match(module, _module(frame)))
            and line in (0, frame.f_lineno)
        ):
            return action in ("default", "module", "once")
    return True
