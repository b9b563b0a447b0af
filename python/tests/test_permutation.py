"""Permutation importance: what the features do for the answers."""

from __future__ import annotations

import polars as pl
import pytest
from polars import selectors as cs
from polars.testing import assert_frame_equal

import gaintree as gt


@pytest.fixture(scope="module")
def fitted(wine):
    rows = wine.with_columns(noise=pl.int_range(len(wine)) ** 2 % 31)
    options = {"trees": 40, "seed": 3}
    return rows, gt.fit_forest(rows, "cultivar", **options).forest


def test_noise_is_of_no_importance(fitted):
    rows, forest = fitted
    for table in (
        forest.out_of_bag_importance(rows),
        forest.out_of_bag_importance(rows.lazy(), loss="brier", repeats=2, threads=1),
        forest.permutation_importance(rows),
    ):
        assert table.columns == ["rank", "feature", "importance", "standard_error", "z"]
        assert table["rank"].to_list() == list(range(1, rows.width))
        assert table["importance"].is_sorted(descending=True)
        found = dict(table.select("feature", "importance").iter_rows())
        assert found["noise"] < 0.005 < found["proline"]


def test_a_rare_class_has_importances():
    df = pl.DataFrame({"x": [row * 7 % 100 for row in range(1000)]})
    df = df.with_columns(rare=(pl.col("x") < 10) & (pl.int_range(1000) // 100 % 3 == 0))
    tree = gt.fit_tree(df, "rare", max_depth=1).tree
    for loss in (None, "brier", "log_loss", "roc_auc"):
        assert tree.permutation_importance(df, loss=loss)["importance"][0] > 0.001
    with pytest.warns(gt.GaintreeWarning, match="loss = brier"):
        assert tree.permutation_importance(df, loss="error")["importance"].to_list() == [0.0]


def test_the_seed_makes_the_table(fitted):
    rows, forest = fitted
    first = forest.permutation_importance(rows, seed=5)
    assert_frame_equal(forest.permutation_importance(rows, seed=5, threads=1), first)
    assert not forest.permutation_importance(rows, seed=6).equals(first)


def test_groups_are_permuted_together(fitted):
    rows, forest = fitted
    groups = {"phenols": cs.contains("phenols", "flavanoids"), "ash": ["ash", "alcalinity_of_ash"]}
    table = forest.out_of_bag_importance(rows, groups=groups)
    assert {"phenols", "ash"} < set(table["feature"])
    assert "flavanoids" not in table["feature"]
    tree = gt.fit_tree(rows, "cultivar").tree
    assert "phenols" in tree.permutation_importance(rows, groups=groups)["feature"]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"loss": "gini"}, gt.SpecError, "'brier', 'log_loss', 'roc_auc' or 'error'"),
        ({"repeats": 0}, gt.SpecError, "repeats is 0"),
        ({"seed": -1}, gt.SpecError, "seed"),
        ({"groups": ["ash"]}, gt.SpecError, "a dict of name"),
        ({"groups": {"g": []}}, gt.SpecError, "no feature"),
        ({"groups": {"g": ["ask"]}}, gt.DataError, "ash"),
        ({"groups": {"a": "ash", "b": "ash"}}, gt.SpecError, "in the groups twice"),
    ],
)
def test_what_cannot_be_is_said(fitted, options, error, words):
    rows, forest = fitted
    for verb in (forest.permutation_importance, forest.out_of_bag_importance):
        with pytest.raises(error, match=words):
            verb(rows, **options)
    with pytest.raises(gt.DataError, match="not the rows"):
        forest.out_of_bag_importance(rows.reverse())
