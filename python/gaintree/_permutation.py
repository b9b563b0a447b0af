"""The options of permutation importance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from gaintree._checks import MOST_SEED, choice, count, refuse, text, threads_of
from gaintree._frames import as_frame, names

if TYPE_CHECKING:
    from gaintree._frames import Columns, FrameLike

PermutationLoss = Literal["brier", "log_loss", "roc_auc", "error"]


def permutation_options(
    data: FrameLike,
    loss: str | None,
    groups: Mapping[str, Columns] | None,
    repeats: int | None,
    seed: int,
    threads: int | None,
) -> dict[str, Any]:
    """The checked options; groups may pick their features in the rows by selectors."""
    seed, threads = count("seed", seed, MOST_SEED), threads_of(threads)
    options: dict[str, Any] = {"seed": seed, "threads": threads}
    if loss is not None:
        options["loss"] = choice("loss", loss, get_args(PermutationLoss))
    if repeats is not None:
        options["repeats"] = count("repeats", repeats)
    if groups is not None:
        if not isinstance(groups, Mapping):
            refuse("groups", groups, "a dict of name to the names of features")
        frame = as_frame(data)
        options["groups"] = [
            {
                "name": text("groups", name, "the name of a group"),
                "features": names(name, of, frame),
            }
            for name, of in groups.items()
        ]
    return options
