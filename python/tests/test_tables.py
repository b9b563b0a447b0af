"""Tables of pandas and pyarrow: what they say of columns, and what Polars has no dtype for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import gaintree as gt
from gaintree.sklearn import GainSelector, GainTreeClassifier, GainTreeRegressor

Y = list("abcabcbc")
CODES = [3, 1, 2, 3, 1, 2, 1, 2]
DAYS = pd.to_datetime([f"2024-01-0{code}" for code in CODES])


def pandas(values, **others):
    return pd.DataFrame({"x": values, "y": Y, **others})


# Categories of pandas.


@pytest.mark.parametrize(
    "values", [CODES, [code / 2 for code in CODES], DAYS, DAYS - DAYS[0], [f"c{c}" for c in CODES]]
)
def test_a_category_is_nominal_whatever_its_values_are(values):
    df = pandas(pd.Categorical(values))
    row = gt.rank_gain(df, "y").row(0, named=True)
    assert row["kind"] == "nominal"
    assert row["info_gain"] == pytest.approx(1.561278124459133)
    # Each value tells one class, and a cut none.
    tree = gt.fit_tree(df, "y", gt.id3()).tree
    assert tree.n_leaves == 3
    assert tree.evaluate(df)["accuracy"].item() == 1.0
    assert GainSelector().fit(df[["x"]], Y).scores_ == pytest.approx([1.561278124459133])
    classifier = GainTreeClassifier(algorithm="id3").fit(df[["x"]], Y)
    assert classifier.model_.n_leaves == 3
    assert list(classifier.predict(df[["x"]])) == tree.score(df)["prediction"].to_list()


def test_a_category_with_an_order_is_ordered_and_options_are_stronger():
    def kind(has_order, **options):
        df = pandas(pd.Categorical(CODES, ordered=has_order))
        return gt.rank_gain(df, "y", **options).select("kind", "info_gain").row(0)

    cut = ("ordered", pytest.approx(0.954434002924965))
    assert kind(True) == cut
    assert kind(False, ordered="x") == cut
    assert kind(False, nominal=["x"]) == ("nominal", pytest.approx(1.561278124459133))
    # As it is a target or a weight, it is no feature.
    weights = pd.DataFrame({"x": CODES, "y": pd.Categorical(CODES), "w": pd.Categorical(CODES)})
    assert gt.fit_tree(weights, "y", gt.cart(weight="w")).tree.features == ["x"]


def test_every_verb_takes_a_category_as_nominal():
    df = pandas(pd.Categorical(CODES), z=pd.Categorical(CODES[::-1]))
    plain = pl.DataFrame({"x": CODES, "y": Y, "z": CODES[::-1]})
    two = {"target": "y", "event": "a"}
    for found, right in [
        (gt.split_candidates(df, "y", "x"), gt.split_candidates(plain, "y", "x", nominal="x")),
        (gt.select_features(df, "y"), gt.select_features(plain, "y", nominal=["x", "z"])),
        (gt.gain_matrix(df), gt.gain_matrix(plain, nominal=["x", "z"])),
        (gt.drift(df, df, full=True), gt.drift(plain, plain, nominal=["x", "z"], full=True)),
        (
            gt.woe_bins(df[df.y != "c"], **two).table,
            gt.woe_bins(plain.filter(pl.col("y") != "c"), **two, nominal=["x", "z"]).table,
        ),
    ]:
        assert found.equals(right)
    # A model of them scores the numbers that they are.
    tree = gt.fit_tree(df, "y").tree
    assert tree.score(plain)["prediction"].equals(tree.score(df)["prediction"])


# Columns without a value.


@pytest.mark.parametrize("values", [[None], [None, pd.NA], [float("nan"), None]])
@pytest.mark.parametrize("x", [[1.5, 2.5, 3.5, 4.5], [1, 2, 3, 4], list("pqrs"), DAYS[:4]])
def test_objects_of_pandas_without_a_value_are_missing(values, x):
    fitted = pd.DataFrame({"x": x, "y": list("aabb")})
    served = pd.DataFrame({"x": pd.Series(values, dtype=object)})
    tree = gt.fit_tree(fitted, "y").tree
    right = tree.score(pl.DataFrame({"x": pl.Series([None] * len(values))}))["prediction"].to_list()
    assert tree.score(served)["prediction"].to_list() == right
    estimator = GainTreeClassifier().fit(fitted[["x"]], fitted["y"])
    assert list(estimator.predict(served)) == right


def test_a_column_without_a_value_ranks_as_missing():
    ranking = gt.rank_gain(pandas([None] * 8), "y")
    assert ranking.select("n_missing", "info_gain").row(0) == (8, 0.0)


def test_one_row_at_a_time_is_scored_as_all_together():
    X = np.array([["p", 1.0], ["q", None], [None, 2.0], [None, None]], dtype=object)
    estimator = GainTreeClassifier().fit(X, ["a", "b", "b", "a"])
    together = list(estimator.predict(X))
    assert [estimator.predict(X[at : at + 1])[0] for at in range(4)] == together
    frame = pd.DataFrame(X, columns=["s", "n"])
    estimator = GainTreeClassifier().fit(frame, ["a", "b", "b", "a"])
    assert [
        estimator.predict(pd.DataFrame(frame.to_dict("records")[at : at + 1]))[0] for at in range(4)
    ] == together
    # NaN in an array of numbers is as good as no text.
    words = GainTreeRegressor().fit(np.array([["p"], ["q"]], dtype=object), [1.0, 2.0])
    assert words.predict(np.array([[np.nan]])) == words.predict(np.array([[None]], dtype=object))


# What Polars has no dtype for.

N = pa.array([1.0, 2.0, 3.0, 4.0])
SPAN = pa.array([(1, 2, 3)] * 4, pa.month_day_nano_interval())
WIDE = pa.array([1, 2, 3, 4]).cast(pa.decimal256(50, 2))
STRANGE = {
    "interval": SPAN,
    "decimal256": WIDE,
    "sparse_union": pa.UnionArray.from_sparse(pa.array([0] * 4, pa.int8()), [N, N]),
    "dense_union": pa.UnionArray.from_dense(
        pa.array([0] * 4, pa.int8()), pa.array(range(4), pa.int32()), [N, N]
    ),
    "struct": pa.StructArray.from_arrays([SPAN], ["a"]),
    "list": pa.ListArray.from_arrays([0, 1, 2, 3, 4], WIDE),
    "run_end_encoded": pa.RunEndEncodedArray.from_arrays([4], [1]),
}


class Stream:
    """A table of a package that nobody knows."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def of_pandas(table: pa.Table) -> pd.DataFrame:
    return pd.DataFrame(
        {
            name: pd.Series(table[name].combine_chunks(), dtype=pd.ArrowDtype(table[name].type))
            for name in table.column_names
        }
    )


@pytest.mark.parametrize("make", [lambda table: table, pa.Table.to_reader, Stream, of_pandas])
@pytest.mark.parametrize("dtype", STRANGE)
@pytest.mark.filterwarnings("ignore:left out of the rows")
def test_a_column_that_polars_has_no_dtype_for(make, dtype):
    if make is of_pandas and "union" in dtype:
        pytest.skip("pandas has no unions")
    y = pa.array(list("aabb"))
    table = pa.table({"n": N, "u": STRANGE[dtype], "y": y})
    tree = gt.fit_tree(pa.table({"n": N, "y": y}), "y").tree
    words = rf"column `u` \(.*{dtype}.*\) .*cast it .*, or leave it out"

    def with_it(x: pa.Array) -> gt.Tree:
        used = pa.table({"u": x, "y": y})
        return gt.fit_tree(used, "y").tree

    for work in [
        lambda: gt.rank_gain(make(table), "y"),
        lambda: gt.fit_tree(make(table), "y"),
        lambda: gt.gain_matrix(make(table)),
        lambda: gt.drift(make(table), make(table)),
        lambda: tree.score(make(table), keep=["u"]),
        lambda: with_it(N).score(make(table)),
        lambda: with_it(N).evaluate(make(table)),
        lambda: GainTreeClassifier().fit(make(table.select(["n", "u"])), list("aabb")),
        lambda: GainTreeClassifier.from_tree(with_it(N)).predict(make(table.select(["u"]))),
    ]:
        with pytest.raises(gt.DataError, match=words):
            work()

    assert tree.score(make(table)).columns == ["n", "y", "prediction"]
    assert tree.score(make(table), keep=["n"])["prediction"].to_list() == list("aabb")
    assert tree.evaluate(make(table))["accuracy"].item() == 1.0
    assert gt.fit_tree(make(table), "y", gt.cart(features=["n"])).tree.features == ["n"]
    assert gt.rank_gain(make(table), "y", exclude="u")["feature"].to_list() == ["n"]
    estimator = GainTreeClassifier().fit(pl.DataFrame({"n": N, "u": N}), list("aabb"))
    assert list(estimator.predict(make(table.select(["n", "u"])))) == list("aabb")


def test_scored_rows_say_what_they_are_without():
    tree = gt.fit_tree(pa.table({"n": N, "y": list("aabb")}), "y").tree
    with pytest.warns(UserWarning, match=r"`u` \(decimal256\(50, 2\)\)"):
        tree.score(pa.table({"n": N, "u": WIDE}))


# Times.


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Zurich"])
def test_an_instant_is_the_same_whatever_its_unit_and_zone(zone):
    days = pd.to_datetime([f"2024-01-0{day}" for day in range(1, 5)])
    days = days.tz_localize(zone) if zone else days
    y = list("aabb")
    for fitted in ("s", "us", "ns"):
        x = days.as_unit(fitted)
        tree = gt.fit_tree(pd.DataFrame({"x": x, "y": y}), "y").tree
        classifier = GainTreeClassifier().fit(pd.DataFrame({"x": x}), y)
        for unit in ("ms", "us", "ns"):
            for other in [None] if zone is None else ["UTC", "Asia/Tokyo"]:
                moved = (x.tz_convert(other) if other else x).as_unit(unit)
                rows = pd.DataFrame({"x": moved})
                assert tree.score(rows)["prediction"].to_list() == y, (fitted, unit, other)
                lazy = pl.DataFrame(rows).lazy().select(tree.predict()).collect()
                assert lazy["prediction"].to_list() == y, (fitted, unit, other)
                assert list(classifier.predict(rows)) == y, (fitted, unit, other)
    wrong = pd.DataFrame({"x": days.tz_localize(None) if zone else days.tz_localize("UTC")})
    with pytest.raises(gt.DataError, match=r"column `x` is datetime.* but the model was fitted on"):
        tree.score(wrong)
