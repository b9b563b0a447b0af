"""Expressions of bins: each carries the bins of its own feature, and no others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gaintree._frames import column
from gaintree._json_text import hash_of
from gaintree._plugin import plugin

if TYPE_CHECKING:
    import polars as pl


class WoeTexts:
    """The text of each feature's bins alone, and its hash."""

    def __init__(self, bins: str) -> None:
        whole: dict[str, Any] = json.loads(bins)
        self._texts = {}
        for feature in whole["features"]:
            alone = json.dumps({**whole, "features": [feature]}, allow_nan=False)
            self._texts[feature["name"]] = hash_of(alone), alone

    def woe(self, feature: str) -> pl.Expr:
        """The expression `<feature>_woe`."""
        digest, bins = self._texts[feature]
        kwargs = {"hash": digest, "bins": bins, "feature": feature}
        expression = plugin("woe", column(feature), kwargs=kwargs, is_elementwise=True)
        return expression.alias(f"{feature}_woe")
