"""Model files are those of the command line, byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import polars as pl
import pytest
from conftest import DATA
from made import every_dtype, in_chunks

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
