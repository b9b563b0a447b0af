"""What a fitted estimator of a tree or a forest answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from gaintree._frames import columns_of
from gaintree.errors import ModelError
from gaintree.sklearn._columns import as_fitted, columns

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from gaintree.model import Model
    from gaintree.sklearn._columns import Rows
    from gaintree.tree import Tree

_FLOATS = {"f32": pl.Float32(), "f64": pl.Float64()}


class Fitted(BaseEstimator):
    """A fitted model behind the methods of scikit-learn."""

    # A `Tree` or a `Forest`.
    model_: Any
    notes_: list[str]
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]
    # Each feature's dtype, if it is of numbers, and whether they are taken as levels.
    _fitted: list[tuple[pl.DataType | None, bool]]

    threads: int | None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    @classmethod
    def _made_of(cls, kind: type[Model], model: Any, params: dict[str, Any]) -> Self:
        """A fitted estimator of a model, which has to be of a kind."""
        if not isinstance(model, kind):
            said, got = kind.__name__, type(model).__name__
            msg = f"expected a gaintree.{said}, got {got}: read one with {said}.load"
            raise ModelError(msg)
        made = cls(**params)
        schema = json.loads(model.to_json())["schema"]
        made._restore(model, schema["target"])
        made._fitted = [
            (_numeric(feature["dtype"]), feature["kind"] == "nominal")
            for feature in schema["features"]
        ]
        made.n_features_in_ = len(model.features)
        made.feature_names_in_ = np.array(model.features, dtype=object)
        made.model_, made.notes_ = model, []
        return made

    def _restore(self, model: Model, target: dict[str, Any]) -> None:
        raise NotImplementedError

    def _given(self, X: Rows) -> list[pl.Series]:
        """The columns that the model uses, as it was fitted on them."""
        check_is_fitted(self)
        # Columns are told by their place: scikit-learn lets nobody change their order.
        given = zip(columns(self, X, fit=False), self.model_.features, self._fitted, strict=True)
        used, rows, fitted = set(self.model_.used_features), 0, []
        for column, name, (dtype, nominal) in given:
            rows = len(column)
            if name in used:
                usable = columns_of(pl.DataFrame([column]))[0]
                fitted.append(as_fitted(usable.alias(name), dtype, nominal=nominal))
        # A model without rules only needs the number of rows.
        return fitted or [pl.Series("", [None] * rows, dtype=pl.Null)]

    def _leaves(self, tree: Tree, given: list[pl.Series]) -> npt.NDArray[np.int64]:
        """The leaf of each row in a tree."""
        scored = tree._answers(given, leaf=True, threads=self.threads)
        return scored["leaf_id"].to_numpy().astype(np.int64)

    def _votes(self) -> bool:
        """Whether the trees vote."""
        return False

    def _scored(self, X: Rows, *, probability: bool = False) -> pl.DataFrame:
        """The answers alone."""
        given, model = self._given(X), self.model_
        scored: pl.DataFrame = model._answers(
            given, probability=probability, votes=self._votes(), threads=self.threads
        )
        return scored

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Each feature's share of the gain, in the order of the columns; of a forest the mean.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1, 0], [2, 0]], ["a", "b"]).feature_importances_
        array([1., 0.])
        """
        check_is_fitted(self)
        shares = dict(self.model_._native.importance().select("feature", "importance").iter_rows())
        return np.array([shares[name] for name in self.model_.features], dtype=np.float64)


def _numeric(dtype: object) -> pl.DataType | None:
    """A dtype of a model file where it is a number's."""
    if not isinstance(dtype, str):
        return None
    whole = dtype[0] in "iu" and dtype[1:].isdigit()
    return pl.Int64() if whole else _FLOATS.get(dtype)
