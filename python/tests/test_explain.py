"""Rows explained: beside scoring, and as text."""

from __future__ import annotations

import polars as pl
import pytest

import gaintree as gt


def test_every_row_is_answered_as_scored_and_its_changes_add_up(iris, diabetes):
    for df, target, figure in [(iris, "species", "probability"), (diabetes, "progression", "mean")]:
        tree = gt.fit_tree(df, target, max_depth=4).tree
        scored = tree.score(df, leaf=True)
        for row in range(0, df.height, 29):
            why = tree.explain_row(df.drop(target), row)
            assert (why.prediction, why.leaf_id) == scored.row(row)[-2:]
            assert not why.in_parts
            path = why.path
            assert getattr(why, figure) == path[figure][-1]
            assert path["node_id"][-1] == why.leaf_id
            assert path[figure][0] + path["change"].sum() == pytest.approx(path[figure][-1])
            # What would have to hold is of the leaf's rule.
            rules = dict(tree.rules().select("leaf_id", "rule").iter_rows())
            for change, leaf, prediction in why.changes.select(
                "change", "leaf_id", "prediction"
            ).rows():
                assert set(change.split(" and ")) <= set(rules[leaf].split(" and "))
                assert prediction != str(why.prediction)


def test_answers_are_of_the_targets_dtype_and_rows_of_any_frame():
    df = pl.DataFrame({"x": [1, 2, 3, None], "z": list("abcd"), "y": [True, True, False, False]})
    tree = gt.fit_tree(df, "y", features=["x"]).tree
    why = tree.explain_row(df.lazy().select("z", "x"), 3)
    assert why.prediction is False
    assert why.path["value"].to_list() == [None, None]
    assert why.path["condition"][1].endswith(" or missing")
    assert why.mean is None
    assert tree.explain_row(df.to_pandas()).prediction is True
    # A tree without rules.
    one = gt.fit_tree(df, "y", max_depth=0).tree.explain_row(df)
    assert (one.path.height, one.changes.height) == (1, 0)


def test_an_explanation_prints_as_text(iris):
    why = gt.fit_tree(iris.rename({"petal_length_cm": "<b>"}), "species", max_depth=1).tree
    why = why.explain_row(pl.DataFrame({"<b>": [1.4]}))
    text = repr(why)
    assert text.startswith("setosa (probability 1.0000), leaf 1\n")
    assert "<b> < 2.45" in text
    assert str(why) == text
    assert "&lt;b&gt; &lt; 2.45" in why._repr_html_()


def test_what_cannot_be_explained_says_so(iris):
    tree = gt.fit_tree(iris, "species", max_depth=1).tree
    with pytest.raises(gt.SpecError, match="150 rows, 0 to 149"):
        tree.explain_row(iris, 150)
    with pytest.raises(gt.SpecError, match="`row` is -1"):
        tree.explain_row(iris, -1)
    with pytest.raises(gt.SpecError, match="with rows"):
        tree.explain_row(iris.clear())
    with pytest.raises(gt.DataError, match="petal_length_cm"):
        tree.explain_row(iris.drop("petal_length_cm"))
    with pytest.raises(gt.DataError, match="fitted on"):
        tree.explain_row(iris.cast({"petal_length_cm": pl.String}))
