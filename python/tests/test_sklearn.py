"""The estimators hold to scikit-learn's rules, and say what the trees behind them say."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from made import every_dtype
from polars import selectors as cs
from polars.testing import assert_frame_equal
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks
from sklearn.utils.class_weight import compute_sample_weight

import gaintree as gt
from gaintree.sklearn import GainSelector, GainTreeClassifier, GainTreeRegressor, WoeEncoder

ESTIMATORS = [
    GainTreeClassifier(),
    GainTreeClassifier("id3", class_weight="balanced", missing="error"),
    GainTreeClassifier("c45", min_samples_leaf=1, ccp_alpha=0.01),
    GainTreeRegressor(),
    GainSelector(),
    GainSelector(k=2, threshold=0.0, cuts="mdl"),
    WoeEncoder(),
    WoeEncoder(intervals=5, max_bins=3, monotone="either", missing_bin=False, unseen=None),
]


@pytest.fixture
def made():
    """Features of every dtype, of them a tenth null, and classes that depend on some."""
    df = every_dtype(3).drop("null", "y", "number")
    yes = (df["f32"] > 0.6).fill_null(True) ^ (df["str"] > "level 5").fill_null(False)
    return df, pl.Series("late", ["no", "yes"]).gather(yes.cast(pl.UInt32))


# What scikit-learn asks.


@estimator_checks.parametrize_with_checks(ESTIMATORS)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [GainTreeClassifier(), GainSelector(), WoeEncoder()])
def test_names_of_columns_are_held_to(estimator):
    estimator_checks.check_dataframe_column_names_consistency("it", estimator)


@pytest.mark.filterwarnings("ignore:X .* feature names")
@pytest.mark.parametrize("estimator", [GainSelector(k=2), WoeEncoder()])
@pytest.mark.parametrize(
    "check",
    [
        "check_transformer_get_feature_names_out",
        "check_transformer_get_feature_names_out_pandas",
        "check_set_output_transform",
        "check_set_output_transform_pandas",
        "check_set_output_transform_polars",
    ],
)
def test_frames_of_transformers(check, estimator):
    getattr(estimator_checks, check)("it", estimator)


def test_without_scikit_learn_the_package_works_and_says_what_is_needed(tmp_path):
    code = """if True:
        import sys, gaintree
        assert not any(name.startswith(("sklearn", "numpy")) for name in sys.modules)
        sys.modules["sklearn"] = None
        import gaintree.sklearn
    """
    # Not here, where the sources are found before the package that is installed.
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path)
    expected = "needs scikit-learn 1.6 or newer: pip install gaintree[sklearn]"
    assert expected in done.stderr.splitlines()[-1], done.stderr


# The trees behind them.


@pytest.mark.parametrize("library", ["polars", "lazy", "pyarrow", "pandas"])
@pytest.mark.parametrize("kind", [GainTreeClassifier, GainTreeRegressor])
def test_the_tree_is_the_one_of_fit_tree(library, kind):
    df = every_dtype(3).drop("null", "i128")
    if library == "pandas":
        df = df.drop("enum", "time", "decimal", "duration")
    target = df["y" if kind is GainTreeClassifier else "number"]
    X = df.drop("y", "number")
    convert = {"lazy": X.lazy, "pyarrow": X.to_arrow, "pandas": X.to_pandas}
    given = convert.get(library, X.clone)()
    # Of pandas, null among whole numbers has made them floats.
    X = X if library == "polars" else gt._frames.as_frame(given).lazy().collect()
    task = "classify" if kind is GainTreeClassifier else "regress"
    spec = gt.cart(task=task, max_depth=4, nominal=["int8"])
    tree = gt.fit_tree(X.with_columns(target), target.name, spec).tree
    estimator = kind(max_depth=4, nominal=["int8"]).fit(given, target)
    assert estimator.model_ == tree
    scored = tree.score(X, leaf=True)
    assert estimator.predict(given).tolist() == scored["prediction"].to_list()
    assert estimator.apply(given).tolist() == scored["leaf_id"].to_list()
    importance = dict(tree.importance().select("feature", "importance").iter_rows())
    assert estimator.feature_importances_.tolist() == [importance[name] for name in X.columns]
    if task == "classify":
        shares = tree.score(X, probability=True).select(cs.starts_with("probability_"))
        np.testing.assert_array_equal(estimator.predict_proba(given), shares.to_numpy())


@pytest.mark.parametrize("kind", [GainTreeClassifier, GainTreeRegressor, GainSelector])
@pytest.mark.parametrize("seed", range(3))
def test_a_row_of_weight_two_is_the_row_twice(kind, seed):
    df = every_dtype(seed)
    times = np.random.default_rng(seed).integers(0, 3, df.height)
    X, y = df.drop("y", "number"), df["number" if kind is GainTreeRegressor else "y"]
    # Sums of whole numbers are exact.
    y = y * 1000 // 1 if kind is GainTreeRegressor else y
    rows = np.repeat(np.arange(df.height), times)
    weighted, repeated = kind().fit(X, y, times), kind().fit(X[rows], y.gather(rows))
    if kind is GainSelector:
        np.testing.assert_allclose(weighted.scores_, repeated.scores_)
    else:
        nodes = (e.model_.nodes().drop("n") for e in (weighted, repeated))
        assert_frame_equal(*nodes)


def test_weights_of_classes(made):
    X, y = made
    balanced = compute_sample_weight("balanced", y.to_numpy())
    given = compute_sample_weight({"yes": 3}, y.to_numpy())
    for class_weight, weight in (("balanced", balanced), ({"yes": 3}, given)):
        ours = GainTreeClassifier(max_depth=3, class_weight=class_weight).fit(X, y)
        other = GainTreeClassifier(max_depth=3).fit(X, y, weight)
        np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize(
    "y",
    [
        [True, False, True],
        [3, -1, 3],
        [2.0, 1.0, 2.0],
        ["b", "ä", "b"],
        pl.Series(["b", "a", "b"], dtype=pl.Enum(["b", "a"])),
        pl.Series(["b", "a", "b"], dtype=pl.Categorical),
        pd.Series(["b", "a", "b"], dtype="category"),
        np.array(["2020-01-02", "2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    ],
)
def test_classes_come_back_as_they_were(y):
    X = [[1], [2], [1]]
    classifier = GainTreeClassifier().fit(X, y)
    assert classifier.predict(X).tolist() == np.asarray(y).tolist()
    assert classifier.classes_.tolist() == np.unique(np.asarray(y)).tolist()
    assert classifier.score(X, y) == 1.0


def test_a_column_may_come_in_another_dtype_of_numbers():
    # As of pandas, where null among whole numbers makes floats.
    whole = pl.DataFrame({"n": [1, 2, 3, 4]})
    classifier = GainTreeClassifier().fit(whole, ["a", "a", "a", "b"])
    given = pl.DataFrame({"n": [3.9, 4.0, None]})
    assert classifier.predict(given).tolist() == ["a", "b", "a"]
    narrow = pl.DataFrame({"n": pl.Series([0.1, 0.2], dtype=pl.Float32)})
    classifier = GainTreeClassifier().fit(narrow, ["a", "b"])
    cut = np.float64(classifier.model_.nodes()["threshold"][0])
    below = pl.DataFrame({"n": [np.nextafter(cut, 0), cut]})
    assert classifier.predict(below).tolist() == ["a", "b"]


def test_a_tree_of_a_file_becomes_an_estimator(made, tmp_path):
    X, y = made
    fitted = GainTreeClassifier(max_depth=3).fit(X, y)
    fitted.model_.save(tmp_path / "late.tree.json")
    read = GainTreeClassifier.from_tree(gt.Tree.load(tmp_path / "late.tree.json"))
    assert read.classes_.tolist() == fitted.classes_.tolist()
    assert read.predict(X).tolist() == fitted.predict(X).tolist()
    with pytest.raises(gt.ModelError, match="`late` is of classes: use GainTreeClassifier"):
        GainTreeRegressor.from_tree(fitted.model_)
    with pytest.raises(gt.ModelError, match=r"got str: read one with Tree\.load"):
        GainTreeRegressor.from_tree("late.tree.json")


# Around them.


@pytest.mark.parametrize("estimator", [GainTreeClassifier(nominal=[0]), GainSelector(k=3)])
def test_pickles_are_small_and_the_same_again(made, estimator):
    X, y = made
    pickled = pickle.dumps(estimator.fit(X, y))
    again = pickle.loads(pickled)
    assert pickle.dumps(again) == pickled
    if isinstance(estimator, GainSelector):
        assert_frame_equal(again.transform(X), estimator.transform(X))
    else:
        model = estimator.model_.to_json().encode()
        assert model in pickled
        assert len(pickled) < len(model) + 3000
        np.testing.assert_array_equal(again.predict_proba(X), estimator.predict_proba(X))
    assert not hasattr(clone(again), "n_features_in_")


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_in_grids_and_pipelines(made, library):
    if library == "polars" and tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 9):
        pytest.skip("passing columns through, a ColumnTransformer loses their names")
    X, y = made
    X = X.select("f64", "int32", "str", "date", "cat")
    X = X.to_pandas() if library == "pandas" else X
    scale = make_column_transformer(
        (StandardScaler(), ["f64", "int32"]),
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform=library)
    pipeline = make_pipeline(scale, GainSelector(), GainTreeClassifier())
    grid = {
        "gainselector__k": [1, 4],
        "gaintreeclassifier__max_depth": [1, 3],
        "gaintreeclassifier__ccp_alpha": [0.0, 0.05],
    }
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_estimator_[-1].feature_names_in_.tolist() == (
        search.best_estimator_[:-1].get_feature_names_out().tolist()
    )
    assert search.best_score_ >= 0.5
    scores = cross_val_score(GainTreeClassifier(max_depth=3), X, y, cv=3, error_score="raise")
    assert scores.shape == (3,)


def test_the_selector_keeps_columns_as_they_are(made):
    X, y = made
    selector = GainSelector(k=3).fit(X, y)
    best = selector.ranking_["feature"].head(3).to_list()
    kept = X.select([name for name in X.columns if name in best])
    assert_frame_equal(selector.transform(X), kept)
    assert_frame_equal(selector.transform(X.lazy()).collect(), kept)
    assert selector.get_feature_names_out().tolist() == kept.columns
    of_pandas = X.drop("i128", "decimal").to_pandas()
    selector.set_output(transform="polars").fit(of_pandas, y)
    assert isinstance(selector.transform(of_pandas), pl.DataFrame)


def test_names_can_be_set():
    classifier = GainTreeClassifier().fit([[1, 0], [2, 0]], ["a", "b"])
    X = pl.DataFrame({"n": [2], "m": [0]})
    with pytest.warns(UserWarning, match="set `feature_names_in_` to have them checked"):
        classifier.predict(X)
    classifier.feature_names_in_ = np.array(["n", "m"], dtype=object)
    assert classifier.predict(X).tolist() == ["b"]
    with pytest.raises(gt.DataError, match="in the same order as they were in fit"):
        classifier.predict(X.select("m", "n"))
