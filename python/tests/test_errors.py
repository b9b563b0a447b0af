"""Wrong input: one clear exception each."""

from __future__ import annotations

import copy
import pickle

import polars as pl
import pytest

import gaintree as gt

DF = pl.DataFrame({"x": [1, 2, 3, 4], "s": ["a", "b", "a", "b"], "y": ["n", "n", "y", "y"]})


@pytest.mark.parametrize(
    ("work", "error", "words"),
    [
        (lambda: gt.rank_gain([1, 2], "y"), gt.FrameTypeError, "got list"),
        (lambda: gt.fit_tree(DF["x"], "y"), gt.FrameTypeError, "got Series"),
        (lambda: gt.rank_gain(DF, "yy"), gt.DataError, "`yy`: no such column"),
        (lambda: gt.rank_gain(DF.lazy(), "y", features=["z"]), gt.DataError, "`z`: no such column"),
        (lambda: gt.rank_gain(DF, "y", exclude="z"), gt.DataError, "`z`: no such column"),
        (lambda: gt.rank_gain(DF, "y", by="z"), Exception, "z"),
        (lambda: gt.rank_gain(DF, "y", sort_by="gain"), gt.SpecError, "sort_by"),
        (lambda: gt.fit_tree(DF[:0], "y"), gt.DataError, "no rows"),
        # Names end at a NUL in Arrow.
        (
            lambda: gt.fit_forest(DF.with_columns(y=pl.Series(["a\0b", "c"] * 2)), "y", trees=1),
            gt.DataError,
            "class with a NUL",
        ),
        (lambda: gt.fit_tree(DF, "Y"), gt.DataError, "did you mean `y`"),
        (lambda: gt.cart(max_deph=3), gt.SpecError, "`max_deph`: did you mean `max_depth`"),
        (lambda: gt.cart(zzz=3), gt.SpecError, "`zzz`: they are class_weights, criterion"),
        (lambda: gt.fit_tree(DF, "y", gt.cart(max_depth="5")), gt.SpecError, "max_depth"),
        (lambda: gt.fit_tree(DF, "y", gt.cart(max_depth=-3)), gt.SpecError, "max_depth"),
        (lambda: gt.fit_tree(DF, "y", gt.cart(pruning="hard")), gt.SpecError, "pruning"),
        (lambda: gt.fit_tree(DF, "y", gt.cart(class_weights={"z": 2})), gt.GaintreeError, "z"),
        (lambda: gt.fit_tree(DF, "y").tree.score(DF.drop("x")), gt.DataError, "`x`"),
        (lambda: gt.fit_tree(DF, "y").tree.score(DF.drop("x").lazy()), gt.DataError, "`x`"),
        (lambda: gt.fit_tree(DF, "y").tree.score(DF, keep="z"), gt.DataError, "`z`"),
        (
            lambda: gt.fit_tree(DF, "y").tree.score(DF.rename({"s": "prediction"})),
            gt.DataError,
            "prefix",
        ),
        (lambda: gt.Tree.load("there is none"), gt.FileError, "there is none"),
        (lambda: gt.Tree.load(None), gt.SpecError, "`path` is None"),
        (lambda: gt.fit_tree(DF, "y").tree.save(3), gt.SpecError, "`path` is 3"),
        (lambda: gt.Tree.from_json("{"), gt.ModelError, "too early"),
        (lambda: gt.fit_tree(DF, "y").tree.to_sql("oracle"), gt.SpecError, "oracle"),
        (lambda: gt.rank_gain(DF, "y", chance=0), gt.SpecError, "a whole number from 1 to"),
        (lambda: gt.rank_gain(DF, "y", chance=0.5), gt.SpecError, "`chance` is 0.5"),
        (lambda: gt.rank_gain(DF, "y", memory="2XB"), gt.SpecError, "`memory` is '2XB'"),
        (lambda: gt.rank_gain(DF, "y", memory="9" * 400 + "GB"), gt.SpecError, "`memory` is"),
        (lambda: gt.rank_gain(DF, "y", memory=1 << 20), gt.SpecError, "at least 16 MiB"),
        (lambda: gt.rank_gain(DF, "yy", memory="1GB"), gt.DataError, "`yy`: no such column"),
        (lambda: gt.rank_gain(DF, "y", chance=True), gt.SpecError, "`chance` is True"),
        (lambda: gt.rank_gain(DF, "y", chance=9, seed=-1), gt.SpecError, "`seed` is -1"),
        (lambda: gt.rank_gain(DF, "y", given="y"), gt.GaintreeError, "`y` is the target"),
        (lambda: gt.rank_gain(DF, "y", given="z"), gt.DataError, "given column `z`: no such"),
        (lambda: gt.select_features(DF, "y", score="mi"), gt.SpecError, "`score` is 'mi'"),
        (lambda: gt.select_features(DF, "y", k=0), gt.SpecError, "k "),
        (lambda: gt.select_features(DF, "y", alpha=2), gt.SpecError, "alpha"),
        (lambda: gt.select_features(DF, "y", features="z"), gt.DataError, "`z`: no such column"),
        (lambda: gt.selection_svg(DF), gt.DataError, "`feature`: no such column"),
        (lambda: gt.matrix_svg(DF), gt.DataError, "feature_1"),
        (lambda: gt.woe_bins(DF, "x"), gt.DataError, "`x` .i64. has 4 classes"),
        (lambda: gt.woe_bins(DF, "z"), gt.DataError, "`z`: no such column"),
        (lambda: gt.woe_bins(DF, "y", event="maybe"), gt.SpecError, "`maybe` is no class"),
        (lambda: gt.woe_bins(DF, "y", event=[1]), gt.SpecError, "`event` is .1."),
        (lambda: gt.woe_bins(DF, "y", intervals="mld"), gt.SpecError, "`intervals` is 'mld'"),
        (lambda: gt.woe_bins(DF, "y", intervals=True), gt.SpecError, "expected 'mdl' or a number"),
        (lambda: gt.woe_bins(DF, "y", min_share=2), gt.SpecError, "min_share is 2"),
        (lambda: gt.woe_bins(DF, "y", intervals=1), gt.SpecError, "intervals = quantiles of 1"),
        (lambda: gt.woe_bins(DF, "y", max_bins=0), gt.SpecError, "max_bins is 0"),
        (lambda: gt.woe_bins(DF, "y", min_share="a"), gt.SpecError, "`min_share` is 'a'"),
        (lambda: gt.woe_bins(DF, "y", monotone="up"), gt.SpecError, "`monotone` is 'up'"),
        (lambda: gt.woe_bins(DF, "y", unseen=float("nan")), gt.SpecError, "`unseen` is nan"),
        (lambda: gt.woe_bins([1], "y"), gt.FrameTypeError, "got list"),
        (lambda: gt.woe_bins(DF, "y").woe("z"), gt.DataError, "feature `z`"),
        (lambda: gt.woe_bins(DF, "y").map(DF["y"]), gt.DataError, "feature `y`"),
        (lambda: gt.woe_bins(DF, "y").map([1]), gt.FrameTypeError, "got list"),
        (lambda: gt.woe_bins(DF, "y").map(DF["s"].alias("x")), gt.DataError, "`x` is str.*cast"),
        (
            lambda: DF.select(pl.col("s").alias("x")).select(gt.woe_bins(DF, "y").woe("x")),
            pl.exceptions.ComputeError,
            "`x` is str.*cast",
        ),
        (lambda: gt.gain_matrix(DF, columns=["x"]), gt.DataError, "at least 2 columns"),
        (lambda: gt.gain_matrix(DF, columns=["x", "z"]), gt.DataError, "`z`: no such column"),
        (lambda: gt.gain_matrix(DF, bins=1), gt.SpecError, "bins is 1"),
        (lambda: gt.redundant_groups(DF, 1.5), gt.SpecError, "threshold is 1.5"),
        (lambda: gt.redundant_groups(DF, "much"), gt.SpecError, "`threshold` is 'much'"),
        (lambda: gt.rank_gain(DF, "y", full=1), gt.SpecError, "`full` is 1"),
        (lambda: gt.gain_matrix(DF, form="tall"), gt.SpecError, "`form` is 'tall'"),
        (lambda: gt.drift(DF, [1]), gt.FrameTypeError, "got list"),
        (lambda: gt.drift(DF, DF, features="z"), gt.DataError, "`z`: no such column"),
        (lambda: gt.drift(DF[["x"]], DF[["y"]]), gt.DataError, "no column in common"),
        (lambda: gt.drift(DF, DF[:0]), gt.DataError, "no rows"),
        (lambda: gt.drift_bins(DF, DF.cast({"x": pl.String}), "x"), gt.DataError, "`x`.*i64.*str"),
        (lambda: gt.drift(DF, DF, intervals="mdl"), gt.GaintreeError, "target"),
        (lambda: gt.drift(DF, DF, intervals="mdl", target="q"), gt.DataError, "target `q`"),
        (lambda: gt.drift_bins(DF, DF.drop("x"), "x"), gt.DataError, "current frame `x`"),
        (lambda: gt.drift_bins(DF, DF, "x", interval=3), gt.SpecError, "did you mean `intervals`"),
        (lambda: gt.fit_tree(DF, "y").tree.drift(DF, DF.drop("x")), gt.DataError, "`x`"),
        (lambda: DF.select(gt.info_gain("x", pl.lit(1.5))), pl.exceptions.ComputeError, "numbers"),
    ],
)
def test_says_what_is_wrong(work, error, words, capfd):
    with pytest.raises(error, match=words):
        work()
    assert "panicked" not in capfd.readouterr().err


def test_every_error_is_the_built_in_one_too():
    assert issubclass(gt.DataError, ValueError)
    assert issubclass(gt.SpecError, ValueError)
    assert issubclass(gt.ModelError, ValueError)
    assert issubclass(gt.FileError, OSError)
    assert issubclass(gt.FrameTypeError, TypeError)
    assert issubclass(gt.ForkError, RuntimeError)


def test_a_tree_can_be_pickled_compared_and_hashed():
    tree = gt.fit_tree(DF, "y").tree
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    assert len({again, tree}) == 1
    assert tree != gt.fit_tree(DF, "y", gt.cart(max_depth=0)).tree


def test_odd_names_are_names():
    for name in ["*", "^x$", "", "a \"b\" 'c'"]:
        df = DF.rename({"x": name})
        tree = gt.fit_tree(df, "y", gt.cart(features=[name])).tree
        assert df.lazy().select(tree.predict()).collect().to_series().to_list() == list("nnyy")


def test_a_tree_of_one_leaf_answers_too():
    tree = gt.fit_tree(DF, "y", gt.cart(max_depth=0)).tree
    scored = tree.score(DF, probability=True, leaf=True)
    assert scored["prediction"].to_list() == ["n"] * 4
    assert scored["probability_y"].to_list() == [0.5] * 4
    assert tree.score(DF.lazy(), leaf=True).collect()["leaf_id"].to_list() == [0] * 4


def test_a_fit_says_that_its_model_has_the_verbs():
    df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    tree = gt.fit_tree(df, "y")
    forest = gt.fit_forest(df, "y", trees=3)
    for fit, name, where in (
        (tree, "predict", ".tree.predict"),
        (tree, "score", ".tree.score"),
        (tree, "save", ".tree.save"),
        (forest, "evaluate", ".forest.evaluate"),
    ):
        with pytest.raises(AttributeError, match=f"has no attribute `{name}`; its .* has: {where}"):
            getattr(fit, name)
    with pytest.raises(AttributeError, match=r"a Fit has no attribute `leaves`$"):
        _ = tree.leaves
    assert pickle.loads(pickle.dumps(tree)).tree == tree.tree
    assert copy.copy(forest).forest == forest.forest


@pytest.mark.parametrize(
    ("verb", "option", "here"),
    [
        (gt.fit_forest, "n_estimators", "trees"),
        (gt.fit_forest, "random_state", "seed"),
        (gt.fit_tree, "n_jobs", "threads"),
        (gt.fit_tree, "max_leaf_nodes", "max_leaves"),
        (gt.fit_tree, "ccp_alpha", "pruning={'alpha': …}"),
    ],
)
def test_options_of_other_libraries_are_known(verb, option, here):
    df = pl.DataFrame({"x": [1, 2], "y": ["a", "b"]})
    with pytest.raises(gt.SpecError, match=f"there is no option `{option}`: it is `{here}` here"):
        verb(df, "y", **{option: 3})
