"""What both estimators of trees do."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from gaintree._checks import refuse
from gaintree._fit import fit_tree
from gaintree.sklearn._fitting import Fitting
from gaintree.tree import Tree

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from gaintree.sklearn._columns import Rows


class GainTree(Fitting):
    """A tree that scikit-learn's methods fit and read."""

    model_: Tree
    ccp_alpha: float
    pruning: Any

    def fit(self, X: Rows, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the tree.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            The features, of any dtype with an order or levels; null and NaN are missing.
        y : array or Series of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,)
            Weights; a row of weight 0 is as if absent.

        Returns
        -------
        self

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeRegressor
        >>> GainTreeRegressor().fit([[1], [2], [3]], [1.0, 1.0, 4.0]).model_.n_leaves
        2
        """
        fit = fit_tree(*self._prepared(X, y, sample_weight, **self._pruning()))
        self.model_, self.notes_ = fit.tree, fit.notes
        return self

    @classmethod
    def from_tree(cls, tree: Tree, **params: Any) -> Self:
        """Make a fitted estimator of a tree, as one that `Tree.load` gives.

        Parameters
        ----------
        tree : Tree
            A tree of classes for a classifier, of a number for a regressor.
        **params
            Of the estimator; they have a meaning if it is fitted anew.

        Returns
        -------
        estimator
            Its `feature_names_in_` are the features the tree was fitted on.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> classifier = GainTreeClassifier.from_tree(gt.fit_tree(df, "y").tree)
        >>> classifier.score(df.select("x"), df["y"])
        1.0
        """
        return cls._made_of(Tree, tree, params)

    def _pruning(self) -> dict[str, Any]:
        alpha = self.ccp_alpha
        if not (isinstance(alpha, Real) and alpha >= 0):
            refuse("ccp_alpha", alpha, "a number of 0 or more")
        if not alpha:
            return {}
        if self.pruning is not None:
            refuse("ccp_alpha", alpha, f"0 beside `pruning` of {self.pruning!r}: give one of them")
        return {"pruning": {"alpha": float(alpha)}}

    def cost_complexity_pruning_path(
        self, X: Rows, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Bunch:
        """Find the values of `ccp_alpha` at which the tree gets smaller.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`.

        Returns
        -------
        Bunch
            `ccp_alphas`, ascending from 0 and rounded up to six decimals, and `impurities`: the
            total impurity of the leaves of the tree that is pruned with each.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> path = GainTreeClassifier().cost_complexity_pruning_path([[1], [2]], ["a", "b"])
        >>> path.ccp_alphas, path.impurities
        (array([0. , 0.5]), array([0. , 0.5]))
        """
        # A copy: this one stays as it was, fitted or not.
        copy = type(self)(**self.get_params(deep=False))
        grown = fit_tree(*copy._prepared(X, y, sample_weight, pruning="none")).tree
        path = grown.cost_complexity_path()
        return Bunch(
            ccp_alphas=path["alpha"].to_numpy(writable=True),
            impurities=path["total_impurity"].to_numpy(writable=True),
        )

    def apply(self, X: Rows) -> npt.NDArray[np.int64]:
        """Find the leaf of each row: its `leaf_id` in `model_.rules()`.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], ["a", "b"]).apply([[0], [9]])
        array([1, 2])
        """
        given = self._given(X)
        return self._leaves(self.model_, given)

    def decision_path(self, X: Rows) -> Any:
        """Find the nodes on each row's way from the root to its leaf.

        Returns
        -------
        sparse matrix of shape (n_samples, n_nodes)
            1 where a row passes a node; `model_.nodes()` lists them.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], ["a", "b"]).decision_path([[0], [9]]).toarray()
        array([[1, 1, 0],
               [1, 0, 1]])
        """
        node = self.apply(X)
        parents = self.model_._native.nodes().sort("node_id")["parent_id"]
        parent = parents.cast(pl.Int64).fill_null(-1).to_numpy()
        row, shape = np.arange(len(node)), (len(node), len(parent))
        passed = []
        while len(node):
            passed.append(np.stack([row, node]))
            up = parent[node]
            row, node = row[up >= 0], up[up >= 0]
        places = np.concatenate([np.empty((2, 0), np.int64), *passed], axis=1)
        return csr_matrix((np.ones(places.shape[1], np.int64), tuple(places)), shape=shape)

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf; the root is at 0.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], ["a", "b"]).get_depth()
        1
        """
        check_is_fitted(self)
        return self.model_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], ["a", "b"]).get_n_leaves()
        2
        """
        check_is_fitted(self)
        return self.model_.n_leaves
