"""What trees and forests have alike: their columns, how they score, and how good they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, overload

import polars as pl

from gaintree import _gaintree
from gaintree._call import call, svg, table
from gaintree._checks import MOST_SEED, count, finite, path_of, text, threads_of
from gaintree._frames import (
    as_frame,
    column,
    columns_of,
    names,
    present,
    refuse_unread,
    without_unread,
)
from gaintree._json_text import JsonText, parsed
from gaintree._notes import warn_of
from gaintree._options import AllDriftOptions, drift_options, eval_options, options_shown
from gaintree._output import shown, shown_beside
from gaintree._permutation import permutation_options
from gaintree._plugin import plugin
from gaintree._progress import stages
from gaintree._sides import sides
from gaintree.errors import DataError, ModelError, SpecError
from gaintree.pictures import Svg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray
    from typing_extensions import Self, Unpack

    from gaintree._frames import Columns, Excluded, FrameLike, Frames
    from gaintree._permutation import PermutationLoss
    from gaintree._progress import Progress

__all__ = ["Model"]


class Model(JsonText):
    """A fitted model: a `Tree` or a `Forest`.

    `Model.load` and `Model.from_json` give whichever the file has. A model does not change. It
    can be pickled, compared and printed.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> tree = gt.fit_tree(df, "y").tree
    >>> isinstance(tree, gt.Model), gt.Model.from_json(tree.to_json()) == tree
    (True, True)
    """

    _native: _gaintree.Tree | _gaintree.Forest
    # The class of the native models, and where these come from.
    _native_type: ClassVar[Any] = _gaintree.Model
    _made_by: ClassVar[str] = "a model is made by Model.load or Model.from_json"
    # The kinds of models, by their native class.
    _kinds: ClassVar[dict[type, Any]] = {}

    def __init__(self, native: _gaintree.Tree | _gaintree.Forest) -> None:
        if type(native) is not self._native_type:
            raise ModelError(self._made_by)
        self._native = native

    def __init_subclass__(cls) -> None:
        Model._kinds[cls._native_type] = cls

    @classmethod
    def _of(cls, native: object) -> Self:
        kind: Callable[[object], Self] = Model._kinds[type(native)]
        return kind(native)

    # What it is.

    @property
    def n_nodes(self) -> int:
        """Number of nodes.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.n_nodes
        3
        """
        return self._native.n_nodes

    @property
    def n_leaves(self) -> int:
        """Number of leaves.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.n_leaves
        2
        """
        return self._native.n_leaves

    @property
    def depth(self) -> int:
        """Depth of the deepest leaf; the root is at 0.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.depth
        1
        """
        return self._native.depth

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": [0.5, 0.5, 1.5, 2.5]})
        >>> gt.fit_tree(df, "y").tree.is_regression
        True
        """
        return self._native.is_regression

    @property
    def target(self) -> str:
        """Name of the target.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.target
        'y'
        """
        return self._native.target

    @property
    def classes(self) -> list[str]:
        """The classes as texts, in order; none where the target is a number.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.classes
        ['a', 'b']
        """
        return self._native.classes

    @property
    def features(self) -> list[str]:
        """The features it was fitted on.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "z": [0] * 4, "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.features
        ['x', 'z']
        """
        return self._native.features

    @property
    def used_features(self) -> list[str]:
        """The features its rules use: what scoring needs.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "z": [0] * 4, "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.used_features
        ['x']
        """
        return self._native.used_features

    @property
    def spec(self) -> dict[str, Any]:
        """How it was grown, as its model file says.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y", gt.cart(max_depth=3)).tree.spec["max_depth"]
        3
        """
        spec: dict[str, Any] = json.loads(self._native.spec())
        return spec

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if type(other) is type(self) else NotImplemented

    # The comparison of native models makes no text.
    __hash__ = JsonText.__hash__

    def _check_dtypes(self, frame: pl.DataFrame | pl.LazyFrame) -> None:
        """Say now what a query would say only when it runs."""
        schema = frame.collect_schema()
        used = {name: schema[name] for name in self.used_features}
        # Some dtypes are unknown until then.
        if used and pl.Unknown not in used.values():
            self._answers(columns_of(pl.DataFrame(schema=used)))

    def _score(
        self,
        data: FrameLike,
        *,
        probability: bool,
        leaf: bool = False,
        votes: bool = False,
        keep: Columns | None,
        prefix: str,
        threads: int | None,
    ) -> pl.DataFrame | pl.LazyFrame:
        if probability:
            self._check_classes("class probabilities")
        threads = threads_of(threads)
        prefix = text("prefix", prefix, "a text")
        frame = as_frame(data)
        schema = frame.collect_schema()
        kept = list(schema) if keep is None else list(dict.fromkeys(names("keep", keep, frame)))
        present("column to keep", kept, schema)
        if keep is None:
            kept = without_unread(frame)
        refuse_unread(frame.select(map(column, kept)))
        present("feature of the model", self.used_features, schema)
        taken = set(kept)
        for name in self._added_names(probability=probability, leaf=leaf, prefix=prefix):
            if name in taken:
                msg = (
                    f"the input already has a column `{name}`: name the added ones with prefix=…, "
                    "or leave it out of keep=…"
                )
                raise DataError(msg)
        asked: dict[str, Any]
        asked = {"probability": probability, "leaf": leaf, "votes": votes, "prefix": prefix}
        if isinstance(frame, pl.DataFrame) and self.used_features:
            added = self._answers(columns_of(frame, self.used_features), threads=threads, **asked)
            return shown_beside(frame.select(map(column, kept)), added, data)
        self._check_dtypes(frame)
        scored = frame.select(*map(column, kept), *self._added(**asked))
        scored = scored.unnest(f"{prefix}probability_") if probability else scored
        if isinstance(scored, pl.LazyFrame):
            return scored
        # By their places: Polars takes a name such as `*` for all columns.
        return shown_beside(scored[:, : len(kept)], scored[:, len(kept) :], data)

    def _check_classes(self, what: str) -> None:
        if self.is_regression:
            msg = f"the target `{self.target}` is a number, which has no {what}"
            raise SpecError(msg)

    def _added_names(self, *, probability: bool, leaf: bool, prefix: str) -> list[str]:
        shares = [f"probability_{name}" for name in self.classes] if probability else []
        return [f"{prefix}{name}" for name in ["prediction", *shares, *(["leaf_id"] * leaf)]]

    def _added(
        self, *, probability: bool, leaf: bool, votes: bool, prefix: str
    ) -> Iterator[pl.Expr]:
        """The added columns of a query; the probabilities are one struct."""
        yield self._expression("predict", "prediction", votes).alias(f"{prefix}prediction")
        if probability:
            shares = f"{prefix}probability_"
            fields = [f"{shares}{name}" for name in self.classes]
            answer = self._expression("predict_proba", "probabilities", votes)
            yield answer.struct.rename_fields(fields).alias(shares)
        if leaf:
            yield self._expression("leaf_id", "leaf_id").alias(f"{prefix}leaf_id")

    @overload
    def predict(self, data: None = ...) -> pl.Expr: ...
    @overload
    def predict(self, data: FrameLike) -> pl.Series: ...
    def predict(self, data: FrameLike | None = None) -> pl.Expr | pl.Series:
        """Make the expression `prediction`, of the target's dtype; or predict the rows of a frame.

        The expression is elementwise over the columns the model uses, so that a query streams and
        reads no other column.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table, optional
            Rows to predict at once.

        Returns
        -------
        Expr or Series
            A Series of the rows, if there are some.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> df.lazy().filter(tree.predict() == "b").collect()["x"].to_list()
        [3, 4]
        >>> tree.predict(df).to_list()
        ['a', 'a', 'b', 'b']
        """
        return self._answer("predict", "prediction", data)

    @overload
    def predict_proba(self, data: None = ...) -> pl.Expr: ...
    @overload
    def predict_proba(self, data: FrameLike) -> pl.Series: ...
    def predict_proba(self, data: FrameLike | None = None) -> pl.Expr | pl.Series:
        """Make the expression `probabilities`, or give the probabilities of a frame.

        It is a struct with a Float64 field per class.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> df.select(tree.predict_proba().struct.field("b")).to_series().to_list()
        [0.0, 0.0, 1.0, 1.0]
        """
        self._check_classes("class probabilities")
        return self._answer("predict_proba", "probabilities", data)

    def onnx_inputs(self, data: FrameLike) -> dict[str, NDArray[Any]]:
        """Turn the rows of a frame into the inputs of the model that `to_onnx` writes.

        They are what a session of ONNX Runtime takes: an array of shape `(rows, 1)` for each column
        the model uses, of the type its input has, and for each that is not of floats one more,
        `<column>__missing`. It takes NumPy, which `pip install numpy` brings.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            The rows. Columns may have the dtypes that `score` takes.

        Returns
        -------
        dict of str to ndarray
            The arrays, by the names of the inputs. What `score` answers to the rows is what the
            model answers to these.

        Raises
        ------
        DataError
            A column that is missing or of another dtype; a value that the type of an input does not
            hold exactly, such as 300 where the column was of Int8 in training.
        SpecError
            A model that `to_onnx` refuses.
        ImportError
            NumPy is not installed.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, None, 4], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> {name: values.tolist() for name, values in tree.onnx_inputs(df).items()}
        {'x': [[1], [2], [0], [4]], 'x__missing': [[False], [False], [True], [False]]}
        >>> import onnxruntime  # doctest: +SKIP
        >>> session = onnxruntime.InferenceSession(tree.to_onnx())  # doctest: +SKIP
        >>> session.run(["prediction"], tree.onnx_inputs(df))  # doctest: +SKIP
        [array(['a', 'a', 'b', 'b'], dtype=object)]
        """
        frame, used = as_frame(data), self.used_features
        present("feature of the model", used, frame.collect_schema())
        # The input of a model without rules is a feature all the same, for the number of rows.
        columns = columns_of(frame, used, () if used else self.features)
        inputs = call("onnx_inputs", {"rows": columns}, of=self._native)
        try:
            return {column.name: column.to_numpy().reshape(-1, 1) for column in inputs}
        except ImportError as error:
            msg = "onnx_inputs makes arrays of NumPy, which is not installed: pip install numpy"
            raise ImportError(msg) from error

    def _answer(
        self, function: str, name: str, data: FrameLike | None, votes: bool = False
    ) -> pl.Expr | pl.Series:
        answer = self._expression(function, name, votes)
        if data is None:
            return answer
        frame = as_frame(data)
        present("feature of the model", self.used_features, frame.collect_schema())
        self._check_dtypes(frame)
        return shown(frame.lazy().select(answer).collect().to_series(), data)

    def _expression(self, function: str, name: str, votes: bool = False) -> pl.Expr:
        used = self.used_features
        if not used:
            leaf = self._native.answer_of_no_rule(function, votes)
            answer = (
                pl.lit(leaf.item(), leaf.dtype)
                if leaf.dtype != pl.Struct
                else pl.struct(
                    pl.lit(share.item(), share.dtype).alias(share.name)
                    for share in leaf.struct.unnest()
                )
            )
            # An answer per row, as every model gives: a literal alone has one row.
            return pl.when(pl.first().is_null()).then(answer).otherwise(answer).alias(name)
        self._native.keep(self._hash)
        kwargs = {"hash": self._hash, "model": self._json, "names": used, "votes": votes}
        return plugin(function, *map(column, used), kwargs=kwargs, is_elementwise=True).alias(name)

    def evaluate(self, data: FrameLike, *, event: object = None) -> pl.DataFrame:
        """Compare the predictions with the target: accuracy, losses, areas, or RMSE, MAE and R².

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows with the target in them, which training had not seen.
        event : class, optional
            The class that `roc_auc` and `average_precision` are about; the rarer of two. With more
            they are means over the classes if it is not given.

        Returns
        -------
        DataFrame
            One row.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.evaluate(df)["accuracy"].item()
        1.0
        """
        options = eval_options({"event": event})
        return table("evaluate", self._labelled(data), options, of=self._native)

    def intervals(
        self,
        data: FrameLike,
        *,
        event: object = None,
        resamples: int = 1000,
        confidence: float = 0.95,
        seed: int = 0,
    ) -> pl.DataFrame:
        """Say how far the figures of `evaluate` would go if other rows of the same kind were drawn.

        Rows are drawn with replacement, as many as there are (the bootstrap, Efron 1979). What
        another fit would give it does not tell.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows with the target in them, which training had not seen.
        event : class, optional
            As of `evaluate`.
        resamples : int
            How often the rows are drawn; 10 or more.
        confidence : float
            The share of the draws between `low` and `high`.
        seed : int
            The same seed gives the same intervals.

        Returns
        -------
        DataFrame
            `figure`, `value`, `low`, `high`, a row for each figure; of classes also `event`, which
            the areas are about.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "b", "a", "b"]})
        >>> tree = gt.fit_tree(df, "y", gt.cart(max_depth=1)).tree
        >>> tree.intervals(df, resamples=100).filter(figure="accuracy").row(0)
        ('accuracy', 0.75, 0.25, 1.0, None)
        """
        options: dict[str, Any] = eval_options({"event": event})
        options["bootstrap"] = {
            "resamples": count("resamples", resamples),
            "confidence": finite("confidence", confidence),
            "seed": count("seed", seed, MOST_SEED),
        }
        return table("intervals", self._labelled(data), options, of=self._native)

    def by_class(self, data: FrameLike) -> pl.DataFrame:
        """List precision, recall, F1 and the areas of each class against the rest.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.by_class(df).select("class", "f1").rows()
        [('a', 1.0), ('b', 1.0)]
        """
        return table("by_class", self._labelled(data), of=self._native)

    def calibration(self, data: FrameLike, *, event: object = None, bins: int = 10) -> pl.DataFrame:
        """Compare the probabilities of a class with the shares that came true.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows with the target in them, which training had not seen.
        event : class, optional
            The class; the rarer of two. With more classes it has to be named.
        bins : int
            About how many bins of about as many rows each; rows of one probability share a bin.

        Returns
        -------
        DataFrame
            A row for each bin, by rising probability.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.calibration(df)["n"].to_list()
        [2, 2]
        """
        options = eval_options({"event": event, "bins": bins})
        return table("calibration", self._labelled(data), options, of=self._native)

    def thresholds(
        self,
        data: FrameLike,
        *,
        event: object = None,
        false_positive_cost: float = 1.0,
        false_negative_cost: float = 1.0,
    ) -> pl.DataFrame:
        """List what each threshold on the probability of a class would do, and what it costs.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows with the target in them, which training had not seen.
        event : class, optional
            The class; the rarer of two. With more classes it has to be named.
        false_positive_cost : float
            What a row costs that is taken for the event and is not.
        false_negative_cost : float
            What a row of the event costs that is not taken for it.

        Returns
        -------
        DataFrame
            A row for each threshold, from one that takes no row (infinity) to one that takes all,
            with precision, recall, lift and cost; `is_best` marks the one of least cost.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 1, 1, 1, 5, 5, 9, 9], "y": [0, 0, 0, 1, 0, 1, 1, 1]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> table = tree.thresholds(df, event=1, false_negative_cost=3)
        >>> table.filter("is_best").select("threshold", "precision", "recall", "cost").row(0)
        (0.5, 0.75, 0.75, 0.5)
        """
        options = eval_options(
            {
                "event": event,
                "false_positive_cost": false_positive_cost,
                "false_negative_cost": false_negative_cost,
            }
        )
        return table("thresholds", self._labelled(data), options, of=self._native)

    def confusion(self, data: FrameLike) -> pl.DataFrame:
        """Count the rows by actual and predicted class.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.confusion(df)["n"].to_list()
        [2, 0, 0, 2]
        """
        return table("confusion", self._labelled(data), of=self._native)

    def permutation_importance(
        self,
        data: FrameLike,
        *,
        loss: PermutationLoss | None = None,
        groups: Mapping[str, Columns] | None = None,
        repeats: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> pl.DataFrame:
        """Say how much worse the answers get where a feature's values are permuted among the rows.

        Each of several features that say the same may seem to matter little: make a group of them.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows with the target in them, which training had not seen.
        loss : {'brier', 'log_loss', 'roc_auc', 'error'}, optional
            How answers of classes are judged: by the squared error of the probabilities, the mean
            of `-ln p` of the row's own class, 1 less the area under the ROC curve, or the share of
            wrong predictions, which seldom changes where a class is rare. By default the Brier
            score. Numbers are judged by the squared error, and take no `loss`.
        groups : dict of name to columns, optional
            Features that are permuted together, as names or a Polars selector; others stand by
            themselves.
        repeats : int, optional
            How often each feature is permuted; 5 times.
        seed : int
            The same seed gives the same table.
        threads : int, optional
            Threads to work with.
        progress : bool or callable, optional
            Whether a bar on standard error shows how far the work is; if not given, at a terminal
            and in a notebook. A callable is given each `Stage`; what it raises ends the work.

        Returns
        -------
        DataFrame
            `rank`, `feature`, `importance`, `standard_error`, `z`, most important first. The
            importance is by how much the loss of the rows rises: a mean over the repeats, with its
            standard error; `z` is the mean in standard errors.

        Raises
        ------
        DataError
            As of `evaluate`, and a feature that the model does not know.
        SpecError
            A group of no feature, a feature in two of them, or a loss of classes where the target
            is a number.

        Warns
        -----
        GaintreeWarning
            Where no permuted feature changes an answer.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": range(20), "z": [0, 1] * 10, "y": ["a"] * 10 + ["b"] * 10})
        >>> table = gt.fit_tree(df, "y").tree.permutation_importance(df, seed=1)
        >>> table.select("feature", pl.col("importance").round(2)).rows()
        [('x', 0.56), ('z', 0.0)]
        """
        options = permutation_options(data, loss, groups, repeats, seed, threads)
        return self._importance("permutation_importance", data, options, progress)

    def _importance(
        self, verb: str, data: FrameLike, options: dict[str, Any], progress: Progress | None
    ) -> pl.DataFrame:
        rows = self._labelled(data)
        with stages(progress) as tell:
            importance: pl.DataFrame
            importance, note = call(verb, rows, options, of=self._native, tell=tell)
        warn_of([note] if note else [])
        return shown(importance)

    @options_shown(AllDriftOptions)
    def drift(
        self,
        reference: FrameLike,
        current: FrameLike,
        *,
        features: Columns | None = None,
        exclude: Excluded | None = None,
        **options: Unpack[AllDriftOptions],
    ) -> pl.DataFrame:
        """Compare two frames as `gaintree.drift` does, with the model's predictions and leaves.

        Parameters
        ----------
        reference, current : DataFrame, LazyFrame or Arrow table
            The rows to compare with, and the rows that may have moved.
        features, exclude : list of names, or a Polars selector
            The columns to compare, or not to compare; if not given, the ones the model uses.
        **options
            `ordered`, `nominal`, `intervals`, `target`, `alpha`, `threshold`, `full` and `threads`,
            as of `gaintree.drift`.

        Returns
        -------
        DataFrame
            The table of `gaintree.drift` of these columns, of the `prediction`, and of a
            tree of the `leaf_id` a row stops at.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> tree.drift(df, df.filter(pl.col("x") < 4))["feature"].to_list()
        ['x', 'prediction', 'leaf_id']
        """
        frames, used = (as_frame(reference), as_frame(current)), self.used_features
        for frame in frames:
            present("feature of the model", used, frame.collect_schema())
        given = drift_options({**options, "features": features, "exclude": exclude})
        if features is None:
            given["features"] = used
        # A model without rules has rows to score all the same.
        rows = used or [next(iter(frame.collect_schema()), "") for frame in frames]
        return table("drift", *sides(*frames, given, rows), of=self._native)

    def contributions(
        self,
        data: FrameLike,
        *,
        event: object = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> pl.DataFrame:
        """Say how much each feature contributes to the answer for each row: Shapley values.

        They are exact, by the path-dependent form (Lundberg, Erion & Lee 2018): where only some
        features are known, a row goes at a node that tests one of them where it goes in scoring,
        and at any other down every branch, by the branches' shares of the training weight. The base
        value and the contributions sum to the prediction. They say what the model answers, and not
        what causes what.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows to explain; they need no target.
        event : class, optional
            The class whose probability is explained; the rarer of two. With more classes it has to
            be named.
        threads : int, optional
            At most this many threads; one per processor.
        progress : bool or callable, optional
            Whether a bar on standard error shows how far the work is; if not given, at a terminal
            and in a notebook. A callable is given each `Stage`; what it raises ends the work.

        Returns
        -------
        DataFrame
            A row for each row, in order: of classes `event`, the one that is explained;
            `prediction`, its probability or the mean;
            `base_value`, the answer where no feature is known; and `contribution_<feature>` for
            each feature of the model.

        Raises
        ------
        DataError
            A used column that is absent or of another dtype.
        SpecError
            An event that is no class, or none of more than two.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 8, 8], "z": [1, 2, 1, 2], "y": [0.5, 0.5, 2.5, 3.5]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> tree.contributions(df).row(3)
        (3.5, 1.75, 1.375, 0.375)
        """
        rows, options = self._to_explain(data, event, threads)
        with stages(progress) as tell:
            answer = {"of": self._native, "rows": data, "tell": tell}
            return table("contributions", rows, options, **answer)

    def contribution_importance(
        self,
        data: FrameLike,
        *,
        event: object = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> pl.DataFrame:
        """Rank the features by how much they contribute to the answers for the rows of a frame.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows to explain, which count alike; they need no target.
        event : class, optional
            As of `contributions`.
        threads : int, optional
            At most this many threads; one per processor.
        progress
            As of `contributions`.

        Returns
        -------
        DataFrame
            `rank`, `feature` and `mean_absolute`, the mean of the absolute contributions, a row for
            each feature, the most important first; of classes also `event`.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 8, 9], "z": [1, 2, 1, 2], "y": [1.5, 1.5, 4.5, 4.5]})
        >>> gt.fit_tree(df, "y").tree.contribution_importance(df).rows()
        [(1, 'x', 1.5), (2, 'z', 0.0)]
        """
        rows, options = self._to_explain(data, event, threads)
        with stages(progress) as tell:
            return table("contribution_importance", rows, options, of=self._native, tell=tell)

    def interactions(
        self,
        data: FrameLike,
        *,
        event: object = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> pl.DataFrame:
        """Say how the features work together in the answer for each row, in pairs.

        They are SHAP's interaction values (Lundberg, Erion & Lee 2018), of models whose rules test
        at most 30 features. The base value and the interactions of a row sum to its prediction.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows to explain; they need no target.
        event : class, optional
            As of `contributions`.
        threads : int, optional
            At most this many threads; one per processor.
        progress
            As of `contributions`.

        Returns
        -------
        DataFrame
            `row`, counted from 0, `feature`, `other` and `interaction`, a line for each row and
            pair of features that rules test. A feature with itself has its main effect; a pair has
            both halves of the symmetric matrix. For classes a column `event` names the class.

        Raises
        ------
        SpecError
            As of `contributions`; more than 30 features.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0.5, 2.5, 2.5, 0.5]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> tree.interactions(df.head(1)).rows()
        [(0, 'a', 'a', 0.0), (0, 'a', 'b', -1.0), (0, 'b', 'b', 0.0)]
        """
        rows, options = self._to_explain(data, event, threads)
        with stages(progress) as tell:
            return table("interactions", rows, options, of=self._native, tell=tell)

    def waterfall(
        self, data: FrameLike, row: int, *, event: object = None, threads: int | None = None
    ) -> pl.DataFrame:
        """Say how the answer for one row comes about, feature by feature.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows. One of them is explained; they need no target.
        row : int
            The row to explain, counted from 0.
        event : class, optional
            As of `contributions`.
        threads : int, optional
            At most this many threads; one per processor.

        Returns
        -------
        DataFrame
            `feature`, `value` as text, `contribution`, and `answer`, the base value and all
            contributions so far. The first line is the base value, where no feature is known; then
            comes a line for each feature that rules test, by its absolute contribution, the most
            first. The last `answer` is the prediction. For classes a column `event` names the
            class.

        Raises
        ------
        SpecError
            As of `contributions`; a row that is not there.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 8, 8], "z": [1, 2, 1, 2], "y": [0.5, 0.5, 2.5, 3.5]})
        >>> gt.fit_tree(df, "y").tree.waterfall(df, 3).rows()
        [(None, None, None, 1.75), ('x', '8', 1.375, 3.125), ('z', '2', 0.375, 3.5)]
        """
        rows, options = self._to_explain(data, event, threads)
        return table("waterfall", rows, options, of=self._native, row=count("row", row))

    def contributions_svg(
        self,
        data: FrameLike,
        *,
        event: object = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Svg:
        """Draw how much each feature contributes to the answers for the rows of a frame.

        A line is one of the twenty features that contribute most: the contributions to the answers
        for the rows, lower to the left and higher to the right, in bins as high as their rows and
        coloured by their values, from the feature's low ones to its high ones. The picture does not
        grow with the rows.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows to explain; they need no target.
        event : class, optional
            As of `contributions`.
        threads : int, optional
            At most this many threads; one per processor.
        progress
            As of `contributions`.

        Returns
        -------
        Svg
            The picture.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 8, 9], "z": [1, 2, 1, 2], "y": [1.5, 1.5, 4.5, 4.5]})
        >>> gt.fit_tree(df, "y").tree.contributions_svg(df)[:4]
        '<svg'
        """
        rows, options = self._to_explain(data, event, threads)
        with stages(progress) as tell:
            return svg("contributions_svg", rows, options, of=self._native, tell=tell)

    def waterfall_svg(
        self, data: FrameLike, row: int, *, event: object = None, threads: int | None = None
    ) -> Svg:
        """Draw how the answer for one row comes about: the lines of `waterfall`.

        Parameters
        ----------
        data, row, event, threads
            As of `waterfall`.

        Returns
        -------
        Svg
            The picture. The fourteen largest contributions have a line of their own.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 8, 9], "z": [1, 2, 1, 2], "y": [1.5, 1.5, 4.5, 4.5]})
        >>> gt.fit_tree(df, "y").tree.waterfall_svg(df, 3)[:4]
        '<svg'
        """
        rows, options = self._to_explain(data, event, threads)
        return svg("waterfall_svg", rows, options, of=self._native, row=count("row", row))

    def _to_explain(
        self, data: FrameLike, event: object, threads: int | None
    ) -> tuple[Frames, dict[str, Any]]:
        """The rows without a target, and the options of contributions."""
        options = eval_options({"event": event}) | {"threads": threads_of(threads)}
        return self._used_rows(data), options

    def _used_rows(self, data: FrameLike) -> Frames:
        """The rows without a target."""
        frame = as_frame(data)
        schema = frame.collect_schema()
        present("feature of the model", self.used_features, schema)
        # A model without rules has rows to answer all the same.
        return {"rows": columns_of(frame, self.used_features or list(schema)[:1])}

    def _weights(self) -> list[str]:
        return [] if self._native.weight is None else [self._native.weight]

    def _labelled(self, data: FrameLike) -> Frames:
        return self._rows(data, self.used_features, self._weights())

    def _rows(self, data: FrameLike, needed: list[str], optional: Sequence[str] = ()) -> Frames:
        """The rows with the target and other columns."""
        frame = as_frame(data)
        schema = frame.collect_schema()
        present("target", [self.target], schema)
        present("feature of the model", needed, schema)
        return {"rows": columns_of(frame, [self.target, *needed], optional)}

    def _reference(self, data: FrameLike) -> Frames:
        """The reference rows with the features, which need no target."""
        frame = as_frame(data)
        present("feature of the model", self.used_features, frame.collect_schema())
        return {"reference": columns_of(frame, self.used_features, self.features)}

    def _answers(
        self,
        columns: list[pl.Series],
        *,
        probability: bool = False,
        leaf: bool = False,
        votes: bool = False,
        prefix: str = "",
        threads: int | None = None,
    ) -> pl.DataFrame:
        """The columns that scoring adds."""
        added: dict[str, Any]
        added = {"probability": probability, "leaf": leaf, "votes": votes, "prefix": prefix}
        options = {"threads": threads}
        answers: pl.DataFrame = call("score", {"rows": columns}, options, of=self._native, **added)
        return answers

    def to_json(self) -> str:
        """Write the model as JSON, byte for byte as the command line does.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> gt.Tree.from_json(tree.to_json()) == tree
        True
        """
        return self._json

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a model of JSON: a tree or a forest, as `Model`; else the kind it is called on.

        Raises
        ------
        ModelError
            A text that is no model, one of a later version, or a model of another kind.

        Examples
        --------
        >>> import gaintree as gt
        >>> gt.Tree.from_json("nonsense")
        Traceback (most recent call last):
        ...
        gaintree.errors.ModelError: ...
        """
        read = cls._native_type.from_json
        return cls._of(parsed(text, read, "a model", "it is no model"))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file, which appears whole or not at all.

        Raises
        ------
        FileError
            A file that cannot be written.

        Examples
        --------
        >>> import polars as pl, gaintree as gt, pathlib, tempfile
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tree.save(pathlib.Path(folder, "y.tree.json"))
        ...     gt.Tree.load(f"{folder}/y.tree.json") == tree
        True
        """
        self._native.save(path_of(path))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a model from a file: a tree or a forest, as `Model`; else the kind it is called on.

        Raises
        ------
        FileError
            A file that cannot be read.
        ModelError
            A file that is no model, one of a later version, or a model of another kind.

        Examples
        --------
        >>> import gaintree as gt
        >>> gt.Model.load("there is none.json")
        Traceback (most recent call last):
        ...
        gaintree.errors.FileError: ...
        """
        return cls._of(cls._native_type.load(path_of(path)))
