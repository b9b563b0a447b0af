"""Weights of evidence: the table, and the map of rows."""

from __future__ import annotations

import pickle
from math import log

import polars as pl
import pytest
from made import every_dtype
from polars.testing import assert_frame_equal, assert_series_equal

import gaintree as gt

# Rows of events and of others by the value of x: the weights are worked out by hand.
COUNTS = {1: (10, 190), 2: (30, 120), 3: (50, 50), None: (10, 40)}


@pytest.fixture(scope="module")
def scores() -> pl.DataFrame:
    rows = [(x, row < e) for x, (e, others) in COUNTS.items() for row in range(e + others)]
    return pl.DataFrame(rows, schema={"x": pl.Int64, "y": pl.Boolean}, orient="row")


def test_bins_equal_a_table_made_by_hand(scores):
    table = gt.woe_bins(scores, "y").table
    woe = [log(e / 100 / (o / 400)) for e, o in COUNTS.values()]
    iv = [(e / 100 - o / 400) * w for (e, o), w in zip(COUNTS.values(), woe, strict=True)]
    assert table["rule"].to_list() == ["x < 2", "x == 2", "x > 2", "x is missing"]
    assert table["events"].to_list() == [10, 30, 50, 10]
    assert table["event_rate"].to_list() == [0.05, 0.2, 0.5, 0.2]
    assert table["woe"].to_list() == pytest.approx(woe)
    assert table["iv"].to_list() == pytest.approx(iv)
    assert table["feature_iv"].to_list() == pytest.approx([sum(iv)] * 4)
    other = gt.woe_bins(scores, "y", event=False).table
    assert other["woe"].to_list() == pytest.approx([-w for w in woe])
    merged = gt.woe_bins(scores, "y", max_bins=2, missing_bin=False).table
    assert merged["n"].to_list() == [200, 250]


def test_bins_print_whole_in_80_columns():
    tumours = pl.read_parquet("../examples/data/breast_cancer.parquet")
    woe = gt.woe_bins(tumours, "diagnosis")
    with pl.Config(tbl_rows=200, tbl_width_chars=80):
        lines = str(woe).splitlines()
    # A line for each bin: no cell wraps, and the rule and the weight are there.
    assert len(lines) == woe.table.height + 7
    assert max(map(len, lines)) <= 80
    assert lines[2].split()[1::2] == ["rule", "n", "event_rate", "woe", "iv"]
    assert "worst_area < 696.05" in lines[6]
    assert "-3.3396" in lines[6]
    assert "worst_area" in woe._repr_html_()


def test_rows_are_mapped_by_rule(scores):
    rows = pl.DataFrame({"x": [0, 2, 9, None]})
    woe = gt.woe_bins(scores, "y")
    low, middle, high, missing = woe.table["woe"]
    expected = [low, middle, high, missing]
    assert rows.select(woe.woe("x"))["x_woe"].to_list() == expected
    # Whatever the query calls it; narrower integers are the same numbers.
    renamed = rows.lazy().select(pl.col("x").cast(pl.Int8).alias("z")).rename({"z": "x"})
    assert renamed.select(woe.woe("x").alias("w")).collect()["w"].to_list() == expected
    texts = pl.DataFrame({"s": ["a", "a", "b", "b", "b"], "y": [0, 0, 0, 1, 1]})
    for unseen in (0.0, -3.5, None):
        woe = gt.woe_bins(texts, "y", intervals=2, unseen=unseen)
        mapped = pl.DataFrame({"s": ["b", "c", None]}).select(woe.woe("s"))["s_woe"]
        assert mapped.to_list() == [woe.table["woe"].max(), unseen, unseen]


@pytest.mark.parametrize("intervals", ["mdl", 4])
def test_of_every_dtype_rows_are_in_their_bins(intervals):
    df = every_dtype(3, n=400).with_columns(y=pl.col("number") + pl.col("int64").fill_null(0) > 50)
    woe = gt.woe_bins(df, "y", exclude="number", intervals=intervals)
    assert set(woe.features) == set(df.columns) - {"y", "number"}
    # Expressions read the text of the bins; `map` has the bins themselves.
    mapped = df.lazy().select(map(woe.woe, woe.features)).collect(engine="streaming")
    counted = woe.table.group_by("feature", "woe").agg(pl.col("n").sum())
    for feature in woe.features:
        values = mapped[f"{feature}_woe"]
        assert_series_equal(woe.map(df[feature]), values)
        bins = counted.filter(pl.col("feature") == feature)
        assert dict(values.value_counts().rows()) == dict(bins.select("woe", "n").rows())


def test_the_expression_streams_and_reads_its_column_alone(scores):
    woe = gt.woe_bins(scores, "y")
    wide = scores.lazy().with_columns(z=pl.col("x") * 2)
    plan = wide.with_columns(woe.woe("x")).select("x_woe").explain()
    assert '"z"' not in plan
    long = pl.concat([scores] * 50).lazy().with_columns(woe.woe("x"))
    assert_frame_equal(long.collect(engine="streaming"), long.collect())


def test_bins_are_kept_as_text(scores):
    woe = gt.woe_bins(scores.with_columns(f=pl.col("x") / 0), "y", unseen=None)
    again = pickle.loads(pickle.dumps(woe))
    assert again == woe
    assert len({again, woe}) == 1
    assert_frame_equal(again.table, woe.table)
    assert_series_equal(again.map(scores["x"]), woe.map(scores["x"]))
    text = woe.to_json()
    for wrong in ("", "{}", "\ud800", text[:-1], text.replace('"version":1', '"version":2')):
        with pytest.raises(gt.ModelError, match="it is no text of WoE bins"):
            gt.WoeBins.from_json(wrong)
    with pytest.raises(gt.ModelError, match=r"`x`.*no value of i64"):
        gt.WoeBins.from_json(text.replace('"cuts":["2"', '"cuts":["two"'))


@pytest.mark.parametrize("rounded", [False, True])
def test_a_scorecard_is_its_table_row_by_row(scores, rounded):
    is_a = pl.col("y") | (pl.int_range(pl.len()) % 3 == 0)
    rows = scores.with_columns(s=pl.when(is_a).then(pl.lit("a")).otherwise(pl.lit("b")))
    woe = gt.woe_bins(rows, "y", intervals=3)
    card = woe.scorecard(points=500, odds=20, pdo=40, rounded=rounded)
    assert (card.factor, card.offset) == pytest.approx((40 / log(2), 500 - 40 / log(2) * log(20)))
    assert card.intercept == pytest.approx(log(100 / 400))
    mapped = rows.lazy().with_columns(*map(woe.woe, woe.features), *map(card.points, card.features))
    mapped = mapped.with_columns(card.score()).collect(engine="streaming")
    for feature in card.features:
        of_bins = card.table.filter(feature=feature).select("woe", "points").unique()
        of_rows = mapped.select(woe=f"{feature}_woe", points=f"{feature}_points").unique()
        assert set(of_rows.rows()) == set(of_bins.rows())
    sums = mapped.select(pl.sum_horizontal(pl.col("^.*_points$"))).to_series()
    assert mapped["score"].to_list() == pytest.approx(sums.to_list())
    log_odds = card.intercept + mapped.select(pl.sum_horizontal(pl.col("^.*_woe$"))).to_series()
    if not rounded:
        expected = card.offset - card.factor * log_odds
        assert mapped["score"].to_list() == pytest.approx(expected.to_list())
    else:
        assert all(points == round(points) for points in card.table["points"])
    one = woe.scorecard(coefficients={"s": 0.5}, intercept=0.0)
    assert one.table.height > 1
    assert (one.features, one.table["coefficient"].unique().to_list()) == (["s"], [0.5])
    assert repr(one) == f"<gaintree.Scorecard: {one.table.height} bins of 1 feature>"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"odds": 0}, "odds is 0"),
        ({"points": "many"}, "`points` is 'many'"),
        ({"coefficients": 1}, "numbers by the names of features"),
        ({"coefficients": {"x": float("nan")}}, "coefficient of `x`"),
        ({"coefficients": {}}, "name at least one"),
        ({"coefficients": {"z": 1.0}}, "`z`"),
        ({"rounded": 1}, "True or False"),
    ],
)
def test_a_scorecard_that_cannot_be_is_refused(scores, options, words):
    with pytest.raises(gt.GaintreeError, match=words):
        gt.woe_bins(scores, "y").scorecard(**options)


def test_features_are_ranked_by_information_value(scores):
    rows = scores.with_columns(noise=pl.int_range(pl.len()) % 3)
    ranking = gt.rank_gain(rows.select("noise", "x", "y"), "y", sort_by="information_value")
    bins = gt.woe_bins(rows, "y").table
    expected = bins.group_by("feature", maintain_order=True).agg(pl.first("feature_iv"))
    assert ranking.select("feature", "information_value").rows() == expected.rows()
    with pytest.raises(gt.SpecError, match="by groups"):
        gt.rank_gain(rows, "y", by="noise", sort_by="information_value")


def test_it_equals_the_command(command, tmp_path, run):
    df = every_dtype(4, n=300).with_columns(y=pl.col("number") > 0.4)
    df.write_parquet(tmp_path / "in.parquet")
    flags = ["--max-bins", "3", "--monotone", "either", "--min-share", "0.1", "--exclude", "number"]
    out = ["-o", "bins.parquet", "--rows", "rows.parquet"]
    run(command, "woe", "in.parquet", "--target", "y", *flags, *out)
    woe = gt.woe_bins(df, "y", max_bins=3, monotone="either", min_share=0.1, exclude="number")
    assert_frame_equal(woe.table, pl.read_parquet(tmp_path / "bins.parquet"), check_exact=True)
    rows = pl.read_parquet(tmp_path / "rows.parquet").select(pl.col("^.*_woe$"))
    assert_frame_equal(df.select(map(woe.woe, woe.features)), rows, check_column_order=False)
