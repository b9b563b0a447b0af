"""The encoder says what the bins behind it say, and stands where scikit-learn's own encoders do."""

from __future__ import annotations

import pickle
from math import log

import numpy as np
import pandas as pd
import polars as pl
import pytest
from made import every_dtype
from polars.testing import assert_frame_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import gaintree as gt
from gaintree.sklearn import WoeEncoder

OPTIONS = {"intervals": 6, "max_bins": 4, "min_share": 0.05}


@pytest.fixture(scope="module")
def made() -> tuple[pl.DataFrame, pl.Series]:
    """Features of every dtype, of them a tenth null, and classes that depend on some."""
    df = every_dtype(3, n=300).drop("i128")
    late = (df["f32"] > 0.6).fill_null(True) ^ (df["number"] > 0.8)
    return df.drop("y", "number"), pl.Series("late", ["no", "yes"]).gather(late.cast(pl.UInt32))


@pytest.mark.parametrize("library", ["polars", "lazy", "pyarrow", "pandas"])
def test_the_weights_are_those_of_woe_bins(made, library):
    X, y = made
    if library == "pandas":
        X = X.drop("enum", "time", "decimal", "duration")
    given = {"lazy": X.lazy, "pyarrow": X.to_arrow, "pandas": X.to_pandas}.get(library, X.clone)()
    # Of pandas, null among whole numbers has made them floats.
    X = X if library == "polars" else gt._frames.as_frame(given).lazy().collect()
    bins = gt.woe_bins(X.with_columns(y), "late", nominal=["int8"], **OPTIONS)
    encoder = WoeEncoder(nominal=["int8"], **OPTIONS).fit(given, y)
    assert encoder.bins_ == bins
    expected = X.select(map(bins.woe, X.columns)).to_numpy()
    np.testing.assert_array_equal(encoder.transform(given), expected)
    assert encoder.transform(given).dtype == np.float64
    iv = bins.table.group_by("feature").agg(pl.col("iv").sum()).rows_by_key("feature")
    np.testing.assert_allclose(encoder.iv_, [iv[name][0][0] for name in X.columns])
    assert encoder.get_feature_names_out().tolist() == X.columns


def test_frames_come_out_as_asked(made):
    X, y = made[0].select("f64", "str", "date", "cat"), made[1]
    encoder = WoeEncoder().fit(X, y)
    weights = encoder.transform(X)
    polars = clone(encoder).set_output(transform="polars").fit_transform(X, y)
    assert_frame_equal(polars, pl.DataFrame(weights, schema=X.columns))
    frame = X.to_pandas().set_index(np.arange(len(X)) + 7)
    pandas = clone(encoder).set_output(transform="pandas").fit_transform(frame, y.to_pandas())
    pd.testing.assert_frame_equal(pandas, pd.DataFrame(weights, frame.index, X.columns))


def test_arrays_are_numbers_or_levels():
    y = [0, 0, 1, 1, 0, 1, 1, 1]
    numbers = np.array([[1, 2, 3, np.nan] * 2, [4, 4, 5, 5] * 2]).T
    encoder = WoeEncoder(intervals=2).fit(numbers, y)
    frame = pl.DataFrame(numbers, schema=["x0", "x1"])
    bins = gt.woe_bins(frame.with_columns(y=pl.Series(y)), "y", intervals=2)
    assert encoder.bins_ == bins
    weights = encoder.transform(numbers)
    np.testing.assert_array_equal(weights, frame.select(map(bins.woe, frame.columns)))
    np.testing.assert_array_equal(encoder.transform(numbers.astype(np.float32)), weights)
    assert encoder.get_feature_names_out().tolist() == ["x0", "x1"]
    texts = numbers.astype(str)
    assert set(encoder.fit(texts, y).bins_.table["kind"]) == {"nominal"}


@pytest.mark.parametrize("seed", range(3))
def test_a_row_of_weight_two_is_the_row_twice(made, seed):
    X, y = made
    times = np.random.default_rng(seed).integers(0, 3, len(X))
    rows = np.repeat(np.arange(len(X)), times)
    weighted = WoeEncoder(**OPTIONS).fit(X, y, times)
    repeated = WoeEncoder(**OPTIONS).fit(X[rows], y.gather(rows))
    # Rows are counted as they are, whatever they weigh.
    tables = (e.bins_.table.drop("n", "share") for e in (weighted, repeated))
    assert_frame_equal(*tables)
    np.testing.assert_allclose(weighted.transform(X), repeated.transform(X))
    np.testing.assert_allclose(weighted.iv_, repeated.iv_)


@pytest.mark.parametrize(
    ("y", "other"),
    [
        ([True, False, True, False], False),
        ([3, -1, 3, -1], np.int64(-1)),
        ([2.0, 1.0, 2.0, 1.0], 1.0),
        (["b", "ä"] * 2, "b"),
        (pd.Series(["b", "a"] * 2, dtype="category"), "a"),
        (np.array(["2020-01-02", "2020-01-01"] * 2, dtype="datetime64[D]"), "date"),
    ],
)
def test_the_event_is_the_last_class_or_the_one_named(y, other):
    X = [[1], [2], [3], [3]]
    other = np.datetime64("2020-01-01") if other == "date" else other
    encoder = WoeEncoder(intervals=3).fit(X, y)
    first, last = np.unique(np.asarray(y)).tolist()
    assert encoder.classes_.tolist() == [first, last]
    events = sum(value == last for value in np.asarray(y).tolist())
    assert encoder.bins_.table["events"].sum() == events
    named = WoeEncoder(intervals=3, event=encoder.classes_[1]).fit(X, y)
    assert named.bins_ == encoder.bins_
    turned = WoeEncoder(intervals=3, event=other).fit(X, y)
    np.testing.assert_allclose(turned.transform(X), -encoder.transform(X))


def test_what_was_not_seen_has_the_weight_of_unseen():
    X = pl.DataFrame({"s": ["a", "a", "b", "b"], "n": [1, 2, 3, None], "f": [None] * 4})
    y = [0, 1, 1, 0]
    encoder = WoeEncoder(unseen=None, missing_bin=False).fit(X, y)
    rows = pl.DataFrame({"s": ["new", None], "n": [None, 2], "f": [None, None]})
    expected = [[np.nan, np.nan, np.nan], [np.nan, encoder.transform(X)[1, 1], np.nan]]
    np.testing.assert_array_equal(encoder.transform(rows), expected)
    # Without a bin there is nothing to tell.
    assert encoder.iv_[2] == 0.0
    # A row scored alone, whose missing value is of another dtype; and whole numbers as floats.
    alone = pd.DataFrame({"s": [np.nan], "n": [2.0], "f": [np.nan]})
    np.testing.assert_array_equal(encoder.transform(alone), expected[1:])


def test_a_logistic_regression_of_one_feature_is_the_weights_themselves(made):
    # The log-odds of a bin are its weight and the log-odds of all rows.
    X, y = made[0].select("f32"), made[1]
    encoder = WoeEncoder(event="yes", intervals=4)
    pipeline = make_pipeline(encoder, LogisticRegression(C=np.inf, tol=1e-10))
    model = pipeline.fit(X, y)[-1]
    assert model.coef_[0, 0] == pytest.approx(1.0, rel=1e-4)
    share = (y == "yes").mean()
    assert model.intercept_[0] == pytest.approx(log(share / (1 - share)), abs=1e-4)
    table = pipeline[0].bins_.table
    rates = dict(zip(table["woe"].round(9), table["event_rate"], strict=True))
    expected = [rates[round(woe, 9)] for woe in pipeline[0].transform(X)[:, 0]]
    np.testing.assert_allclose(pipeline.predict_proba(X)[:, 1], expected, atol=1e-4)


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_in_grids_and_pipelines(made, library):
    X, y = made[0].select("f32", "f64", "int32", "str", "date", "cat", "bool"), made[1]
    X = X.to_pandas() if library == "pandas" else X
    pipeline = make_pipeline(WoeEncoder(), LogisticRegression())
    grid = {"woeencoder__max_bins": [1, 3], "woeencoder__intervals": ["mdl", 5]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X, y)
    # With one bin nothing is told.
    assert search.best_params_["woeencoder__max_bins"] == 3
    assert search.best_score_ > 0.7
    best = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(best.predict_proba(X), search.predict_proba(X))
    assert best[:-1].get_feature_names_out().tolist() == list(X.columns)


def test_pickles_and_clones(made):
    X, y = made
    encoder = WoeEncoder(nominal=[0], **OPTIONS).fit(X, y)
    again = pickle.loads(pickle.dumps(encoder))
    assert again.bins_ == encoder.bins_
    np.testing.assert_array_equal(again.transform(X), encoder.transform(X))
    copy = clone(again)
    assert copy.get_params() == encoder.get_params()
    with pytest.raises(NotFittedError, match="not fitted yet"):
        copy.transform(X)


X, Y = pl.DataFrame({"a": [1, 2, 3], "b": ["x", None, "y"]}), ["n", "y", "y"]
FITTED = WoeEncoder().fit(X, Y)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: WoeEncoder().fit(X.with_columns(c=pl.lit([1])), Y),
            gt.DataError,
            r"^feature `c` \(list\[i64\]\) cannot be used: .* leave it out$",
        ),
        (
            lambda: WoeEncoder().fit(pd.DataFrame({"m": [1, "a", 2]}), Y),
            gt.DataError,
            r"column `m` \(object\) holds values of the types int, str",
        ),
        (lambda: WoeEncoder().fit(X, ["y"] * 3), gt.DataError, "^target `y` .* has one class"),
        (
            lambda: WoeEncoder().fit(X, pl.Series("t", [1, 2, 3])),
            gt.DataError,
            "^target `t` .* has 3 classes, `1`, `2`, `3`, and weight of evidence is of two: ",
        ),
        (lambda: WoeEncoder().fit(X, ["y", None, "n"]), gt.DataError, "`y` is missing or infinite"),
        (lambda: WoeEncoder().fit(X, [0.5, 0.1, 0.5]), ValueError, "Unknown label type: contin"),
        (lambda: WoeEncoder().fit(X, Y, [1, 1, -1]), gt.DataError, "the weight of row 3 is -1.0"),
        (
            lambda: WoeEncoder(event="z").fit(X, Y),
            gt.SpecError,
            r"^`event` is 'z', which is no class: they are \['n', 'y'\]$",
        ),
        (lambda: WoeEncoder(intervals="x").fit(X, Y), gt.SpecError, "^`intervals` is 'x': "),
        (lambda: WoeEncoder(max_bins=0).fit(X, Y), gt.SpecError, "^max_bins is 0"),
        (lambda: WoeEncoder(ordered=["z"]).fit(X, Y), gt.DataError, "`z`"),
        (lambda: FITTED.transform(X.drop("a")), gt.DataError, "yet now missing:\n- a\nSelect the"),
        (lambda: FITTED.transform(X.with_columns(c=1)), gt.DataError, "unseen at fit time:\n- c\n"),
        (lambda: FITTED.transform(X[["b", "a"]]), gt.DataError, "must be in the same order"),
        (
            lambda: WoeEncoder().fit([[1], [2], [3]], Y).transform([[1, 2]]),
            ValueError,
            "X has 2 features, but WoeEncoder is expecting 1 features as input",
        ),
        (lambda: FITTED.transform(X["a"]), gt.FrameTypeError, "got Series: make it a frame"),
        (lambda: FITTED.transform(X.cast({"a": str})), gt.DataError, "`a` is str, and its weights"),
    ],
)
def test_errors_say_what_to_do(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()
