"""Estimators for scikit-learn: `pip install gaintree[sklearn]`.

`GainTreeClassifier` and `GainTreeRegressor` are `gaintree.fit_tree`, `GainForestClassifier` and
`GainForestRegressor` are `gaintree.fit_forest`, `GainSelector` is `gaintree.rank_gain`, and
`WoeEncoder` is `gaintree.woe_bins`, with scikit-learn's methods. They go into its pipelines, grids
and cross-validations, and need scikit-learn 1.6 or newer.

**What X is.** Columns of a frame (of Polars, pandas, pyarrow and others) stay as they are: strings,
categories, dates and nulls need no encoder and no imputer. Frames of pandas need pyarrow. Arrays of
numbers are taken as float64, where NaN is missing; text in arrays makes levels. Columns are told by
their place, and their names are checked: other names, or the same in another order, are an error.

**Which options.** They have gaintree's names: `max_leaves` where scikit-learn says
`max_leaf_nodes`, and `threads` where it says `n_jobs`. `ccp_alpha`, `class_weight`, `max_depth` and
`min_samples_leaf` are as scikit-learn's, but for `class_weight="balanced"`, which counts rows by
their `sample_weight`. A row of weight 2 is the row twice. The fit of a tree has no randomness: of
splits that gain the same, the first is taken.

**Forests** grow each tree by the same options, but for pruning. What they draw has scikit-learn's
names: `n_estimators`, `max_features`, `bootstrap`, `max_samples` and `random_state`. The same whole
number as `random_state` gives the same forest, on any number of threads. A row of weight 2 is not
the row twice where rows are drawn, as it is drawn as one.

**What is fitted.** `model_` is a `gaintree.Tree`: it prints and draws itself, writes SQL and model
files, and scores lazy queries; or it is a `gaintree.Forest`. `from_tree` and `from_forest` make
estimators of them. A pickled estimator holds the model file's JSON.

Examples
--------
Classes of a frame with text and nulls:

>>> import polars as pl
>>> from gaintree.sklearn import GainSelector, GainTreeClassifier, GainTreeRegressor
>>> X = pl.DataFrame({
...     "colour": ["red", "red", None, "blue", "blue", "red"],
...     "size": [1.5, None, 3.0, 2.0, 2.5, 1.0],
... })
>>> y = ["no", "no", "yes", "yes", "yes", "no"]
>>> classifier = GainTreeClassifier(max_depth=2).fit(X, y)
>>> classifier.predict(X)
array(['no', 'no', 'yes', 'yes', 'yes', 'no'], dtype='<U3')
>>> print(classifier.model_)
CART tree of `y`: 3 nodes, 2 leaves, depth 1
all rows: no (50.0 % of 6)
├─ colour in {red}: no (100.0 % of 3)
└─ colour in {blue} or missing: yes (100.0 % of 3)

The size of a tree, chosen by cross-validation among the sizes of the pruning path:

>>> from sklearn.datasets import load_diabetes
>>> from sklearn.model_selection import GridSearchCV
>>> numbers, progression = load_diabetes(return_X_y=True)
>>> tree = GainTreeRegressor(max_depth=6)
>>> path = tree.cost_complexity_pruning_path(numbers, progression)
>>> grid = {"ccp_alpha": path.ccp_alphas[-8:-1]}
>>> GridSearchCV(tree, grid, cv=5).fit(numbers, progression).best_estimator_.get_n_leaves()
5

A forest, judged by cross-validation:

>>> from gaintree.sklearn import GainForestRegressor
>>> from sklearn.model_selection import cross_val_score
>>> forest = GainForestRegressor(n_estimators=100, random_state=1)
>>> cross_val_score(forest, numbers, progression, cv=5).mean().round(1)
np.float64(0.4)

A pipeline that keeps the feature that tells most:

>>> from sklearn.pipeline import make_pipeline
>>> pipeline = make_pipeline(GainSelector(k=1), GainTreeClassifier()).fit(X, y)
>>> pipeline[-1].feature_names_in_
array(['colour'], dtype=object)

Weights of evidence for a linear model:

>>> from gaintree.sklearn import WoeEncoder
>>> from sklearn.linear_model import LogisticRegression
>>> make_pipeline(WoeEncoder(), LogisticRegression()).fit(X, y).predict(X)
array(['no', 'no', 'yes', 'yes', 'yes', 'no'], dtype='<U3')
"""

try:
    from sklearn.utils.validation import validate_data as _  # noqa: F401  It came with 1.6.
except ImportError as error:
    msg = "gaintree.sklearn needs scikit-learn 1.6 or newer: pip install gaintree[sklearn]"
    raise ImportError(msg) from error

from gaintree.sklearn._classifier import GainTreeClassifier
from gaintree.sklearn._forest_classifier import GainForestClassifier
from gaintree.sklearn._forest_regressor import GainForestRegressor
from gaintree.sklearn._regressor import GainTreeRegressor
from gaintree.sklearn._selector import GainSelector
from gaintree.sklearn._woe import WoeEncoder

__all__ = [
    "GainForestClassifier",
    "GainForestRegressor",
    "GainSelector",
    "GainTreeClassifier",
    "GainTreeRegressor",
    "WoeEncoder",
]
