"""A regressor that is a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaintree.sklearn._regressing import Regressing
from gaintree.sklearn._tree import GainTree

if TYPE_CHECKING:
    from gaintree._options import Algorithm, Grouping, Missing, Pruning, Selection
    from gaintree.sklearn._columns import Picked


class GainTreeRegressor(Regressing, GainTree):
    """A decision tree of a number, whose splits lessen the variance most.

    Parameters
    ----------
    algorithm : {'cart', 'c45', 'id3'}
        The preset. An option of None is the preset's; `gaintree.cart` describes them.
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
        Their names, if X was a frame. They can be set, so that a frame's names are checked where
        `fit` saw an array.
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

    _of_classes = "GainTreeClassifier"

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
