"""Contributions: on every kind of data they sum to the prediction, and errors say what to do."""

from __future__ import annotations

import random
import signal

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import gaintree as gt

N = 150
ROWS = pl.DataFrame(
    {
        "size": [None if i % 11 == 0 else (i * 37 % 100) / 8 for i in range(N)],
        "town": [f"t{i % 7}" for i in range(N)],
        "y": ["b" if (i * 37 % 100) > 60 or i % 7 == 3 else "a" for i in range(N)],
    }
)
NUMBERS = ROWS.with_columns(y=pl.col("size").fill_null(3.0) * 2 + pl.col("town").str.len_chars())
NEW = pl.DataFrame({"size": [1.0, None, 9.5], "town": ["t3", "nowhere", None]})


def models(rows, **options):
    forest = gt.fit_forest(rows, "y", trees=7, seed=4, **options).forest
    return [gt.fit_tree(rows, "y", **options).tree, forest]


@pytest.mark.parametrize("missing", ["learn", "majority", "fractional"])
@pytest.mark.parametrize("grouping", ["multiway", "subset", "one_vs_rest"])
def test_the_base_value_and_the_contributions_sum_to_the_prediction(missing, grouping):
    for rows, event in [(ROWS, "b"), (ROWS, "a"), (NUMBERS, None)]:
        for model in models(rows, missing=missing, grouping=grouping):
            for data in (ROWS, NEW):
                of = model.contributions(data, event=event)
                names = [f"contribution_{name}" for name in model.features]
                # Of classes the first column names the one that is explained.
                named = of.columns[: of.width - len(names) - 2]
                assert named == ([] if event is None else ["event"])
                assert all(set(of[name]) == {event} for name in named)
                assert of.columns[len(named) :] == ["prediction", "base_value", *names]
                assert set(of.dtypes[len(named) :]) == {pl.Float64}
                scored = model.score(data, probability=event is not None, keep=[])
                name = "prediction" if event is None else f"probability_{event}"
                assert of["prediction"].to_list() == scored[name].to_list()
                off = of.select(pl.sum_horizontal("base_value", *names) - pl.col("prediction"))
                assert off.to_series().abs().max() < 1e-12


def test_lazy_frames_and_threads_change_nothing():
    for model in models(ROWS):
        of = model.contributions(ROWS)
        assert_frame_equal(model.contributions(ROWS.lazy(), threads=1), of, check_exact=True)
        assert_frame_equal(model.contributions(ROWS.to_arrow(), event="b"), of, check_exact=True)
        ranked = model.contribution_importance(ROWS, threads=2)
        means = {
            name: of[f"contribution_{name}"].abs().mean() for name in ranked["feature"].to_list()
        }
        assert ranked["mean_absolute"].to_list() == pytest.approx(list(means.values()))
        assert ranked["rank"].to_list() == [1, 2]
        assert means == dict(sorted(means.items(), key=lambda item: -item[1]))


def test_interactions_sum_to_contributions():
    for rows, event in [(ROWS, "b"), (NUMBERS, None)]:
        for model in models(rows):
            of, pairs = (
                verb(NEW, event=event) for verb in (model.contributions, model.interactions)
            )
            named = [] if event is None else ["event"]
            assert pairs.columns == ["row", "feature", "other", "interaction", *named]
            used = model.used_features
            assert pairs.height == 3 * (3 if len(used) == 2 else 1)
            for row in range(3):
                of_row = {pair[1:3]: pair[3] for pair in pairs.filter(row=row).rows()}
                half = of_row.get(("size", "town"), 0.0) / 2
                for name in used:
                    sums = of_row[name, name] + half
                    assert sums == pytest.approx(of[f"contribution_{name}"][row], abs=1e-12)


def test_a_model_without_rules_says_its_base_value():
    rows = pl.DataFrame({"x": [1, 1, 1], "y": ["a", "b", "b"]})
    for model in models(rows, max_depth=0):
        of = model.contributions(rows)
        assert of["contribution_x"].to_list() == [0.0] * 3
        assert of["prediction"].to_list() == of["base_value"].to_list()
        assert model.contributions(rows.clear()).shape == (0, 4)


def test_a_waterfall_goes_from_the_base_value_to_the_prediction():
    for model in [*models(ROWS), *models(NUMBERS)]:
        why = model.contributions(NEW)
        named = [name for name in why.columns if name == "event"]
        for row in range(NEW.height):
            steps = model.waterfall(NEW.lazy(), row)
            assert steps.columns == ["feature", "value", "contribution", "answer", *named]
            assert sorted(steps["feature"].to_list()[1:]) == sorted(model.used_features)
            assert steps["answer"][0] == why["base_value"][row]
            assert steps["answer"][-1] == pytest.approx(why["prediction"][row], abs=1e-9)
            for feature, value, contribution, *_ in steps.rows()[1:]:
                assert contribution == why[f"contribution_{feature}"][row]
                assert (value is None) == (NEW[feature][row] is None)
            sizes = steps["contribution"].abs().to_list()[1:]
            assert sizes == sorted(sizes, reverse=True)
        assert "base value" in model.waterfall_svg(NEW, 1)
        assert model.contributions_svg(NEW) == model.contributions_svg(NEW.to_arrow())
        for call in (model.waterfall, model.waterfall_svg):
            with pytest.raises(gt.SpecError, match="row is 3, and the frame has 3 rows"):
                call(NEW, 3)
            with pytest.raises(gt.SpecError, match="row"):
                call(NEW, -1)
        with pytest.raises(gt.DataError, match="no row to explain"):
            model.contributions_svg(NEW.clear())


def test_what_cannot_be_explained_is_said():
    three = ROWS.with_columns(y=pl.col("town").str.slice(1).cast(pl.Int64) % 3)
    for model in models(three):
        with pytest.raises(gt.SpecError, match="name the event"):
            model.contributions(three)
        with pytest.raises(gt.SpecError, match="event `7` is no class"):
            model.contributions(three, event=7)
        assert model.contributions(three, event=2).height == N
        with pytest.raises(gt.DataError, match="town"):
            model.contributions(three.drop("town"), event=2)
        with pytest.raises(gt.DataError, match="no row to explain"):
            model.contribution_importance(three.clear(), event=2)
    for model in models(NUMBERS):
        with pytest.raises(gt.SpecError, match="is a number"):
            model.contributions(NUMBERS, event="a")
        with pytest.raises(gt.DataError, match="size"):
            model.contributions(NUMBERS.with_columns(size=pl.lit("large")))


def test_a_signal_ends_it():
    draw = random.Random(7)
    columns = {f"x{i}": [draw.random() for _ in range(20_000)] for i in range(4)}
    df = pl.DataFrame({**columns, "y": [draw.random() for _ in range(20_000)]})
    tree = gt.fit_tree(df, "y", min_samples_leaf=5).tree

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            tree.contributions(df)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert tree.contributions(df.head(3)).height == 3
