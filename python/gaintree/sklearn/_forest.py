"""What both estimators of forests do."""

from __future__ import annotations

import math
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from gaintree._checks import MOST_SEED, count, plain, refuse, switch
from gaintree._output import polars_inside
from gaintree.forest import Forest, fit_forest
from gaintree.sklearn._fitting import Fitting

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl
    from typing_extensions import Self

    from gaintree.sklearn._columns import Rows
    from gaintree.sklearn._tree import GainTree


class GainForest(Fitting):
    """A forest that scikit-learn's methods fit and read."""

    model_: Forest
    n_estimators: Any
    max_features: Any
    extra: Any
    bootstrap: Any
    max_samples: Any
    random_state: Any
    oob_score: Any
    oob_score_: float
    # The estimator of one of its trees.
    _of_tree: ClassVar[type[GainTree]]
    # The figure that `oob_score_` is.
    _figure: ClassVar[str]

    def _set_answers(self, predictions: pl.DataFrame) -> None:
        """Set what the forest says of its training rows."""
        raise NotImplementedError

    def fit(self, X: Rows, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the forest.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The features, of any dtype with an order or levels; null and NaN are missing.
        y : array or Series of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,)
            Weights, which count in the splits; they do not change which rows are drawn, but a row
            of weight 0 is as if absent.

        Returns
        -------
        self

        Raises
        ------
        DataError
            A column that cannot serve, or a target that has missing values or one class.
        SpecError
            A parameter that cannot be.

        Examples
        --------
        >>> from gaintree.sklearn import GainForestRegressor
        >>> forest = GainForestRegressor(n_estimators=5, random_state=1)
        >>> forest.fit([[1], [2], [3]], [1.0, 1.0, 4.0]).model_.n_trees
        5
        """
        # A wrong choice is said now, and not when rows are predicted.
        votes = self._votes()
        table, target, spec = self._prepared(X, y, sample_weight)
        weight = spec.options.get("weight")
        n_rows = table.height if weight is None else int((table[weight] > 0).sum())
        with polars_inside():
            fit = fit_forest(
                table,
                target,
                spec,
                trees=count("n_estimators", self.n_estimators, least=1),
                max_features=_max_features(self.max_features, self.n_features_in_),
                extra=self.extra,
                bootstrap=self.bootstrap,
                sample_share=_share(self.max_samples, n_rows),
                seed=_seed(self.random_state),
                out_of_bag=switch("oob_score", self.oob_score),
                progress=False,
            )
        self.model_, self.notes_ = fit.forest, fit.notes
        if self.oob_score:
            # Where no row can be left out, this says so.
            answers = None if votes else fit.out_of_bag
            with polars_inside():
                answers = answers or fit.forest.out_of_bag(table, votes=votes)
            judged = answers.evaluation
            self.oob_score_ = float("nan") if judged is None else judged[self._figure].item()
            self._set_answers(answers.predictions)
        return self

    @classmethod
    def from_forest(cls, forest: Forest, **params: Any) -> Self:
        """Make a fitted estimator of a forest, as one that `Forest.load` gives.

        Parameters
        ----------
        forest : Forest
            A forest of classes for a classifier, of a number for a regressor.
        **params
            Of the estimator; they have a meaning if it is fitted anew.

        Returns
        -------
        estimator
            Its `feature_names_in_` are the features the forest was fitted on.

        Raises
        ------
        ModelError
            What is no forest, or one of the other kind.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> from gaintree.sklearn import GainForestClassifier
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> forest = gt.fit_forest(df, "y", trees=10, seed=1).forest
        >>> GainForestClassifier.from_forest(forest).score(df.select("x"), df["y"])
        1.0
        """
        return cls._made_of(Forest, forest, params)

    @property
    def estimators_(self) -> list[GainTree]:
        """The trees, each a fitted estimator of its own; they are made when they are asked for.

        Examples
        --------
        >>> from gaintree.sklearn import GainForestClassifier
        >>> forest = GainForestClassifier(n_estimators=3, random_state=1)
        >>> forest = forest.fit([[1], [2]] * 9, ["a", "b"] * 9)
        >>> [tree.get_n_leaves() for tree in forest.estimators_]
        [2, 2, 2]
        """
        check_is_fitted(self)
        params = self.get_params(deep=False)
        learnt = {
            name: value
            for name, value in vars(self).items()
            if name not in params and not name.startswith("oob_")
        }
        shared = {name: params[name] for name in self._of_tree().get_params() if name in params}
        made = []
        for number in range(self.model_.n_trees):
            tree = self._of_tree(**shared)
            for name, value in learnt.items():
                setattr(tree, name, value)
            tree.model_, tree.notes_ = self.model_.tree(number), []
            made.append(tree)
        return made

    def apply(self, X: Rows) -> npt.NDArray[np.int64]:
        """Find the leaf of each row in each tree.

        Returns
        -------
        array of shape (n_samples, n_estimators)
            The `leaf_id` in the `rules()` of each tree; `model_.tree(i)` is the tree.

        Examples
        --------
        >>> from gaintree.sklearn import GainForestClassifier
        >>> forest = GainForestClassifier(n_estimators=3, random_state=1)
        >>> forest = forest.fit([[1], [2]] * 9, ["a", "b"] * 9)
        >>> forest.apply([[0], [9]])
        array([[1, 1, 1],
               [2, 2, 2]])
        """
        given = self._given(X)
        leaves = np.empty((len(given[0]), self.model_.n_trees), np.int64)
        for number in range(self.model_.n_trees):
            leaves[:, number] = self._leaves(self.model_.tree(number), given)
        return leaves


def _max_features(given: Any, n: int) -> Any:
    """How many of n features a node looks at, as `fit_forest` takes it."""
    value = plain(given)
    if value is None:
        return 1.0
    if isinstance(value, str) and value in ("auto", "sqrt", "log2"):
        return {"auto": value, "sqrt": math.isqrt(n), "log2": max(1, n.bit_length() - 1)}[value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        expected = "'auto', 'sqrt', 'log2', None for all, a number of features, or a share of them"
        refuse("max_features", given, f"{expected} as a float")
    return value


def _share(given: Any, n: int) -> float:
    """The share of n rows that is drawn for a tree."""
    value = plain(given)
    if value is None:
        return 1.0
    if isinstance(value, float) and 0 < value <= 1:
        return value
    if isinstance(value, bool) or not (isinstance(value, int) and 1 <= value <= n):
        expected = f"a number of rows from 1 to {n}, or a share of them as a float"
        refuse("max_samples", given, f"{expected} above 0 and at most 1.0, or None for all")
    return value / n


def _seed(given: Any) -> int:
    """A seed, which a generator draws."""
    if isinstance(given, Integral):
        return count("random_state", given, MOST_SEED)
    try:
        random = check_random_state(given)
    except ValueError as error:
        refuse("random_state", given, "a whole number, a RandomState or None", error)
    return int(random.randint(MOST_SEED, dtype=np.uint64))
