"""What features gain beside permuted copies, and which tell more than noise."""

from __future__ import annotations

import random

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import gaintree as gt


@pytest.fixture(scope="module")
def noisy(wine):
    """With noise of many levels, as numbers and as texts."""
    draws = random.Random(4)
    noise = [draws.random() for _ in range(len(wine))]
    texts = [f"t{draws.randrange(60)}" for _ in range(len(wine))]
    return wine.with_columns(noise=pl.Series(noise), text=pl.Series(texts))


def test_noise_of_many_levels_is_chance(noisy):
    table = gt.corrected_importance(noisy, "cultivar", trees=20, seed=2)
    assert table.columns[:4] == ["rank", "feature", "corrected_gain", "standard_error"]
    assert table["corrected_gain"].is_sorted(descending=True)
    found = {line["feature"]: line for line in table.iter_rows(named=True)}
    for noise in ("noise", "text"):
        assert found[noise]["p_value"] > 0.05
        assert abs(found[noise]["corrected_gain"]) < 0.2 * found[noise]["gain"]
    # None of 100 copies gained as much.
    assert found["flavanoids"]["p_value"] == 1 / 101
    assert found["flavanoids"]["q_value"] < 0.02
    again = gt.corrected_importance(noisy.lazy(), "cultivar", trees=20, seed=2, threads=1)
    assert_frame_equal(again, table)
    other = gt.corrected_importance(noisy, "cultivar", gt.c45(), trees=20, seed=2)
    assert not other.equals(table)


def test_noise_is_rejected(noisy):
    table = gt.boruta(noisy, "cultivar", trees=20, seed=2, alpha=0.05)
    decided = dict(table.select("feature", "decision").iter_rows())
    assert decided["noise"] == decided["text"] == "rejected"
    assert decided["flavanoids"] == decided["proline"] == "confirmed"
    assert set(decided.values()) <= {"confirmed", "tentative", "rejected"}
    assert (table["hits"] <= table["runs"]).all()


@pytest.mark.parametrize("verb", [gt.corrected_importance, gt.boruta])
@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"trees": 0}, gt.SpecError, "trees is 0"),
        ({"max_features": 14}, gt.SpecError, "max_features is 14"),
        ({"seed": -1}, gt.SpecError, "seed"),
        ({"pruning": {"alpha": 0.1}}, gt.SpecError, "not pruned"),
        ({"depth": 3}, gt.SpecError, "max_depth"),
        ({"exclude": ["ask"]}, gt.DataError, "ash"),
    ],
)
def test_what_is_wrong_is_said(wine, verb, options, error, words):
    with pytest.raises(error, match=words):
        verb(wine, "cultivar", **options)


def test_numbers_of_forests_are_checked(wine):
    with pytest.raises(gt.SpecError, match="permutations is 9; at least 10"):
        gt.corrected_importance(wine, "cultivar", permutations=9)
    with pytest.raises(gt.SpecError, match="runs is 0; at least 10"):
        gt.boruta(wine, "cultivar", runs=0)
    with pytest.raises(gt.SpecError, match="alpha is 1"):
        gt.boruta(wine, "cultivar", alpha=1.0)
    with pytest.raises(gt.DataError, match="cultivars"):
        gt.boruta(wine, "cultivars")
