"""What is said beside results, and what is done about it where a class is rare."""

from __future__ import annotations

import warnings

import polars as pl
import pytest
from sklearn.model_selection import GridSearchCV

import gaintree as gt
from gaintree.sklearn import GainTreeClassifier


def rare(rows: int = 3600) -> pl.DataFrame:
    """One row in 90 is "yes", where x is 29 and most rows are "no"."""
    return pl.DataFrame(
        {
            "x": [i % 30 for i in range(rows)],
            "y": ["yes" if i % 90 == 29 else "no" for i in range(rows)],
        }
    )


def warned(function, *args, **options):
    """What it returns, and what it warns of, at this file's lines."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(*args, **options)
    assert {warning.category for warning in caught} <= {gt.GaintreeWarning}
    assert {warning.filename for warning in caught} <= {__file__}
    return found, [str(warning.message) for warning in caught]


def test_notes_of_a_fit_are_warnings_and_shown():
    df = pl.DataFrame(
        {"<x>": range(60), "z": [i % 2 for i in range(60)], "age": [i % 30 for i in range(60)]}
    )
    fit, said = warned(gt.fit_tree, df, "age", gt.cart(max_depth=2))
    assert said == fit.notes
    assert len(said) == 2
    assert "30 values is a class" in said[0]
    assert "`<x>` (i64) is like an id" in said[1]
    assert repr(fit) == "<gaintree.Fit: CART tree of `age`: 7 nodes, 4 leaves, depth 2, 2 notes>"
    assert str(fit).endswith(said[1])
    shown = fit._repr_html_()
    assert "<svg" in shown
    assert "<p>note: feature `&lt;x&gt;` (i64) is like an id" in shown
    (_, of_task) = warned(gt.fit_tree, df, "age", gt.cart(task="classify", exclude=["<x>"]))
    assert of_task == []
    # Few integers are classes without further ado.
    few = df.with_columns(age=pl.col("age") % 20)
    assert warned(gt.fit_tree, few, "age", gt.cart(exclude=["<x>"]))[1] == []


@pytest.mark.parametrize("prune_by", ["log_loss", "gini"])
def test_rare_classes_are_pruned_by_their_probabilities(prune_by):
    df = rare()
    found, said = warned(gt.cross_validate_pruning, df, "y", folds=5)
    assert found.tree.n_leaves == 1
    assert said == found.notes
    assert "prune by log loss" in said[0]
    found, said = warned(gt.cross_validate_pruning, df, "y", folds=5, prune_by=prune_by)
    assert (found.tree.n_leaves, said) == (2, [])
    grown = gt.fit_tree(df, "y").tree
    again, _ = warned(grown.prune_cross_validated, df, folds=5, prune_by=prune_by)
    assert again.tree.n_leaves == 2
    pruned, said = warned(grown.prune_reduced_error, df)
    assert (pruned.n_leaves, len(said)) == (1, 1)
    pruned, said = warned(grown.prune_reduced_error, df, prune_by=prune_by)
    assert (pruned.n_leaves, said) == (2, [])
    with pytest.raises(gt.SpecError, match="`prune_by` is 'auc': expected 'error_rate'"):
        grown.prune_reduced_error(df, prune_by="auc")


def test_class_weights_prune_as_row_weights_do():
    of_class = {"yes": 16.0, "no": 0.5}
    df = rare().with_columns(w=pl.col("y").replace_strict(of_class))
    by_class = gt.cart(max_depth=5, class_weights=of_class, exclude=["w"])
    by_row = gt.cart(max_depth=5, weight="w")
    found = [gt.cross_validate_pruning(df, "y", spec, folds=5) for spec in (by_class, by_row)]
    assert found[0].cv.equals(found[1].cv)
    assert found[0].tree.n_leaves == found[1].tree.n_leaves == 2
    balanced = gt.fit_tree(df, "y", gt.cart(max_depth=0, class_weights="balanced", exclude=["w"]))
    assert (
        balanced.tree.to_text().splitlines()[-1]
        == "all rows: no (50.0 % weighted, 98.9 % of 3600, yes 1.1 %)"
    )
    assert balanced.tree.evaluate(df)["majority_accuracy"].item() == 3560 / 3600


def test_pictures_are_texts_that_a_notebook_shows():
    df = rare()
    tree = gt.fit_tree(df, "y").tree
    drawn = [
        tree.to_svg(),
        gt.ranking_svg(gt.rank_gain(df, "y", full=True)),
        gt.curve_svg(df, "y", "x"),
        gt.woe_bins(df, "y").to_svg("x"),
        gt.drift_svg(df, df, "x"),
        gt.matrix_svg(gt.gain_matrix(df)),
        gt.screen_svg(gt.screen(df, "y")),
    ]
    for svg in drawn:
        assert isinstance(svg, str)
        assert svg.startswith("<svg")
        assert svg in svg._repr_html_()
        assert repr(svg) == f"<gaintree.Svg: {len(svg):,} characters>"
    page = tree.report(df)
    shown = page._repr_html_()
    assert page.startswith("<!DOCTYPE html>")
    assert shown.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert "These look like the rows the tree was fitted on" in page


def test_a_line_warns_once_of_a_kind_of_note():
    df = pl.DataFrame({"a": range(60), "b": range(60, 0, -1), "x": [i % 7 for i in range(60)]})
    df = df.with_columns(y=pl.col("x") > 3)
    _, said = warned(gt.fit_tree, df, "y", gt.cart(max_depth=1, exclude="x"))
    assert len([text for text in said if "is like an id" in text]) == 1
    assert "`a` (i64) is like an id" in said[0]
    assert "(and 1 more such notes, in the result's `notes`)" in said[0]

    search = GridSearchCV(GainTreeClassifier(), {"max_depth": range(1, 7)}, cv=4)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        search.fit(df.select("a", "x"), df["y"])
    # The fits of the search are at one line of scikit-learn, and the last one at another.
    ids = [text for text in (str(warning.message) for warning in caught) if "like an id" in text]
    assert len(ids) == 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search.fit(df.select("a", "x"), df["y"])
    assert len(caught) >= 25
