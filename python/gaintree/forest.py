"""A fitted forest, and how one is fitted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, overload

import polars as pl

from gaintree import _gaintree
from gaintree._call import call, table
from gaintree._checks import count, finite_numbers, known, switch, threads_of
from gaintree._code_options import MAX_CONDITIONS, code_options
from gaintree._fit import _fitted_on
from gaintree._forest_options import forest_options
from gaintree._frames import columns_of
from gaintree._holds_model import HoldsModel
from gaintree._notes import number_of, warn_of
from gaintree._options import TreeOptions, eval_options, options_shown, report_about
from gaintree._output import shown
from gaintree._permutation import permutation_options
from gaintree._progress import stages
from gaintree.code import Code
from gaintree.model import Model
from gaintree.pictures import Html, Svg
from gaintree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from typing_extensions import Unpack

    from gaintree._code_options import Language
    from gaintree._forest_options import MaxFeatures
    from gaintree._frames import ArrowStream, Columns, FrameLike
    from gaintree._permutation import PermutationLoss
    from gaintree._progress import Progress
    from gaintree.specs import TreeSpec

__all__ = ["Forest", "ForestFit", "OutOfBag", "error_curve_svg", "fit_forest"]


class Forest(Model):
    """A fitted forest: many trees on draws of the rows and features.

    Made by `fit_forest`, `Forest.load` or `Forest.from_json`. It does not change. It can be
    pickled, compared and printed.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> forest = gt.fit_forest(df, "y", trees=10, seed=1).forest
    >>> forest.n_trees
    10
    >>> forest.score(df)["prediction"].to_list()
    ['a', 'a', 'b', 'b']
    """

    _native: _gaintree.Forest
    _native_type = _gaintree.Forest
    _made_by = "a forest is made by fit_forest, Forest.load or Forest.from_json"

    @property
    def n_trees(self) -> int:
        """Number of trees.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_forest(df, "y", trees=10).forest.n_trees
        10
        """
        return self._native.n_trees

    def tree(self, number: int) -> Tree:
        """Give one of the trees, counted from 0.

        Raises
        ------
        SpecError
            A number that no tree has.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_forest(df, "y", trees=10).forest.tree(0).n_leaves
        2
        """
        return Tree(self._native.tree(count("number", number, self.n_trees - 1)))

    def importance(self) -> pl.DataFrame:
        """List what each feature did in the trees, most important first: a mean over the trees.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "z": [0] * 4, "y": ["a", "a", "b", "b"]})
        >>> forest = gt.fit_forest(df, "y", trees=10).forest
        >>> forest.importance().select("feature", "importance").rows()
        [('x', 1.0), ('z', 0.0)]
        """
        return shown(self._native.importance())

    @overload
    def to_onnx(self, *, votes: bool = False) -> bytes: ...
    @overload
    def to_onnx(self, path: str | PathLike[str], *, votes: bool = False) -> None: ...
    def to_onnx(
        self, path: str | PathLike[str] | None = None, *, votes: bool = False
    ) -> bytes | None:
        """Write the forest as an ONNX model, whose answers equal `score`'s.

        Inputs, outputs and errors are as for a tree's `Tree.to_onnx`, but for `leaf_id`.

        Parameters
        ----------
        path : path, optional
            The file to write, whole or not at all.
        votes : bool, default False
            Let each tree vote for one class, as `score(votes=True)` does.

        Returns
        -------
        bytes or None
            The model, if no path is given.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]})
        >>> model = gt.fit_forest(df, "y", trees=10, seed=1).forest.to_onnx()
        >>> isinstance(model, bytes)
        True
        """
        votes = switch("votes", votes)
        if path is None:
            return self._native.to_onnx(votes)
        self._native.save_onnx(path, votes)
        return None

    @overload
    def to_code(
        self,
        language: Language,
        *,
        name: str | None = ...,
        max_conditions: int = ...,
        votes: bool = ...,
    ) -> Code: ...
    @overload
    def to_code(
        self,
        language: Language,
        folder: str | PathLike[str],
        *,
        name: str | None = ...,
        max_conditions: int = ...,
        votes: bool = ...,
    ) -> None: ...
    def to_code(
        self,
        language: Language,
        folder: str | PathLike[str] | None = None,
        *,
        name: str | None = None,
        max_conditions: int = MAX_CONDITIONS,
        votes: bool = False,
    ) -> Code | None:
        """Write the forest as source code without a dependency, whose answers equal `score`'s.

        It is as a tree's `Tree.to_code` writes it, but for `leaf_id`.

        Parameters
        ----------
        language : {"c", "rust", "python"}
            The language.
        folder : path, optional
            Where to write `<name>.c`, `<name>.h` and `<name>_example.c`; without a header `.rs` and
            `.py`.
        name : str, optional
            What the files are called, and in C what public names begin with. The default is the
            name of the target.
        max_conditions : int, default 500
            Most tests, and levels that they name, of a model that is written as conditions, which
            people can read. A larger one is tables and a loop, which compilers take however large
            they are.
        votes : bool, default False
            Let each tree vote for one class, as `score(votes=True)` does.

        Returns
        -------
        Code or None
            The code, if no folder is given.

        Raises
        ------
        SpecError
            A model fitted with `missing="fractional"`; in C a level or a class with a NUL.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]})
        >>> code = gt.fit_forest(df, "y", trees=10, seed=1).forest.to_code("python")
        >>> "def probabilities(row: Row) -> tuple[float, ...]:" in code.source
        True
        """
        votes = switch("votes", votes)
        options = code_options(language, name, max_conditions)
        if folder is None:
            return Code(*self._native.to_code(options, votes))
        self._native.save_code(options, votes, folder)
        return None

    def to_code_test(
        self,
        language: Language,
        data: FrameLike,
        *,
        name: str | None = None,
        votes: bool = False,
    ) -> str:
        """Write rows, and what the model answers to them, as a test of its code.

        Parameters
        ----------
        language : {"c", "rust", "python"}
            The language.
        data : DataFrame, LazyFrame or Arrow table
            The rows. All of them are in the test. The used columns must have the dtypes of the
            training frame; text of any dtype will do for text, and floats and integers may be
            narrower or wider.
        name : str, optional
            The name that `to_code` was given.
        votes : bool, default False
            Let each tree vote for one class, as `score(votes=True)` does.

        Returns
        -------
        str
            A program that fails where an answer differs. In Rust it is a test of `rustc --test`, in
            Python one of pytest.

        Raises
        ------
        DataError
            A column that is missing or of another dtype; no rows.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]})
        >>> forest = gt.fit_forest(df, "y", trees=10, seed=1).forest
        >>> "predict(row) == PREDICTIONS[i]" in forest.to_code_test("python", df)
        True
        """
        columns = self._used_rows(data)["rows"]
        votes = switch("votes", votes)
        return self._native.to_code_test(code_options(language, name), votes, columns)

    def out_of_bag(self, data: FrameLike, *, votes: bool = False, event: object = None) -> OutOfBag:
        """Answer the rows the forest was fitted on, each by the trees that did not draw it.

        The draws are made again from the seed, also for a forest that was loaded.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            All the training rows, in their order, with the target in them.
        votes : bool
            As of `score`.
        event : class, optional
            As of `evaluate`.

        Returns
        -------
        OutOfBag
            Predictions and how good they are.

        Raises
        ------
        DataError
            Rows that the forest was not fitted on.
        SpecError
            A forest whose trees have all rows each.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> forest = gt.fit_forest(df, "y", trees=20, seed=1).forest
        >>> forest.out_of_bag(df).predictions.columns
        ['prediction', 'probability_a', 'probability_b', 'n_trees']
        """
        if switch("votes", votes):
            self._check_classes("votes")
        rows, options = self._labelled(data), eval_options({"event": event})
        answers = call("out_of_bag", rows, options, of=self._native, votes=votes)
        return OutOfBag._of(answers, data)

    def out_of_bag_quantiles(
        self,
        data: FrameLike,
        quantiles: Iterable[float],
        *,
        threads: int | None = None,
    ) -> pl.DataFrame:
        """Give quantiles of the target for the rows the forest was fitted on, out of bag.

        A tree gives each training row in the leaf of a row that it did not draw its share of the
        leaf's weight. The mean of these shares over the trees is a distribution of the target
        (Meinshausen 2006).

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            All the training rows, in their order, with the target in them.
        quantiles : iterable of float
            Each from 0, the least number, to 1, the greatest; 0.5 is the median.
        threads : int, optional
            Number of threads; Polars' own if not given.

        Returns
        -------
        DataFrame
            A row for each row: `quantile_<q>` for each quantile, the least number at which the
            distribution function reaches `q`, and `n_trees`, the number of trees that did not draw
            the row. Where there are none, the others are null. About 20 bytes of memory a row and
            tree are used.

        Raises
        ------
        DataError
            Rows that the forest was not fitted on.
        SpecError
            A forest of classes, or whose trees have all rows each; quantiles out of range.

        Examples
        --------
        Nine of ten numbers are in the interval.

        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": range(20), "y": [i / 2 for i in range(20)]})
        >>> forest = gt.fit_forest(df, "y", trees=100, seed=1).forest
        >>> forest.out_of_bag_quantiles(df, [0.05, 0.95]).columns
        ['quantile_0.05', 'quantile_0.95', 'n_trees']
        """
        wanted = finite_numbers("quantiles", quantiles)
        rows, options = self._labelled(data), {"threads": threads_of(threads)}
        answer = {"of": self._native, "rows": data, "quantiles": wanted}
        return table("out_of_bag_quantiles", rows, options, **answer)

    def out_of_bag_importance(
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
        """Give the permutation importance on the rows the forest was fitted on, out of bag.

        Each tree answers the rows that it did not draw, with their values and with a feature's
        values permuted among them (Breiman 2001).

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            All the training rows, in their order, with the target in them.
        loss, groups, seed, threads, progress
            As of `permutation_importance`.
        repeats : int, optional
            How often each feature is permuted for each tree; once.

        Returns
        -------
        DataFrame
            As of `permutation_importance`; the means and errors are over the trees.

        Raises
        ------
        DataError
            Rows that the forest was not fitted on.
        SpecError
            As of `permutation_importance`; a forest whose trees have all rows each.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": range(20), "z": [0, 1] * 10, "y": ["a"] * 10 + ["b"] * 10})
        >>> forest = gt.fit_forest(df, "y", trees=50, seed=1).forest
        >>> forest.out_of_bag_importance(df)["feature"].to_list()
        ['x', 'z']
        """
        options = permutation_options(data, loss, groups, repeats, seed, threads)
        return self._importance("out_of_bag_importance", data, options, progress)

    def report(
        self,
        data: FrameLike,
        *,
        event: object = None,
        row: int | None = None,
        source: str | None = None,
        reference: FrameLike | None = None,
        out_of_bag: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Html:
        """Write a page on the forest and rows with a target, as one HTML file without a network.

        Parameters
        ----------
        data, event, row, source, reference, threads, progress
            As of `Tree.report`. With more than two classes an event has to be named to see
            contributions.
        out_of_bag : bool
            Whether each row is judged by the trees that did not draw it: `data` are then all the
            training rows, in their order.

        Returns
        -------
        Html
            The page.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": range(40), "y": ["a"] * 20 + ["b"] * 20})
        >>> forest = gt.fit_forest(df, "y", trees=50, seed=1).forest
        >>> forest.report(df, out_of_bag=True)[:15]
        '<!DOCTYPE html>'
        """
        rows = self._rows(data, self.used_features, [*self._weights(), *self.features])
        about = report_about(event, row, source, threads)
        is_asked = switch("out_of_bag", out_of_bag)
        others = {} if reference is None else self._reference(reference)
        with stages(progress) as tell:
            given = {**about, "out_of_bag": is_asked, "tell": tell}
            return Html(call("report", {**rows, **others}, of=self._native, **given))

    def __repr__(self) -> str:
        return f"<gaintree.Forest: {self}>"

    def __str__(self) -> str:
        return self._native.headline()

    @overload
    def score(
        self,
        data: pl.LazyFrame,
        *,
        probability: bool = ...,
        votes: bool = ...,
        keep: Columns | None = ...,
        prefix: str = ...,
        threads: int | None = ...,
    ) -> pl.LazyFrame: ...
    @overload
    def score(
        self,
        data: pl.DataFrame | ArrowStream,
        *,
        probability: bool = ...,
        votes: bool = ...,
        keep: Columns | None = ...,
        prefix: str = ...,
        threads: int | None = ...,
    ) -> pl.DataFrame: ...
    def score(
        self,
        data: FrameLike,
        *,
        probability: bool = False,
        votes: bool = False,
        keep: Columns | None = None,
        prefix: str = "",
        threads: int | None = None,
    ) -> pl.DataFrame | pl.LazyFrame:
        """Add a column `prediction` of the target's dtype.

        It is the class of the highest probability, or the mean of the trees. For a LazyFrame it is
        a query that streams, and reads only the columns kept and used: files larger than memory are
        scored by `sink_parquet`.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            The rows. Columns the forest does not use are not looked at.
        probability : bool
            Add a column `probability_<class>` per class.
        votes : bool
            Let each tree vote for one class: probabilities are then shares of the votes, and else
            the means of the class shares in the leaves.
        keep : list of names, or a Polars selector
            The columns of the input to keep; all if not given, except columns of Arrow that Polars
            has no dtype for, which a warning names.
        prefix : str
            Put before the name of every added column.
        threads : int
            Threads to work with; a LazyFrame uses its query's.

        Returns
        -------
        DataFrame or LazyFrame
            As the input was.

        Raises
        ------
        DataError
            A used column that is absent or of another dtype, or an input that has an added column.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> forest = gt.fit_forest(df, "y", trees=20, seed=1).forest
        >>> forest.score(pl.DataFrame({"x": [0, 9]}), probability=True).columns
        ['x', 'prediction', 'probability_a', 'probability_b']
        >>> forest.score(df.lazy(), keep=[]).collect()["prediction"].to_list()
        ['a', 'a', 'b', 'b']
        """
        if switch("votes", votes):
            self._check_classes("votes")
        return self._score(
            data, probability=probability, votes=votes, keep=keep, prefix=prefix, threads=threads
        )


@dataclass(frozen=True)
class OutOfBag:
    """What a forest says of its training rows, each by the trees that did not draw it.

    It judges the forest as rows that are held out do, without holding any out (Breiman 1996).

    Attributes
    ----------
    predictions : DataFrame
        For each training row `prediction`, `probability_<class>` of each class, and `n_trees`, the
        number of trees that did not draw it. Where all drew it the others are null; of a row of
        weight 0 all are.
    evaluation : DataFrame or None
        How good the predictions are, as of `Model.evaluate`; None where no row has one.
    confusion : DataFrame or None
        As of `Model.confusion`; None where the target is a number.
    curve : DataFrame
        For each number of trees `n_trees` how far off the first ones are: `n_rows` that some of
        them did not draw, and of these `error`, the share that is predicted wrong, or `rmse` of
        numbers.
    always_drawn : int
        How many rows every tree drew: they have no prediction.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": range(40), "y": ["a"] * 20 + ["b"] * 20})
    >>> answers = gt.fit_forest(df, "y", trees=50, seed=1).out_of_bag
    >>> answers.evaluation["accuracy"].item()
    0.95
    >>> answers.curve.columns
    ['n_trees', 'n_rows', 'error']
    """

    predictions: pl.DataFrame
    evaluation: pl.DataFrame | None
    confusion: pl.DataFrame | None
    curve: pl.DataFrame
    always_drawn: int

    @classmethod
    def _of(cls, answers: Sequence[Any], rows: object) -> OutOfBag:
        predictions, *others = answers
        return cls(shown(predictions, rows), *map(shown, others))

    def __repr__(self) -> str:
        rows = len(self.predictions)
        return f"<gaintree.OutOfBag: {rows - self.always_drawn} of {rows} rows>"


@dataclass(frozen=True)
class ForestFit(HoldsModel):
    """A fitted forest and what its features did.

    Attributes
    ----------
    forest : Forest
        The forest.
    importance : DataFrame
        Its feature importances, most important first.
    out_of_bag : OutOfBag or None
        What it says of the training rows, each by the trees that did not draw it; None where each
        tree has all rows, and where it was not asked for.
    notes : list of str
        What to know about it, a sentence each. Each is a `GaintreeWarning` too.
    encode_time, grow_time, out_of_bag_time : timedelta
        How long the parts took.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> fit = gt.fit_forest(df, "y", trees=10)
    >>> fit.importance.select("feature", "importance").rows()
    [('x', 1.0)]
    """

    _holds = "forest"

    forest: Forest
    importance: pl.DataFrame
    out_of_bag: OutOfBag | None
    notes: list[str]
    encode_time: timedelta = timedelta(0)
    grow_time: timedelta = timedelta(0)
    out_of_bag_time: timedelta = timedelta(0)

    def __repr__(self) -> str:
        return f"<gaintree.ForestFit: {self.forest}{number_of(self.notes)}>"


def error_curve_svg(curve: pl.DataFrame) -> Svg:
    """Draw the error of a forest by its number of trees.

    Parameters
    ----------
    curve : DataFrame
        The `curve` of `OutOfBag`.

    Returns
    -------
    Svg
        The picture.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": range(40), "y": ["a"] * 20 + ["b"] * 20})
    >>> gt.error_curve_svg(gt.fit_forest(df, "y", trees=50).out_of_bag.curve)[:4]
    '<svg'
    """
    columns = columns_of(curve, ["n_trees"], ["error", "rmse"])
    return Svg(_gaintree.table_svg("error_curve", columns, ""))


@options_shown(TreeOptions)
def fit_forest(
    data: FrameLike,
    target: str,
    spec: TreeSpec | None = None,
    *,
    trees: int = 500,
    max_features: MaxFeatures = "auto",
    extra: bool = False,
    bootstrap: bool = True,
    sample_share: float = 1.0,
    seed: int = 0,
    out_of_bag: bool = True,
    progress: Progress | None = None,
    **options: Unpack[TreeOptions],
) -> ForestFit:
    """Fit a forest that predicts a target from the other columns: a random forest (Breiman 2001).

    With `extra` its trees are extremely randomised (Geurts, Ernst & Wehenkel 2006). The columns are
    taken as they are, and encoded once for all trees. The same seed gives the same forest, on any
    number of threads. Ctrl-C ends it.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns needed of a LazyFrame are collected.
    target : str
        The column to predict: classes, or a number.
    spec : TreeSpec
        How each tree is grown, of `cart` (which it is if not given), `c45` or `id3`. Trees of a
        forest are not pruned.
    trees : int
        Number of trees.
    max_features : int, float or 'auto'
        How many features a node looks at: a number, or a float that is a share of them. It is
        rounded down, to 1 at least; with auto the root of their number for classes, and a third of
        it for numbers. They are the first ones, in an order drawn for the node, that vary there.
    extra : bool
        Whether a node rates one split of each feature it looks at, which is drawn, in place of all:
        a cut between the least and the greatest value there, a level, or a set of levels.
    bootstrap : bool
        Whether the rows of a tree are drawn with replacement.
    sample_share : float
        The share of the rows that is drawn for a tree, above 0 and at most 1.
    seed : int
        What the draws are made of.
    out_of_bag : bool
        Whether to answer each row by the trees that did not draw it, which takes about as long as
        scoring the rows.
    progress : bool or callable, optional
        Whether a bar on standard error shows how far the work is; if not given, at a terminal and
        in a notebook. A callable is given each `Stage`; what it raises ends the work.
    **options
        As of `cart`; they replace the spec's.

    Returns
    -------
    ForestFit
        The forest, its importances, out-of-bag predictions and notes.

    Raises
    ------
    DataError
        As of `fit_tree`.
    SpecError
        An option that cannot be, as more features a node than there are, or pruning.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, None, 4], "c": ["r", "g", "r", "g"], "y": [0, 0, 1, 1]})
    >>> fit = gt.fit_forest(df, "y", trees=50, seed=1, min_samples_leaf=1)
    >>> fit.forest.n_trees, fit.importance["feature"].to_list()
    (50, ['x', 'c'])
    >>> again = gt.fit_forest(df, "y", trees=50, seed=1, threads=1)
    >>> again.forest == fit.forest
    True
    """
    drawn = forest_options(trees, max_features, extra, bootstrap, sample_share, seed)
    known(options, {*TreeOptions.__annotations__, *drawn, "out_of_bag", "progress"})
    columns, fitted = _fitted_on(data, target, spec, options)
    with stages(progress) as tell:
        answered = switch("out_of_bag", out_of_bag)
        native, importance, answers, notes, times = call(
            "fit_forest", columns, **fitted, forest=drawn, out_of_bag=answered, tell=tell
        )
    warn_of(notes)
    rows = None if answers is None else OutOfBag._of(answers, data)
    return ForestFit(Forest(native), shown(importance), rows, notes, *times)
