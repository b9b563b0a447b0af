"""What an estimator of classes learns of y, and predicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from sklearn.base import ClassifierMixin

from gaintree.errors import ModelError, SpecError
from gaintree.sklearn._fitting import Fitting
from gaintree.sklearn._target import classes, labels, one_column, target_name

if TYPE_CHECKING:
    import numpy.typing as npt

    from gaintree.model import Model
    from gaintree.sklearn._columns import Rows


class Classifying(ClassifierMixin, Fitting):
    """A tree or a forest of classes."""

    classes_: npt.NDArray[Any]
    n_classes_: int
    class_weight: str | Mapping[Any, float] | None
    # Its sibling of numbers.
    _of_numbers: ClassVar[str]

    def _target(self, y: npt.ArrayLike | None, columns: list[pl.Series]) -> pl.Series:
        found, codes = classes(one_column(self, y, columns))
        values = labels(found)
        self._set_classes(found, values.cast(pl.String).to_list())
        return values.gather(codes).alias(target_name(y, columns))

    def _set_classes(self, found: npt.NDArray[Any], texts: list[str]) -> None:
        """Set the classes, and the texts that the model has for them."""
        self.classes_, self.n_classes_, self._texts = found, len(found), texts

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"task": "classify"}
        given = self.class_weight
        if given is None:
            return options
        if given == "balanced":
            return options | {"class_weights": given}
        if not isinstance(given, Mapping):
            msg = f"`class_weight` is {given!r}: give 'balanced' or a dict of class to weight"
            raise SpecError(msg)
        texts = dict(zip(self.classes_.tolist(), self._texts, strict=True))
        for label in given:
            if label not in texts:
                msg = f"`class_weight` names {label!r}, which is no class: they are {list(texts)}"
                raise SpecError(msg)
        return options | {"class_weights": {texts[k]: float(w) for k, w in given.items()}}

    def _restore(self, model: Model, target: dict[str, Any]) -> None:
        if model.is_regression:
            msg = f"the target `{model.target}` is a number: use {self._of_numbers}"
            raise ModelError(msg)
        dtype = target["dtype"]
        read: Any = str
        if dtype == "boolean":
            read = "true".__eq__
        elif isinstance(dtype, str) and dtype[1:].isdigit():
            read = float if dtype[0] == "f" else int
        found, order = np.unique([read(text) for text in model.classes], return_index=True)
        self._set_classes(found, [model.classes[index] for index in order])

    def predict(self, X: Rows) -> npt.NDArray[Any]:
        """Predict the class of each row, of the dtype of y.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], [False, True]).predict([[0], [9]])
        array([False,  True])
        """
        predicted = self._scored(X)["prediction"]
        labels = pl.Series(self._texts, dtype=pl.String)
        if predicted.dtype.is_numeric():
            labels = labels.cast(predicted.dtype)
        else:
            predicted = predicted.cast(pl.String)
        indices = predicted.replace_strict(labels, range(self.n_classes_), return_dtype=pl.UInt32)
        found: npt.NDArray[Any] = self.classes_[indices.to_numpy()]
        return found

    def predict_proba(self, X: Rows) -> npt.NDArray[np.float64]:
        """Predict the probability of each class, in the order of `classes_`.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], ["a", "b"]).predict_proba([[0], [9]])
        array([[1., 0.],
               [0., 1.]])
        """
        return self._shares(self._scored(X, probability=True))

    def _shares(self, scored: pl.DataFrame) -> npt.NDArray[np.float64]:
        """The probabilities behind predictions, in the order of `classes_`."""
        shares = np.zeros((scored.height, self.n_classes_))
        # Rows of weight 0 bring the model no class.
        index_of = {text: index for index, text in enumerate(self._texts)}
        indices = [index_of[text] for text in self.model_.classes]
        shares[:, indices] = scored.drop("prediction").to_numpy()
        return shares

    def predict_log_proba(self, X: Rows) -> npt.NDArray[np.float64]:
        """Predict the logarithm of each class's probability.

        Examples
        --------
        >>> from gaintree.sklearn import GainTreeClassifier
        >>> GainTreeClassifier().fit([[1], [2]], ["a", "b"]).predict_log_proba([[0]])
        array([[  0., -inf]])
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
