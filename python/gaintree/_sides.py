"""From two frames to the columns of both that cross into Rust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from gaintree._frames import add_categories, as_frame, columns_of, names, present, quoted
from gaintree.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaintree._frames import FrameLike, Frames


def sides(
    reference: FrameLike, current: FrameLike, options: dict[str, Any], used: Sequence[str] = ()
) -> tuple[Frames, dict[str, Any]]:
    """The columns of both frames that options name, and the options with names for selectors.

    Columns that are `used` cross whatever the options say.
    """
    frames = as_frame(reference), as_frame(current)
    before, after = (frame.collect_schema() for frame in frames)
    both = pl.DataFrame(schema={**after, **before})
    chosen = options.pop("features", None)
    chosen = None if chosen is None else names("features", chosen, both)
    left_out = set(names("exclude", options.pop("exclude", None), both))
    present("column", [*(chosen or ()), *left_out], both.schema)
    among = None if chosen is None else set(chosen)
    for kind in ("ordered", "nominal"):
        if kind in options:
            options[kind] = names(kind, options[kind], both)
    target = options.get("target")
    if target is not None:
        present("target", [target], before)
        # It crosses for its classes.
        options["exclude"] = [target] if target in left_out else []
    if chosen is not None:
        options["features"] = [name for name in chosen if name not in left_out]

    def is_compared(name: str) -> bool:
        return (among is None or name in among) and name not in left_out

    given = zip((reference, current), frames, strict=True)
    compared = [name for name in before if name in after and is_compared(name)]
    add_categories(options, given, [] if target is None else [target], compared)
    if not used and not any(is_compared(name) for name in before if name in after):
        msg = (
            "the reference and the current frame have no column in common to compare; the "
            f"reference has {quoted(before)}, the current frame {quoted(after)}"
        )
        raise DataError(msg)
    crossing = [
        [name for name in schema if is_compared(name) or name in also]
        for schema, also in ((before, {*used, target}), (after, set(used)))
    ]
    both_columns = [columns_of(*of) for of in zip(frames, crossing, strict=True)]
    return dict(zip(("reference", "current"), both_columns, strict=True)), options
