"""Columns cross by the Arrow C data interface: each dtype comes back as it went."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import polars as pl
import pytest
from made import every_dtype, in_chunks

import gaintree as gt

# What `made` has not: extremes, texts of all lengths, categories of their own.
MORE = {
    "i128": pl.Series([-(2**127), 2**127 - 1, None, 0], dtype=pl.Int128),
    "u128": pl.Series(
        [2**128 - 1, 0, None, 2**127], dtype=getattr(pl, "UInt128", pl.UInt64), strict=False
    ),
    "f16": pl.Series([0.5, -2.0, None, 65504.0], dtype=getattr(pl, "Float16", pl.Float32)),
    "text": pl.Series(["", "a text of more than twelve bytes", None, "ü\n"]),
    "decimal": pl.Series(
        [Decimal("0.001"), Decimal("-9.5"), None, Decimal(0)], dtype=pl.Decimal(38, 3)
    ),
    "ns": pl.Series([timedelta(0), timedelta(days=1), None, -timedelta(days=1)]).cast(
        pl.Duration("ns")
    ),
    "moment": pl.Series([0, 2**62, None, -(2**62)]).cast(pl.Datetime("ns", "Asia/Kolkata")),
    "time": pl.Series([0, 86_399_999_999_999, None, 1]).cast(pl.Time),
    "cats": pl.Series(
        ["b", "a", None, "b"], dtype=pl.Categorical(pl.Categories("kinds", "of trees"))
    ),
    "small": pl.Series(
        ["b", "a", None, "b"], dtype=pl.Categorical(pl.Categories("few", physical=pl.UInt8))
    ),
    "enum": pl.Series(["é;1", "", None, "2;b"], dtype=pl.Enum(["2;b", "", "unused", "é;1"])),
    "one": pl.Series(["a", None, "a", "a"], dtype=pl.Enum(["a"])),
}
COLUMNS = {
    **every_dtype(7).drop("y").to_dict(),
    **{f"more_{name}": of for name, of in MORE.items()},
}


def laid_out(column: pl.Series) -> dict[str, pl.DataFrame]:
    """A column with a target, in memory in several ways."""
    df = pl.DataFrame({"x": column, "y": ["a", "b"] * (len(column) // 2)})
    longer = pl.concat([df.tail(3), df, df.head(5)], rechunk=True)
    empty = df.head(0)
    parts = [empty, longer[3:5], empty, longer[5 : 3 + len(df)], empty]
    mixed = pl.concat([df.head(1), df.slice(1)], rechunk=False)
    return {
        "whole": df,
        "chunks": in_chunks(df, 3),
        "a slice": longer.slice(3, len(df)),
        "slices": pl.concat(parts, rechunk=False),
        "unlike chunks": mixed.with_columns(in_chunks(df, 4)["y"]),
    }


@pytest.mark.parametrize("name", COLUMNS)
def test_a_dtype_comes_back_as_it_went(name):
    column = COLUMNS[name].alias("x")
    keys = column.unique(maintain_order=True)
    is_class = column.dtype.is_integer() or column.dtype in (pl.Boolean, pl.String)
    is_class |= isinstance(column.dtype, (pl.Enum, pl.Categorical))
    for layout, df in laid_out(column).items():
        # The groups of a ranking, and what each row is predicted to be.
        groups = gt.rank_gain(df.with_columns(z=pl.int_range(pl.len())), "y", by="x", full=True)
        found = groups["x"].unique(maintain_order=True)
        assert found.equals(keys, check_dtypes=True), layout
        if not is_class or len(keys) < 3:
            continue
        rows = df.with_columns(z=pl.col("x").rank("dense")).drop_nulls("x")
        tree = gt.fit_tree(rows, "x", gt.cart(features="z", nominal="z", task="classify")).tree
        predicted = tree.score(rows)["prediction"]
        assert predicted.dtype == column.dtype or isinstance(column.dtype, pl.Categorical), layout
        assert predicted.cast(pl.String).equals(rows["x"].cast(pl.String)), layout


@pytest.mark.parametrize("name", COLUMNS)
def test_a_layout_changes_no_model(name):
    column = COLUMNS[name].alias("x")
    ranked = {
        layout: (
            gt.rank_gain(df, "y", full=True).rows(),
            df.select(gt.info_gain("x", "y"), gt.class_entropy("x").alias("h")).rows(),
        )
        for layout, df in laid_out(column).items()
    }
    assert all(rows == ranked["whole"] for rows in ranked.values())


def test_columns_of_no_use_are_named():
    df = pl.DataFrame(
        {
            "lists": pl.Series([[1], None, [2, 3]], dtype=pl.List(pl.Int128)),
            "nulls": pl.Series([[None], [], None], dtype=pl.List(pl.Null)),
            "arrays": pl.Series([[1, 2], None, [3, 4]], dtype=pl.Array(pl.Int64, 2)),
            "structs": [{"a": None, "b": 1}, {"a": None, "b": 2}, None],
            "bytes": [b"x", None, b""],
            "x": [1, 2, 3],
            "y": ["a", "b", "b"],
        }
    )
    for rows in (df, in_chunks(df, 2), df.head(0).vstack(df)):
        table = gt.rank_gain(rows, "y", full=True).drop_nulls("excluded_reason")
        said = dict(zip(table["feature"], table["excluded_reason"], strict=True))
        named = {name: reason.split(" has no order")[0] for name, reason in said.items()}
        assert named == {
            "lists": "dtype list[i128]",
            "nulls": "dtype list[null]",
            "arrays": "dtype array[i64, 2]",
            "structs": "dtype struct[2]",
            "bytes": "dtype binary",
        }


def test_rows_without_columns_and_columns_without_rows():
    df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    tree = gt.fit_tree(df, "y").tree
    assert tree.score(df.head(0)).schema["prediction"] == pl.String
    only = gt.fit_tree(df.with_columns(x=pl.lit(1)), "y").tree
    assert only.score(df.select("y"))["prediction"].to_list() == ["a"] * 4


@pytest.mark.parametrize(("dtype", "since"), [("UInt128", "1.34"), ("Float16", "1.36")])
def test_a_dtype_that_this_polars_lacks_is_named_with_a_version_that_has_it(
    dtype, since, monkeypatch
):
    if not hasattr(pl, dtype):
        pytest.skip("no model of it can be made")
    y = pl.Series([1, 1, 2, 2], dtype=getattr(pl, dtype))
    df = pl.DataFrame({"x": [1, 2, 3, 4], "y": y})
    tree = gt.fit_tree(df, "y").tree
    monkeypatch.delattr(pl, dtype)
    for work in (tree.score, tree.predict, lambda _: tree.predict()):
        with pytest.raises(gt.DataError, match=rf"`prediction`.* is {dtype}.*{since} or newer"):
            work(df[["x"]])
