"""The estimators of forests hold to scikit-learn's rules, and say what their forests say."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from made import every_dtype
from polars import selectors as cs
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.utils import estimator_checks
from sklearn.utils.class_weight import compute_sample_weight

import gaintree as gt
from gaintree.sklearn import (
    GainForestClassifier,
    GainForestRegressor,
    GainTreeClassifier,
    GainTreeRegressor,
)

ESTIMATORS = [
    GainForestClassifier(5),
    GainForestClassifier(
        3, bootstrap=False, voting="hard", algorithm="c45", min_samples_leaf=1, log_base="e"
    ),
    GainForestRegressor(5),
    GainForestRegressor(3, bootstrap=False, max_features="sqrt", missing="error"),
]
KINDS = [GainForestClassifier, GainForestRegressor]
FRAME = every_dtype(3).drop("null", "i128")
X = FRAME.drop("y", "number")


def y_of(kind):
    return FRAME["y" if kind is GainForestClassifier else "number"]


def fitted(kind, *weight, **params):
    small = {"n_estimators": 7, "max_depth": 4, "random_state": 4}
    return kind(**{**small, **params}).fit(X, y_of(kind), *weight)


def failing(estimator):
    if not estimator.bootstrap:
        return {}
    reason = "a row of weight 2 is drawn as one row"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@estimator_checks.parametrize_with_checks(ESTIMATORS, expected_failed_checks=failing)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_columns_are_held_to(kind):
    estimator_checks.check_dataframe_column_names_consistency("it", kind(n_estimators=3))


@pytest.mark.parametrize("library", ["polars", "lazy", "pandas"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_forest_is_the_one_of_fit_forest(library, kind):
    given, y = X, y_of(kind)
    if library == "pandas":
        given = given.drop("enum", "time", "decimal", "duration").to_pandas()
    elif library == "lazy":
        given = given.lazy()
    # Of pandas, null among whole numbers has made them floats.
    rows = gt._frames.as_frame(given).lazy().collect()
    weight = np.random.default_rng(1).integers(0, 3, rows.height)
    drawn = {"max_features": 0.5, "extra": True, "bootstrap": True}
    estimator = kind(
        6, **drawn, max_samples=20, random_state=9, min_samples_leaf=2, nominal=["int8"]
    ).fit(given, y, weight)
    forest = gt.fit_forest(
        rows.with_columns(y, sample_weight=weight.astype(float)),
        y.name,
        **drawn,
        trees=6,
        sample_share=20 / (weight > 0).sum(),
        seed=9,
        task="classify" if kind is GainForestClassifier else "regress",
        weight="sample_weight",
        min_samples_leaf=2,
        nominal=["int8"],
    ).forest
    assert estimator.model_ == forest
    assert estimator.predict(given).tolist() == forest.score(rows)["prediction"].to_list()
    leaves = [forest.tree(i).score(rows, leaf=True)["leaf_id"].to_list() for i in range(6)]
    assert estimator.apply(given).T.tolist() == leaves
    importance = dict(forest.importance().select("feature", "importance").iter_rows())
    assert estimator.feature_importances_.tolist() == [importance[c] for c in rows.columns]
    for votes in (False, True) if kind is GainForestClassifier else ():
        estimator.set_params(voting="hard" if votes else "soft")
        scored = forest.score(rows, probability=True, votes=votes)
        assert estimator.predict(given).tolist() == scored["prediction"].to_list()
        shares = scored.select(cs.starts_with("probability_")).to_numpy()
        np.testing.assert_array_equal(estimator.predict_proba(given), shares)


@pytest.mark.parametrize(
    ("kind", "of_tree"),
    [(GainForestClassifier, GainTreeClassifier), (GainForestRegressor, GainTreeRegressor)],
)
def test_trees_are_estimators(kind, of_tree):
    forest = fitted(kind)
    trees = forest.estimators_
    assert [tree.model_ for tree in trees] == [forest.model_.tree(i) for i in range(7)]
    assert [type(tree) for tree in trees] == [of_tree] * 7
    assert trees[0].max_depth == 4
    assert trees[0].feature_names_in_.tolist() == X.columns
    np.testing.assert_array_equal(forest.apply(X)[:, 2], trees[2].apply(X))
    ask = "predict_proba" if kind is GainForestClassifier else "predict"
    mean = np.mean([getattr(tree, ask)(X) for tree in trees], axis=0)
    np.testing.assert_allclose(getattr(forest, ask)(X), mean)
    # One that draws nothing is the tree alone.
    (alone,) = fitted(kind, n_estimators=1, bootstrap=False, max_features=None).estimators_
    assert alone.model_ == of_tree(max_depth=4).fit(X, y_of(kind)).model_


def test_weights_of_classes():
    y = y_of(GainForestClassifier).to_numpy()
    for class_weight in ("balanced", {"ash": 3}):
        ours = fitted(GainForestClassifier, class_weight=class_weight)
        other = fitted(GainForestClassifier, compute_sample_weight(class_weight, y))
        np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X))


def test_classes_without_weight_and_forests_without_rules():
    forest = GainForestClassifier(n_estimators=3, max_depth=0, random_state=0)
    forest.fit([[1], [2], [3], [4]], [7, 5, 5, 6], [0, 1, 1, 1])
    assert forest.classes_.tolist() == [5, 6, 7]
    proba = forest.predict_proba([[1], [2]])
    assert proba.shape == (2, 3)
    assert proba[:, 2].tolist() == [0.0, 0.0]
    assert forest.apply([[1], [2]]).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert forest.predict([[9]]).tolist() == [5]


def test_a_seed_gives_the_same_forest():
    kind = GainForestClassifier
    one = fitted(kind)
    assert fitted(kind, threads=1).model_ == one.model_
    assert fitted(kind, random_state=np.int64(4)).model_ == one.model_
    drawn = [fitted(kind, random_state=np.random.RandomState(5)).model_ for _ in range(2)]
    assert drawn[0] == drawn[1] != one.model_
    assert fitted(kind, random_state=drawn[0].spec["seed"]).model_ == drawn[0]
    assert fitted(kind, random_state=None).model_ != fitted(kind, random_state=None).model_


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("auto", "auto"),
        ("sqrt", {"count": 4}),
        ("log2", {"count": 4}),
        (None, {"share": 1}),
        (0.3, {"share": 0.3}),
        (np.int32(3), {"count": 3}),
    ],
)
def test_features_of_a_node(given, said):
    assert len(X.columns) == 20
    assert fitted(GainForestRegressor, max_features=given).model_.spec["max_features"] == said


@pytest.mark.parametrize("kind", KINDS)
def test_around_it(kind, tmp_path):
    forest = fitted(kind)
    pickled = pickle.dumps(forest)
    assert forest.model_.to_json().encode() in pickled
    np.testing.assert_array_equal(pickle.loads(pickled).predict(X), forest.predict(X))
    assert not hasattr(clone(forest), "n_features_in_")
    forest.model_.save(tmp_path / "late.forest.json")
    read = kind.from_forest(gt.Forest.load(tmp_path / "late.forest.json"), max_depth=2)
    np.testing.assert_array_equal(read.predict(X), forest.predict(X))
    assert read.max_depth == 2
    assert read.estimators_[3].model_ == forest.estimators_[3].model_
    grid = {"n_estimators": [3, 5], "max_features": ["auto", 0.5, None], "max_samples": [0.5, 30]}
    search = GridSearchCV(fitted(kind), grid, cv=3, error_score="raise").fit(X, y_of(kind))
    assert search.best_estimator_.model_.n_trees in (3, 5)


FITTED = fitted(GainForestClassifier)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: GainForestRegressor().apply(X), NotFittedError, "not fitted yet"),
        (lambda: GainForestRegressor().estimators_, NotFittedError, "not fitted yet"),
        (lambda: FITTED.predict(X.drop("str")), gt.DataError, "yet now missing:\n- str\n"),
        (lambda: fitted(GainForestClassifier, [-1] * 60), gt.DataError, "Negative values"),
        (lambda: GainForestClassifier().fit(X, [1] * 60), gt.DataError, "has one class"),
        (
            lambda: GainForestClassifier.from_forest(FITTED.estimators_[0].model_),
            gt.ModelError,
            r"expected a gaintree\.Forest, got Tree: read one with Forest\.load",
        ),
        (
            lambda: GainForestRegressor.from_forest(FITTED.model_),
            gt.ModelError,
            "`y` is of classes: use GainForestClassifier",
        ),
    ],
)
def test_errors_say_what_to_do(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"n_estimators": 0}, "`n_estimators` is 0: expected a whole number from 1"),
        ({"max_features": "all"}, "`max_features` is 'all': expected 'auto', 'sqrt', 'log2', None"),
        ({"max_features": True}, "`max_features` is True"),
        ({"max_features": 21}, "max_features is 21, but there are 20 features"),
        ({"max_features": 1.5}, "max_features is a share of 1.5"),
        ({"max_samples": 61}, "`max_samples` is 61: expected a number of rows from 1 to 60"),
        ({"max_samples": 0.0}, "`max_samples` is 0.0"),
        ({"max_samples": False}, "`max_samples` is False"),
        ({"bootstrap": "yes"}, "`bootstrap` is 'yes': expected True or False"),
        ({"random_state": -1}, "`random_state` is -1: expected a whole number from 0"),
        (
            {"random_state": "one"},
            "`random_state` is 'one': expected a whole number, a Rand",
        ),
        ({"voting": "some"}, "`voting` is 'some': expected 'soft' or 'hard'"),
        ({"class_weight": "balanced_subsample"}, "give 'balanced' or a dict"),
        ({"max_depth": -1}, "`max_depth` is -1"),
    ],
)
def test_what_cannot_be_is_said(params, said):
    with pytest.raises(gt.SpecError) as error:
        fitted(GainForestClassifier, **params)
    assert said in str(error.value)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_answered_out_of_bag(kind):
    estimator = fitted(kind, n_estimators=40, oob_score=True)
    table = X.with_columns(y_of(kind))
    answers = estimator.model_.out_of_bag(table)
    if kind is GainForestClassifier:
        assert estimator.oob_score_ == answers.evaluation["accuracy"].item()
        shares = answers.predictions.select(cs.starts_with("probability_")).to_numpy()
        np.testing.assert_array_equal(estimator.oob_decision_function_, shares)
        hard = fitted(kind, n_estimators=40, oob_score=True, voting="hard")
        voted = hard.model_.out_of_bag(table, votes=True)
        assert hard.oob_score_ == voted.evaluation["accuracy"].item()
    else:
        assert estimator.oob_score_ == answers.evaluation["r2"].item()
        predicted = answers.predictions["prediction"].to_numpy()
        np.testing.assert_array_equal(estimator.oob_prediction_, predicted)
    assert not hasattr(estimator.estimators_[0], "oob_score_")
    assert not hasattr(fitted(kind), "oob_score_")
    with pytest.raises(gt.SpecError, match="no row is out of bag"):
        fitted(kind, bootstrap=False, oob_score=True)
    with pytest.raises(gt.SpecError, match="oob_score"):
        fitted(kind, oob_score="yes")
    # Rows of no weight, and rows that every tree drew, have no answer.
    weight = np.arange(len(table)) % 3
    with pytest.warns(gt.GaintreeWarning, match="drawn for every tree"):
        few = fitted(kind, weight, n_estimators=2, oob_score=True)
    found = (
        few.oob_decision_function_[:, 0] if kind is GainForestClassifier else few.oob_prediction_
    )
    assert np.isnan(found[weight == 0]).all()
    assert 0 < np.isnan(found[weight > 0]).sum() < (weight > 0).sum()
