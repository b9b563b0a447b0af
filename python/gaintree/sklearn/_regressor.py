"""A regressor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from sklearn.base import RegressorMixin

from gaintree.errors import ModelError
from gaintree.sklearn._target import numbers, one_column, target_name
from gaintree.sklearn._tree import GainTree

if TYPE_CHECKING:
    import numpy.typing as npt

    from gaintree._options import Algorithm, Grouping, Missing, Pruning, Selection
    from gaintree.sklearn._columns import Picked, Rows
    from gaintree.tree import Tree


class GainTreeRegressor(RegressorMixin, GainTree):
    """A decision tree of a number, whose splits lessen the variance most.

    Parameters
    ----------
    algorithm : {'cart', 'c45', 'id3'}
        The preset. An option of None is as the preset has it; `gaintree.cart` describes them.
    selection : {'best_score', 'best_ratio', 'ratio_above_mean_gain'}
        How the column is chosen among the columns' best splits.
    grouping : {'multiway', 'one_vs_rest', 'subset'}
        How a nominal feature splits.
    max_subset_levels : int
        Most levels of a nominal feature that is split by subsets; one that has more is split one
        against the rest.
    missing : {'learn', 'majority', 'fractional', 'error'}
        What is done with missing values.
    ordered, nominal : names or places of columns, or a Polars selector
        Features taken as of the other kind: an integer code as nominal, a graded enum as ordered.
    max_depth, max_leaves : int
        Depth of the deepest leaf, and how many leaves to grow at most, best-first.
    min_samples_split, min_samples_leaf : int
        Fewest rows of a node that is split, and of a branch.
    min_weight_leaf, min_gain : float
        Least weight of a branch, and least gain of a split.
    min_weight_fraction_leaf : float
        Least weight of a branch as a share of the weight of all rows.
    zero_gain_splits : bool
        Whether a split may gain nothing, as exclusive-or needs.
    ccp_alpha : float
        Cost-complexity pruning; 0 does none.
    pruning : 'none', {'alpha': a} or {'leaves': n}
        How the grown tree is pruned.
    threads : int
        Threads to work with. It does not change the tree.

    Attributes
    ----------
    model_ : Tree
        The tree: it prints, draws and saves itself, and scores lazy queries. `tree_` of
        scikit-learn, with its arrays of nodes, there is not.
    n_features_in_ : int
        Number of columns of X in `fit`.
    feature_names_in_ : array of str
        Their names, if X was a frame. They can be set, to have those of a frame checked where `fit`
        saw an array.
    notes_ : list of str
        What to know about the fit, such as a feature that is like an id.

    Examples
    --------
    >>> import polars as pl
    >>> from gaintree.sklearn import GainTreeRegressor
    >>> X = pl.DataFrame({"rooms": [2, 3, None, 5], "town": ["Bonn", "Bonn", "Köln", "Köln"]})
    >>> GainTreeRegressor(max_depth=1).fit(X, [100.0, 120.0, 300.0, 320.0]).predict(X)
    array([110., 110., 310., 310.])
    """

    def __init__(
        self,
        algorithm: Algorithm = "cart",
        *,
        selection: Selection | None = None,
        grouping: Grouping | None = None,
        max_subset_levels: int | None = None,
        missing: Missing | None = None,
        ordered: Picked = (),
        nominal: Picked = (),
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_samples_split: int | None = None,
        min_samples_leaf: int | None = None,
        min_weight_leaf: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_gain: float | None = None,
        zero_gain_splits: bool | None = None,
        ccp_alpha: float = 0.0,
        pruning: Pruning | None = None,
        threads: int | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.selection = selection
        self.grouping = grouping
        self.max_subset_levels = max_subset_levels
        self.missing = missing
        self.ordered = ordered
        self.nominal = nominal
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_gain = min_gain
        self.zero_gain_splits = zero_gain_splits
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.threads = threads

    def _target(self, y: npt.ArrayLike | None, columns: list[pl.Series]) -> pl.Series:
        return pl.Series(target_name(y, columns), numbers(one_column(self, y, columns)))

    def _options(self) -> dict[str, Any]:
        return {"task": "regress"}

    def _restore(self, tree: Tree, target: dict[str, Any]) -> None:
        if not tree.is_regression:
            msg = f"the target `{tree.target}` is of classes: use GainTreeClassifier"
            raise ModelError(msg)

    def predict(self, X: Rows) -> npt.NDArray[np.float64]:
        """Predict the number of each row: the mean of its leaf.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeRegressor
        >>> GainTreeRegressor().fit([[1], [2], [3]], [1.0, 1.0, 4.0]).predict([[0], [9]])
        array([1., 4.])
        """
        return self._scored(X)["prediction"].cast(pl.Float64).to_numpy(writable=True)
