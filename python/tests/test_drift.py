"""Two frames compared."""

from __future__ import annotations

from math import log

import polars as pl
import pytest
from made import every_dtype
from polars import selectors as cs
from polars.testing import assert_frame_equal

import gaintree as gt

BEFORE = pl.DataFrame({"s": ["a"] * 6 + ["b"] * 4, "x": range(10), "y": ["n"] * 5 + ["p"] * 5})
AFTER = pl.DataFrame({"s": ["a"] * 3 + ["b"] * 7, "x": range(2, 12), "y": ["n"] * 5 + ["p"] * 5})


def test_psi_equals_a_table_made_by_hand():
    table = gt.drift(BEFORE, AFTER, features="s", full=True)
    psi = [(0.3 - 0.6) * log(0.3 / 0.6), (0.7 - 0.4) * log(0.7 / 0.4)]
    assert table["psi"].to_list() == pytest.approx([sum(psi)])
    bins = gt.drift_bins(BEFORE, AFTER, "s")
    assert bins["psi"].to_list() == pytest.approx(psi)
    assert bins.select("n_reference", "n_current").rows() == [(6, 3), (4, 7)]
    mean = [(0.3 + 0.6) / 2, (0.7 + 0.4) / 2]
    entropies = [-sum(p * log(p, 2) for p in shares) for shares in (mean, (0.6, 0.4), (0.3, 0.7))]
    divergence = entropies[0] - (entropies[1] + entropies[2]) / 2
    assert table["js_divergence"].to_list() == pytest.approx([divergence])


def test_columns_of_one_frame_are_listed_last():
    before, after = BEFORE.with_columns(gone=1), AFTER.with_columns(new=1)
    table = gt.drift(before, after, full=True)
    assert table["feature"].to_list()[-2:] == ["gone", "new"]
    assert table["excluded_reason"].null_count() == 3
    assert gt.drift(before, after, exclude=cs.by_name("gone")).height == 4
    assert gt.drift(before, after, features=cs.by_name("new", "x"))["feature"].to_list() == [
        "x",
        "new",
    ]


def test_verdicts_go_by_alpha_and_threshold():
    before = pl.DataFrame({"s": ["a", "b"] * 100, "t": ["a", "b"] * 100})
    after = pl.DataFrame({"s": ["a", "b"] * 100, "t": ["a"] * 150 + ["b"] * 50})

    def verdicts(**options: float) -> dict[str, str]:
        table = gt.drift(before, after, **options)
        assert table.width == 8
        return dict(table.select("feature", "verdict").rows())

    assert verdicts() == {"t": "moved", "s": "stable"}
    assert verdicts(threshold=0.5) == {"t": "stable", "s": "stable"}
    assert verdicts(alpha=0) == {"t": "cannot tell", "s": "stable"}
    for wrong, said in [({"alpha": 2}, "alpha is 2"), ({"threshold": -1}, "threshold is -1")]:
        with pytest.raises(gt.SpecError, match=said):
            gt.drift(before, after, **wrong)
    tree = gt.fit_tree(before, "t").tree
    assert tree.drift(before, after, threshold=9)["verdict"][0] == "stable"
    assert tree.drift_from_training(after, alpha=0.01)["verdict"].len() == 2


@pytest.mark.parametrize("exclude", [None, "y"])
def test_classes_choose_the_intervals(exclude):
    table = gt.drift(BEFORE, AFTER, intervals="mdl", target="y", exclude=exclude)
    assert ("y" in table["feature"]) == (exclude is None)
    bins = gt.drift_bins(BEFORE, AFTER, "x", intervals="mdl", target="y")
    assert bins["rule"].to_list() == ["x < 5", "x >= 5"]
    assert bins["n_current"].to_list() == [3, 7]


def test_a_tree_has_its_predictions_and_leaves_compared(iris):
    tree = gt.fit_tree(iris, "species", gt.cart(max_depth=2)).tree
    late = iris.filter(pl.col("species") != "setosa").drop("species")
    table = tree.drift(iris, late.lazy(), intervals=5, full=True)
    assert set(table["feature"]) == {*tree.used_features, "prediction", "leaf_id"}
    leaf = table.row(by_predicate=pl.col("feature") == "leaf_id", named=True)
    assert leaf["vanished_levels"] == 1
    assert tree.drift(iris, iris, features="sepal_width_cm").height == 3
    stump = gt.fit_tree(iris, "species", gt.cart(max_depth=0)).tree
    assert stump.drift(iris, late)["psi"].to_list() == [0.0, 0.0]


def test_a_tree_says_how_its_training_rows_have_moved(iris):
    tree = gt.fit_tree(iris, "species", gt.cart(max_depth=2)).tree
    late = iris.filter(pl.col("species") != "setosa").drop("species")
    known = pl.col("feature").is_in(["prediction", "leaf_id"])
    expected = tree.drift(iris, late, full=True).filter(known).drop("rank", "q_value")
    found = tree.drift_from_training(late.lazy(), full=True).drop("rank", "q_value")
    assert_frame_equal(found, expected)
    stump = gt.fit_tree(iris, "species", gt.cart(max_depth=0)).tree
    assert stump.drift_from_training(late, full=True)["n_current"].to_list() == [100, 100]
    with pytest.raises(gt.DataError, match="`petal_"):
        tree.drift_from_training(late.select("sepal_width_cm"))
    with pytest.raises(gt.SpecError, match="intervals"):
        tree.drift_from_training(late, intervals="mdl")
    c45 = gt.fit_tree(every_dtype(5, n=300), "y", gt.c45(max_depth=3)).tree
    with pytest.raises(gt.ModelError, match="pass the training rows as the reference"):
        c45.drift_from_training(every_dtype(6, n=200))


def test_a_column_of_another_dtype_is_listed():
    table = gt.drift(BEFORE, AFTER.with_columns(pl.col("x").cast(pl.String)))
    assert table.select("feature", "note").rows()[-1] == (
        "x",
        "i64 in the reference, str in the current frame: cast one of them",
    )
    with pytest.raises(gt.DataError, match="`x` is i64 in the reference and str"):
        gt.drift_bins(BEFORE, AFTER.with_columns(pl.col("x").cast(pl.String)), "x")


def test_it_equals_the_command(command, tmp_path, run):
    before, after = every_dtype(5, n=300), every_dtype(6, n=200)
    before.write_parquet(tmp_path / "a.parquet")
    after.write_parquet(tmp_path / "b.parquet")
    run(command, "drift", "a.parquet", "b.parquet", "--intervals", "4", "-o", "out.parquet")
    theirs = pl.read_parquet(tmp_path / "out.parquet")
    assert_frame_equal(gt.drift(before, after, intervals=4, full=True), theirs, check_exact=True)
    gt.fit_tree(before, "y", gt.cart(max_depth=3)).tree.save(tmp_path / "model.json")
    model = ["--model", "model.json", "-o", "out.parquet"]
    run(command, "drift", "a.parquet", "b.parquet", *model)
    tree = gt.Tree.load(tmp_path / "model.json")
    theirs = pl.read_parquet(tmp_path / "out.parquet")
    assert_frame_equal(tree.drift(before, after, full=True), theirs, check_exact=True)
