"""Figures of drift and of weights of evidence equal those of SciPy, and published ones."""

from __future__ import annotations

from datetime import date, timedelta
from math import log

import numpy as np
import polars as pl
import pytest
from conftest import DATA
from made import every_dtype
from scipy.spatial.distance import jensenshannon
from scipy.special import logit, rel_entr
from scipy.stats import chi2, chi2_contingency, false_discovery_control
from sklearn.datasets import load_breast_cancer

import gaintree as gt

SEEDS = range(4)


def close(expected: object) -> object:
    # Shares are rounded: a difference of some roundings is none.
    return pytest.approx(expected, rel=1e-12, abs=1e-15)


def some_rows(seed: int, n: int, shift: float) -> pl.DataFrame:
    """Ordered and nominal columns with missing values, enough rows in each bin, and two classes."""
    draw = np.random.default_rng(seed)
    number = draw.normal(shift, 1, n)
    code = draw.binomial(5, 0.5 + shift / 4, n)
    columns = {
        "float": number,
        "int": draw.binomial(20, 0.5 + shift / 9, n),
        "date": [date(2020, 1, 1) + timedelta(days=int(d)) for d in draw.integers(0, 30, n)],
        "bool": draw.random(n) < 0.5 + shift / 5,
        "str": np.array(["ash", "birch", "cedar", "elm", "fir", "oak"])[code],
        "code": code.astype(np.int8),
    }
    missing = {name: draw.random(n) < 0.1 + shift / 9 for name in columns}
    known = [pl.when(~pl.Series(gone)).then(pl.col(name)) for name, gone in missing.items()]
    late = draw.random(n) < 1 / (1 + np.exp(-number - code / 3 + 1))
    return pl.DataFrame(columns).select(*known, late=late, weight=draw.uniform(0.5, 2, n))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("options", [{"intervals": 4}, {}, {"intervals": "mdl", "target": "late"}])
def test_drift_equals_scipy(seed, options):
    reference, current = some_rows(seed, 700, 0.0), some_rows(seed + 100, 500, 0.3)
    options = {**options, "exclude": "weight", "nominal": "code"}
    table = gt.drift(reference, current, **options, full=True)
    assert set(table["kind"]) == {"ordered", "nominal"}
    for row in table.iter_rows(named=True):
        of_one = {name: value for name, value in options.items() if name != "exclude"}
        bins = gt.drift_bins(reference, current, row["feature"], **of_one)
        counts = bins.select("n_reference", "n_current").to_numpy().T
        assert counts.min() > 0
        assert counts.sum(axis=1).tolist() == [700, 500]
        p, q = counts / counts.sum(axis=1, keepdims=True)
        psi = rel_entr(p, q) + rel_entr(q, p)
        assert bins["psi"].to_list() == close(psi)
        assert row["psi"] == close(psi.sum())
        assert row["js_divergence"] == close(jensenshannon(p, q, base=2) ** 2)
        assert row["n_bins"] == counts.shape[1]
        if row["kind"] == "nominal":
            test = chi2_contingency(counts, correction=False)
            assert row["chi_square"] == close(test.statistic)
            # Where bins have many rows, the exact mean and variance are nearly those of chi-square.
            assert log(row["p_value"]) == pytest.approx(log(test.pvalue), rel=0.02, abs=0.01)
            assert row["p_value"] == close(tail_of_dawson(counts))
    assert table["q_value"].to_list() == close(false_discovery_control(table["p_value"]))


def tail_of_dawson(counts: np.ndarray) -> float:
    """How often chance makes a table of these totals as uneven, by the mean and variance of X^2."""
    n = counts.sum()
    lines, columns = counts.sum(axis=1), counts.sum(axis=0)

    def v(totals: np.ndarray) -> float:
        return (len(totals) - 1) * (n - len(totals)) / (n - 1)

    def w(totals: np.ndarray) -> float:
        return (n * (1 / totals).sum() - len(totals) ** 2) / (n - 2)

    mean = n * (len(lines) - 1) * (len(columns) - 1) / (n - 1)
    variance = 2 * n / (n - 3) * (v(lines) - w(lines)) * (v(columns) - w(columns))
    variance += n**2 / (n - 1) * w(lines) * w(columns)
    unit = variance / (2 * mean)
    return chi2.sf(chi2_contingency(counts, correction=False).statistic / unit, mean / unit)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "options",
    [{"intervals": 4}, {"weight": "weight"}, {"intervals": 9, "max_bins": 3, "missing_bin": False}],
)
def test_weights_of_evidence_equal_scipy(seed, options):
    df = some_rows(seed, 1500, 0.2)
    left_out = [] if "weight" in options else ["weight"]
    table = gt.woe_bins(df, "late", exclude=left_out, nominal="code", **options).table
    assert set(table["kind"]) == {"ordered", "nominal"}
    for _, bins in table.group_by("feature"):
        counts = bins.select("events", "non_events").to_numpy().T
        assert counts.min() > 0
        p, q = counts / counts.sum(axis=1, keepdims=True)
        iv = rel_entr(p, q) + rel_entr(q, p)
        assert bins["iv"].to_list() == close(iv)
        assert bins["feature_iv"].unique().to_list() == close([iv.sum()])
        # By how much the log-odds of a bin are above those of all rows.
        events, non_events = counts.sum(axis=1)
        above = logit(bins["event_rate"]) - logit(events / (events + non_events))
        assert bins["woe"].to_list() == close(above)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("options", [{}, {"intervals": 3}, {"intervals": "mdl", "target": "y"}])
def test_the_same_rows_in_another_order_are_no_drift(seed, options):
    df = every_dtype(seed, n=200)
    again = df.sample(fraction=1, shuffle=True, seed=seed)
    table = gt.drift(df, again, **options, full=True)
    assert table["feature"].to_list() == df.columns
    for figure in ("psi", "js_divergence", "info_gain", "chi_square"):
        assert set(table[figure]) == {0.0}, figure
    assert set(table["p_value"]) == set(table["q_value"]) == {1.0}
    of_levels = table.filter(kind="nominal").select("new_levels", "vanished_levels", "new_share")
    assert set(of_levels.rows()) == {(0, 0, 0.0)}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_column_that_moved_is_found_among_twenty_that_did_not(seed):
    draw = np.random.default_rng(seed)

    def rows(shift: float) -> pl.DataFrame:
        still = {f"x{i}": draw.normal(size=1000) for i in range(20)}
        return pl.DataFrame({**still, "moved": draw.normal(shift, size=1000)})

    table = gt.drift(rows(0.0), rows(0.4))
    assert table["feature"][0] == "moved"
    assert table["q_value"][0] < 0.01
    assert table["q_value"][1:].min() > 0.01
    assert table["verdict"].to_list() == ["moved"] + ["stable"] * 20


# The first example of optbinning's documentation (its README, and "Tutorial: optimal binning with
# binary target"): the splits of the mean radius, and of each bin its rows, their share, those of
# class 0 (malignant) and of class 1, the share of class 1, WoE and IV, as they are printed.
SPLITS = [11.42500019, 12.32999992, 13.09499979, 13.70499992, 15.04500008, 16.92500019]
PUBLISHED = [
    (118, "0.207381", 3, 115, "0.974576", "-3.12517", "0.962483"),
    (79, "0.138840", 3, 76, "0.962025", "-2.71097", "0.538763"),
    (68, "0.119508", 7, 61, "0.897059", "-1.64381", "0.226599"),
    (49, "0.086116", 10, 39, "0.795918", "-0.839827", "0.052131"),
    (83, "0.145870", 28, 55, "0.662651", "-0.153979", "0.003385"),
    (54, "0.094903", 44, 10, "0.185185", "2.00275", "0.359566"),
    (118, "0.207381", 117, 1, "0.008475", "5.28332", "2.900997"),
]
PUBLISHED_IV, PUBLISHED_JS = "5.04392547", "0.39378376"


@pytest.fixture(scope="module")
def tumours() -> pl.DataFrame:
    """The number of the bin that each mean radius is in, and its class."""
    df = pl.read_parquet(DATA / "breast_cancer.parquet")
    theirs = load_breast_cancer()
    np.testing.assert_array_equal(df["mean_radius"], theirs.data[:, 0])
    np.testing.assert_array_equal(df["diagnosis"] == "benign", theirs.target == 1)
    above = [pl.col("mean_radius") >= split for split in SPLITS]
    return df.select(pl.sum_horizontal(above).alias("bin"), "diagnosis")


def as_printed(value: float, printed: str) -> str:
    """A number with as many decimals as a printed one."""
    return f"{value:.{len(printed.partition('.')[2])}f}"


def test_weights_of_evidence_are_those_of_optbinning(tumours):
    # Its WoE has the shares of non-events on top, so that the event is its non-event.
    table = gt.woe_bins(tumours, "diagnosis", event="malignant", intervals=100).table
    figures = table.select(
        "n", "share", "events", "non_events", 1 - pl.col("event_rate"), "woe", "iv"
    )
    for ours, theirs in zip(figures.iter_rows(), PUBLISHED, strict=True):
        pairs = list(zip(ours, theirs, strict=True))
        assert [as_printed(a, b) if isinstance(b, str) else a for a, b in pairs] == list(theirs)
    assert as_printed(table["feature_iv"][0], PUBLISHED_IV) == PUBLISHED_IV


def test_drift_between_classes_is_that_of_optbinning(tumours):
    # Its IV is the PSI between the classes, and its Jensen-Shannon divergence is in nats.
    malignant, benign = tumours.partition_by("diagnosis", include_key=False)
    table = gt.drift(malignant, benign, intervals=100, full=True)
    assert as_printed(table["psi"][0], PUBLISHED_IV) == PUBLISHED_IV
    assert as_printed(table["js_divergence"][0] * log(2), PUBLISHED_JS) == PUBLISHED_JS
