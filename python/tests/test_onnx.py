"""ONNX models, run by ONNX Runtime, answer as scoring does, to the last bit."""

from __future__ import annotations

import hashlib
import json
import subprocess
from decimal import Decimal

import onnx
import onnxruntime
import polars as pl
import pytest
from made import every_dtype

import gaintree as gt

SPECS = {"cart": gt.cart, "c45": gt.c45, "id3": gt.id3}
# ONNX has no integers of 128 bits, nor doubles that tell these neighbours apart.
REFUSED = ["i128", "u64"]
WIDE = pl.Decimal(38, 0)

onnxruntime.set_default_logger_severity(4)


def session_of(model: bytes) -> onnxruntime.InferenceSession:
    onnx.checker.check_model(onnx.load_from_string(model), full_check=True)
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


def answers(model: gt.Tree | gt.Forest, df: pl.DataFrame, **options: bool) -> dict[str, list]:
    session = session_of(model.to_onnx(**options))
    names = [output.name for output in session.get_outputs()]
    found = dict(zip(names, session.run(names, model.onnx_inputs(df)), strict=True))
    columns = {"prediction": found["prediction"].tolist()}
    if "probabilities" in found:
        for nr, values in enumerate(found["probabilities"].T):
            columns[f"probability {nr}"] = values.tolist()
    if "leaf_id" in found:
        columns["leaf_id"] = found["leaf_id"].tolist()
    return columns


def expected(model: gt.Tree | gt.Forest, df: pl.DataFrame, **options: bool) -> dict[str, list]:
    scored = model.score(df, keep=[], probability=bool(model.classes), **options)
    names = iter(range(len(model.classes)))
    return {
        name if name in ("prediction", "leaf_id") else f"probability {next(names)}": list(values)
        for name, values in scored.to_dict(as_series=False).items()
    }


def other_rows(seed: int) -> pl.DataFrame:
    """Rows of other levels, nulls where the training rows had none, and infinities."""
    df = every_dtype(seed, 200)
    inf = float("inf")
    ends = pl.Series([inf, -inf, float("nan"), 5e-324, -0.0] * 40)
    row = pl.int_range(200)
    return df.with_columns(
        f32=pl.when(row % 3 == 0).then(ends.cast(pl.Float32)).otherwise("f32"),
        f64=pl.when(row % 4 == 0).then(ends).otherwise("f64"),
        str=pl.when(row % 5 == 0).then(pl.lit("never seen")).otherwise("str"),
    )


def without_missing(df: pl.DataFrame) -> pl.DataFrame:
    known = df.drop("null").fill_nan(0.5)
    return known.select(pl.all().forward_fill().backward_fill())


def options(target: str, seed: int) -> dict[str, object]:
    """Options of all sorts, by a seed."""
    return {
        "exclude": ["number" if target == "y" else "y", *REFUSED],
        "missing": ["learn", "majority"][seed % 4 // 2],
        "grouping": ["subset", "multiway", "one_vs_rest"][seed % 3],
        "nominal": ["int16", "f32"] if seed % 4 == 1 else [],
        "ordered": ["enum", "bool"] if seed % 3 == 1 else [],
        **({"criterion": "variance"} if target == "number" else {}),
    }


@pytest.mark.parametrize("algorithm", SPECS)
@pytest.mark.parametrize("target", ["y", "number"])
@pytest.mark.parametrize("seed", range(12))
def test_trees_of_every_dtype(algorithm, target, seed):
    df, rows = every_dtype(seed, 120), other_rows(seed + 100)
    df = without_missing(df) if seed % 2 else df
    tree = gt.fit_tree(df, target, SPECS[algorithm](**options(target, seed))).tree
    assert answers(tree, rows) == expected(tree, rows, leaf=True), str(tree)


@pytest.mark.parametrize(("target", "votes"), [("y", False), ("y", True), ("number", False)])
@pytest.mark.parametrize("seed", range(6))
def test_forests_of_every_dtype(target, votes, seed):
    df, rows = every_dtype(seed, 120), other_rows(seed + 100)
    spec = gt.cart(**options(target, seed))
    forest = gt.fit_forest(df, target, spec, trees=7, seed=seed).forest
    found = answers(forest, rows, votes=votes)
    assert found == expected(forest, rows, votes=votes)


@pytest.mark.parametrize(
    ("target", "classes"),
    [
        (pl.Boolean, [True, False]),
        (pl.Int8, [-3, 7]),
        (pl.UInt64, [0, 2**63 - 1]),
        (pl.String, ["it's", 'a "b"\n ü']),
        (pl.Enum(["z", "a"]), ["z", "a"]),
    ],
)
def test_labels_are_those_of_the_target(target, classes):
    y = pl.Series(classes * 2, dtype=target)
    df = pl.DataFrame({"x": [1, 2, 1, 2], "y": y})
    for model in (gt.fit_tree(df, "y").tree, gt.fit_forest(df, "y", trees=3, seed=1).forest):
        assert answers(model, df)["prediction"] == model.score(df)["prediction"].to_list()


def test_a_tree_without_rules_answers_each_row():
    df = pl.DataFrame({"text": ["a", "a", "b"], "y": ["p", "p", "q"]})
    tree = gt.fit_tree(df, "y", max_depth=0).tree
    assert answers(tree, df) == expected(tree, df, leaf=True)


def test_a_missing_value_that_is_an_error_is_one():
    df = pl.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["p", "q", "p", "q"], "y": [0, 1, 2, 3]})
    tree = gt.fit_tree(df, "y", missing="error").tree
    session = session_of(tree.to_onnx())
    assert session.run(["prediction"], tree.onnx_inputs(df))[0].tolist() == [0, 1, 2, 3]
    for column in tree.used_features:
        hole = df.with_columns(pl.when(pl.int_range(4) != 2).then(column).alias(column))
        with pytest.raises(onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument):
            session.run(["prediction"], tree.onnx_inputs(hole))


def test_missing_values_must_be_told_where_training_had_some():
    x = [1, None, 3, 4] * 2
    df = pl.DataFrame({"holes": x, "whole": [1, 1, 1, 2, 2, 2, 3, 3], "y": range(8)})
    session = session_of(gt.fit_tree(df, "y").tree.to_onnx())
    required = [slot.name for slot in session.get_inputs()]
    optional = [slot.name for slot in session.get_overridable_initializers()]
    assert required == ["holes", "holes__missing", "whole"]
    assert optional == ["whole__missing"]


def test_inputs_of_other_dtypes_answer_as_scoring_does():
    """Columns that scoring takes beside those of the training frame."""
    # Polars has it from version 1.36 on.
    half = getattr(pl, "Float16", pl.Float32)
    df = every_dtype(1, 120).with_columns(f16=pl.col("f32").cast(half))
    casts = {
        **dict.fromkeys(["int8", "uint16", "u32"], pl.Int64),
        "f32": half,
        "f64": pl.Float32,
        "ms": pl.Datetime("ns"),
        "zoned": pl.Datetime("ms", "UTC"),
        "duration": pl.Duration("us"),
        "decimal": pl.Decimal(20, 4),
        **dict.fromkeys(["str", "cat", "enum"], pl.Categorical),
        "bool": pl.Null,
    }
    rows = df.with_columns(f64=pl.col("f64").cast(pl.Float32).cast(pl.Float64))
    rows = rows.with_columns(f32=pl.col("f32").cast(half).cast(pl.Float32), bool=None)
    for name, dtype in [*casts.items(), ("f16", half), ("time", pl.Time)]:
        tree = gt.fit_tree(df, "y", features=[name]).tree
        other = rows.select(pl.col(name).cast(dtype))
        assert tree.used_features == [name]
        assert answers(tree, other) == expected(tree, other, leaf=True), name
        assert answers(tree, other) == answers(tree, rows), name


@pytest.mark.parametrize(
    ("fitted", "given", "words"),
    [
        (pl.Int8, pl.Series([1, 300]), r"`x` is i64 here.*300 of row 2.*i8"),
        (pl.Int64, pl.Series([None, 0.5]), r"`x` is f64 here.*0\.5 of row 2.*i64"),
        (pl.Datetime("ms"), pl.Series([1], dtype=pl.Datetime("us")), r"`x`.*row 1.*datetime.ms."),
        (
            WIDE,
            pl.Series([Decimal(0), Decimal(10) ** 30], dtype=WIDE),
            "10{30} of row 2.*i64",
        ),
        (pl.Int8, pl.Series(["a"]), "`x` is str here.*i8"),
        (pl.Int8, pl.Series([[1]]), "`x`.*list"),
    ],
)
def test_a_value_that_an_input_cannot_hold_is_refused(fitted, given, words):
    df = pl.DataFrame({"x": pl.Series([1, 2, 3, 4]).cast(fitted), "y": ["p", "p", "q", "q"]})
    tree = gt.fit_tree(df, "y").tree
    with pytest.raises(gt.DataError, match=words):
        tree.onnx_inputs(pl.DataFrame({"x": given}))
    with pytest.raises(gt.DataError, match="`x`: no such column"):
        tree.onnx_inputs(df.select("y"))


def test_inputs_are_those_of_the_session():
    df = every_dtype(2, 60)
    forest = gt.fit_forest(df, "y", trees=5, exclude=["number", *REFUSED]).forest
    session = session_of(forest.to_onnx())
    slots = [*session.get_inputs(), *session.get_overridable_initializers()]
    inputs = forest.onnx_inputs(df.lazy())
    assert {slot.name for slot in slots} == set(inputs)
    assert {values.shape for values in inputs.values()} == {(60, 1)}


def test_without_numpy_the_way_out_is_said(monkeypatch):
    df = pl.DataFrame({"x": [1, 2], "y": ["p", "q"]})

    def absent(self: pl.Series) -> None:
        raise ModuleNotFoundError("numpy")

    monkeypatch.setattr(pl.Series, "to_numpy", absent)
    with pytest.raises(ImportError, match="pip install numpy"):
        gt.fit_tree(df, "y").tree.onnx_inputs(df)


def test_sets_of_many_levels():
    n = 20_000
    df = pl.DataFrame(
        {"zip": [f"{i * 7919 % n:05}" for i in range(n)], "y": [i % 97 % 2 for i in range(n)]}
    )
    tree = gt.fit_tree(df, "y", max_depth=3).tree
    rows = pl.concat([df, pl.DataFrame({"zip": [None, "none", ""], "y": [0, 0, 0]})])
    assert answers(tree, rows) == expected(tree, rows, leaf=True)


@pytest.mark.parametrize(
    "name", ['a"b', "*/", "x\ny", "`'\\", "${x}", "ü" * 30_000, " ", "gaintree/Cast/5"]
)
def test_any_name_is_an_input(name):
    df = pl.DataFrame({name: [1, 2, None, 4] * 2, "z": ["p", "q"] * 4, "y": [0, 1, 2, 3] * 2})
    tree = gt.fit_tree(df, "y").tree
    assert answers(tree, df) == expected(tree, df, leaf=True)


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        ({"x": pl.Series([2**53, 2**53 + 1])}, {}, "`x` \\(i64\\).*2\\^53.*f64"),
        ({"x": pl.Series([1, 2], dtype=pl.Int128)}, {}, "`x` \\(i128\\).*128 bits.*i64"),
        (
            {"t": pl.Series([10**18, 2 * 10**18]).cast(pl.Datetime("ns"))},
            {},
            "`t` \\(datetime.ns.\\).*coarser unit",
        ),
        ({"x": pl.Series(["a", "b"])}, {"ordered": ["x"]}, "`x` \\(str\\).*nominal"),
        ({"x": [1, 2]}, {"missing": "fractional"}, "fractional.*learn"),
        ({"prediction": [1, 2]}, {}, "`prediction`.*rename"),
        ({"": [1, 2]}, {}, "empty"),
    ],
)
def test_refusals_name_the_column_and_the_way_out(columns, options, words):
    df = pl.DataFrame({**columns, "y": ["p", "q"]})
    with pytest.raises(gt.SpecError, match=words):
        gt.fit_tree(df, "y", **options).tree.to_onnx()


def test_one_name_for_two_inputs_is_refused():
    df = pl.DataFrame({"x": [1, 2, 1, 2], "x__missing": [1, 1, 2, 2], "y": [0, 1, 2, 3]})
    with pytest.raises(gt.SpecError, match=r"`x__missing`.*rename"):
        gt.fit_tree(df, "y").tree.to_onnx()


def chain(depth: int) -> gt.Tree:
    """A tree that parts one value from all above it, again and again."""
    x = list(range(depth + 1))
    of_two = gt.fit_tree(pl.DataFrame({"x": x[:2], "y": ["p", "q"]}), "y").tree
    model = json.loads(of_two.to_json())
    root, left, right = model["nodes"]
    model["nodes"] = []
    for at in range(depth):
        counts, branches = [1, depth - at], [2 * at + 1, 2 * at + 2]
        cut = {"cut": str(at + 1), "branches": branches, "n": depth - at + 1, "counts": counts}
        model["nodes"] += [{**root, **cut}, left]
    model["nodes"].append(right)
    return gt.Tree.from_json(json.dumps(model))


def test_a_tree_too_deep_for_onnx_runtime_is_refused():
    df = pl.DataFrame({"x": [0, 3, 1_998, 1_999, 2_000, 5_000]})
    tree = chain(2_000)
    assert answers(tree, df) == expected(tree, df, leaf=True)
    with pytest.raises(gt.SpecError, match=r"2001 tests.*max_depth"):
        chain(2_001).to_onnx()


def test_metadata_name_the_model_and_its_file(tmp_path, iris, command):
    tree = gt.fit_tree(iris, "species").tree
    tree.save(tmp_path / "iris.tree.json")
    tree.to_onnx(tmp_path / "iris.onnx")
    written = (tmp_path / "iris.onnx").read_bytes()
    assert written == tree.to_onnx()
    model = onnx.load_from_string(written)
    about = {entry.key: entry.value for entry in model.metadata_props}
    file = (tmp_path / "iris.tree.json").read_bytes()
    assert about["gaintree.sha256"] == hashlib.sha256(file).hexdigest()
    assert about["gaintree.version"] == model.producer_version == gt.__version__
    assert about["gaintree.model"].startswith("tree of 17 nodes that predicts `species`")
    assert "missing" in about["gaintree.missing"]
    shown = tmp_path / "shown.onnx"
    subprocess.run([command, "show", tmp_path / "iris.tree.json", "-o", shown], check=True)
    assert shown.read_bytes() == written
