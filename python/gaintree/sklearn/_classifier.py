"""A classifier that is a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gaintree.sklearn._classifying import Classifying
from gaintree.sklearn._tree import GainTree

if TYPE_CHECKING:
    from gaintree._options import (
        Algorithm,
        Criterion,
        Grouping,
        LogBase,
        Missing,
        Pruning,
        Selection,
    )
    from gaintree.sklearn._columns import Picked


class GainTreeClassifier(Classifying, GainTree):
    """A decision tree of classes: CART, C4.5 or ID3.

    Parameters
    ----------
    algorithm : {'cart', 'c45', 'id3'}
        The preset. An option of None is the preset's; `gaintree.cart` describes them.
    criterion : {'gini', 'entropy'}
        Impurity that splits are rated by.
    selection : {'best_score', 'best_ratio', 'ratio_above_mean_gain'}
        How the column is chosen among the columns' best splits.
    grouping : {'multiway', 'one_vs_rest', 'subset'}
        How a nominal feature splits.
    max_subset_levels : int
        Most levels of a nominal feature that is split by subsets; one that has more is split one
        against the rest.
    missing : {'learn', 'majority', 'fractional', 'error'}
        What is done with missing values.
    log_base : {2, 'e'}
        Entropies in bits or nats.
    class_weight : 'balanced' or dict of class to weight
        Weights of whole classes; a class not named weighs 1. They multiply `sample_weight`, which
        `balanced` takes into account.
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
        Cost-complexity pruning; 0 does none, and leaves a preset its own pruning.
    pruning : 'none', {'alpha': a}, {'leaves': n} or {'pessimistic': confidence}
        How the grown tree is pruned.
    subtree_raising : bool
        Whether pessimistic pruning may put a node's largest branch in its place.
    threads : int
        Threads to work with. It does not change the tree.

    Attributes
    ----------
    model_ : Tree
        The tree: it prints, draws and saves itself, and scores lazy queries. `tree_` of
        scikit-learn, with its arrays of nodes, there is not.
    classes_ : array
        The classes, in order.
    n_classes_ : int
        How many they are.
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
    >>> from gaintree.sklearn import GainTreeClassifier
    >>> X = pl.DataFrame({"wind": [8, 30, 12, None], "sky": ["sun", "sun", "rain", None]})
    >>> classifier = GainTreeClassifier(max_depth=2).fit(X, ["yes", "no", "yes", "yes"])
    >>> print(classifier.model_)
    CART tree of `y`: 3 nodes, 2 leaves, depth 1
    all rows: yes (75.0 % of 4)
    ├─ wind < 21 or missing: yes (100.0 % of 3)
    └─ wind >= 21: no (100.0 % of 1)
    >>> classifier.predict_proba(X)[1]
    array([1., 0.])
    """

    _of_numbers = "GainTreeRegressor"

    def __init__(
        self,
        algorithm: Algorithm = "cart",
        *,
        criterion: Criterion | None = None,
        selection: Selection | None = None,
        grouping: Grouping | None = None,
        max_subset_levels: int | None = None,
        missing: Missing | None = None,
        log_base: LogBase | None = None,
        class_weight: str | Mapping[Any, float] | None = None,
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
        subtree_raising: bool | None = None,
        threads: int | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.criterion = criterion
        self.selection = selection
        self.grouping = grouping
        self.max_subset_levels = max_subset_levels
        self.missing = missing
        self.log_base = log_base
        self.class_weight = class_weight
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
        self.subtree_raising = subtree_raising
        self.threads = threads
