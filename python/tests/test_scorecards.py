"""Scorecards that are kept: pickled, compared, saved, loaded and applied elsewhere."""

from __future__ import annotations

import copy
import pickle
from functools import reduce
from operator import add

import polars as pl
import pytest
from made import every_dtype
from polars.testing import assert_frame_equal, assert_series_equal

import gaintree as gt


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    df = every_dtype(5, n=300).with_columns(y=pl.col("number") > 0.4)
    return df.drop("number")


@pytest.fixture(scope="module")
def woe(rows) -> gt.WoeBins:
    return gt.woe_bins(rows, "y", intervals=3, unseen=-0.5)


@pytest.mark.parametrize("rounded", [False, True])
def test_the_score_is_the_sum_of_the_points_to_the_bit(rows, woe, rounded):
    card = woe.scorecard(rounded=rounded)
    # Of each feature what its bins and the scale say, and one sum after the other.
    scales = card.table.group_by("feature", maintain_order=True).first()
    base = (card.offset - card.factor * card.intercept) / len(card.features)
    points = [pl.lit(base) + pl.lit(-card.factor) * woe.woe(name) for name in scales["feature"]]
    points = [p.round(0, mode="half_to_even") for p in points] if rounded else points
    expected = rows.select(reduce(add, points).alias("score"))
    assert_frame_equal(rows.select(card.score()), expected, check_exact=True)
    for name, of_feature in zip(card.features, points, strict=True):
        named = of_feature.alias(f"{name}_points")
        assert_frame_equal(rows.select(card.points(name)), rows.select(named), check_exact=True)
    # In chunks, in a stream and of a literal it is the same.
    long = pl.concat([rows] * 40, rechunk=False).lazy()
    streamed = long.select(card.score()).collect(engine="streaming")
    assert_frame_equal(streamed, pl.concat([expected] * 40), check_exact=True)
    of_one = rows.with_columns(pl.lit(rows["str"][0]).alias("str")).select(card.score())
    assert of_one["score"][0] == expected["score"][0]


def test_a_card_reads_its_columns_alone_and_streams(rows, woe):
    card = woe.scorecard(coefficients={"str": 0.5, "f64": 1.0}, intercept=0.0)
    assert sorted(card.features) == ["f64", "str"]
    plan = rows.lazy().with_columns(z=pl.col("f32") * 2).with_columns(card.score())
    assert '"z"' not in plan.select("score").explain()
    assert plan.select(card.score()).collect_schema() == {"score": pl.Float64}


def test_a_card_is_kept_as_text_and_in_files(rows, woe, tmp_path):
    card = woe.scorecard(rounded=True)
    again = pickle.loads(pickle.dumps(card))
    card.save(tmp_path / "card.json")
    for same in (
        again,
        copy.copy(card),
        copy.deepcopy(card),
        gt.Scorecard.load(tmp_path / "card.json"),
    ):
        assert (same == card, hash(same) == hash(card)) == (True, True)
        assert same.to_json() == card.to_json()
        assert_frame_equal(same.table, card.table, check_exact=True)
        assert_series_equal(rows.select(same.score())["score"], rows.select(card.score())["score"])
        assert_frame_equal(rows.select(same.points("str")), rows.select(card.points("str")))
    assert (tmp_path / "card.json").read_text("utf-8") == card.to_json()
    assert card != woe.scorecard()
    assert card != "card"
    woe.save(tmp_path / "bins.json")
    assert gt.WoeBins.load(tmp_path / "bins.json") == woe


def test_a_query_with_a_card_can_go_elsewhere(rows, woe):
    # The expression carries the card, so that another process knows it too.
    score = pickle.loads(pickle.dumps(woe.scorecard().score()))
    assert_frame_equal(rows.select(score), rows.select(woe.scorecard().score()))


def test_what_is_no_card_is_refused(rows, woe, tmp_path):
    card = woe.scorecard()
    tree = gt.fit_tree(rows.select("f64", "y"), "y").tree
    text = card.to_json()
    for wrong in ("", "{}", "\ud800", text[:-1], text.replace('"version":1', '"version":2')):
        with pytest.raises(gt.ModelError, match="it is no text of a scorecard"):
            gt.Scorecard.from_json(wrong)
    with pytest.raises(gt.ModelError, match="expected the text of a scorecard, got int"):
        gt.Scorecard.from_json(1)
    with pytest.raises(gt.ModelError, match=r"a card is made by WoeBins\.scorecard"):
        gt.Scorecard(text)
    for kind, other, words in (
        (gt.Scorecard, tree, "it is a tree or a forest, which Model::load takes"),
        (gt.Scorecard, woe, "it is bins, which WoeBins::load takes"),
        (gt.WoeBins, card, "it is a scorecard"),
        (gt.Model, card, "it is a scorecard, which `gaintree score`"),
        (gt.Tree, card, "it is a scorecard"),
        (gt.Forest, card, "it is a scorecard"),
    ):
        with pytest.raises(gt.ModelError, match=words):
            kind.from_json(other.to_json())
        other.save(tmp_path / "other.json")
        with pytest.raises(gt.ModelError, match=f"other.json`: .*{words}"):
            kind.load(tmp_path / "other.json")
    with pytest.raises(gt.FileError, match="no such file"):
        gt.Scorecard.load(tmp_path / "none.json")
    with pytest.raises(pl.exceptions.PolarsError, match=r"`date` is str"):
        rows.with_columns(pl.col("date").cast(pl.String)).select(card.score())


def test_a_card_of_3000_features_is_one_expression():
    df = pl.DataFrame({f"x{i}": [(row * (i + 7)) % 11 for row in range(60)] for i in range(3000)})
    df = df.with_columns(y=pl.Series([row % 11 > 5 for row in range(60)]))
    woe = gt.woe_bins(df, "y", intervals=2)
    card = woe.scorecard()
    scored = df.lazy().select(card.score()).collect()
    log_odds = card.intercept + sum(woe.map(df[name])[0] for name in card.features)
    assert scored["score"][0] == pytest.approx(card.offset - card.factor * log_odds)


def test_the_command_applies_a_card_of_python(command, tmp_path, run, rows, woe):
    card = woe.scorecard(rounded=True)
    card.save(tmp_path / "card.json")
    rows.write_parquet(tmp_path / "next.parquet")
    run(command, "score", "card.json", "next.parquet", "--points", "-o", "scored.parquet")
    scored = pl.read_parquet(tmp_path / "scored.parquet")
    expected = rows.select(*map(card.points, card.features), card.score())
    assert_frame_equal(scored.select(expected.columns), expected, check_exact=True)
    woe = ["woe", "next.parquet", "--target", "y", "--intervals", "3", "--unseen", "-0.5"]
    run(command, *woe, "--rounded", "--save-card", "same.json")
    assert gt.Scorecard.load(tmp_path / "same.json") == card
