"""Every verb on every kind of table: a DataFrame, a LazyFrame, and tables of pyarrow and pandas."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from functools import partial

import polars as pl
import pytest
from made import every_dtype
from polars.testing import assert_frame_equal, assert_series_equal

import gaintree as gt

# What does not come back from pandas or pyarrow as it was.
CHANGED = ["i128", "null", "enum"]


@pytest.fixture(scope="module")
def rows() -> list[pl.DataFrame]:
    """Rows with targets of three classes, of two and of numbers, and half of these rows."""
    df = every_dtype(3, 90).drop(CHANGED)
    is_high = pl.col("int64") > 40
    df = df.with_columns(
        two=pl.when(is_high).then(pl.lit("high")).otherwise(pl.lit("low")),
        w=pl.Series([1.0, 2.0, 0.5] * 30),
    )
    return [df, df[30:75]]


@pytest.fixture(scope="module")
def models(rows):
    """A tree and a forest of two classes, and a forest of numbers."""
    tree = gt.fit_tree(rows[0], "two", gt.cart(max_depth=3, weight="w", exclude=["y", "number"]))
    options = {"trees": 7, "seed": 1, "weight": "w", "max_depth": 3}
    forest = gt.fit_forest(rows[0], "two", exclude=["int64", "number"], **options)
    numbers = gt.fit_forest(rows[0], "number", **options)
    return tree.tree, forest.forest, numbers.forest


CHOICE = {"features": ["f64", "int8", "str", "date"]}

# What each verb is called with: all rows, and some of them.
FUNCTIONS = {
    "rank_gain": lambda df, _: gt.rank_gain(df, "y", exclude="number", weight="w", full=True),
    "select_features": lambda df, _: gt.select_features(df, "y", k=3, **CHOICE),
    "screen": lambda df, _: gt.screen(df, "y", exclude="number", weight="w", full=True),
    "split_candidates": lambda df, _: gt.split_candidates(df, "y", "date"),
    "mdl_cuts": lambda df, _: gt.mdl_cuts(df, "y", "f64"),
    "mdl_cuts_by_feature": lambda df, _: gt.mdl_cuts_by_feature(df, "y", features=["f64", "int8"]),
    "curve_svg": lambda df, _: gt.curve_svg(df, "y", "zoned"),
    "woe_bins": lambda df, _: gt.woe_bins(df, "two", weight="w", **CHOICE).table,
    "drift": lambda df, some: gt.drift(some, df, exclude=["y", "two"], full=True),
    "drift_bins": lambda df, some: gt.drift_bins(some, df, "cat"),
    "drift_svg": lambda df, some: gt.drift_svg(some, df, "decimal"),
    "gain_matrix": lambda df, _: gt.gain_matrix(df, columns=["f64", "str", "bool", "y"]),
    "redundant_groups": lambda df, _: gt.redundant_groups(df, 0.5, exclude="number"),
    "fit_tree": lambda df, _: gt.fit_tree(df, "y", gt.c45(weight="w")).tree,
    "fit_forest": lambda df, _: gt.fit_forest(df, "y", trees=3, seed=1).forest,
    "corrected_importance": lambda df, _: gt.corrected_importance(
        df, "y", trees=3, permutations=10, seed=1, **CHOICE
    ),
    "boruta": lambda df, _: gt.boruta(df, "y", trees=3, runs=10, seed=1, **CHOICE),
    "cross_validate_pruning": lambda df, _: gt.cross_validate_pruning(df, "y", folds=3).cv,
}
METHODS = {
    "score": lambda it, df, _: it.score(df, probability=True),
    "predict": lambda it, df, _: it.predict(df),
    "predict_proba": lambda it, df, _: it.predict_proba(df),
    "evaluate": lambda it, df, _: it.evaluate(df),
    "intervals": lambda it, df, _: it.intervals(df, resamples=10),
    "by_class": lambda it, df, _: it.by_class(df),
    "calibration": lambda it, df, _: it.calibration(df),
    "thresholds": lambda it, df, _: it.thresholds(df),
    "confusion": lambda it, df, _: it.confusion(df),
    "permutation_importance": lambda it, df, _: it.permutation_importance(df, repeats=2),
    "drift": lambda it, df, some: it.drift(some, df, full=True),
    "contributions": lambda it, df, _: it.contributions(df),
    "contribution_importance": lambda it, df, _: it.contribution_importance(df),
    "interactions": lambda it, _, some: it.interactions(some),
    "waterfall": lambda it, df, _: it.waterfall(df, 5),
    "contributions_svg": lambda it, df, _: it.contributions_svg(df),
    "waterfall_svg": lambda it, df, _: it.waterfall_svg(df, 5),
    "onnx_inputs": lambda it, df, _: it.onnx_inputs(df),
    "to_code_test": lambda it, df, _: it.to_code_test("python", df),
    "report": lambda it, df, some: it.report(df, reference=some),
}
OF_TREES = {
    "leaf_id": lambda it, df, _: it.leaf_id(df),
    "candidates": lambda it, df, _: it.candidates(df),
    "explain_row": lambda it, df, _: it.explain_row(df, 3),
    "drift_from_training": lambda it, df, _: it.drift_from_training(df, full=True),
    "prune_reduced_error": lambda it, df, _: it.prune_reduced_error(df),
    "prune_cross_validated": lambda it, df, _: it.prune_cross_validated(df, folds=3).cv,
    "report": lambda it, df, some: it.report(some, beside=df, reference=df, row=2),
}
OF_FORESTS = {
    "out_of_bag": lambda it, df, _: it.out_of_bag(df),
    "out_of_bag_importance": lambda it, df, _: it.out_of_bag_importance(df, repeats=2),
}
OF_NUMBERS = {
    "out_of_bag_quantiles": lambda it, df, _: it.out_of_bag_quantiles(df, [0.1, 0.9]),
    "evaluate": METHODS["evaluate"],
    "predict": METHODS["predict"],
}


def tables(df):
    """The rows of a DataFrame in other kinds of table."""
    return {
        "a LazyFrame": df.lazy(),
        "a table of pyarrow": df.to_arrow(),
        "a table of pandas": df.to_pandas(use_pyarrow_extension_array=True),
    }


def assert_alike(found, expected):
    if isinstance(found, pl.LazyFrame):
        found = found.collect()
    assert type(found) is type(expected)
    if isinstance(found, pl.DataFrame):
        assert_frame_equal(found, expected, check_exact=True)
    elif isinstance(found, pl.Series):
        assert_series_equal(found, expected, check_exact=True)
    elif is_dataclass(found):
        for field in fields(found):
            assert_alike(getattr(found, field.name), getattr(expected, field.name))
    elif isinstance(found, dict):
        texts = [{name: repr(of.tolist()) for name, of in it.items()} for it in (found, expected)]
        assert texts[0] == texts[1]
    else:
        assert found == expected


def outputs(answer):
    """The tables of an answer, and the types of its other parts."""
    if isinstance(answer, pl.LazyFrame):
        answer = answer.collect()
    if is_dataclass(answer):
        return [part for it in fields(answer) for part in outputs(getattr(answer, it.name))]
    return [answer if hasattr(answer, "to_pandas") or hasattr(answer, "iloc") else type(answer)]


def of_output(answer, output):
    """A table of Polars as what `Config` says."""
    if not isinstance(answer, (pl.DataFrame, pl.Series)):
        return answer
    if output == "pyarrow":
        return answer.to_arrow()
    is_struct = isinstance(answer, pl.Series) and answer.dtype == pl.Struct
    return (answer.struct.unnest() if is_struct else answer).to_pandas()


def plain(answer):
    """The type, the dtypes and the values of a table or a column."""
    if hasattr(answer, "to_pylist"):
        dtypes = answer.schema if hasattr(answer, "schema") else answer.type
        return type(answer), str(dtypes), repr(answer.to_pylist())
    if hasattr(answer, "iloc"):
        return type(answer), str(answer.dtypes), repr(answer.to_dict())
    return answer


def calls(models):
    """What each verb does, by the names of what defines it and of the verb."""
    tree, forest, numbers = models
    found = [("gaintree", name, call) for name, call in FUNCTIONS.items()]
    for model, verbs in [
        (tree, METHODS | OF_TREES),
        (forest, METHODS | OF_FORESTS),
        (numbers, OF_NUMBERS),
    ]:
        kind = type(model).__name__
        found += [(kind, name, partial(call, model)) for name, call in verbs.items()]
    return found


def verbs_of_the_package():
    """The public functions, and methods of trees and forests, that take a table."""

    def takes_a_table(verb):
        annotations = inspect.get_annotations(verb).values() if inspect.isfunction(verb) else ()
        return any(re.search("FrameLike|RowsLike", annotation) for annotation in annotations)

    return {
        (owner.__name__, name)
        for owner, names in [(gt, gt.__all__), (gt.Tree, dir(gt.Tree)), (gt.Forest, dir(gt.Forest))]
        for name in names
        if name[0] != "_"
        if takes_a_table(getattr(owner, name))
    }


def test_every_verb_answers_alike_on_every_table(rows, models):
    made = [tables(df) for df in rows]
    for owner, verb, call in calls(models):
        expected = call(*rows)
        for kind in made[0]:
            try:
                assert_alike(call(*(it[kind] for it in made)), expected)
            except AssertionError as error:
                msg = f"{owner}.{verb} of {kind}"
                raise AssertionError(msg) from error
        for output in ("pandas", "pyarrow"):
            with gt.Config(output=output):
                found = outputs(call(*rows))
            wanted = [of_output(part, output) for part in outputs(expected)]
            assert list(map(plain, found)) == list(map(plain, wanted)), f"{owner}.{verb}"
    assert {(owner, verb) for owner, verb, _ in calls(models)} == verbs_of_the_package()
