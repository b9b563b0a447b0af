"""Rankings beside chance, and pairs of columns."""

from __future__ import annotations

import random
from math import log

import polars as pl
import pytest
from made import every_dtype, failing_after
from polars import selectors as cs
from polars.testing import assert_frame_equal

import gaintree as gt


def test_adjusted_gains_are_the_parts_of_adjusted_mutual_information():
    cluster = pytest.importorskip("sklearn.metrics.cluster")
    draw = random.Random(3)
    target = [draw.choice("abc") for _ in range(200)]
    few = [y if draw.random() < 0.3 else draw.choice("abcd") for y in target]
    many = [str(draw.randrange(90)) for _ in target]
    df = pl.DataFrame({"few": few, "many": many, "y": target})
    ranking = gt.rank_gain(df, "y", log_base="e", chance=2000, full=True)
    for line in ranking.iter_rows(named=True):
        levels = df[line["feature"]].to_list()
        table = cluster.contingency_matrix(target, levels)
        expected = cluster.expected_mutual_information(table, len(target))
        assert line["expected_gain"] == pytest.approx(expected, rel=1e-9)
        assert line["adjusted_gain"] == line["info_gain"] - line["expected_gain"]
        most = (line["entropy"] + line["split_info"]) / 2 - line["expected_gain"]
        adjusted = pytest.importorskip("sklearn.metrics").adjusted_mutual_info_score
        score = adjusted(target, levels)
        assert line["adjusted_gain"] / most == pytest.approx(score, rel=1e-9, abs=1e-12)
    p_value = dict(ranking.select("feature", "p_value").rows())
    assert p_value["few"] < 0.001 < 0.05 < p_value["many"]


def test_a_seed_gives_the_same_figures(wine):
    target = wine.columns[-1]
    ranking = gt.rank_gain(wine, target, chance=40, seed=2**63, full=True)
    one = gt.rank_gain(wine, target, chance=40, seed=2**63, full=True, threads=1)
    assert_frame_equal(one, ranking)
    other = gt.rank_gain(wine, target, chance=40)
    assert other["expected_gain"].to_list() != ranking["expected_gain"].to_list()
    without = ["expected_gain", "adjusted_gain", "p_value", "q_value"]
    assert_frame_equal(other.drop(without), gt.rank_gain(wine, target))
    assert "the mark is what chance gains" in gt.ranking_svg(ranking)


def test_chance_equals_the_command(command, tmp_path, run):
    df = every_dtype(7, n=200)
    df.write_parquet(tmp_path / "in.parquet")
    flags = ["--chance", "30", "--seed", "5", "--given", "str", "-o", "out.parquet"]
    run(command, "rank", "in.parquet", "--target", "y", *flags)
    theirs = pl.read_parquet(tmp_path / "out.parquet")
    ours = gt.rank_gain(df, "y", chance=30, seed=5, given="str", full=True)
    assert_frame_equal(ours, theirs, check_exact=True)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"missing": "own_level", "sort_by": "gain_ratio", "weight": "f64", "full": True},
        {"by": "bool", "exclude": ["str", "cat"], "full": True},
        {"given": "str", "chance": 20, "threads": 1, "nominal": "int8", "full": True},
    ],
)
def test_a_few_columns_at_a_time_rank_as_all(options):
    df = every_dtype(7, n=200).with_columns(pl.col("f64").abs().fill_null(1).fill_nan(2))
    expected = gt.rank_gain(df, "y", **options)
    for rows in (df, df.lazy()):
        ranking = gt.rank_gain(rows, "y", memory="64MB", **options)
        assert_frame_equal(ranking, expected, check_exact=True)


def test_what_reading_raises_is_raised(iris):
    lazy = failing_after(3, iris)
    with pytest.raises(Exception, match="gone"):
        gt.rank_gain(lazy, "species", memory="64MB", threads=1)


def test_columns_without_room_are_counted():
    tall = pl.LazyFrame({"x": range(700_000)}).with_columns(
        y=pl.col("x") // 3 % 2, group=pl.when(pl.col("x") > 9).then(pl.lit("b"))
    )
    for by in (None, "group"):
        ranking = gt.rank_gain(tall, "y", by=by, full=True, memory="16MiB")
        assert_frame_equal(ranking, gt.rank_gain(tall, "y", by=by, full=True), check_exact=True)
    few = r"a ranking beside chance .* about \d+ MiB, and the memory budget is 16 MiB"
    with pytest.raises(gt.SpecError, match=few):
        gt.rank_gain(tall, "y", chance=20, memory="16MiB")


def test_gains_given_columns_are_those_of_the_groups(wine):
    target = wine.columns[-1]
    df = wine.with_columns(
        z=pl.col("hue").round().cast(pl.String), s=pl.col("ash").round().cast(pl.String)
    )
    line = gt.rank_gain(df, target, given="z", features="s").row(0, named=True)
    groups = gt.rank_gain(df, target, by="z", features="s", full=True)
    mean = (groups["info_gain"] * groups["n"]).sum() / groups["n"].sum()
    assert line["gain_given"] == pytest.approx(mean, rel=1e-12)


def selected(df: pl.DataFrame, target: str, score: str, k: int) -> list[str]:
    """A plain selection by tables of counts: slow, and obvious."""

    def entropy(*names: str) -> float:
        shares = df.group_by(names).len()["len"] / df.height
        return -sum(p * log(p) for p in shares)

    def told(x: str, y: str, *known: str) -> float:
        parts = entropy(x, *known) + entropy(y, *known) - entropy(x, y, *known)
        return parts - (entropy(*known) if known else 0)

    def value(x: str) -> float:
        beside = [told(x, target, z) for z in steps]
        return {
            "jmi": lambda: sum(beside) / len(steps),
            "cmim": lambda: min(beside),
            "mrmr": lambda: told(x, target) - sum(told(x, z) for z in steps) / len(steps),
            "conditional_gain": lambda: told(x, target, *steps),
        }[score]()

    rest = [name for name in df.columns if name != target]
    steps = [max(rest, key=lambda x: told(x, target))]
    while len(steps) < k:
        rest.remove(steps[-1])
        steps.append(max(rest, key=value))
    return steps


@pytest.mark.parametrize("score", ["jmi", "mrmr", "cmim", "conditional_gain"])
def test_features_are_selected_in_the_order_of_a_plain_script(score):
    draw = random.Random(11)
    rows = [[draw.randrange(3) for _ in range(6)] for _ in range(400)]
    target = [a if draw.random() < 0.6 else (b + c) // 2 for a, b, c, *_ in rows]
    df = pl.DataFrame(rows, schema=list("abcdef"), orient="row")
    df = df.with_columns(g=pl.col("a") + pl.col("d"), y=pl.Series(target)).cast(pl.String)
    steps = gt.select_features(df, "y", score=score, k=4, alpha=1)
    assert steps["feature"].to_list() == selected(df, "y", score, 4)
    assert gt.selection_svg(steps).count("<rect") >= 4
    stopped = gt.select_features(df, "y", score=score, k=7, alpha=1e-6)
    assert stopped["feature"].to_list()[:1] == ["a"]
    assert stopped.height < 7


@pytest.mark.parametrize("score", ["jmi", "cmim"])
def test_selections_equal_the_command(command, tmp_path, run, score):
    df = every_dtype(9, n=200)
    df.write_parquet(tmp_path / "in.parquet")
    flags = ["--score", score, "--k", "4", "--intervals", "5", "-o", "out.parquet"]
    run(command, "select", "in.parquet", "--target", "y", *flags)
    ours = gt.select_features(df, "y", score=score, k=4, intervals=5)
    assert_frame_equal(ours, pl.read_parquet(tmp_path / "out.parquet"), check_exact=True)


@pytest.mark.parametrize("form", ["long", "wide"])
def test_pairs_equal_the_command(command, tmp_path, run, form):
    df = every_dtype(8, n=100)
    df.write_parquet(tmp_path / "in.parquet")
    flags = ["--bins", "4", "--log-base", "e", "--form", form, "-o", "out.parquet"]
    run(command, "matrix", "in.parquet", *flags)
    ours = gt.gain_matrix(df.lazy(), bins=4, log_base="e", form=form)
    assert_frame_equal(ours, pl.read_parquet(tmp_path / "out.parquet"), check_exact=True)


def test_pairs_are_symmetric_uncertainties(iris):
    df = iris.with_columns(pl.col("petal_width_cm").round().cast(pl.String).alias("width"))
    pairs = gt.gain_matrix(df, columns=["width", "species"])
    ranked = gt.rank_gain(df, "species", features="width", full=True)
    expected = ranked["symmetric_uncertainty"].item()
    wide = gt.gain_matrix(df, columns=["width", "species"], form="wide")
    assert gt.matrix_svg(pairs).startswith("<svg")
    assert "width" in gt.matrix_svg(wide)
    assert pairs["symmetric_uncertainty"].item() == pytest.approx(expected, rel=1e-12)


def test_groups_equal_the_command(command, tmp_path, run):
    df = every_dtype(8, n=100)
    df.write_parquet(tmp_path / "in.parquet")
    run(command, "matrix", "in.parquet", "--redundant-above", "0.2", "-o", "out.parquet")
    ours = gt.redundant_groups(df.lazy(), 0.2)
    assert_frame_equal(ours, pl.read_parquet(tmp_path / "out.parquet"), check_exact=True)
    assert ours.height > 2
    assert gt.redundant_groups(df, 1.0, columns=["bool", "f64"]).height == 0


def test_levels_tell_of_each_other_either_way_round(wine):
    pair = wine.select(a=pl.col("ash").round(1), b=pl.col("hue").round(1))
    levels = {"a": "b", "b": "a"}
    shared = pair.select(gt.symmetric_uncertainty(*both, levels=True) for both in levels.items())
    assert shared["a"].item() == pytest.approx(shared["b"].item(), rel=1e-12)
    matrix = gt.gain_matrix(pair, nominal=["a", "b"])["symmetric_uncertainty"].item()
    assert shared["a"].item() == pytest.approx(matrix, rel=1e-12)
    assert pair.select(pl.all().gain.symmetric_uncertainty("a", levels=True))["a"].item() == 1


def test_columns_that_cannot_be_compared_are_left_out_unless_named():
    df = pl.DataFrame({"a": [1, 2], "b": ["x", "y"], "l": [[1], [2]], "c": [1, 1]})
    assert gt.gain_matrix(df, exclude="c")["feature_1"].to_list() == ["a"]
    with pytest.raises(gt.DataError, match="`l`"):
        gt.gain_matrix(df, columns=["a", "l"])


def test_only_nominal_columns_that_are_named_themselves_have_to_have_cuts(wine):
    df = wine.with_columns(kind=pl.lit("a"), other=pl.lit("b"))
    of_all = gt.mdl_cuts_by_feature(wine, "cultivar")
    for options in (
        {"exclude": ["other"]},
        {"features": cs.all()},
        {"exclude": cs.by_name("kind")},
    ):
        assert gt.mdl_cuts_by_feature(df, "cultivar", **options).equals(of_all)
    with pytest.raises(gt.DataError, match=r"`kind` .* is nominal"):
        gt.mdl_cuts_by_feature(df, "cultivar", features=["kind", "alcohol"])
