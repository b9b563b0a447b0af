"""How the estimators of trees and forests read what they are fitted on."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from gaintree._checks import refuse
from gaintree._options import TreeOptions
from gaintree.sklearn._columns import columns, kinds
from gaintree.sklearn._fitted import Fitted
from gaintree.sklearn._target import weights
from gaintree.specs import TreeSpec

if TYPE_CHECKING:
    import numpy.typing as npt

    from gaintree.sklearn._columns import Rows


class Fitting(Fitted):
    """An estimator whose parameters say how trees are grown."""

    algorithm: Any
    min_weight_fraction_leaf: float
    missing: Any
    ordered: Any
    nominal: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Text in arrays is taken too. But scikit-learn asks of an estimator that says so that it
        # fits a column of numbers with a dict in it, which is refused here.
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def _target(self, y: npt.ArrayLike | None, columns: list[pl.Series]) -> pl.Series:
        raise NotImplementedError

    def _options(self) -> dict[str, Any]:
        raise NotImplementedError

    def _prepared(
        self, X: Rows, y: npt.ArrayLike | None, sample_weight: Any, **more: Any
    ) -> tuple[pl.DataFrame, str, TreeSpec]:
        """A frame with the target and the weights, the target's name, and how trees are grown."""
        features = columns(self, X, fit=True)
        target = self._target(y, features)
        options = self._spec_options(X, features) | more
        table, weight = [*features, target], pl.repeat(1, len(target), eager=True)
        if sample_weight is not None:
            weight = weights(sample_weight, table)
            options["weight"] = weight.name
            table.append(weight)
        if self.min_weight_fraction_leaf:
            total = _total(target, weight, options.get("class_weights"))
            least = float(self.min_weight_fraction_leaf) * total
            options["min_weight_leaf"] = max(least, options.get("min_weight_leaf", 0.0))
        nominal = set(options["nominal"])
        self._fitted = [
            (c.dtype if c.dtype.is_numeric() else None, c.name in nominal) for c in features
        ]
        spec = TreeSpec(self.algorithm, cast("TreeOptions", options))
        return pl.DataFrame(table), target.name, spec

    def _spec_options(self, X: Rows, features: list[pl.Series]) -> dict[str, Any]:
        share = self.min_weight_fraction_leaf
        if not (isinstance(share, Real) and 0 <= share <= 1):
            refuse("min_weight_fraction_leaf", share, "a share from 0 to 1")
        params, known = self.get_params(deep=False), TreeOptions.__annotations__
        given = {name: v for name, v in params.items() if name in known and v is not None}
        ordered, nominal = kinds(self, X, features)
        return {**given, **self._options(), "ordered": ordered, "nominal": nominal}


def _total(target: pl.Series, weight: pl.Series, class_weights: Any) -> float:
    """The weight of all rows, with the weights of their classes."""
    if isinstance(class_weights, Mapping):
        texts, each = list(class_weights), list(class_weights.values())
        weight = weight * target.cast(pl.String).replace_strict(texts, each, default=1.0)
    return float(weight.sum())
