#!/usr/bin/env python3
"""What the Python package costs beside the crate, and its expressions beside polars-ds.

    pip install ./python polars-ds numpy
    cargo build --release --all-features
    python3 benches/peers/python.py target/release/gaintree

Prints medians of alternating runs: seconds to carry a frame across and a ranking back; to fit from
Python and by the command (its own figure, without reading); and of information gain by group.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl
import polars_ds as pds

import gaintree as gt
from gaintree import _gaintree

ROWS, COLUMNS, RUNS = 1_000_000, 10, 7


def seconds(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(*works) -> list[float]:
    """The median of each, in turns."""
    for work in works:
        work()
    times = [[seconds(work) for work in works] for _ in range(RUNS)]
    return [median(column) for column in zip(*times)]


def distinct(rng) -> pl.DataFrame:
    """Distinct floats in ten chunks a column, and two classes that two of them tell."""
    x = rng.random((COLUMNS, ROWS))
    y = (x[0] + x[1] + rng.normal(0, 0.2, ROWS) > 1).astype(np.int64)
    df = pl.DataFrame({**{f"x{i}": column for i, column in enumerate(x)}, "y": y})
    return pl.concat([df[at : at + ROWS // 10] for at in range(0, ROWS, ROWS // 10)], rechunk=False)


def crossing(df: pl.DataFrame) -> None:
    """A fit of depth 0 on no feature is refused only once the frame is there."""

    def refused() -> None:
        try:
            _gaintree.rank_gain(df.get_columns(), "no such column", "{}", None)
        except gt.DataError:
            return
        raise AssertionError

    (cost,) = in_turns(refused)
    assert df.n_chunks() == 10
    print(f"crossing of {ROWS:,} x {COLUMNS + 1}: {1000 * cost:.2f} ms")


def fits(df: pl.DataFrame, command: str) -> None:
    """The same fit from Python and by the command, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data.parquet")
        df.write_parquet(data)
        fit = [command, "fit", str(data), "--target", "y", "--max-depth", "12", "--threads", "1"]
        fit += ["-o", str(Path(folder, "model.json")), "--report", "json"]
        python, rust, inside = [], [], []
        spec = gt.cart(max_depth=12, threads=1)
        for _ in range(RUNS):
            fitted = []
            python.append(seconds(lambda: fitted.append(gt.fit_tree(df, "y", spec))))
            inside.append((fitted[0].encode_time + fitted[0].grow_time).total_seconds())
            report = json.loads(subprocess.run(fit, check=True, capture_output=True, text=True).stdout)
            rust.append(report["encode_s"] + report["grow_s"])
        assert fitted[0].tree.to_json() == Path(folder, "model.json").read_text()
    a, b, c = median(python), median(rust), median(inside)
    print(f"fit: {a:.3f} s from Python ({c:.3f} s of it in the engine), {b:.3f} s in Rust: {a / b:.2f}")


def groups(rng, n: int, size: int) -> None:
    rows = n * size
    df = pl.DataFrame(
        {
            "g": rng.permutation(np.repeat(np.arange(n), size)),
            "x": rng.integers(0, 8, rows),
            "y": rng.integers(0, 2, rows),
        }
    ).with_columns(pl.col("x").cast(pl.String))
    ours, theirs = in_turns(
        lambda: df.group_by("g").agg(gt.conditional_entropy("x", "y")),
        lambda: df.group_by("g").agg(pds.query_cond_entropy("y", "x")),
    )
    (gain,) = in_turns(lambda: df.group_by("g").agg(gt.info_gain("x", "y")))
    print(
        f"{n:,} groups of {size}: info_gain {gain:.3f} s; conditional entropy {ours:.3f} s, "
        f"polars-ds {theirs:.3f} s: {ours / theirs:.2f}"
    )


def main() -> None:
    rng = np.random.default_rng(7)
    df = distinct(rng)
    crossing(df)
    fits(df, sys.argv[1])
    groups(rng, 1_000, 200)
    groups(rng, 100_000, 10)


if __name__ == "__main__":
    main()
