"""Wrong input of the estimators gives one clear exception each."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

import gaintree as gt
from gaintree.sklearn import GainSelector, GainTreeClassifier, GainTreeRegressor

X, Y = pl.DataFrame({"a": [1, 2, 3], "b": ["x", None, "y"]}), ["n", "y", "y"]
FITTED = GainTreeClassifier().fit(X, Y)


@pytest.mark.parametrize("estimator", [GainTreeClassifier(), GainTreeRegressor()])
@pytest.mark.parametrize("ask", ["predict", "apply", "decision_path"])
def test_what_is_not_fitted_says_so(estimator, ask):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(estimator, ask)(X)
    with pytest.raises(NotFittedError):
        assert estimator.feature_importances_
    with pytest.raises(NotFittedError):
        GainSelector().transform(X)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: FITTED.predict(X.drop("a")), gt.DataError, "yet now missing:\n- a\nSelect the"),
        (lambda: FITTED.predict(X.with_columns(c=1)), gt.DataError, "unseen at fit time:\n- c\n"),
        (lambda: FITTED.predict(X[["b", "a"]]), gt.DataError, "must be in the same order"),
        (lambda: FITTED.predict(X["a"]), gt.FrameTypeError, "got Series: make it a frame"),
        (lambda: FITTED.predict(X.cast({"a": str})), gt.DataError, "`a` is str here, but"),
        (
            lambda: GainTreeClassifier().fit(X, pl.Series("t", ["n", None, None])),
            gt.DataError,
            "`t` is missing or infinite in 2 of 3 rows, the first is row 2: drop these rows",
        ),
        (
            lambda: GainTreeRegressor().fit(X.to_pandas(), pd.Series([1, 2, np.inf], name="t")),
            gt.DataError,
            "`t` is missing or infinite in 1 of 3 rows, the first is row 3",
        ),
        (
            lambda: GainTreeRegressor().fit(X, pd.Series([1, 2, None], dtype="Int64")),
            gt.DataError,
            "`y` is missing or infinite in 1 of 3 rows, the first is row 3",
        ),
        (lambda: GainTreeRegressor().fit(X, Y), gt.DataError, "types str: expected numbers"),
        (
            lambda: GainTreeClassifier().fit(X, pd.Series([1, "a", 2])),
            gt.DataError,
            "of the types int, str, without an order: make it one type",
        ),
        (lambda: GainTreeClassifier().fit(X, ["y"] * 3), gt.DataError, "has one class"),
        (lambda: FITTED.fit(X, Y, [1, 1, -1]), gt.DataError, "the weight of row 3 is -1.0"),
        (
            lambda: GainTreeClassifier(class_weight={"z": 2}).fit(X, Y),
            gt.SpecError,
            "`class_weight` names 'z', which is no class: they are",
        ),
        (
            lambda: GainTreeClassifier(ccp_alpha=0.1, pruning="none").fit(X, Y),
            gt.SpecError,
            "beside `pruning` of 'none': give one of them",
        ),
        (lambda: GainTreeClassifier(max_depth=-1).fit(X, Y), gt.SpecError, "`max_depth` is -1"),
        (lambda: GainTreeClassifier(nominal=[2]).fit(X, Y), gt.SpecError, "places from 0 to 1"),
        (lambda: GainSelector(k=0).fit(X, Y), gt.SpecError, "`k` is 0"),
        pytest.param(
            lambda: FITTED.fit(pd.DataFrame({"p": pd.period_range("2020", periods=3)}), Y),
            gt.DataError,
            "column `p` .*cast it, or leave it out|column `p` .* cast it to a (dtype|number)",
            marks=pytest.mark.skipif(
                pl.__version__.startswith("1.4"), reason="Polars takes periods as whole numbers"
            ),
        ),
        (
            lambda: FITTED.fit(np.array([[1, "a"], [2, 3], [4, "b"]], dtype=object), Y),
            gt.FrameTypeError,
            "column `x1` mixes values of the types int, str: .* make it one type",
        ),
        (
            lambda: FITTED.fit(pd.DataFrame({"m": [1, "a", 2]}), Y),
            gt.DataError,
            r"column `m` \(object\) holds values of the types int, str",
        ),
    ],
)
def test_errors_say_what_to_do(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()
