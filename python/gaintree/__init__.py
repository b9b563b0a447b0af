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

from gaintree import (
    _corrected,
    _drift,
    _fit,
    _matrix,
    _rank,
    _screen,
    _select,
    _woe,
    forest,
    sql,
)
from gaintree._corrected import *
from gaintree._drift import *
from gaintree._explain import RowExplanation
from gaintree._fit import *
from gaintree._gaintree import __version__
from gaintree._matrix import *
from gaintree._output import Config
from gaintree._progress import Pass, Stage
from gaintree._rank import *
from gaintree._screen import *
from gaintree._select import *
from gaintree._woe import *
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
from gaintree.forest import *
from gaintree.model import Model
from gaintree.pictures import Html, Svg
from gaintree.scorecards import Scorecard
from gaintree.specs import TreeSpec, c45, cart, id3
from gaintree.tree import PruningCv, Tree

__all__ = [
    "Code",
    "Config",
    "DataError",
    "FileError",
    "ForkError",
    "FrameTypeError",
    "GaintreeError",
    "GaintreeWarning",
    "Html",
    "Model",
    "ModelError",
    "Pass",
    "PruningCv",
    "RowExplanation",
    "Scorecard",
    "SpecError",
    "Stage",
    "Svg",
    "Tree",
    "TreeSpec",
    "__version__",
    "c45",
    "cart",
    "class_entropy",
    "conditional_entropy",
    "gain_ratio",
    "gini_gain",
    "id3",
    "info_gain",
    "mdl_cut",
    "split_info",
    "sql",
    "symmetric_uncertainty",
]
# A module of verbs lists its own.
__all__ += _corrected.__all__
__all__ += _drift.__all__
__all__ += _fit.__all__
__all__ += _matrix.__all__
__all__ += _rank.__all__
__all__ += _screen.__all__
__all__ += _select.__all__
__all__ += _woe.__all__
__all__ += forest.__all__
