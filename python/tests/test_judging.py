"""Figures of predictions, beside those of scikit-learn; and shorter calls."""

from __future__ import annotations

import inspect

import polars as pl
import pytest
from sklearn import metrics

import gaintree as gt

N = 600
ROWS = pl.DataFrame({"row": range(N)}).select(
    x=(pl.col("row") * 7919 % 101) / 10,
    town=pl.format("t{}", pl.col("row") * 31 % 7),
    noise=pl.col("row") * 104729 % 13,
)
TWO = ROWS.with_columns(y=(pl.col("x") > 6.5) & (pl.col("noise") > 3))
THREE = ROWS.with_columns(
    y=pl.format("c{}", (pl.col("x") // 4 + pl.col("noise") // 10).cast(int) % 3)
)


def halves(df):
    return df.gather_every(2), df.gather_every(2, 1)


def test_figures_of_two_classes_are_those_of_scikit_learn():
    train, test = halves(TWO)
    tree = gt.fit_tree(train, "y", exclude=["noise"], max_depth=3).tree
    y, p = test["y"], tree.predict_proba(test).struct.field("true")
    found = tree.evaluate(test).row(0, named=True)
    assert found["roc_auc"] == pytest.approx(metrics.roc_auc_score(y, p))
    assert found["average_precision"] == pytest.approx(metrics.average_precision_score(y, p))
    assert found["brier"] == pytest.approx(metrics.brier_score_loss(y, p))
    assert found["log_loss"] == pytest.approx(metrics.log_loss(y, p))
    assert tree.evaluate(test, event=False)["average_precision"].item() == pytest.approx(
        metrics.average_precision_score(~y, 1 - p)
    )
    table = tree.thresholds(test, event=True)
    precision, recall, _ = metrics.precision_recall_curve(y, p)
    assert table["precision"][1:].to_list() == pytest.approx(precision[-2::-1])
    assert table["recall"].to_list() == pytest.approx(recall[::-1])
    false_positive, _, thresholds = metrics.roc_curve(y, p, drop_intermediate=False)
    # Ours are rounded down to six decimals.
    assert table["threshold"][0] == thresholds[0]
    off = thresholds[1:] - table["threshold"][1:].to_numpy()
    assert off.min() >= 0
    assert off.max() < 1e-6
    assert table["false_positive_rate"].to_list() == pytest.approx(false_positive)
    intervals = tree.intervals(test, resamples=200, seed=3)
    assert intervals["value"].to_list() == [found[name] for name in intervals["figure"]]
    assert intervals.select((pl.col("low") < pl.col("high")).all()).item()


def test_figures_of_three_classes_are_those_of_scikit_learn():
    train, test = halves(THREE)
    tree = gt.fit_tree(train, "y", exclude=["noise"], max_depth=4).tree
    shares = tree.predict_proba(test).struct.unnest().to_numpy()
    found = tree.evaluate(test).row(0, named=True)
    areas = metrics.roc_auc_score(test["y"], shares, multi_class="ovr", average=None)
    assert found["roc_auc"] == pytest.approx(areas.mean())
    by_class = tree.by_class(test)
    assert by_class["roc_auc"].to_list() == pytest.approx(areas)
    one = test["y"].to_dummies().to_numpy()
    precisions = metrics.average_precision_score(one, shares, average=None)
    assert by_class["average_precision"].to_list() == pytest.approx(precisions)
    assert found["average_precision"] == pytest.approx(precisions.mean())
    assert found["brier"] == pytest.approx(((shares - one) ** 2).sum(axis=1).mean())
    assert tree.evaluate(test, event="c1")["roc_auc"].item() == pytest.approx(areas[1])
    with pytest.raises(gt.SpecError, match="3 classes"):
        tree.thresholds(test)
    with pytest.raises(gt.SpecError, match=r"`c7`.*`c0`, `c1`, `c2`"):
        tree.calibration(test, event="c7")
    with pytest.raises(gt.SpecError, match="resamples"):
        tree.intervals(test, resamples=3)
    with pytest.raises(gt.SpecError, match="false_negative_cost"):
        tree.thresholds(test, event="c1", false_negative_cost="dear")


def test_options_stand_for_those_of_the_spec():
    short = gt.fit_tree(TWO, "y", max_depth=2).tree
    assert short == gt.fit_tree(TWO, "y", gt.cart(max_depth=2)).tree
    both = gt.fit_tree(TWO, "y", gt.c45(max_depth=1, min_samples_leaf=9), max_depth=2).tree
    assert both == gt.fit_tree(TWO, "y", gt.c45(max_depth=2, min_samples_leaf=9)).tree
    assert gt.cross_validate_pruning(TWO, "y", folds=3, max_depth=2).tree.depth <= 2
    with pytest.raises(gt.SpecError, match="max_dept"):
        gt.fit_tree(TWO, "y", max_dept=2)
    with pytest.raises(gt.SpecError, match="cross_validate_pruning"):
        gt.cart(pruning="cv")


def test_signatures_show_the_options():
    for function in (gt.cart, gt.c45, gt.fit_tree, gt.fit_forest, gt.cross_validate_pruning):
        assert {"max_depth", "max_subset_levels"} < inspect.signature(function).parameters.keys()
    assert "max_depth: int | None = ..." in str(inspect.signature(gt.cart)).replace("'", "")
    assert "intervals" in inspect.signature(gt.Tree.drift).parameters
    assert "log_base" in inspect.signature(gt.split_candidates).parameters
    assert list(inspect.signature(gt.error_curve_svg).parameters) == ["curve"]


@pytest.mark.parametrize("make", [lambda df: df, pl.DataFrame.lazy, pl.DataFrame.to_arrow])
def test_rows_are_predicted_at_once(make):
    tree = gt.fit_tree(TWO, "y", max_depth=2).tree
    scored = tree.score(TWO, leaf=True, probability=True)
    assert tree.predict(make(TWO)).equals(scored["prediction"])
    assert tree.leaf_id(make(TWO)).equals(scored["leaf_id"])
    assert tree.predict_proba(make(TWO)).struct.field("true").equals(scored["probability_true"])
    assert isinstance(tree.predict(), pl.Expr)
    leaf = gt.fit_tree(TWO, "y", max_depth=0).tree
    assert leaf.predict(make(TWO)).to_list() == [False] * N
    with pytest.raises(gt.DataError, match="`x`"):
        tree.predict(make(TWO.drop("x")))
