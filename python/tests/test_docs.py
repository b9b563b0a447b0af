"""The pages hold: their code runs and prints what they show, and every column has its line.

`python python/tests/test_docs.py` writes what is printed now into the pages.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from conftest import DATA, found_command

import gaintree as gt

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
FENCE = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```$", re.M | re.S)
TEXT = ("text", "console")


@dataclass
class Block:
    """Fenced code, without the indent that a tab or a list gives it."""

    language: str
    indent: str
    code: str
    start: int
    end: int

    @classmethod
    def all_of(cls, page: str) -> list[Block]:
        return [
            cls(m[2], m[1], re.sub(f"^{m[1]}", "", m[3], flags=re.M), m.start(3), m.end())
            for m in FENCE.finditer(page)
        ]


def shown(page: str) -> list[tuple[Block, str]]:
    """Each block that shows what is printed, and what is printed when the page runs.

    The working directory has to be one that has `examples/data` and may be written to.
    """
    scope: dict[str, Any] = {"__name__": "page"}
    results, printed, last = [], None, 0
    for block in Block.all_of(page):
        if block.language == "python":
            caught = io.StringIO()
            with contextlib.redirect_stdout(caught), pl.Config(tbl_width_chars=100):
                exec(compile(block.code, f"<{block.code.splitlines()[0]}>", "exec"), scope)
            printed = caught.getvalue()
        elif block.language in TEXT and block.code.startswith("$ gaintree"):
            if command := found_command():
                results.append((block, session(command, block.code)))
        elif block.language in TEXT and printed is not None and is_output(page[last : block.start]):
            results.append((block, printed))
            printed = None
        last = block.end
    return results


def is_output(between: str) -> bool:
    """Whether nothing but the fence stands between code and a block of text."""
    return re.fullmatch(r"\s*```\w+[^\n]*\n", between) is not None


def session(command: str, code: str) -> str:
    """A terminal's text: each command, and what it prints."""
    lines, env = [], {**os.environ, "NO_COLOR": "1", "COLUMNS": "120"}
    for line in code.splitlines():
        if line.startswith("$ "):
            words = [command, *shlex.split(line)[2:]]
            to = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
            ran = subprocess.run(words, **to, env=env, encoding="utf-8", check=False)
            lines += [line, *ran.stdout.splitlines()]
    return "\n".join(lines) + "\n"


def matches(page: str, printed: str) -> bool:
    """Whether a page shows what is printed; `…` stands for anything."""
    page, printed = (re.sub(r" +$", "", text, flags=re.M).strip() for text in (page, printed))
    return re.fullmatch(re.escape(page).replace("…", ".*?"), printed, re.S) is not None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(DATA, tmp_path / "examples" / "data")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_a_page_prints_what_it_shows(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if "import gaintree.sklearn" in text or "from gaintree.sklearn" in text:
        pytest.importorskip("gaintree.sklearn", exc_type=ImportError)
    for block, printed in shown(text):
        assert matches(block.code, printed), f"{block.code}\n-- but is\n\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_rust_on_a_page_is_that_of_a_tested_example(page: Path) -> None:
    sources = [*ROOT.glob("examples/*.rs"), *ROOT.glob("src/**/*.rs"), ROOT / "README.md"]
    tested = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    tested = squashed(re.sub(r"^ *//[/!]|^# .*$", "", tested, flags=re.M))
    for block in Block.all_of(page.read_text(encoding="utf-8")):
        if block.language == "rust" and page.name != "README.md":
            assert squashed(block.code) in tested, block.code


def squashed(text: str) -> str:
    return " ".join(text.split())


def test_the_pictures_are_those_of_the_script() -> None:
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made = script.pictures()
    kept = {path.name: path.read_text("utf-8") for path in (ROOT / "docs/pictures").iterdir()}
    assert made.keys() == kept.keys()
    assert [name for name in made if made[name] != kept[name]] == []


DTYPES = {
    "bool": pl.Boolean(),
    "f64": pl.Float64(),
    "list[str]": pl.List(pl.String),
    "list[u32]": pl.List(pl.UInt32),
    "list[f64]": pl.List(pl.Float64),
    "str": pl.String(),
    "u32": pl.UInt32(),
    "u64": pl.UInt64(),
}


OF_CLASS = re.compile("^(share_left|share_right|probability)_.*")
OF_QUANTILE = re.compile(r"^quantile_[\d.]+$")
OF_FEATURE = re.compile("^contribution_.*")


def general(name: str) -> str:
    """A column's name without that of its class, feature or quantile."""
    name = OF_QUANTILE.sub("quantile_<q>", name)
    return OF_FEATURE.sub("contribution_<feature>", OF_CLASS.sub(r"\1_<class>", name))


def documented() -> dict[str, list[tuple[str, pl.DataType | None]]]:
    """The columns that tables.md lists, by table; those of the input's own dtypes have None."""
    tables: dict[str, list[tuple[str, pl.DataType | None]]] = {}
    columns: list[tuple[str, pl.DataType | None]] = []
    for line in (ROOT / "docs" / "tables.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## `(\w+)`", line):
            columns = tables.setdefault(heading[1], [])
        elif line.startswith("| `"):
            names, dtypes = line.split(" | ")[:2]
            names, dtypes = re.findall(r"`(.+?)`", names), dtypes.replace("?", "").split(", ")
            dtypes = dtypes if len(dtypes) > 1 else dtypes * len(names)
            columns += zip(names, map(DTYPES.get, dtypes), strict=True)
    return tables


def test_every_column_of_every_table_is_documented(
    wine: pl.DataFrame, diabetes: pl.DataFrame
) -> None:
    wine = wine.with_columns(pl.col("alcohol").round().cast(pl.String))
    classes, numbers = list(wine.columns)[-1], "progression"
    two = wine.filter(pl.col(classes) != wine[classes].max())
    tree, pair = gt.fit_tree(wine, classes).tree, gt.fit_tree(two, classes).tree
    mean = gt.fit_tree(diabetes, numbers).tree
    forest = gt.fit_forest(wine, classes, trees=30)
    of_mean = gt.fit_forest(diabetes, numbers, trees=30)
    made = {
        "rank_gain": [
            gt.rank_gain(wine, classes, full=True),
            gt.rank_gain(diabetes, numbers, full=True),
            gt.rank_gain(wine, classes, chance=5, given="ash", full=True),
            gt.rank_gain(two, classes, sort_by="information_value", full=True),
        ],
        "screen": [gt.screen(wine, classes, full=True)],
        "select_features": [gt.select_features(wine, classes, k=2)],
        "gain_matrix": [gt.gain_matrix(wine)],
        "redundant_groups": [gt.redundant_groups(wine, 0.3)],
        "split_candidates": [
            gt.split_candidates(wine, classes, "ash"),
            gt.split_candidates(wine, classes, "alcohol"),
            gt.split_candidates(diabetes, numbers, "bmi"),
        ],
        "mdl_cuts": [gt.mdl_cuts(wine, classes, "ash")],
        "mdl_cuts_by_feature": [gt.mdl_cuts_by_feature(wine, classes)],
        "woe_bins": [gt.woe_bins(two, classes).table],
        "scorecard": [gt.woe_bins(two, classes).scorecard().table],
        "drift": [gt.drift(wine, two, full=True), tree.drift(wine, two)],
        "drift_bins": [gt.drift_bins(wine, two, "ash")],
        "importance": [tree.importance(), forest.importance],
        "permutation_importance": [tree.permutation_importance(wine)],
        "corrected_importance": [gt.corrected_importance(wine, classes, permutations=10, trees=5)],
        "boruta": [gt.boruta(wine, classes, runs=10, trees=5)],
        "predictions": [forest.out_of_bag.predictions],
        "quantiles": [of_mean.forest.out_of_bag_quantiles(diabetes, [0.5])],
        "curve": [forest.out_of_bag.curve, of_mean.out_of_bag.curve],
        "nodes": [tree.nodes(), mean.nodes()],
        "rules": [tree.rules(), mean.rules()],
        "candidates": [tree.candidates(wine), mean.candidates(diabetes)],
        "path": [tree.explain_row(wine).path, mean.explain_row(diabetes).path],
        "changes": [tree.explain_row(wine).changes, mean.explain_row(diabetes).changes],
        "score": [tree.score(wine, probability=True, leaf=True, keep=[])],
        "contributions": [tree.contributions(wine, event=tree.classes[0])],
        "waterfall": [tree.waterfall(wine, 0, event=tree.classes[0])],
        "interactions": [pair.interactions(two.head(2))],
        "contribution_importance": [pair.contribution_importance(two)],
        "evaluate": [tree.evaluate(wine), mean.evaluate(diabetes)],
        "by_class": [tree.by_class(wine)],
        "calibration": [pair.calibration(two)],
        "thresholds": [pair.thresholds(two)],
        "intervals": [pair.intervals(two, resamples=10)],
        "confusion": [tree.confusion(wine)],
        "cost_complexity_path": [tree.cost_complexity_path()],
        "cross_validate_pruning": [tree.prune_cross_validated(wine, folds=2).cv],
    }
    lists = documented()
    assert lists.keys() == made.keys()
    for table, columns in lists.items():
        seen: list[str] = []
        for frame in made[table]:
            given = {general(name): d for name, d in frame.schema.items()}
            expected = {name: d or given[name] for name, d in columns if name in given}
            assert given == expected, table
            # The columns of numbers stand below those of classes.
            assert seen or list(given) == list(expected), table
            seen += given
        assert set(seen) == {name for name, _ in columns}, table


if __name__ == "__main__":
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as made:
            os.chdir(made)
            shutil.copytree(DATA, Path("examples", "data"))
            for block, printed in reversed(shown(text)):
                if not matches(block.code, printed):
                    lines = [f"{block.indent}{line}".rstrip() for line in printed.splitlines()]
                    end = text.rindex(f"{block.indent}```", block.start, block.end)
                    text = text[: block.start] + "\n".join(lines).rstrip() + "\n" + text[end:]
        path.write_text(text, encoding="utf-8")
