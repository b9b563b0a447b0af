"""The options of what a forest draws."""

from __future__ import annotations

from typing import Any

from gaintree._checks import MOST_SEED, count, finite, plain, refuse, switch

MaxFeatures = int | float | str


def forest_options(
    trees: object,
    max_features: object,
    extra: object,
    bootstrap: object,
    sample_share: object,
    seed: object,
) -> dict[str, Any]:
    """The checked options, as the crate names them."""
    return {
        "trees": count("trees", trees),
        "max_features": _max_features(max_features),
        "extra": switch("extra", extra),
        "bootstrap": switch("bootstrap", bootstrap),
        "sample_share": finite("sample_share", sample_share),
        "seed": count("seed", seed, MOST_SEED),
    }


def _max_features(given: object) -> object:
    value = plain(given)
    if isinstance(value, str) and value == "auto":
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return {"count": count("max_features", value)}
    if not isinstance(value, float):
        refuse("max_features", given, "'auto', a number of features, or a share of them as a float")
    return {"share": finite("max_features", value)}
