"""How trees are grown and features ranked, as options by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from gaintree._checks import choice
from gaintree._options import Algorithm, TreeOptions, options_shown, tree_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["TreeSpec", "c45", "cart", "id3"]


@dataclass(frozen=True)
class TreeSpec:
    """How a tree is grown: an algorithm's preset, and the options that differ from it.

    Made by `cart`, `c45` and `id3`, which list the options.

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.cart(max_depth=3)
    TreeSpec(algorithm='cart', options={'max_depth': 3})
    """

    algorithm: Algorithm = "cart"
    options: TreeOptions = field(default_factory=lambda: TreeOptions())

    def __post_init__(self) -> None:
        choice("algorithm", self.algorithm, get_args(Algorithm))
        object.__setattr__(self, "options", tree_options(self.options))


@options_shown(TreeOptions)
def cart(**options: Unpack[TreeOptions]) -> TreeSpec:
    """CART: two branches a rule, Gini (variance for numbers), no pruning unless asked.

    Parameters
    ----------
    criterion : {'gini', 'entropy', 'variance'}
        Impurity that splits are rated by. `cart` has gini, the others entropy; a numeric target
        has variance.
    selection : {'best_score', 'best_ratio', 'ratio_above_mean_gain'}
        How the column is chosen among the columns' best splits. `c45` has
        ratio_above_mean_gain, the others best_score.
    grouping : {'subset', 'multiway', 'one_vs_rest'}
        How a nominal feature splits. `cart` has subset, the others multiway.
    max_subset_levels : int, optional
        Under subset, the most levels of a nominal feature that is split by subsets; one that has
        more is split one against the rest. A subset of many levels fits the rows it was found on.
    task : {'auto', 'classify', 'regress'}
        Whether the target is classes or a number. With auto, floats and decimals are numbers and
        all else is classes.
    log_base : {2, 'e'}
        Entropies in bits or nats.
    missing : {'learn', 'majority', 'fractional', 'error'}
        What is done with missing values. `c45` has fractional, the others learn.
    weight : str, optional
        A column of non-negative weights.
    class_weights : 'equal', 'balanced' or a mapping of class to weight, optional
        Weights of whole classes.
    features, exclude : list of names, or a Polars selector, optional
        The columns to use, or not to use; `exclude` may be a table of `screen`, for the columns
        that it says to leave out.
    ordered, nominal : list of names, or a Polars selector, optional
        Features taken as of the other kind.
    max_depth : int, optional
        Depth of the deepest leaf; the root is at 0.
    max_leaves : int, optional
        Grows best-first, to at most this many leaves.
    min_samples_split : int, optional
        Fewest rows of a node that is split: 2.
    min_samples_leaf : int, optional
        Fewest rows of a branch: 1; `c45` has 2.
    min_weight_leaf : float, optional
        Least weight of a branch.
    min_gain : float, optional
        Least gain of a split.
    zero_gain_splits : bool, optional
        Whether a split may gain nothing, as exclusive-or needs. On in `cart`.
    pruning : 'none' or a mapping, optional
        How the grown tree is pruned: 'none', {'alpha': a}, {'leaves': n} or
        {'pessimistic': confidence}. `c45` has {'pessimistic': 0.25}.
    subtree_raising : bool, optional
        Whether pessimistic pruning may put a node's largest branch in its place. On in `c45`.
    threads : int, optional
        Threads to work with; without it, Polars' number. It does not change the tree.

    Returns
    -------
    TreeSpec

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> print(gt.fit_tree(df, "y", gt.cart(max_depth=1)).tree)
    CART tree of `y`: 3 nodes, 2 leaves, depth 1
    all rows: a (50.0 % of 4)
    ├─ x < 3: a (100.0 % of 2)
    └─ x >= 3: b (100.0 % of 2)
    """
    return TreeSpec("cart", options)


@options_shown(TreeOptions)
def c45(**options: Unpack[TreeOptions]) -> TreeSpec:
    """C4.5: gain ratio, a branch per level, shared rows for missing values, pessimistic pruning.

    Parameters
    ----------
    **options
        As of `cart`.

    Returns
    -------
    TreeSpec

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.c45(pruning="none").algorithm
    'c45'
    """
    return TreeSpec("c45", options)


@options_shown(TreeOptions)
def id3(**options: Unpack[TreeOptions]) -> TreeSpec:
    """ID3: information gain, a branch per level, no pruning.

    Parameters
    ----------
    **options
        As of `cart`.

    Returns
    -------
    TreeSpec

    Examples
    --------
    >>> import gaintree as gt
    >>> gt.id3(max_depth=2).algorithm
    'id3'
    """
    return TreeSpec("id3", options)
