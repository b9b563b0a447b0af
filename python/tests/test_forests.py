"""Forests: what they say is what their trees say together, on every road."""

from __future__ import annotations

import pickle

import polars as pl
import pytest
from polars.testing import assert_frame_equal, assert_series_equal

import gaintree as gt

N = 120
ROWS = pl.DataFrame(
    {
        "size": [None if i % 11 == 0 else (i * 37 % 100) / 8 for i in range(N)],
        "town": [f"t{i % 7}" for i in range(N)],
        "day": pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 4, 29), eager=True),
        "y": ["b" if (i * 37 % 100) > 60 or i % 7 == 3 else "a" for i in range(N)],
    }
)
NUMBERS = ROWS.with_columns(y=pl.col("size").fill_null(3.0) * 2 + pl.col("town").str.len_chars())


def fitted(rows=ROWS, **options):
    return gt.fit_forest(rows, "y", **{"trees": 9, "seed": 4, "max_depth": 4, **options}).forest


def test_a_forest_says_what_it_is():
    forest = fitted(max_features=2)
    assert (forest.n_trees, forest.target, forest.classes) == (9, "y", ["a", "b"])
    assert (forest.depth <= 4, forest.is_regression) == (True, False)
    assert forest.features == ["size", "town", "day"]
    assert forest.spec["max_features"] == {"count": 2}
    assert forest.spec["tree"]["max_depth"] == 4
    assert repr(forest).startswith("<gaintree.Forest: forest of 9 trees, ")
    assert forest.n_nodes == sum(forest.tree(i).n_nodes for i in range(9))
    assert forest.n_leaves == sum(forest.tree(i).n_leaves for i in range(9))


@pytest.mark.parametrize("votes", [False, True])
def test_the_probability_is_the_mean_of_the_trees(votes):
    forest = fitted()
    scored = forest.score(ROWS, probability=True, votes=votes)
    said = []
    for i in range(9):
        alone = forest.tree(i).score(ROWS, probability=True, keep=[])
        vote = (alone["prediction"] == "b").cast(float)
        said.append(vote if votes else alone["probability_b"])
    mean = sum(said[1:], said[0]) / 9
    assert_series_equal(scored["probability_b"], mean.alias("probability_b"))
    expected = (mean > 0.5).replace_strict({True: "b", False: "a"})
    assert (scored["prediction"] == expected).all()


@pytest.mark.parametrize(("rows", "probability"), [(ROWS, True), (NUMBERS, False)])
@pytest.mark.parametrize("votes", [False, True])
def test_every_road_gives_the_same(rows, probability, votes):
    if votes and not probability:
        pytest.skip("numbers have no votes")
    forest = fitted(rows)
    scored = forest.score(rows, probability=probability, votes=votes)
    lazy = forest.score(rows.lazy(), probability=probability, votes=votes)
    assert_frame_equal(lazy.collect(engine="streaming"), scored)
    copy = pickle.loads(pickle.dumps(forest))
    assert copy == forest
    assert hash(copy) == hash(forest)
    assert_frame_equal(copy.score(rows, probability=probability, votes=votes), scored)
    if not votes:
        assert_series_equal(forest.predict(rows), scored["prediction"])
        assert_series_equal(rows.select(forest.predict()).to_series(), scored["prediction"])


def test_a_forest_without_rules_answers_each_row():
    forest = fitted(max_depth=0)
    assert forest.used_features == []
    scored = forest.score(ROWS.lazy(), probability=True, votes=True).collect()
    assert_frame_equal(forest.score(ROWS, probability=True, votes=True), scored)
    assert scored["probability_a"].to_list() == [scored["probability_a"][0]] * N
    assert scored["prediction"].unique().to_list() == ["a"]


def test_a_file_holds_either_kind(tmp_path):
    forest, tree = fitted(), gt.fit_tree(ROWS, "y").tree
    forest.save(tmp_path / "forest.json")
    tree.save(tmp_path / "tree.json")
    assert gt.Model.load(tmp_path / "forest.json") == forest
    assert gt.Forest.load(tmp_path / "forest.json") == forest
    assert gt.Model.load(tmp_path / "tree.json") == tree
    assert forest != tree
    with pytest.raises(gt.ModelError, match="it is a forest of 9 trees"):
        gt.Tree.load(tmp_path / "forest.json")
    with pytest.raises(gt.ModelError, match="it is a tree"):
        gt.Forest.from_json(tree.to_json())
    with pytest.raises(gt.ModelError, match="made by fit_forest"):
        gt.Forest(tree._native)
    with pytest.raises(gt.ModelError, match=r"made by Model\.load"):
        gt.Model(tree._native)


def test_a_forest_is_judged():
    forest = fitted()
    scored = forest.score(ROWS)
    accuracy = (scored["prediction"] == scored["y"]).mean()
    assert forest.evaluate(ROWS)["accuracy"].item() == pytest.approx(accuracy)
    assert forest.confusion(ROWS)["n"].sum() == N
    assert forest.by_class(ROWS)["n"].sum() == N
    assert forest.calibration(ROWS)["n"].sum() == N
    assert forest.thresholds(ROWS)["is_best"].sum() == 1
    assert forest.intervals(ROWS, resamples=20)["figure"][0] == "accuracy"
    assert fitted(NUMBERS).evaluate(NUMBERS)["r2"].item() > 0.5


def test_a_seed_gives_the_same_forest_on_any_number_of_threads():
    assert fitted(threads=1) == fitted(threads=3)
    assert fitted(seed=5) != fitted()
    assert fitted(extra=True, threads=1) == fitted(extra=True, threads=3) != fitted()
    whole = fitted(trees=1, bootstrap=False, max_features=1.0)
    assert whole.tree(0) == gt.fit_tree(ROWS, "y", max_depth=4).tree


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"trees": 0}, "trees is 0"),
        ({"trees": 2.5}, "`trees` is 2.5: expected a whole number"),
        ({"max_features": 9}, "max_features is 9, but there are 3 features"),
        ({"max_features": 0}, "max_features is 0"),
        ({"max_features": 1.5}, "a share of 1.5"),
        ({"max_features": "some"}, "'auto', a number of features, or a share"),
        ({"max_features": True}, "'auto', a number of features, or a share"),
        ({"sample_share": 0.0}, "sample_share is 0"),
        ({"sample_share": float("nan")}, "expected a finite number"),
        ({"seed": -1}, "`seed` is -1: expected a whole number from 0"),
        ({"seed": 2**64}, "expected a whole number from 0"),
        ({"extra": "yes"}, "expected True or False"),
        ({"bootstrap": "yes"}, "expected True or False"),
        ({"pruning": {"leaves": 3}}, "trees of a forest are not pruned"),
        ({"tree": 3}, "there is no option `tree`"),
        ({"tres": 3}, "did you mean `trees`?"),
    ],
)
def test_what_cannot_be_is_said(options, said):
    with pytest.raises(gt.SpecError) as error:
        gt.fit_forest(ROWS, "y", **{"trees": 3, **options})
    assert said in str(error.value)


def test_what_a_forest_does_not_have_is_said():
    forest, numbers = fitted(), fitted(NUMBERS)
    with pytest.raises(gt.SpecError, match="has no votes"):
        numbers.score(NUMBERS, votes=True)
    with pytest.raises(gt.SpecError, match="has no class probabilities"):
        numbers.score(NUMBERS, probability=True)
    with pytest.raises(gt.SpecError, match="`number` is 9"):
        forest.tree(9)
    with pytest.raises(gt.DataError, match="`size`"):
        forest.score(ROWS.drop("size"))
    assert gt.fit_forest(ROWS, "y", gt.c45(), trees=2).forest.spec["tree"]["pruning"] == "none"


def test_rows_are_answered_by_the_trees_that_did_not_draw_them():
    fit = gt.fit_forest(ROWS, "y", trees=30, seed=4, max_depth=4)
    answers = fit.out_of_bag
    assert repr(answers) == f"<gaintree.OutOfBag: {N} of {N} rows>"
    predicted = answers.predictions["prediction"]
    right = (predicted == ROWS["y"]).sum()
    assert answers.evaluation["accuracy"].item() == right / N
    assert answers.curve["error"][-1] == pytest.approx(1 - right / N)
    assert answers.curve["n_trees"].to_list() == list(range(1, 31))
    assert answers.confusion.filter(pl.col("actual") == pl.col("predicted"))["n"].sum() == right
    assert answers.predictions["n_trees"].is_between(1, 29).all()
    assert fit.out_of_bag_time.total_seconds() > 0
    # A forest that was loaded makes the same draws, and takes any kind of frame.
    again = gt.Forest.from_json(fit.forest.to_json())
    assert_frame_equal(again.out_of_bag(ROWS.lazy()).predictions, answers.predictions)
    voted = again.out_of_bag(ROWS, votes=True, event="a")
    votes = voted.predictions["probability_a"] * voted.predictions["n_trees"]
    assert (votes - votes.round()).abs().max() < 1e-9
    numbers = gt.fit_forest(NUMBERS, "y", trees=30, seed=4).out_of_bag
    squares = (numbers.predictions["prediction"] - NUMBERS["y"]) ** 2
    assert numbers.curve["rmse"][-1] == pytest.approx(squares.mean() ** 0.5)
    assert numbers.confusion is None


def test_quantiles_out_of_bag():
    forest = gt.fit_forest(NUMBERS, "y", trees=40, seed=4, min_samples_leaf=5).forest
    quantiles = forest.out_of_bag_quantiles(NUMBERS.lazy(), [0.1, 0.5, 0.9], threads=1)
    assert quantiles.columns == ["quantile_0.1", "quantile_0.5", "quantile_0.9", "n_trees"]
    low, middle, high, n_trees = quantiles.get_columns()
    assert ((low <= middle) & (middle <= high)).all()
    assert n_trees.equals(forest.out_of_bag(NUMBERS).predictions["n_trees"])
    assert set(middle) <= set(NUMBERS["y"])
    assert (low < high).any()
    for given in (0.5, "0.5", ["a"], [float("nan")]):
        with pytest.raises(gt.SpecError, match="`quantiles`"):
            forest.out_of_bag_quantiles(NUMBERS, given)
    with pytest.raises(gt.SpecError, match="quantile 2 is not from 0 to 1"):
        forest.out_of_bag_quantiles(NUMBERS, [2])
    with pytest.raises(gt.SpecError, match="has classes"):
        gt.fit_forest(ROWS, "y", trees=2).forest.out_of_bag_quantiles(ROWS, [0.5])
    with pytest.raises(gt.DataError, match="not the rows that the forest was fitted on"):
        forest.out_of_bag_quantiles(NUMBERS.reverse(), [0.5])


def test_what_cannot_be_answered_out_of_bag_is_said():
    with pytest.warns(gt.GaintreeWarning, match="rows were drawn for every tree"):
        fit = gt.fit_forest(ROWS, "y", trees=2, seed=1)
    answers = fit.out_of_bag
    assert answers.always_drawn == answers.predictions["prediction"].null_count() > 0
    assert gt.fit_forest(ROWS, "y", trees=2, out_of_bag=False).out_of_bag is None
    whole = gt.fit_forest(ROWS, "y", trees=2, bootstrap=False)
    assert whole.out_of_bag is None
    with pytest.raises(gt.SpecError, match="no row is out of bag"):
        whole.forest.out_of_bag(ROWS)
    with pytest.raises(gt.DataError, match="not the rows that the forest was fitted on"):
        fit.forest.out_of_bag(ROWS.reverse())
    with pytest.raises(gt.SpecError, match="out_of_bag"):
        gt.fit_forest(ROWS, "y", out_of_bag=1)
