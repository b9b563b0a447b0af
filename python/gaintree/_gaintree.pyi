from collections.abc import Callable
from datetime import timedelta
from os import PathLike
from typing import final

import polars as pl

from gaintree._frames import LazyReader
from gaintree.sql import Engine

# Predictions, evaluation, confusion, curve, and the number of rows that were always drawn.
_CodeOptions = tuple[str, str | None, int]
_CodeParts = tuple[str, str, str | None, str]
_Answers = tuple[pl.DataFrame, pl.DataFrame | None, pl.DataFrame | None, pl.DataFrame, int]

# What hears of progress.
_Told = Callable[..., object] | None

__all__ = [
    "ArrowTable",
    "Forest",
    "Model",
    "Scorecard",
    "Tree",
    "WoeBins",
    "__version__",
    "boruta",
    "check_not_forked",
    "corrected_importance",
    "cross_validate_pruning",
    "curve_svg",
    "drift",
    "drift_bins",
    "drift_svg",
    "error_curve_svg",
    "fit_forest",
    "fit_query",
    "fit_tree",
    "fit_tree_in_batches",
    "gain_matrix",
    "matrix_svg",
    "mdl_cuts",
    "mdl_cuts_by_feature",
    "rank_gain",
    "rank_gain_in_parts",
    "rank_query",
    "ranking_svg",
    "redundant_groups",
    "score_query",
    "select_features",
    "selection_svg",
    "split_candidates",
    "svg_on",
    "svg_to_png",
    "woe_bins",
]

__version__: str

def check_not_forked() -> None: ...

class Model:
    @staticmethod
    def from_json(text: str) -> Tree | Forest: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Tree | Forest: ...
    n_nodes: int
    n_leaves: int
    depth: int
    is_regression: bool
    target: str
    classes: list[str]
    features: list[str]
    used_features: list[str]
    def spec(self) -> str: ...
    def importance(self) -> pl.DataFrame: ...
    def to_json(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def keep(self, hash: str) -> None: ...
    def score(
        self,
        columns: list[pl.Series],
        probability: bool,
        leaf: bool,
        votes: bool,
        prefix: str,
        threads: int | None,
    ) -> pl.DataFrame: ...
    def onnx_inputs(self, columns: list[pl.Series]) -> pl.DataFrame: ...
    def answer_of_no_rule(self, answer: str, votes: bool) -> pl.Series: ...
    def evaluate(self, columns: list[pl.Series], options: str) -> pl.DataFrame: ...
    def intervals(self, columns: list[pl.Series], options: str) -> pl.DataFrame: ...
    def by_class(self, columns: list[pl.Series]) -> pl.DataFrame: ...
    def calibration(self, columns: list[pl.Series], options: str) -> pl.DataFrame: ...
    def thresholds(self, columns: list[pl.Series], options: str) -> pl.DataFrame: ...
    def permutation_importance(
        self, columns: list[pl.Series], options: str, threads: int | None, progress: _Told
    ) -> tuple[pl.DataFrame, str | None]: ...
    def confusion(self, columns: list[pl.Series]) -> pl.DataFrame: ...
    def drift(
        self,
        reference: list[pl.Series],
        current: list[pl.Series],
        options: str,
        threads: int | None,
    ) -> pl.DataFrame: ...
    def contributions(
        self, columns: list[pl.Series], options: str, threads: int | None, progress: _Told
    ) -> pl.DataFrame: ...
    def contribution_importance(
        self, columns: list[pl.Series], options: str, threads: int | None, progress: _Told
    ) -> pl.DataFrame: ...
    def interactions(
        self, columns: list[pl.Series], options: str, threads: int | None, progress: _Told
    ) -> pl.DataFrame: ...
    def waterfall(
        self, columns: list[pl.Series], row: int, options: str, threads: int | None
    ) -> pl.DataFrame: ...
    def waterfall_svg(
        self, columns: list[pl.Series], row: int, options: str, threads: int | None
    ) -> str: ...
    def contributions_svg(
        self, columns: list[pl.Series], options: str, threads: int | None, progress: _Told
    ) -> str: ...

class Tree(Model):
    weight: str | None
    def headline(self) -> str: ...
    def to_text(self, max_depth: int, event: str | None) -> str: ...
    def nodes(self) -> pl.DataFrame: ...
    def rules(self) -> pl.DataFrame: ...
    @staticmethod
    def from_json(text: str) -> Tree: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Tree: ...
    def to_sql(self, dialect: str) -> str: ...
    def to_sql_probabilities(self, dialect: str) -> list[str]: ...
    def to_sql_leaf_id(self, dialect: str) -> str: ...
    def to_sql_select(self, dialect: str, probability: bool, leaf: bool) -> str: ...
    def to_onnx(self) -> bytes: ...
    def save_onnx(self, path: str | PathLike[str]) -> None: ...
    def to_code(self, options: _CodeOptions) -> _CodeParts: ...
    def save_code(self, options: _CodeOptions, folder: str | PathLike[str]) -> None: ...
    def to_code_test(self, options: _CodeOptions, columns: list[pl.Series]) -> str: ...
    def when_then_steps(
        self,
    ) -> list[tuple[str, list[int], str | None, pl.Series | None]]: ...
    def to_dot(self, max_depth: int) -> str: ...
    def to_svg(
        self, options: tuple[int | None, int | None, str | None, str | None, bool]
    ) -> str: ...
    def to_html(
        self, options: tuple[int | None, int | None, str | None, str | None, bool]
    ) -> str: ...
    def candidates(self, columns: list[pl.Series], node: int) -> pl.DataFrame: ...
    def explain_row(
        self, columns: list[pl.Series], row: int
    ) -> tuple[
        pl.Series, float | None, float | None, int, bool, pl.DataFrame, pl.DataFrame, str
    ]: ...
    def drift_from_training(
        self, current: list[pl.Series], options: str, threads: int | None
    ) -> pl.DataFrame: ...
    def report(
        self,
        columns: list[pl.Series],
        about: tuple[str | None, int | None, str | None],
        others: tuple[list[pl.Series] | None, list[pl.Series] | None],
        against: Tree | None,
        threads: int | None,
        progress: _Told,
    ) -> str: ...
    def prune_cost_complexity(self, alpha: float) -> Tree: ...
    def prune_to_leaves(self, n: int) -> Tree: ...
    def prune_pessimistic(self, confidence: float) -> Tree: ...
    def prune_reduced_error(
        self, columns: list[pl.Series], prune_by: str
    ) -> tuple[Tree, str | None]: ...
    def prune_cross_validated(
        self, columns: list[pl.Series], folds: int, one_standard_error: bool, prune_by: str
    ) -> tuple[Tree, pl.DataFrame, list[str]]: ...
    def cost_complexity_path(self) -> pl.DataFrame: ...

@final
class Forest(Model):
    n_trees: int
    weight: str | None
    def headline(self) -> str: ...
    def tree(self, number: int) -> Tree: ...
    def out_of_bag_importance(
        self, columns: list[pl.Series], options: str, threads: int | None, progress: _Told
    ) -> tuple[pl.DataFrame, str | None]: ...
    def out_of_bag_quantiles(
        self, columns: list[pl.Series], quantiles: list[float], threads: int | None
    ) -> pl.DataFrame: ...
    def out_of_bag(self, columns: list[pl.Series], votes: bool, options: str) -> _Answers: ...
    def to_onnx(self, votes: bool) -> bytes: ...
    def save_onnx(self, path: str | PathLike[str], votes: bool) -> None: ...
    def to_code(self, options: _CodeOptions, votes: bool) -> _CodeParts: ...
    def save_code(
        self, options: _CodeOptions, votes: bool, folder: str | PathLike[str]
    ) -> None: ...
    def to_code_test(self, options: _CodeOptions, votes: bool, columns: list[pl.Series]) -> str: ...
    def report(
        self,
        columns: list[pl.Series],
        about: tuple[str | None, int | None, str | None],
        reference: list[pl.Series] | None,
        out_of_bag: bool,
        threads: int | None,
        progress: _Told,
    ) -> str: ...
    @staticmethod
    def from_json(text: str) -> Forest: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Forest: ...

@final
@final
class WoeBins:
    features: list[str]
    def table(self) -> pl.DataFrame: ...
    def scorecard(self, options: str) -> Scorecard: ...
    @staticmethod
    def from_json(text: str) -> WoeBins: ...
    def to_json(self) -> str: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> WoeBins: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def to_svg(self, feature: str) -> str: ...
    def map(self, values: pl.Series) -> pl.Series: ...

@final
class Scorecard:
    features: list[str]
    scale: tuple[float, float, float]
    scales: list[tuple[str, float, float]]
    rounded: bool
    def table(self) -> pl.DataFrame: ...
    def bins_to_json(self) -> str: ...
    @staticmethod
    def from_json(text: str) -> Scorecard: ...
    def to_json(self) -> str: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Scorecard: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def keep(self, hash: str) -> None: ...

def rank_gain(
    columns: list[pl.Series], target: str, options: str, threads: int | None, progress: _Told
) -> pl.DataFrame: ...
def rank_gain_in_parts(
    rows: LazyReader,
    target: str,
    options: str,
    threads: int | None,
    memory: int,
    progress: _Told,
) -> pl.DataFrame: ...
def fit_tree_in_batches(
    rows: LazyReader,
    target: str,
    algorithm: str,
    options: str,
    threads: int | None,
    memory: int,
    progress: _Told,
) -> tuple[Tree, pl.DataFrame, list[str], list[tuple[str, int]]]: ...
def split_candidates(
    columns: list[pl.Series], target: str, feature: str, options: str, threads: int | None
) -> pl.DataFrame: ...
def mdl_cuts(
    columns: list[pl.Series], target: str, feature: str, options: str, threads: int | None
) -> pl.DataFrame: ...
def mdl_cuts_by_feature(
    columns: list[pl.Series], target: str, options: str, threads: int | None
) -> pl.DataFrame: ...
def select_features(
    columns: list[pl.Series], target: str, options: str, threads: int | None
) -> pl.DataFrame: ...
def selection_svg(columns: list[pl.Series]) -> str: ...
def svg_on(svg: str, theme: str) -> str: ...
def svg_to_png(svg: str, scale: float) -> bytes: ...
def matrix_svg(columns: list[pl.Series]) -> str: ...
def gain_matrix(columns: list[pl.Series], options: str, threads: int | None) -> pl.DataFrame: ...
def redundant_groups(
    columns: list[pl.Series], threshold: float, options: str, threads: int | None
) -> pl.DataFrame: ...
def drift(
    reference: list[pl.Series], current: list[pl.Series], options: str, threads: int | None
) -> pl.DataFrame: ...
def drift_bins(
    reference: list[pl.Series],
    current: list[pl.Series],
    feature: str,
    options: str,
    threads: int | None,
) -> pl.DataFrame: ...
def drift_svg(
    reference: list[pl.Series],
    current: list[pl.Series],
    feature: str,
    options: str,
    threads: int | None,
) -> str: ...
def woe_bins(
    columns: list[pl.Series], target: str, options: str, threads: int | None
) -> WoeBins: ...
def fit_tree(
    columns: list[pl.Series], target: str, algorithm: str, options: str, threads: int | None
) -> tuple[Tree, pl.DataFrame, list[str], tuple[timedelta, timedelta]]: ...
def corrected_importance(
    columns: list[pl.Series],
    target: str,
    algorithm: str,
    options: str,
    forest: str,
    permutations: int,
    threads: int | None,
    progress: _Told,
) -> pl.DataFrame: ...
def boruta(
    columns: list[pl.Series],
    target: str,
    algorithm: str,
    options: str,
    forest: str,
    runs: int,
    alpha: float,
    threads: int | None,
    progress: _Told,
) -> pl.DataFrame: ...
def fit_forest(
    columns: list[pl.Series],
    target: str,
    algorithm: str,
    options: str,
    forest: str,
    out_of_bag: bool,
    threads: int | None,
    progress: _Told,
) -> tuple[
    Forest,
    pl.DataFrame,
    _Answers | None,
    list[str],
    tuple[timedelta, timedelta, timedelta],
]: ...
def cross_validate_pruning(
    columns: list[pl.Series],
    target: str,
    algorithm: str,
    options: str,
    threads: int | None,
    folds: int,
    one_standard_error: bool,
    prune_by: str,
) -> tuple[Tree, pl.DataFrame, list[str]]: ...
def curve_svg(
    columns: list[pl.Series], target: str, feature: str, options: str, threads: int | None
) -> str: ...
def ranking_svg(columns: list[pl.Series], figure: str) -> str: ...
def error_curve_svg(columns: list[pl.Series]) -> str: ...

@final
class ArrowTable:
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

def fit_query(
    engine: Engine,
    query: str,
    target: str,
    algorithm: str,
    options: str,
    threads: int | None,
    budget: tuple[int | None, int | None, int | None],
    progress: _Told,
) -> tuple[Tree, pl.DataFrame, list[str], list[tuple[str, int]]]: ...
def rank_query(
    engine: Engine,
    query: str,
    target: str,
    options: str,
    threads: int | None,
    budget: tuple[int | None, int | None, int | None],
    progress: _Told,
) -> ArrowTable: ...
def score_query(engine: Engine, query: str, tree: Tree, probability: bool) -> str: ...
