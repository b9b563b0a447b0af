"""What an estimator of a number learns of y, and predicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from sklearn.base import RegressorMixin

from gaintree.errors import ModelError
from gaintree.sklearn._fitting import Fitting
from gaintree.sklearn._target import numbers, one_column, target_name

if TYPE_CHECKING:
    import numpy.typing as npt

    from gaintree.model import Model
    from gaintree.sklearn._columns import Rows


class Regressing(RegressorMixin, Fitting):
    """A tree or a forest of a number."""

    # Its sibling of classes.
    _of_classes: ClassVar[str]

    def _target(self, y: npt.ArrayLike | None, columns: list[pl.Series]) -> pl.Series:
        return pl.Series(target_name(y, columns), numbers(one_column(self, y, columns)))

    def _options(self) -> dict[str, Any]:
        return {"task": "regress"}

    def _restore(self, model: Model, target: dict[str, Any]) -> None:
        if not model.is_regression:
            msg = f"the target `{model.target}` is of classes: use {self._of_classes}"
            raise ModelError(msg)

    def predict(self, X: Rows) -> npt.NDArray[np.float64]:
        """Predict the number of each row: the mean of its leaf.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeRegressor
        >>> GainTreeRegressor().fit([[1], [2], [3]], [1.0, 1.0, 4.0]).predict([[0], [9]])
        array([1., 4.])
        """
        return self._scored(X)["prediction"].cast(pl.Float64).to_numpy(writable=True)
