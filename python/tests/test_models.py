"""Model files are those of the command line, byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import polars as pl
import pytest
from conftest import DATA
from made import every_dtype, failing_after, in_chunks

import gaintree as gt

SPECS = {"cart": gt.cart, "c45": gt.c45, "id3": gt.id3}


def by_command(command: str, data: Path, target: str, *flags: str) -> str:
    model = data.parent / "model.json" if data.parent != DATA else Path("-")
    run = [command, "fit", str(data), "--target", target, "-o", str(model), *flags]
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    return done.stdout if str(model) == "-" else model.read_text()


@pytest.mark.parametrize("algorithm", SPECS)
@pytest.mark.parametrize(
    ("name", "target"), [("iris", "species"), ("wine", "cultivar"), ("diabetes", "progression")]
)
def test_of_the_data_of_the_repo(command, algorithm, name, target):
    df = pl.read_parquet(DATA / f"{name}.parquet")
    if algorithm != "cart" and df[target].dtype.is_float():
        pytest.skip("entropy is of classes")
    theirs = by_command(command, DATA / f"{name}.parquet", target, "--algorithm", algorithm)
    assert gt.fit_tree(df, target, SPECS[algorithm]()).tree.to_json().strip() == theirs.strip()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("target", ["y", "number"])
def test_of_every_dtype_any_threads_and_any_chunks(command, tmp_path, seed, target):
    df = every_dtype(seed)
    left_out = "number" if target == "y" else "y"
    df.write_parquet(tmp_path / "made.parquet")
    theirs = by_command(
        command, tmp_path / "made.parquet", target, "--exclude", left_out, "--max-depth", "6"
    )
    for threads in (1, 2):
        for chunks in (1, 10):
            spec = gt.cart(exclude=[left_out], max_depth=6, threads=threads)
            fit = gt.fit_tree(in_chunks(df, chunks), target, spec)
            assert fit.tree.to_json().strip() == theirs.strip()


def test_files_are_read_and_written(command, tmp_path, iris):
    tree = gt.fit_tree(iris, "species").tree
    tree.save(tmp_path / "iris.tree.json")
    shown = subprocess.run(
        [command, "show", str(tmp_path / "iris.tree.json")],
        check=True,
        capture_output=True,
        text=True,
    )
    assert shown.stdout.strip() == str(tree).strip()
    assert gt.Tree.load(str(tmp_path / "iris.tree.json")) == tree


def streamed(rows, target: str, spec: gt.TreeSpec) -> gt.Fit:
    return gt.fit_tree(rows, target, spec, memory="32MiB")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("target", ["y", "number"])
def test_a_fit_in_little_memory_is_that_of_memory(tmp_path, monkeypatch, seed, target):
    df = every_dtype(seed)
    left_out = "number" if target == "y" else "y"
    for spec in (
        gt.cart(exclude=[left_out], max_depth=6),
        gt.cart(exclude=[left_out], max_leaves=7, missing="majority", threads=1),
    ):
        expected = gt.fit_tree(df, target, spec)
        paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
        df.head(100).write_parquet(paths[0], row_group_size=30)
        df.tail(-100).write_parquet(paths[1])
        for rows in (df, df.lazy(), paths, str(tmp_path / "*.parquet")):
            fit = streamed(rows, target, spec)
            assert fit.tree.to_json() == expected.tree.to_json()
            assert fit.importance.equals(expected.importance)
            assert fit.report["rows"] == df.height
            assert fit.report["passes"] > 1
            assert expected.report == {}
        # Older versions of Polars make no batches.
        with monkeypatch.context() as older:
            older.delattr(pl.LazyFrame, "collect_batches", raising=False)
            older.setattr("gaintree._frames._SLICE", 70)
            assert streamed(df.lazy(), target, spec).tree == expected.tree


def test_what_reading_raises_ends_the_fit(iris, tmp_path):
    lazy = failing_after(1, iris)
    with pytest.raises(Exception, match="gone"):
        streamed(lazy, "species", gt.cart(max_depth=3))
    with pytest.raises(FileNotFoundError):
        streamed(tmp_path / "nowhere.parquet", "species", gt.cart(max_depth=3))


def test_what_needs_all_rows_is_refused(iris):
    with pytest.raises(gt.SpecError, match="subtree_raising = false"):
        streamed(iris, "species", gt.c45())
    with pytest.raises(gt.SpecError, match="`memory` is '9KX'"):
        gt.fit_tree(iris, "species", memory="9KX")
    tall = pl.LazyFrame({"x": range(100_000)}).with_columns(y=pl.col("x") % 2)
    with pytest.raises(gt.SpecError, match="a tree on 100000 rows may have 100000 leaves"):
        gt.fit_tree(tall, "y", memory="16MiB")
