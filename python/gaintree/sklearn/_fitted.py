"""What a fitted estimator of a tree answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from gaintree._frames import columns_of
from gaintree.errors import ModelError
from gaintree.sklearn._columns import as_fitted, columns
from gaintree.tree import Tree

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from gaintree.sklearn._columns import Rows

_FLOATS = {"f32": pl.Float32(), "f64": pl.Float64()}


class FittedTree(BaseEstimator):
    """A fitted tree behind the methods of scikit-learn."""

    model_: Tree
    notes_: list[str]
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]
    # Of each feature its dtype, if it is of numbers, and whether they are taken as levels.
    _fitted: list[tuple[pl.DataType | None, bool]]

    threads: int | None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

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
        if not isinstance(tree, Tree):
            msg = f"expected a gaintree.Tree, got {type(tree).__name__}: read one with Tree.load"
            raise ModelError(msg)
        made = cls(**params)
        schema = json.loads(tree.to_json())["schema"]
        made._restore(tree, schema["target"])
        made._fitted = [
            (_numeric(feature["dtype"]), feature["kind"] == "nominal")
            for feature in schema["features"]
        ]
        made.n_features_in_ = len(tree.features)
        made.feature_names_in_ = np.array(tree.features, dtype=object)
        made.model_, made.notes_ = tree, []
        return made

    def _restore(self, tree: Tree, target: dict[str, Any]) -> None:
        raise NotImplementedError

    def _scored(self, X: Rows, *, probability: bool = False, leaf: bool = False) -> pl.DataFrame:
        """The answers alone."""
        check_is_fitted(self)
        # Columns are told by their place: scikit-learn lets nobody change their order.
        given = zip(columns(self, X, fit=False), self.model_.features, self._fitted, strict=True)
        used, rows, fitted = set(self.model_.used_features), 0, []
        for column, name, (dtype, nominal) in given:
            rows = len(column)
            if name in used:
                usable = columns_of(pl.DataFrame([column]))[0]
                fitted.append(as_fitted(usable.alias(name), dtype, nominal=nominal))
        if not fitted:
            # A single leaf: it is the rows that count.
            fitted.append(pl.Series("", [None] * rows, dtype=pl.Null))
        return self.model_._native.score(fitted, probability, leaf, False, "", self.threads)

    def apply(self, X: Rows) -> npt.NDArray[np.int64]:
        """Find the leaf of each row: its `leaf_id` in `model_.rules()`.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], ["a", "b"]).apply([[0], [9]])
        array([1, 2])
        """
        return self._scored(X, leaf=True)["leaf_id"].to_numpy().astype(np.int64)

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
        parents = self.model_.nodes().sort("node_id")["parent_id"]
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

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Each feature's share of the gain, in the order of the columns.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1, 0], [2, 0]], ["a", "b"]).feature_importances_
        array([1., 0.])
        """
        check_is_fitted(self)
        shares = dict(self.model_.importance().select("feature", "importance").iter_rows())
        return np.array([shares[name] for name in self.model_.features], dtype=np.float64)


def _numeric(dtype: object) -> pl.DataType | None:
    """A dtype of a model file where it is a number's."""
    if not isinstance(dtype, str):
        return None
    whole = dtype[0] in "iu" and dtype[1:].isdigit()
    return pl.Int64() if whole else _FLOATS.get(dtype)
