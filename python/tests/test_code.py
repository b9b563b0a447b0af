"""Models as source code."""

import datetime as dt
import importlib.util
import shutil
import subprocess
import sys

import polars as pl
import pytest

import gaintree as gt


@pytest.fixture
def frame():
    days = [dt.date(2024, 1, day) for day in range(1, 9)]
    return pl.DataFrame(
        {
            "colour (*/)": ["red", "blue", None, "red", "größe", "blue", "red", '"""'],
            "day": days,
            "class": [1.5, None, 2.5, float("nan"), 4.0, 5.0, 6.0, 7.0],
            "price": pl.Series(range(8)).cast(pl.Decimal(20, 2)),
            "flag": [True, False, None, True, False, False, True, True],
            "y": ["a", "b", "c", "a", "b", "c", "b", "a"],
        }
    )


def module(code, folder):
    """The code as a module."""
    path = folder / f"{code.name}.py"
    path.write_text(code.source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(code.name, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("max_conditions", [500, 0])
def test_rows_as_python_are_answered_as_score_does(frame, tmp_path, max_conditions):
    tree = gt.fit_tree(frame, "y", gt.id3()).tree
    model = module(tree.to_code("python", max_conditions=max_conditions), tmp_path)
    physical = frame.with_columns(
        pl.col("day").to_physical(), (pl.col("price") * 100).cast(pl.Int64)
    )
    used = physical.select(tree.used_features)
    rows = [model.Row(*row) for row in used.iter_rows()]
    scored = tree.score(frame, probability=True, leaf=True)
    assert [model.predict(row) for row in rows] == scored["prediction"].to_list()
    assert [model.leaf_id(row) for row in rows] == scored["leaf_id"].to_list()
    names = [f"probability_{name}" for name in model.CLASSES]
    assert [model.probabilities(row) for row in rows] == list(scored.select(names).iter_rows())


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("language", ["c", "rust", "python"])
@pytest.mark.parametrize("kind", ["tree", "forest", "votes", "number"])
def test_files_run_where_they_are_saved(frame, tmp_path, language, kind):
    target = "class" if kind == "number" else "y"
    frame = frame.filter(pl.col(target).is_not_null() & (pl.col("day") > dt.date(2024, 1, 1)))
    frame = frame.filter(pl.col("class").is_not_nan()) if kind == "number" else frame
    votes = {"votes": True} if kind == "votes" else {}
    if kind in ("forest", "votes"):
        model = gt.fit_forest(frame, target, trees=5, seed=1).forest
    else:
        model = gt.fit_tree(frame, target).tree
    assert model.to_code(language, tmp_path, name="m", **votes) is None
    ending = {"c": "c", "rust": "rs", "python": "py"}[language]
    test = model.to_code_test(language, frame, name="m", **votes)
    (tmp_path / f"m_test.{ending}").write_text(test, encoding="utf-8")
    if language == "python":
        run(sys.executable, "m_example.py", folder=tmp_path)
        assert (
            run(sys.executable, "m_test.py", folder=tmp_path) == f"0 of {len(frame)} rows differ\n"
        )
        return
    compiler = shutil.which({"c": "cc", "rust": "rustc"}[language])
    if compiler is None:
        pytest.skip("no compiler")
    if language == "rust":
        run(compiler, "m_example.rs", folder=tmp_path)
        run("./m_example", folder=tmp_path)
        run(compiler, "--test", "m_test.rs", folder=tmp_path)
        run("./m_test", folder=tmp_path)
        return
    flags = ["-Wall", "-Werror", "-lm"]
    run(compiler, "m.c", "m_example.c", *flags, "-o", "example", folder=tmp_path)
    run("./example", folder=tmp_path)
    run(compiler, "m.c", "m_test.c", *flags, "-o", "test", folder=tmp_path)
    assert run("./test", folder=tmp_path) == f"0 of {len(frame)} rows differ\n"


def test_a_model_without_rules_has_code(tmp_path):
    frame = pl.DataFrame({"x": [1, 1], "y": ["a", "b"]})
    tree = gt.fit_tree(frame, "y").tree
    model = module(tree.to_code("python"), tmp_path)
    assert model.predict(model.Row()) == "a"
    assert "0.5, 0.5," in tree.to_code_test("python", frame)


def test_what_is_refused_is_said(frame, tmp_path):
    tree = gt.fit_tree(frame, "y").tree
    with pytest.raises(gt.SpecError, match="`language` is 'java'"):
        tree.to_code("java")
    with pytest.raises(gt.SpecError, match="max_conditions"):
        tree.to_code("c", max_conditions=-1)
    with pytest.raises(gt.SpecError, match="missing = fractional"):
        gt.fit_tree(frame, "y", gt.c45()).tree.to_code("c")
    with pytest.raises(gt.FileError, match="missing"):
        tree.to_code("c", tmp_path / "missing")
    with pytest.raises(gt.DataError, match="has no rows"):
        tree.to_code_test("c", frame.clear())
    other = frame.with_columns(pl.col("day").cast(pl.Datetime))
    with pytest.raises(gt.DataError, match="cast it to date"):
        tree.to_code_test("c", other)
