"""A regressor that is a forest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from gaintree.sklearn._forest import GainForest
from gaintree.sklearn._regressing import Regressing
from gaintree.sklearn._regressor import GainTreeRegressor

if TYPE_CHECKING:
    import numpy as np

    from gaintree._options import Algorithm, Grouping, Missing, Selection
    from gaintree.sklearn._columns import Picked


class GainForestRegressor(Regressing, GainForest):
    """A random forest of a number: trees on draws of the rows and features (Breiman 2001).

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    max_features : int, float, 'auto', 'sqrt', 'log2' or None
        How many features a node looks at: a number, a float that is a share of them, a function of
        their number, or with None all; with 'auto' a third. It is rounded down, to 1 at least.
        The features looked at are the first ones, in an order drawn for the node, that vary there.
    extra : bool
        Whether a node rates one split of each feature it looks at, which is drawn, in place of all
        (Geurts, Ernst & Wehenkel 2006).
    bootstrap : bool
        Whether the rows of a tree are drawn with replacement.
    max_samples : int or float
        How many rows are drawn for a tree: a number, or a float that is a share of them; with None
        as many as there are. Without a bootstrap it counts too: each row is drawn at most once.
    random_state : int, RandomState or None
        What the draws are made of. A whole number is the `seed` of `gaintree.fit_forest`; else one
        is drawn, which is in `model_.spec`.
    oob_score : bool
        Whether to answer the rows of `fit` out of bag, each by the trees that did not draw it.
    algorithm : {'cart', 'c45', 'id3'}
        The preset by which each tree is grown, without its pruning. An option of None is as the
        preset has it; `gaintree.cart` describes them.
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
        Fewest rows of a node that is split, and of a branch; a row drawn twice counts once.
    min_weight_leaf, min_gain : float
        Least weight of a branch, and least gain of a split.
    min_weight_fraction_leaf : float
        Least weight of a branch as a share of the weight of all rows, drawn or not.
    zero_gain_splits : bool
        Whether a split may gain nothing, as exclusive-or needs.
    threads : int
        Threads to work with. It does not change the forest.

    Attributes
    ----------
    model_ : Forest
        The forest: it saves and judges itself, and scores lazy queries.
    estimators_ : list of GainTreeRegressor
        Its trees.
    feature_importances_ : array
        Each feature's share of the gain, the mean over the trees.
    oob_score_ : float
        With `oob_score` the R² of the out-of-bag predictions; NaN where no row has one.
    oob_prediction_ : array of shape (n_samples,)
        With `oob_score` the out-of-bag predictions; NaN where every tree drew the row.
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
    >>> from gaintree.sklearn import GainForestRegressor
    >>> X = pl.DataFrame({"rooms": [2, 3, None, 5], "town": ["Bonn", "Bonn", "Köln", "Köln"]})
    >>> forest = GainForestRegressor(n_estimators=50, random_state=1)
    >>> forest.fit(X, [100.0, 120.0, 300.0, 320.0]).predict(X).round()
    array([109., 118., 273., 276.])
    """

    _of_classes = "GainForestClassifier"
    _of_tree = GainTreeRegressor
    _figure = "r2"

    def __init__(
        self,
        n_estimators: int = 500,
        *,
        max_features: int | float | str | None = "auto",
        extra: bool = False,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        random_state: int | np.random.RandomState | None = None,
        oob_score: bool = False,
        algorithm: Algorithm = "cart",
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
        threads: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.extra = extra
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.random_state = random_state
        self.oob_score = oob_score
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
        self.threads = threads

    def _set_answers(self, predictions: pl.DataFrame) -> None:
        answers = predictions["prediction"].cast(pl.Float64)
        self.oob_prediction_ = answers.to_numpy(writable=True)
