"""Values of options, checked before they cross into Rust: an error then names what was given."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable
from difflib import get_close_matches
from os import fsdecode
from typing import TYPE_CHECKING, NoReturn

from gaintree.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# Counts of rows, nodes and threads, and depths.
MOST = 2**32 - 1
MOST_SEED = 2**64 - 1
MOST_BYTES = 2**64 - 1

# What other libraries call options, and what they are here.
_ELSEWHERE = {
    "ccp_alpha": "pruning={'alpha': …}",
    "class_weight": "class_weights",
    "max_leaf_nodes": "max_leaves",
    "max_samples": "sample_share",
    "min_child_weight": "min_weight_leaf",
    "min_impurity_decrease": "min_gain",
    "min_weight_fraction_leaf": "min_weight_leaf",
    "n_estimators": "trees",
    "n_jobs": "threads",
    "num_leaves": "max_leaves",
    "num_threads": "threads",
    "num_trees": "trees",
    "random_state": "seed",
    "sample_weight": "weight",
}


def refuse(what: str, given: object, expected: str, cause: Exception | None = None) -> NoReturn:
    """Raise what is wrong about a value."""
    shown = repr(given)
    if len(shown) > 80 or "\n" in shown:
        shown = f"of type {type(given).__name__}"
    msg = f"`{what}` is {shown}: expected {expected}"
    raise SpecError(msg) from cause


def plain(given: object) -> object:
    """The Python value of a scalar of NumPy."""
    item = getattr(given, "item", None)
    return item() if item and getattr(given, "ndim", None) == 0 else given


def text(what: str, given: object, expected: str = "the name of a column") -> str:
    """A text that Rust can hold."""
    if not isinstance(given, str):
        refuse(what, given, expected)
    try:
        given.encode()
    except UnicodeEncodeError as error:
        refuse(what, given, "a text of Unicode, without lone surrogates", error)
    if "\0" in given:
        refuse(what, given, "a text without NUL, where names end in Arrow")
    return given


def count(what: str, given: object, most: int = MOST, least: int = 0) -> int:
    """A whole number."""
    expected = f"a whole number from {least} to {most}"
    if isinstance(given, bool):
        refuse(what, given, expected)
    try:
        value = operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        refuse(what, given, expected)
    if not least <= value <= most:
        refuse(what, given, expected)
    return value


def threads_of(given: object) -> int | None:
    """A number of threads, if one is given."""
    return None if given is None else count("threads", given)


def number(what: str, given: object) -> float:
    """A number, which may be infinite."""
    value = plain(given)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        refuse(what, given, "a number")
    try:
        return float(value)
    except OverflowError as error:
        refuse(what, given, "a number that is a float", error)


def finite(what: str, given: object) -> float:
    """A number that is neither infinite nor NaN, which JSON does not have."""
    value = number(what, given)
    if not math.isfinite(value):
        refuse(what, given, "a finite number")
    return value


def finite_numbers(what: str, given: object) -> list[float]:
    """Finite numbers."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        refuse(what, given, "some numbers, as in a list")
    return [finite(what, one) for one in given]


def switch(what: str, given: object) -> bool:
    """True or False."""
    value = plain(given)
    if not isinstance(value, bool):
        refuse(what, given, "True or False")
    return value


# Units of memory: powers of 1,000, or of 1,024 with an i.
_UNITS = {"": 1, **{p: 1000**n for n, p in enumerate("kmgt", 1)}}
_UNITS |= {f"{p}i": 1024**n for n, p in enumerate("kmgt", 1)}
_LEAST_MEMORY = 16 << 20


def memory_of(what: str, given: object) -> int:
    """A size in bytes, as a number or a text such as 500MB or 2GB."""
    expected = "bytes, or a text such as '500MB' or '2GB', and at least 16 MiB"
    size = plain(given)
    if isinstance(size, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", size.lower())
        if match is None or match[2] not in _UNITS:
            refuse(what, given, expected)
        size = float(match[1]) * _UNITS[match[2]]
        # A number of too many digits is infinite.
        size = int(size) if math.isfinite(size) else None
    if isinstance(size, bool) or not isinstance(size, int):
        refuse(what, given, expected)
    if not _LEAST_MEMORY <= size <= MOST_BYTES:
        refuse(what, given, expected)
    return size


def choice(what: str, given: object, choices: Sequence[str]) -> str:
    """One of a few texts."""
    if not isinstance(given, str) or given not in choices:
        refuse(what, given, " or ".join(", ".join(map(repr, choices)).rsplit(", ", 1)))
    return given


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that may have been meant, whatever its case."""
    folded = {known.casefold(): known for known in names}
    close = get_close_matches(name.casefold(), folded, 1)
    return folded[close[0]] if close else None


def path_of(given: object) -> str:
    """A path, as Rust takes it."""
    try:
        return fsdecode(given)  # type: ignore[arg-type]
    except TypeError as error:
        refuse("path", given, "the path of a file", error)


def known(given: Iterable[str], options: Collection[str]) -> None:
    """Refuse an option that there is none of."""
    unknown = [name for name in given if name not in options]
    if unknown:
        elsewhere = _ELSEWHERE.get(unknown[0], "")
        close = nearest(unknown[0], options)
        if elsewhere.partition("=")[0] in options:
            advice = f"it is `{elsewhere}` here"
        elif close:
            advice = f"did you mean `{close}`?"
        else:
            advice = f"they are {', '.join(sorted(options))}"
        msg = f"there is no option `{unknown[0]}`: {advice}"
        raise SpecError(msg)
