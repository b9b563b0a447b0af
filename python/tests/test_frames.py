"""What crosses into Rust, and what stays as it is."""

from __future__ import annotations

from pathlib import Path

import pandas
import polars as pl
import pyarrow
import pytest
from made import every_dtype, in_chunks
from polars import selectors as cs
from polars.testing import assert_frame_equal, assert_series_equal

import gaintree as gt


def test_chunks_stay(iris):
    df = in_chunks(iris, 10)
    gt.fit_tree(df, "species")
    gt.rank_gain(df, "species")
    assert df.n_chunks() == 10


def test_any_table_is_a_frame(iris):
    ranking = gt.rank_gain(iris, "species", full=True)
    tables = [iris.lazy(), iris.to_arrow(), pandas.DataFrame(iris.to_dict(as_series=False))]
    tables.append(
        pyarrow.RecordBatchReader.from_batches(iris.to_arrow().schema, iris.to_arrow().to_batches())
    )
    for table in tables:
        assert_frame_equal(gt.rank_gain(table, "species", full=True), ranking)


def test_a_query_collects_the_columns_needed():
    read = []

    def note(df: pl.DataFrame) -> pl.DataFrame:
        read.append(df.columns)
        return df

    df = pl.DataFrame({"x": [1, 2, 3], "z": [1, 1, 2], "y": ["a", "b", "b"], "w": [1, 1, 2]})
    query = df.lazy().map_batches(note, projection_pushdown=True, validate_output_schema=False)
    gt.rank_gain(query.select("x", "y"), "y")
    spec = gt.cart(features=["x"], weight="w")
    assert gt.fit_tree(df.lazy(), "y", spec).tree.features == ["x"]
    plan = gt.fit_tree(df, "y", spec).tree.score(df.lazy(), keep=["z"]).explain()
    assert "PROJECT" in plan or "x" in plan


@pytest.mark.parametrize(
    "work",
    [
        lambda df: gt.rank_gain(df, "y", features="x", chance=20),
        lambda df: gt.rank_gain(df, "y", features="x", given="w"),
        lambda df: gt.select_features(df, "y", features=["x", "w"]),
        lambda df: gt.woe_bins(df, "y", features="x", weight="w").table,
        lambda df: gt.gain_matrix(df, columns=["x", "y"]),
        lambda df: gt.gain_matrix(df, exclude="z"),
        lambda df: gt.drift(df, df, exclude="z", intervals=2),
        lambda df: gt.drift(df, df, features="x", intervals="mdl", target="y"),
        lambda df: gt.drift_bins(df, df, "x"),
        lambda df: gt.fit_tree(df, "y", gt.cart(features="x")).tree.drift(df, df),
    ],
)
def test_no_other_column_is_collected_and_any_table_is_a_frame(work):
    df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"], "w": [1, 1, 2, 2], "z": 0})

    def burst(_: pl.Series) -> pl.Series:
        raise AssertionError

    query = df.lazy().with_columns(z=pl.col("x").map_batches(burst, return_dtype=pl.Int64))
    made = work(query)
    for table in (df, df.to_arrow(), df.to_pandas()):
        assert_frame_equal(work(table), made)


def test_every_dtype_is_ranked_and_scored():
    df = every_dtype(1)
    ranking = gt.rank_gain(df, "y", exclude="number")
    assert ranking.height == df.width - 2
    tree = gt.fit_tree(df, "y", gt.cart(exclude="number")).tree
    scored = tree.score(df, probability=True, leaf=True)
    assert scored.columns[: df.width] == df.columns
    assert_frame_equal(tree.score(df.lazy(), probability=True, leaf=True).collect(), scored)


@pytest.mark.parametrize("target", ["bool", "int64", "u64", "enum", "cat", "str", "decimal", "f32"])
def test_predictions_have_the_dtype_of_the_target(target):
    df = every_dtype(2).drop_nulls(target).drop("null")
    tree = gt.fit_tree(df, target, gt.cart(max_depth=3)).tree
    dtype = pl.Float64 if target == "decimal" else df.schema[target]
    eager = tree.score(df)["prediction"]
    lazy = df.lazy().select(tree.predict())
    assert eager.dtype == dtype
    assert lazy.collect_schema()["prediction"] == dtype
    assert lazy.collect().to_series().to_list() == eager.to_list()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("target", ["y", "number", "enum", "cat", "decimal", "u64", "i128"])
def test_plain_expressions_predict_what_the_tree_does(seed, target):
    df = every_dtype(seed, 120).drop_nulls(target).rename({"str": "^f.*$", "f64": "*"})
    grouping = ("subset", "multiway", "one_vs_rest")[seed % 3]
    spec = gt.cart(max_depth=6, grouping=grouping, missing="majority" if seed % 2 else "learn")
    tree = gt.fit_tree(df, target, spec).tree
    plain = tree.to_when_then()
    # Also on rows with levels, numbers and nulls that training had not.
    for rows in (df, every_dtype(seed + 50, 300).rename({"str": "^f.*$", "f64": "*"})):
        expected = tree.score(rows)["prediction"]
        assert_series_equal(rows.select(plain)["prediction"], expected)
        lazy = rows.lazy().select(pl.Expr.deserialize(plain.meta.serialize()))
        assert_series_equal(lazy.collect(engine="streaming")["prediction"], expected)


def test_a_tree_that_plain_expressions_cannot_be():
    df = pl.DataFrame({"x": range(4000), "y": [i % 2 for i in range(4000)]})
    with pytest.raises(gt.SpecError, match="7999 nodes"):
        gt.fit_tree(df, "y").tree.to_when_then()
    with pytest.raises(gt.SpecError, match="fractional"):
        gt.fit_tree(df[:9], "y", gt.c45(pruning="none", min_samples_leaf=1)).tree.to_when_then()
    leaf = gt.fit_tree(df, "y", max_depth=0).tree.to_when_then()
    assert df.select("x", leaf)["prediction"].unique().to_list() == [0]


def test_selectors_choose_features(iris):
    ranking = gt.rank_gain(iris, "species", features=cs.starts_with("petal"))
    assert set(ranking["feature"]) == {"petal_length_cm", "petal_width_cm"}
    tree = gt.fit_tree(iris, "species", gt.cart(exclude=cs.starts_with("petal"))).tree
    assert tree.features == ["sepal_length_cm", "sepal_width_cm"]


def test_an_object_column_is_refused_by_name_only_where_it_is_needed():
    df = pl.DataFrame({"x": [1, 2], "y": ["a", "b"]}).with_columns(
        pl.Series("o", [object(), object()], dtype=pl.Object)
    )
    with pytest.raises(gt.DataError, match=r"`o` .Object."):
        gt.rank_gain(df, "y")
    assert gt.rank_gain(df, "y", exclude="o")["feature"].to_list() == ["x"]
    tree = gt.fit_tree(df, "y", gt.cart(features="x")).tree
    assert tree.score(df)["prediction"].to_list() == ["a", "b"]


def test_patterns_choose_features(iris):
    petals = ["petal_length_cm", "petal_width_cm"]
    ranking = gt.rank_gain(iris, "species", features="^petal.*$")
    assert sorted(ranking["feature"]) == petals
    tree = gt.fit_tree(iris, "species", exclude=["^petal.*$", "sepal_width_cm"]).tree
    assert tree.used_features == ["sepal_length_cm"]
    # A column of that very name is no pattern, and the target is no feature.
    odd = iris.rename({"petal_width_cm": "^petal.*$"})
    assert gt.rank_gain(odd, "species", features="^petal.*$")["feature"].to_list() == ["^petal.*$"]
    assert gt.rank_gain(iris, "species", features="^.*s.*$")["feature"].len() == 2
    with pytest.raises(gt.DataError, match=r"`exclude`: no column fits the pattern `\^z\.\*\$`"):
        gt.fit_tree(iris, "species", exclude="^z.*$")
    with pytest.raises(gt.SpecError, match="a pattern of names"):
        gt.fit_tree(iris, "species", exclude="^($")


@pytest.mark.parametrize(
    ("path", "reader"),
    [
        ("rows.csv", "read_csv"),
        (Path("rows.NDJSON"), "read_ndjson"),
        ("rows.feather", "read_ipc"),
    ],
)
def test_a_path_of_another_format_says_how_it_is_read(path, reader):
    for verb in (gt.fit_tree, gt.rank_gain, gt.woe_bins):
        with pytest.raises(gt.FrameTypeError, match=rf"read the file with polars\.{reader}\('rows"):
            verb(path, "y")
    with pytest.raises(gt.FrameTypeError, match=r"polars\.read_parquet\('rows.parquet'\)"):
        gt.woe_bins("rows.parquet", "y")
