"""On numbers, the trees are those of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from gaintree.sklearn import GainTreeClassifier, GainTreeRegressor


def assert_same_nodes(ours, theirs):
    """Walk both trees from the root. Where two splits gain the same, either may have been taken."""
    nodes, tree = ours.model_.nodes().rows(named=True), theirs.tree_
    names = list(ours.model_.features)
    pairs = [(0, 0)]
    compared = 0
    while pairs:
        i, j = pairs.pop()
        mine, left, right = nodes[i], tree.children_left[j], tree.children_right[j]
        assert mine["n"] == tree.n_node_samples[j]
        assert mine["weight"] == pytest.approx(tree.weighted_n_node_samples[j])
        assert mine["impurity"] == pytest.approx(tree.impurity[j], rel=1e-6, abs=1e-9)
        assert mine["is_leaf"] == (left < 0)
        compared += 1
        if left < 0:
            continue
        weights = tree.weighted_n_node_samples[[left, right]]
        gain = tree.impurity[j] - tree.impurity[[left, right]] @ weights / weights.sum()
        assert mine["gain"] == pytest.approx(gain, rel=1e-6, abs=1e-9)
        feature = names.index(mine["feature"])
        if feature != tree.feature[j]:
            continue
        # A cut is a middle of two values; scikit-learn has them as float32.
        if mine["threshold"] == pytest.approx(tree.threshold[j], rel=1e-6):
            pairs += [(mine["branches"][0], left), (mine["branches"][1], right)]
    return compared


def assert_same_path(ours, theirs, *data):
    steps = []
    for estimator in (ours, theirs):
        path = estimator.cost_complexity_pruning_path(*data)
        # Steps of one alpha are one step; scikit-learn lists several, apart by rounding.
        last = np.append(np.diff(path.ccp_alphas) > 1e-9, True)
        steps.append((path.ccp_alphas[last], path.impurities[last]))
    (alphas, impurities), (their_alphas, their_impurities) = steps
    np.testing.assert_allclose(impurities, their_impurities, atol=1e-9)
    # Ours are rounded up to six decimals.
    off = alphas - their_alphas
    assert off.min() > -1e-9
    assert off.max() < 1e-6 + 1e-9


@pytest.mark.parametrize("limits", [{"max_depth": 3}, {"min_samples_leaf": 5}, {}])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_classes(load, criterion, limits):
    X, y = load(return_X_y=True)
    ours = GainTreeClassifier(criterion=criterion, **limits).fit(X, y)
    compared = []
    # The seed tells which of the splits that gain the same scikit-learn takes.
    for seed in range(6):
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=seed, **limits).fit(X, y)
        compared.append(assert_same_nodes(ours, theirs))
        assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-9)
    assert max(compared) >= 7


@pytest.mark.parametrize("limits", [{"max_depth": 3}, {"min_samples_leaf": 20}])
def test_numbers(limits):
    X, y = load_diabetes(return_X_y=True)
    theirs = DecisionTreeRegressor(random_state=0, **limits).fit(X, y)
    ours = GainTreeRegressor(**limits).fit(X, y)
    assert assert_same_nodes(ours, theirs) >= 15
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-9)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (DecisionTreeClassifier(max_depth=4), GainTreeClassifier(max_depth=4)),
        (
            DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=6),
            GainTreeClassifier(criterion="entropy", max_leaves=6),
        ),
        (
            DecisionTreeClassifier(class_weight={0: 3}, min_weight_fraction_leaf=0.1),
            GainTreeClassifier(class_weight={0: 3}, min_weight_fraction_leaf=0.1),
        ),
        (
            DecisionTreeClassifier(class_weight="balanced", ccp_alpha=0.01),
            GainTreeClassifier(class_weight="balanced", ccp_alpha=0.01),
        ),
        (DecisionTreeRegressor(ccp_alpha=0.02), GainTreeRegressor(ccp_alpha=0.02)),
        (DecisionTreeRegressor(min_samples_leaf=5), GainTreeRegressor(min_samples_leaf=5)),
    ],
)
def test_weights_limits_and_prunings(theirs, ours):
    draw = np.random.default_rng(5)
    # Of one column and continuous, so that no two splits tie.
    X = draw.normal(size=(80, 1)).astype(np.float32)
    y = X[:, 0] + draw.normal(size=80)
    if isinstance(ours, GainTreeClassifier):
        y = (y > 0).astype(int) + (y > 1)
    weight = draw.uniform(0.5, 2, size=80)
    # Of scikit-learn, balanced weights do not heed those of rows.
    if ours.get_params().get("class_weight") == "balanced":
        weight = None
    theirs.fit(X, y, weight)
    ours.fit(X, y, weight)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.get_depth() == theirs.get_depth()
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
    # Nodes are numbered in other orders.
    passed, expected = (e.decision_path(X).sum(axis=1) for e in (ours, theirs))
    np.testing.assert_array_equal(passed, expected)
    if not theirs.max_leaf_nodes:
        assert_same_path(ours, theirs, X, y, weight)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_paths_of_pruning(load):
    X, y = load(return_X_y=True)
    # A depth at which no two splits tie, so that both grow the same tree.
    theirs, ours = DecisionTreeClassifier(max_depth=2), GainTreeClassifier(max_depth=2)
    assert_same_path(ours, theirs, X, y)
