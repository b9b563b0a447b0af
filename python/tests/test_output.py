"""Tables of other packages that go in, and what answers are for them."""

from __future__ import annotations

import subprocess
import sys

import duckdb
import narwhals
import pandas
import polars as pl
import pyarrow
import pytest
from polars.testing import assert_frame_equal

import gaintree as gt


@pytest.fixture
def people():
    """Rows of pandas with an index, and dtypes that Polars has not."""
    return pandas.DataFrame(
        {
            "age": [25, 41, None, 58, 37],
            "city": pandas.Categorical(["b", "a", "b", "a", "b"]),
            "since": pandas.to_datetime(["2020-01-01"] * 2 + ["2021-06-01"] * 3),
            "buys": ["no", "yes", "no", "yes", "yes"],
        },
        index=pandas.Index(list("vwxyz"), name="id"),
    )


@pytest.fixture(autouse=True)
def _polars_after():
    yield
    gt.Config(output="polars")


def test_answers_of_pandas_have_the_index_and_columns_of_the_rows(people):
    fit = gt.fit_tree(people, "buys")
    expected = fit.tree.score(people, probability=True)
    gt.Config(output="pandas")
    scored = fit.tree.score(people, probability=True)
    pandas.testing.assert_frame_equal(scored[list(people.columns)], people)
    assert scored["prediction"].to_list() == expected["prediction"].to_list()
    some = fit.tree.score(people.iloc[::-2], keep=["city", "age"], leaf=True)
    assert list(some.columns) == ["city", "age", "prediction", "leaf_id"]
    assert list(some.index) == ["z", "x", "v"]
    assert list(fit.tree.score(people, keep=[]).index) == list(people.index)
    # A column of them goes beside the rows.
    told = people.assign(told=fit.tree.predict(people))["told"].to_list()
    assert told == expected["prediction"].to_list()
    shares = fit.tree.predict_proba(people)
    assert list(shares.columns) == ["no", "yes"]
    assert list(shares.index) == list(people.index)
    woe = gt.woe_bins(people, "buys", intervals=2)
    assert list(woe.map(people["city"]).index) == list(people.index)
    assert "age" in str(woe)
    assert repr(woe).startswith("<gaintree.WoeBins")
    forest = gt.fit_forest(people, "buys", trees=20, seed=1, min_samples_leaf=1)
    assert list(forest.out_of_bag.predictions.index) == list(people.index)
    assert repr(forest.out_of_bag) == "<gaintree.OutOfBag: 5 of 5 rows>"
    assert list(fit.tree.contributions(people).index) == list(people.index)


def test_a_model_without_rules_answers_as_others_do(people):
    rows = people.rename(columns={"city": "*"})
    leaf = gt.fit_tree(rows, "buys", max_depth=0).tree
    expected = leaf.score(rows, probability=True, leaf=True)
    gt.Config(output="pandas")
    scored = leaf.score(rows, probability=True, leaf=True)
    assert list(scored.columns) == expected.columns
    assert list(scored.index) == list(rows.index)
    pandas.testing.assert_frame_equal(scored[list(rows.columns)], rows)
    assert list(leaf.score(rows, keep=[]).columns) == ["prediction"]


def test_answers_of_pyarrow_keep_the_columns_of_the_rows(people):
    rows = pyarrow.Table.from_pandas(people)
    tree = gt.fit_tree(people, "buys").tree
    with gt.Config(output="pyarrow"):
        scored = tree.score(rows, keep=["city", "since"])
        assert scored.select(["city", "since"]).equals(rows.select(["city", "since"]))
        assert scored["prediction"].to_pylist() == tree.predict(rows).to_pylist()
        # Rows of another package come back in one of pyarrow.
        assert isinstance(tree.score(people), pyarrow.Table)
    assert isinstance(tree.score(rows), pl.DataFrame)


def test_a_table_of_answers_goes_in_again(people):
    gt.Config(output="pandas")
    lines = gt.screen(people, "buys")
    assert isinstance(gt.rank_gain(people, "buys", exclude=lines), pandas.DataFrame)
    assert gt.ranking_svg(gt.rank_gain(people, "buys"))[:4] == "<svg"
    assert gt.screen_svg(lines)[:4] == "<svg"


def test_queries_stay_queries(people):
    tree = gt.fit_tree(people, "buys").tree
    gt.Config(output="pandas")
    assert isinstance(tree.score(pl.from_pandas(people).lazy()), pl.LazyFrame)
    assert isinstance(tree.predict(), pl.Expr)


def test_frames_of_narwhals_are_what_they_hold(people):
    rows = pl.from_pandas(people)
    tree = gt.fit_tree(narwhals.from_native(people), "buys").tree
    assert tree == gt.fit_tree(people, "buys").tree
    scored = tree.score(narwhals.from_native(rows.lazy()))
    assert isinstance(scored, pl.LazyFrame)
    assert_frame_equal(scored.collect(), tree.score(rows))
    relation = duckdb.from_arrow(rows.to_arrow())
    assert_frame_equal(tree.score(narwhals.from_native(relation)), tree.score(relation))
    with gt.Config(output="pandas"):
        assert list(tree.score(narwhals.from_native(people)).index) == list(people.index)


def test_the_output_is_set_and_set_back(people):
    with gt.Config(output="pandas"):
        with gt.Config(output="pyarrow"):
            assert isinstance(gt.rank_gain(people, "buys"), pyarrow.Table)
        assert isinstance(gt.rank_gain(people, "buys"), pandas.DataFrame)
    assert isinstance(gt.rank_gain(people, "buys"), pl.DataFrame)


def test_estimators_of_scikit_learn_work_on_polars(people):
    from gaintree.sklearn import GainForestClassifier, GainSelector, GainTreeClassifier, WoeEncoder

    X, y = people[["age", "city"]], people["buys"]

    def fitted():
        tree = GainTreeClassifier().fit(X, y)
        forest = GainForestClassifier(n_estimators=9, random_state=1, oob_score=True).fit(X, y)
        encoded = WoeEncoder(intervals=2).fit(X, y).transform(X)
        selected = GainSelector(k=1).fit(X, y).get_support()
        found = [tree.predict_proba(X), tree.decision_path(X).toarray(), tree.feature_importances_]
        return [it.tolist() for it in (*found, forest.oob_decision_function_, encoded, selected)]

    expected = fitted()
    gt.Config(output="pandas")
    assert repr(fitted()) == repr(expected)


def test_an_output_that_cannot_be(people, monkeypatch):
    with pytest.raises(gt.SpecError, match="`output` is 'numpy': expected 'polars', 'pandas' or"):
        gt.Config(output="numpy")
    monkeypatch.setattr("gaintree._output.find_spec", lambda name: None)
    with pytest.raises(gt.SpecError, match="pandas is not installed: pip install pandas"):
        gt.Config(output="pandas")
    assert isinstance(gt.rank_gain(people, "buys"), pl.DataFrame)
    # pyarrow has no integers of 128 bits.
    rows = pl.DataFrame({"x": [1, 2], "y": pl.Series([1, 2**100], dtype=pl.Int128)})
    tree = gt.fit_tree(rows, "y", min_samples_leaf=1).tree
    monkeypatch.undo()
    with (
        gt.Config(output="pyarrow"),
        pytest.raises(gt.DataError, match=r'gaintree.Config\(output="polars"\)'),
    ):
        tree.predict(rows)


def test_the_import_loads_no_other_package(tmp_path):
    loaded = "import gaintree, sys; print([m for m in sys.argv[1:] if m in sys.modules])"
    others = ["numpy", "pandas", "pyarrow", "scipy", "sklearn", "duckdb", "narwhals"]
    run = [sys.executable, "-c", loaded, *others]
    # Here a folder of sources has the package's name.
    done = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "[]"
