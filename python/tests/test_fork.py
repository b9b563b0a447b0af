"""Processes that are forked: their parent's threads are not there."""

from __future__ import annotations

import os
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")

SCRIPT = """
import multiprocessing, sys
import polars as pl, gaintree as gt

df = pl.DataFrame({"x": [1, 2, 3, 4], "z": [1, 2, 1, 2], "y": ["a", "a", "b", "b"]})
tree = None
WORK = {
    "fit": lambda: gt.fit_tree(df, "y").tree.n_leaves,
    "lazy": lambda: gt.fit_tree(df.lazy(), "y").tree.n_leaves,
    "forest": lambda: gt.fit_forest(df, "y", trees=200).forest.n_trees,
    "rank": lambda: gt.rank_gain(df, "y").height,
    "matrix": lambda: gt.gain_matrix(df).height,
    "score": lambda: tree.score(df).height,
    "leaves": lambda: tree.n_leaves,
    "json": lambda: gt.Tree.from_json(tree.to_json()).n_leaves,
}

def work(name):
    try:
        return WORK[name]()
    except gt.GaintreeError as error:
        return f"{type(error).__name__}: {error}"

if sys.argv[1] == "worked":
    tree = gt.fit_tree(df, "y").tree
with multiprocessing.get_context("fork").Pool(1) as pool:
    for name in sys.argv[2:]:
        print(pool.apply_async(work, [name]).get(timeout=60))
"""


@pytest.fixture
def said(run):
    """What a child says of its work, line by line; a wait for ever ends in an error."""
    return lambda parent, *works: run(
        sys.executable, "-W", "ignore", "-c", SCRIPT, parent, *works
    ).splitlines()


def test_a_child_of_a_process_that_worked_says_what_to_do(said):
    for line in said("worked", "fit", "lazy", "forest", "rank", "matrix", "score"):
        assert line.startswith("ForkError: this process was forked")
        assert 'multiprocessing.get_context("spawn")' in line


def test_a_model_is_read_and_written_in_a_child_all_the_same(said):
    assert said("worked", "leaves", "json") == ["2", "2"]


def test_a_child_works_where_its_parent_has_not(said):
    assert said("new", "fit", "rank", "forest") == ["2", "2", "200"]


COUNTED = """
from pathlib import Path
import polars as pl, gaintree as gt

def count():
    tasks = [(task / "comm").read_text() for task in Path("/proc/self/task").iterdir()]
    return tasks.count(Path("/proc/self/comm").read_text())

df = pl.DataFrame({f"x{i}": range(100_000) for i in range(8)}).with_columns(y=pl.col("x0") % 7 > 3)
df.select(pl.all().sort())
gt.fit_tree(df, "y", gt.cart(max_depth=2))
# Threads of Polars, tokio and jemalloc have names of their own, but a new one not at once.
print(min(count() for _ in range(100)) - 1)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="threads cannot be counted")
def test_there_are_as_many_threads_as_polars_has(run, monkeypatch):
    monkeypatch.setenv("POLARS_MAX_THREADS", "5")
    assert run(sys.executable, "-W", "ignore", "-c", COUNTED).strip() == "5"
