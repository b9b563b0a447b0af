"""How a model is written as code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from gaintree._checks import choice, count, text

if TYPE_CHECKING:
    from gaintree._gaintree import _CodeOptions

Language = Literal["c", "rust", "python"]

# Most tests and levels of a model that is written as conditions.
MAX_CONDITIONS = 500


def code_options(
    language: Language, name: str | None, max_conditions: int = MAX_CONDITIONS
) -> _CodeOptions:
    """What Rust takes."""
    return (
        choice("language", language, get_args(Language)),
        None if name is None else text("name", name, "what files and functions are named after"),
        count("max_conditions", max_conditions),
    )
