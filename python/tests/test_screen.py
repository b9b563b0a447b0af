"""What each column is: a messy table is judged as it was planted, whatever holds it."""

from __future__ import annotations

import math
import random
import warnings

import polars as pl
import pytest

import gaintree as gt

REGIONS = ["north", "south", "east", "west", "centre", "coast", "island", "hills"]

VERDICTS = {
    "leak": [
        "refund",
        "closed_reason",
        "status_code",
        "chargebacks",
        "on_review",
        "final_state",
        "score_after",
    ],
    "id": ["customer_id", "row_no", "order_no", "hash", "token", "ticket"],
    "twin": ["born", "age_band", "log_income", "region_code"],
    "useful": ["age", "income", "region", "tenure", "plan", "visits"],
    "weak": ["newsletter"],
    "chance": ["noise", "coin", "shop", "weekday"],
    "constant": ["country", "fax", "version"],
    "unusable": ["tags"],
}


def risk(age, income, region, tenure, plan):
    """The chance of the event."""
    logit = -6.0 + 1.6 * (age < 30) + 1.2 * (income < 15_000)
    logit += {"coast": 1.2, "island": 1.6}.get(region, 0.0)
    logit += 1.5 * (tenure < 12 or tenure > 225) + 0.9 * (plan == "basic")
    return 1 / (1 + math.exp(-logit))


@pytest.fixture(scope="module")
def messy() -> pl.DataFrame:
    """A table of 32 columns beside an event of about 2 % of the rows."""
    draw, n = random.Random(1), 40_000
    age = [draw.randint(18, 77) for _ in range(n)]
    income = [round(math.exp(draw.gauss(10, 0.6)), 2) for _ in range(n)]
    region = [draw.choice(REGIONS) for _ in range(n)]
    tenure = [draw.randrange(240) for _ in range(n)]
    plan = [draw.choice(["basic", "plus", "pro"]) for _ in range(n)]
    rows = zip(age, income, region, tenure, plan, strict=True)
    event = [draw.random() < risk(*row) for row in rows]
    order = draw.sample(range(n), n)

    def each(value):
        return [value(is_event) for is_event in event]

    return pl.DataFrame(
        {
            "customer_id": [f"C{at:06}" for at in order],
            "row_no": range(n),
            "order_no": [float(at) for at in reversed(order)],
            "hash": pl.Series([draw.getrandbits(64) for _ in range(n)], dtype=pl.UInt64),
            "token": pl.Series(
                [f"{draw.getrandbits(40):x}" for _ in range(n)], dtype=pl.Categorical
            ),
            "ticket": [None if draw.random() < 0.01 else 500_000 + at for at in order],
            "refund": each(lambda e: draw.uniform(1, 500) if e else None),
            "closed_reason": each(
                lambda e: draw.choice(["price", "moved"]) if e and draw.random() < 0.9 else None
            ),
            "status_code": each(lambda e: draw.choice([3, 7] if e else [0, 1, 2, 4, 5, 6, 8, 9])),
            "chargebacks": each(lambda e: draw.randint(1, 3) if e and draw.random() < 0.6 else 0),
            "on_review": each(lambda e: e and draw.random() < 0.3),
            "final_state": each(lambda e: "lost" if e else draw.choice(["active", "new"])),
            "score_after": each(lambda e: 0.9 + 0.1 * draw.random() if e else 0.85 * draw.random()),
            "country": ["NO"] * n,
            "fax": pl.Series([None] * n, dtype=pl.Float64),
            "version": [1] * n,
            "age": age,
            "born": [2025 - years for years in age],
            "age_band": [years // 10 for years in age],
            "income": income,
            "log_income": [math.log(x) for x in income],
            "region": region,
            "region_code": [REGIONS[7 - REGIONS.index(name)][:2] for name in region],
            "tenure": tenure,
            "plan": plan,
            "visits": each(lambda e: max(draw.randrange(20) for _ in range(2 if e else 1))),
            "newsletter": each(lambda e: draw.random() < (0.5 if e else 0.4)),
            "noise": each(lambda _: draw.gauss(0, 1)),
            "coin": each(lambda _: draw.random() < 0.5),
            "shop": each(lambda _: f"s{draw.randrange(1000)}"),
            "weekday": each(lambda _: draw.randrange(7)),
            "tags": [["a"]] * n,
            "churn": ["yes" if e else "no" for e in event],
        }
    )


def verdicts(screen: pl.DataFrame) -> dict[str, list[str]]:
    """The features of each verdict."""
    groups = screen.group_by("verdict", maintain_order=True).agg("feature")
    return {verdict: sorted(features) for verdict, features in groups.rows()}


def test_a_messy_table_is_judged_as_it_was_planted(messy, tmp_path):
    expected = {verdict: sorted(features) for verdict, features in VERDICTS.items()}
    screen = gt.screen(messy, "churn")
    assert verdicts(screen) == expected
    assert list(verdicts(screen)) == list(VERDICTS)
    messy.write_parquet(tmp_path / "messy.parquet")
    plain = messy.drop("tags")
    for rows in [
        messy.lazy(),
        pl.scan_parquet(tmp_path / "messy.parquet"),
        plain.to_arrow(),
        plain.to_pandas(use_pyarrow_extension_array=True),
    ]:
        found = gt.screen(rows, "churn")
        assert found.equals(screen.head(found.height))


def test_a_screen_prints_whole_in_100_columns(messy):
    screen = gt.screen(messy, "churn", exclude="tags")
    with pl.Config(tbl_rows=40, tbl_width_chars=100):
        lines = str(screen).splitlines()
    assert max(map(len, lines)) <= 100
    # A line for each row: no cell is cut or wraps.
    assert len(lines) == screen.height + 7
    assert not any("…" in line for line in lines)


def test_other_verbs_agree_with_a_screen(messy):
    screen = gt.screen(messy, "churn")
    said = "passed over `customer_id` [(]id[)], .* and 5 more"
    with pytest.warns(gt.GaintreeWarning, match=said):
        steps = gt.select_features(messy, "churn", exclude="tags")
    assert set(steps["feature"]) <= set(VERDICTS["useful"])
    lines = gt.select_features(messy, "churn", exclude="tags", full=True)
    assert lines.head(steps.height).equals(steps)
    left_out = [*VERDICTS["leak"], *VERDICTS["id"], *VERDICTS["twin"]]
    assert sorted(lines["feature"][steps.height :]) == sorted(left_out)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = gt.select_features(messy, "churn", exclude=screen)
        fit = gt.fit_tree(messy, "churn", gt.cart(exclude=screen, max_depth=2, max_subset_levels=9))
    assert kept["feature"].to_list() == steps["feature"].to_list()
    named = VERDICTS["useful"] + VERDICTS["weak"] + VERDICTS["chance"]
    assert sorted(fit.importance["feature"]) == sorted(named)
    ranking = gt.rank_gain(messy, "churn", exclude=screen)
    assert sorted(ranking["feature"]) == sorted(named)
    with pytest.raises(gt.DataError, match="column of a screen `verdict`"):
        gt.rank_gain(messy, "churn", exclude=steps)
    with pytest.raises(gt.SpecError, match="`features`"):
        gt.rank_gain(messy, "churn", features=screen)


def test_a_screen_is_drawn(messy):
    screened = gt.screen(messy, "churn")
    svg, page = gt.screen_svg(screened), gt.screen_html(screened, "churn")
    assert isinstance(svg, gt.Svg)
    assert isinstance(page, gt.Html)
    assert "32 columns: leak 7, id 6, twin 4, useful 6" in svg
    assert "What each column tells of <bdi>churn</bdi>" in page
    assert "on 40,000 rows" in gt.screen_html(gt.screen(messy, "churn", full=True), "churn")
    for drawn in [gt.screen_svg, lambda table: gt.screen_html(table, "churn")]:
        with pytest.raises(gt.DataError, match="a screen has a column `share`: draw the table"):
            drawn(screened.drop("share"))


def test_thresholds_are_options(messy):
    some = messy.select("age", "newsletter", "noise", "churn")
    assert verdicts(gt.screen(some, "churn", weak_share=0.0))["useful"] == ["age", "newsletter"]
    assert verdicts(gt.screen(some, "churn", weak_share=0.9))["weak"] == ["age", "newsletter"]
    assert list(verdicts(gt.screen(some, "churn", alpha=0.0, features=["noise"]))) == ["chance"]
    with pytest.raises(gt.SpecError, match="alpha is 2; it is a probability, from 0 to 1"):
        gt.screen(some, "churn", alpha=2)
    with pytest.raises(gt.SpecError, match="twin_share"):
        gt.screen(some, "churn", twin_share="high")
