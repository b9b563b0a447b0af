"""How both estimators of trees are fitted."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import polars as pl
from sklearn.utils import Bunch

from gaintree._checks import refuse
from gaintree.fitting import fit_tree
from gaintree.sklearn._columns import categories, columns, picked
from gaintree.sklearn._fitted import FittedTree
from gaintree.sklearn._target import weights
from gaintree.specs import TreeSpec

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from gaintree._options import TreeOptions
    from gaintree.fitting import Fit
    from gaintree.sklearn._columns import Rows

# Of estimators, and not of specs.
_OWN = {
    "algorithm",
    "ccp_alpha",
    "class_weight",
    "min_weight_fraction_leaf",
    "nominal",
    "ordered",
    "pruning",
}


class GainTree(FittedTree):
    """A tree that scikit-learn's methods fit and read."""

    algorithm: Any
    ccp_alpha: float
    min_weight_fraction_leaf: float
    missing: Any
    ordered: Any
    nominal: Any
    pruning: Any

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

    def fit(self, X: Rows, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the tree.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The features, of any dtype with an order or levels; null and NaN are missing.
        y : array or Series of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,)
            Weights; a row of weight 0 is as if absent.

        Returns
        -------
        self

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeRegressor
        >>> GainTreeRegressor().fit([[1], [2], [3]], [1.0, 1.0, 4.0]).model_.n_leaves
        2
        """
        fit = self._fit(X, y, sample_weight, self._pruning())
        self.model_, self.notes_ = fit.tree, fit.notes
        return self

    def _fit(self, X: Rows, y: npt.ArrayLike | None, sample_weight: Any, pruning: Any) -> Fit:
        features = columns(self, X, fit=True)
        target = self._target(y, features)
        options = self._spec_options(features)
        told = {*options["ordered"], *options["nominal"]}
        options["nominal"] = [*options["nominal"], *categories(X, features, told)]
        if pruning is not None:
            options["pruning"] = pruning
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
        return fit_tree(pl.DataFrame(table), target.name, spec)

    def _spec_options(self, features: list[pl.Series]) -> dict[str, Any]:
        share = self.min_weight_fraction_leaf
        if not (isinstance(share, Real) and 0 <= share <= 1):
            refuse("min_weight_fraction_leaf", share, "a share from 0 to 1")
        params = self.get_params(deep=False).items()
        given = {name: v for name, v in params if name not in _OWN and v is not None}
        ordered = picked(features, self.ordered, "ordered")
        nominal = picked(features, self.nominal, "nominal")
        return {**given, **self._options(), "ordered": ordered, "nominal": nominal}

    def _pruning(self) -> Any:
        alpha = self.ccp_alpha
        if not (isinstance(alpha, Real) and alpha >= 0):
            refuse("ccp_alpha", alpha, "a number of 0 or more")
        if not alpha:
            return self.pruning
        if self.pruning is not None:
            refuse("ccp_alpha", alpha, f"0 beside `pruning` of {self.pruning!r}: give one of them")
        return {"alpha": float(alpha)}

    def cost_complexity_pruning_path(
        self, X: Rows, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Bunch:
        """Find the values of `ccp_alpha` at which the tree gets smaller.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`.

        Returns
        -------
        Bunch
            `ccp_alphas`, ascending from 0, and `impurities`: the total impurity of the leaves of
            the tree that is pruned with each.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> path = GainTreeClassifier().cost_complexity_pruning_path([[1], [2]], ["a", "b"])
        >>> path.ccp_alphas, path.impurities
        (array([0. , 0.5]), array([0. , 0.5]))
        """
        # A copy: this one stays as it was, fitted or not.
        tree = type(self)(**self.get_params(deep=False))._fit(X, y, sample_weight, "none").tree
        path = tree.cost_complexity_path()
        return Bunch(
            ccp_alphas=path["alpha"].to_numpy(writable=True),
            impurities=path["total_impurity"].to_numpy(writable=True),
        )


def _total(target: pl.Series, weight: pl.Series, class_weights: Any) -> float:
    """The weight of all rows, with the weights of their classes."""
    if isinstance(class_weights, Mapping):
        texts, each = list(class_weights), list(class_weights.values())
        weight = weight * target.cast(pl.String).replace_strict(texts, each, default=1.0)
    return float(weight.sum())
