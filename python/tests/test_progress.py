"""How far long work is: told to callables, or shown by a bar."""

import io
import sys
import types

import polars as pl
import pytest
from conftest import DATA

import gaintree as gt
from gaintree import _progress

IRIS = pl.read_parquet(DATA / "iris.parquet")
FOREST = gt.fit_forest(IRIS, "species", trees=20, seed=1).forest
TREE = gt.fit_tree(IRIS, "species").tree


def forest(**options):
    return gt.fit_forest(IRIS, "species", trees=20, seed=1, **options)


WORK = {
    "answering out of bag": forest,
    "growing trees": lambda **options: forest(out_of_bag=False, **options),
    "permuting features": lambda **options: FOREST.permutation_importance(IRIS, **options),
    "walking trees": lambda **options: FOREST.contributions(IRIS, event="setosa", **options),
    "selecting columns": lambda **options: FOREST.report(IRIS, **options),
    "ranking columns": lambda **options: gt.rank_gain(IRIS, "species", **options),
}
OTHERS = {
    "growing trees": [
        lambda **options: gt.corrected_importance(
            IRIS, "species", permutations=10, trees=3, **options
        ),
        lambda **options: gt.boruta(IRIS, "species", runs=10, trees=3, **options),
    ],
    "permuting features": [
        lambda **options: FOREST.out_of_bag_importance(IRIS, **options),
        lambda **options: TREE.permutation_importance(IRIS, **options),
    ],
    "walking trees": [
        lambda **options: TREE.contribution_importance(IRIS, event="setosa", **options),
        lambda **options: TREE.interactions(IRIS, event="setosa", **options),
        lambda **options: TREE.contributions_svg(IRIS, event="setosa", **options),
    ],
    "selecting columns": [lambda **options: TREE.report(IRIS, **options)],
    "ranking columns": [
        lambda **options: gt.rank_gain(IRIS.lazy(), "species", memory="64MB", **options)
    ],
}
ALL = [*WORK.items(), *((name, work) for name, others in OTHERS.items() for work in others)]


@pytest.mark.parametrize(("name", "work"), ALL)
def test_a_callable_hears_of_the_stages(name, work):
    told = []
    work(progress=told.append)
    assert all(isinstance(stage, gt.Stage) and 0 <= stage.done <= stage.total for stage in told)
    assert told[-1].name == name

    def refused(stage):
        raise TimeoutError(stage.name)

    with pytest.raises(TimeoutError):
        work(progress=refused)


def test_what_is_raised_ends_the_work():
    long = pl.DataFrame({"x": range(5000), "z": [7, 3] * 2500, "y": [0, 1, 1, 0] * 1250})
    told = []

    def enough(stage):
        told.append(stage)
        raise TimeoutError

    with pytest.raises(TimeoutError):
        gt.fit_forest(long, "y", trees=100_000, progress=enough)
    assert len(told) == 1
    assert told[0].done < told[0].total


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_a_bar_is_shown_and_cleared(work, capsys, monkeypatch):
    monkeypatch.setattr(_progress, "_LONG", 0)
    work(progress=False)
    work()
    assert capsys.readouterr().err == ""
    work(progress=True)
    shown = capsys.readouterr().err
    assert "%|" in shown
    assert shown.endswith(" \r")
    monkeypatch.setattr(_progress, "_is_watched", lambda: True)
    work()
    assert "%|" in capsys.readouterr().err


def test_passes_are_told_or_shown(capsys, monkeypatch):
    monkeypatch.setattr(_progress, "_LONG", 0)
    told = []
    fit = gt.fit_tree(IRIS.lazy(), "species", memory="64MB", progress=told.append)
    assert [at.number for at in told] == list(range(1, fit.report["passes"] + 1))
    assert all(isinstance(at, gt.Pass) for at in told)
    gt.fit_tree(IRIS.lazy(), "species", memory="64MB", progress=True)
    assert "pass 1: summary, 0 nodes so far" in capsys.readouterr().err

    def refused(at):
        raise TimeoutError(at.task)

    with pytest.raises(TimeoutError, match="summary"):
        gt.fit_tree(IRIS.lazy(), "species", memory="64MB", progress=refused)


def test_a_terminal_and_a_notebook_show_bars(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not _progress._is_watched()
    for stderr, watched in [(Terminal(), True), (None, False)]:
        monkeypatch.setattr(sys, "stderr", stderr)
        assert _progress._is_watched() == watched
    for config, watched in [({"IPKernelApp": {}}, True), ({"TerminalIPythonApp": {}}, False)]:
        shell = types.SimpleNamespace(config=config)
        ipython = types.SimpleNamespace(get_ipython=lambda shell=shell: shell)
        monkeypatch.setitem(sys.modules, "IPython", ipython)
        assert _progress._is_watched() == watched


@pytest.mark.parametrize("progress", ["yes", 1, []])
def test_other_kinds_of_progress_are_refused(progress):
    with pytest.raises(gt.SpecError, match="progress"):
        gt.fit_forest(IRIS, "species", trees=1, progress=progress)
