"""Exact decision trees and information-gain ranking on the columns of a Polars DataFrame.

Examples
--------
>>> import polars as pl, gaintree as gt
>>> df = pl.DataFrame({
...     "outlook": ["sunny", "sunny", "overcast", "rainy", "rainy", "overcast"],
...     "wind": [8.5, 30.0, 12.0, 7.0, 33.5, 25.0],
...     "play": ["no", "no", "yes", "yes", "no", "yes"],
... })
>>> gt.rank_gain(df, "play")["feature"].to_list()
['outlook', 'wind']
>>> fit = gt.fit_tree(df, "play", gt.id3())
>>> df.lazy().select(fit.tree.predict()).collect()["prediction"].to_list()
['no', 'no', 'yes', 'yes', 'no', 'yes']
"""

from gaintree import sql
from gaintree._corrected import boruta, corrected_importance
from gaintree._drift import drift, drift_bins, drift_svg
from gaintree._explain import RowExplanation
from gaintree._fit import Fit, cross_validate_pruning, fit_tree
from gaintree._gaintree import __version__
from gaintree._matrix import gain_matrix, matrix_svg, redundant_groups
from gaintree._progress import Pass, Stage
from gaintree._rank import (
    curve_svg,
    mdl_cuts,
    mdl_cuts_by_feature,
    rank_gain,
    ranking_svg,
    split_candidates,
)
from gaintree._select import select_features, selection_svg
from gaintree._woe import WoeBins, woe_bins
from gaintree.code import Code
from gaintree.errors import (
    DataError,
    FileError,
    ForkError,
    FrameTypeError,
    GaintreeError,
    GaintreeWarning,
    ModelError,
    SpecError,
)
from gaintree.expressions import (
    class_entropy,
    conditional_entropy,
    gain_ratio,
    gini_gain,
    info_gain,
    mdl_cut,
    split_info,
    symmetric_uncertainty,
)
from gaintree.forest import Forest, ForestFit, OutOfBag, error_curve_svg, fit_forest
from gaintree.model import Model
from gaintree.pictures import Html, Svg
from gaintree.scorecards import Scorecard
from gaintree.specs import TreeSpec, c45, cart, id3
from gaintree.tree import PruningCv, Tree

__all__ = [
    "Code",
    "DataError",
    "FileError",
    "Fit",
    "Forest",
    "ForestFit",
    "ForkError",
    "FrameTypeError",
    "GaintreeError",
    "GaintreeWarning",
    "Html",
    "Model",
    "ModelError",
    "OutOfBag",
    "Pass",
    "PruningCv",
    "RowExplanation",
    "Scorecard",
    "SpecError",
    "Stage",
    "Svg",
    "Tree",
    "TreeSpec",
    "WoeBins",
    "__version__",
    "boruta",
    "c45",
    "cart",
    "class_entropy",
    "conditional_entropy",
    "corrected_importance",
    "cross_validate_pruning",
    "curve_svg",
    "drift",
    "drift_bins",
    "drift_svg",
    "error_curve_svg",
    "fit_forest",
    "fit_tree",
    "gain_matrix",
    "gain_ratio",
    "gini_gain",
    "id3",
    "info_gain",
    "matrix_svg",
    "mdl_cut",
    "mdl_cuts",
    "mdl_cuts_by_feature",
    "rank_gain",
    "ranking_svg",
    "redundant_groups",
    "select_features",
    "selection_svg",
    "split_candidates",
    "split_info",
    "sql",
    "symmetric_uncertainty",
    "woe_bins",
]
