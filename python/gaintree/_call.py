"""One way to the native module: a verb by its name, with frames and options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from gaintree import _gaintree
from gaintree._options import fields
from gaintree._output import shown
from gaintree.pictures import Svg

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

    from gaintree._frames import Frames

    # Frames by what they are to a verb, what else is asked as JSON, and what hears of progress.
    Asked: TypeAlias = tuple[Frames, str, Callable[..., object] | None]


class _Native(Protocol):
    """The native module, for the verbs of frames, or a model, rows in parts or a query."""

    def call(self, verb: str, asked: Asked) -> Any:  # noqa: ANN401 (each verb has its own)
        """Answer as a verb does."""


def call(
    verb: str,
    frames: Frames,
    options: Mapping[str, Any] | None = None,
    *,
    of: _Native = _gaintree,
    tell: Callable[..., object] | None = None,
    **given: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """What a verb answers.

    The options are checked ones of its spec. What it takes beside them is given by name.
    """
    options = options or {}
    asked = {"threads": options.get("threads"), "options": fields(options), **given}
    return of.call(verb, (frames, json.dumps(asked, allow_nan=False), tell))


def table(
    verb: str,
    frames: Frames,
    options: Mapping[str, Any] | None = None,
    *,
    rows: object = None,
    **given: Any,  # noqa: ANN401
) -> pl.DataFrame:
    """The table that a verb answers, as the caller wants it: see `call`.

    Its lines may be of `rows`.
    """
    answer: pl.DataFrame = call(verb, frames, options, **given)
    return shown(answer, rows)


def svg(
    verb: str,
    frames: Frames,
    options: Mapping[str, Any] | None = None,
    **given: Any,  # noqa: ANN401
) -> Svg:
    """The picture that a verb answers: see `call`."""
    return Svg(call(verb, frames, options, **given))
