"""A fitted tree: what it says, how it scores, and smaller trees of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args, overload

import polars as pl

from gaintree import _gaintree
from gaintree._call import call, table
from gaintree._checks import choice, count, number, switch
from gaintree._code_options import MAX_CONDITIONS, code_options
from gaintree._explain import RowExplanation
from gaintree._frames import as_frame, present
from gaintree._holds_model import HoldsModel
from gaintree._notes import warn_of
from gaintree._options import PruneBy, cv_options, drift_options, event_of, report_about
from gaintree._output import shown
from gaintree._progress import stages
from gaintree._when_then import when_then_of
from gaintree.code import Code
from gaintree.model import Model
from gaintree.pictures import Html, Svg

if TYPE_CHECKING:
    from os import PathLike

    from gaintree._code_options import Language
    from gaintree._frames import ArrowStream, Columns, FrameLike, Frames
    from gaintree._progress import Progress

__all__ = ["PruningCv", "Tree"]

Dialect = Literal[
    "duckdb",
    "postgresql",
    "sqlite",
    "datafusion",
    "spark",
    "trino",
    "mysql",
    "sqlserver",
    "bigquery",
    "snowflake",
    "clickhouse",
]
Direction = Literal["down", "right"]


class Tree(Model):
    """A fitted tree.

    Made by `fit_tree`, `Tree.load` or `Tree.from_json`. It does not change; a pruning gives
    another tree. It can be pickled, compared and printed; a notebook shows it as a picture.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> tree = gt.fit_tree(df, "y").tree
    >>> tree
    <gaintree.Tree: CART tree of `y`: 3 nodes, 2 leaves, depth 1>
    >>> print(tree)
    CART tree of `y`: 3 nodes, 2 leaves, depth 1
    all rows: a (50.0 % of 4)
    ├─ x < 3: a (100.0 % of 2)
    └─ x >= 3: b (100.0 % of 2)
    """

    _native: _gaintree.Tree
    _native_type = _gaintree.Tree
    _made_by = "a tree is made by fit_tree, Tree.load or Tree.from_json"

    # What it is.

    def __repr__(self) -> str:
        return f"<gaintree.Tree: {self._native.headline()}>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_svg(compact=True)._repr_html_()

    def to_text(self, max_depth: int = 20, *, event: object = None) -> str:
        """Write the tree as text, to a depth.

        Each node has its class with the class's share. A node that predicts another class than
        the `event` has the share of the event too; without `event` that is the rarer of two
        classes, where it has at most a tenth of the rows.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.to_text(max_depth=0).splitlines()[1]
        'all rows: a (50.0 % of 4) …'
        """
        return self._native.to_text(count("max_depth", max_depth), event_of(event))

    def nodes(self) -> pl.DataFrame:
        """List the nodes: parent, depth, rule, rows, class counts, gain and more.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.nodes()["node_id"].to_list()
        [0, 1, 2]
        """
        return shown(self._native.nodes())

    def rules(self) -> pl.DataFrame:
        """List the leaves as rules: conditions, prediction, rows and shares.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.rules()["rule"].to_list()
        ['x < 3', 'x >= 3']
        """
        return shown(self._native.rules())

    def importance(self) -> pl.DataFrame:
        """List what each feature did, most important first.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.importance().select("feature", "importance").rows()
        [('x', 1.0)]
        """
        return shown(self._native.importance())

    # Scoring.

    @overload
    def score(
        self,
        data: pl.LazyFrame,
        *,
        probability: bool = ...,
        leaf: bool = ...,
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
        leaf: bool = ...,
        keep: Columns | None = ...,
        prefix: str = ...,
        threads: int | None = ...,
    ) -> pl.DataFrame: ...
    def score(
        self,
        data: FrameLike,
        *,
        probability: bool = False,
        leaf: bool = False,
        keep: Columns | None = None,
        prefix: str = "",
        threads: int | None = None,
    ) -> pl.DataFrame | pl.LazyFrame:
        """Add a column `prediction` of the target's dtype.

        For a LazyFrame it is a query that streams, and reads only the columns kept and used: files
        larger than memory are scored by `sink_parquet`.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            The rows. Columns the tree does not use are not looked at.
        probability : bool
            Add a column `probability_<class>` per class.
        leaf : bool
            Add a column `leaf_id` of the node each row stops at.
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
        >>> tree = gt.fit_tree(df, "y").tree
        >>> tree.score(pl.DataFrame({"x": [0, 9]}), probability=True).row(1)
        (9, 'b', 0.0, 1.0)
        >>> tree.score(df.lazy(), keep=[]).collect()["prediction"].to_list()
        ['a', 'a', 'b', 'b']
        """
        return self._score(
            data, probability=probability, leaf=leaf, keep=keep, prefix=prefix, threads=threads
        )

    @overload
    def leaf_id(self, data: None = ...) -> pl.Expr: ...
    @overload
    def leaf_id(self, data: FrameLike) -> pl.Series: ...
    def leaf_id(self, data: FrameLike | None = None) -> pl.Expr | pl.Series:
        """Make the expression `leaf_id`, the node each row stops at, or give a frame's nodes.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> df.select(gt.fit_tree(df, "y").tree.leaf_id()).to_series().to_list()
        [1, 1, 2, 2]
        """
        return self._answer("leaf_id", "leaf_id", data)

    # Rows.

    def candidates(self, data: FrameLike, node: int = 0) -> pl.DataFrame:
        """List every feature's best split at a node, best first: why it split as it did.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "z": [1, 2, 1, 2], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> tree.candidates(df).select("feature", "gain").rows()
        [('x', 0.5), ('z', 0.0)]
        """
        node = count("node", node)
        return table("candidates", self._training_rows(data), of=self._native, node=node)

    def explain_row(self, data: FrameLike, row: int = 0) -> RowExplanation:
        """Say why the tree answers what it answers for one row, and what would change that.

        `path` leads from the root to the row's leaf: the probability at the root (or the mean) and
        the changes of all steps sum to that of the leaf (Saabas 2014, "Interpreting random
        forests"). `changes` has the leaves of another prediction, at most ten: which conditions of
        their rules the row fails, the fewest features first, then the most training rows. Where the
        target is a number they are the first five of a lower mean and the first five of a higher.
        They say what the tree would answer, not what would happen in the world.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows with the columns that the rules use; the target need not be there.
        row : int
            Which of them, from 0.

        Returns
        -------
        RowExplanation
            It prints as lines of text.

        Raises
        ------
        SpecError
            A row that there is not.
        DataError
            A used column that is absent or of another dtype.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> why = gt.fit_tree(df, "y").tree.explain_row(df, 3)
        >>> why.prediction, why.probability, why.leaf_id
        ('b', 1.0, 2)
        >>> why.path.select("condition", "change").rows()
        [(None, None), ('x >= 3', 0.5)]
        >>> why.changes.select("n_features", "change", "prediction").rows()
        [(1, 'x < 3', 'a')]
        """
        row, rows = count("row", row), self._used_rows(data)
        answer, *_ = explained = call("explain_row", rows, of=self._native, row=row)
        return RowExplanation(answer.item(), *map(shown, explained[1:]))

    def drift_from_training(
        self,
        current: FrameLike,
        *,
        intervals: int = 10,
        alpha: float = 0.05,
        threshold: float = 0.1,
        full: bool = False,
        threads: int | None = None,
    ) -> pl.DataFrame:
        """Compare a frame with the rows that the tree was fitted on, as far as it knows of them.

        Parameters
        ----------
        current : DataFrame, LazyFrame or Arrow table
            The rows that may have moved. Only the columns used of a LazyFrame are collected.
        intervals : int
            The bins of a prediction that is a number: this many intervals of as many training rows
            each.
        alpha, threshold, full
            As of `gaintree.drift`.
        threads : int
            Threads to work with; without it, Polars' number.

        Returns
        -------
        DataFrame
            The table of `gaintree.drift` of the `prediction`, and of the `leaf_id` a row stops at:
            the lines that `drift` of the training rows and the frame has of these.

        Raises
        ------
        DataError
            A used column that is absent or of another dtype, or no rows.
        ModelError
            A tree that shared out training rows among several leaves (`missing="fractional"`).

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> moved = tree.drift_from_training(df.filter(pl.col("x") > 1), full=True)
        >>> moved.select("feature", "n_reference", "n_current").rows()
        [('prediction', 4, 3), ('leaf_id', 4, 3)]
        """
        given = drift_options(
            {
                "intervals": intervals,
                "alpha": alpha,
                "threshold": threshold,
                "full": full,
                "threads": threads,
            }
        )
        columns = self._used_rows(current)["rows"]
        return table("drift_from_training", {"current": columns}, given, of=self._native)

    def report(
        self,
        data: FrameLike,
        *,
        event: object = None,
        row: int | None = None,
        source: str | None = None,
        beside: FrameLike | None = None,
        reference: FrameLike | None = None,
        against: Tree | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Html:
        """Write a page on the tree and rows with a target, as one HTML file without a network.

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            Rows with the target in them, best ones that training had not seen.
        event : class, optional
            The class that colours, curves and thresholds are about; the rarer of two.
        row : int
            The row to explain, counted from 0 (the page says from 1); the row of most loss.
        source : str
            What the rows are called, as the file they are from.
        beside : DataFrame, LazyFrame or Arrow table
            Other rows with the target, such as the training rows: the page shows the figures of
            both, and how far their columns are apart.
        reference : DataFrame, LazyFrame or Arrow table
            Rows that these may have moved from, such as the training rows; they need no target: the
            page shows how far the features, the predictions and the leaves are from theirs.
        against : Tree
            Another tree of the same target: the page shows both trees' figures on these rows, and
            how many rows each alone predicts correctly.
        threads : int
            At most this many threads; one per processor.
        progress : bool or callable, optional
            Whether a bar on standard error shows how far the work is; if not given, at a terminal
            and in a notebook. A callable is given each `Stage`; what it raises ends the work.

        Returns
        -------
        Html
            The page.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.report(df)[:15]
        '<!DOCTYPE html>'
        """
        optional = [*self._weights(), *self.features]
        others = [] if against is None else against.used_features
        frames = self._rows(data, self.used_features, optional + others)
        if beside is not None:
            frames["beside"] = self._rows(beside, self.used_features, optional)["rows"]
        if reference is not None:
            frames |= self._reference(reference)
        about = report_about(event, row, source, threads)
        other = None if against is None else against.to_json()
        with stages(progress) as tell:
            return Html(call("report", frames, of=self._native, **about, against=other, tell=tell))

    def _training_rows(self, data: FrameLike) -> Frames:
        """All that a fit needs."""
        frame = as_frame(data)
        present("weight", self._weights(), frame.collect_schema())
        return self._rows(frame, self.features, self._weights())

    # Prunings.

    def prune_cost_complexity(self, alpha: float) -> Tree:
        """Prune by cost-complexity (Breiman et al. 1984) with this alpha.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.prune_cost_complexity(1.0).n_leaves
        1
        """
        return Tree(self._native.prune_cost_complexity(number("alpha", alpha)))

    def cost_complexity_path(self) -> pl.DataFrame:
        """List the alphas of the cost-complexity sequence, and the tree that each gives.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.cost_complexity_path().select("alpha", "leaves").rows()
        [(0.0, 2), (0.5, 1)]
        """
        return shown(self._native.cost_complexity_path())

    def prune_to_leaves(self, n: int) -> Tree:
        """Prune to the largest tree of the cost-complexity sequence with at most `n` leaves.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.prune_to_leaves(1).n_leaves
        1
        """
        return Tree(self._native.prune_to_leaves(count("n", n)))

    def prune_pessimistic(self, confidence: float = 0.25) -> Tree:
        """Prune by the pessimistic errors of C4.5 (Quinlan 1993).

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": range(9), "y": ["a", "b", "a", "a", "a", "a", "a", "a", "a"]})
        >>> gt.fit_tree(df, "y").tree.prune_pessimistic().n_leaves
        1
        """
        return Tree(self._native.prune_pessimistic(number("confidence", confidence)))

    def prune_reduced_error(self, data: FrameLike, *, prune_by: PruneBy = "error_rate") -> Tree:
        """Prune where rows that were held out are told no worse (Quinlan 1987).

        Parameters
        ----------
        data : DataFrame, LazyFrame or Arrow table
            The rows that were held out. They weigh as in fitting: by the column of that name, and
            by their class.
        prune_by : 'error_rate', 'log_loss' or 'gini'
            What counts: wrong classes (or squared errors of numbers), `-ln p` of the actual class,
            or the squared errors of the probabilities. Where a class is rare, hardly a split
            changes an answer, and by the error rate little is left of a tree.

        Returns
        -------
        Tree
            The pruned tree. A `GaintreeWarning` says so if it is one leaf.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.prune_reduced_error(df).n_leaves
        2
        """
        by, rows = choice("prune_by", prune_by, get_args(PruneBy)), self._labelled(data)
        native, note = call("prune_reduced_error", rows, of=self._native, prune_by=by)
        warn_of([note] if note else [])
        return Tree(native)

    def prune_cross_validated(
        self,
        data: FrameLike,
        *,
        folds: int = 10,
        one_standard_error: bool = True,
        prune_by: PruneBy = "error_rate",
    ) -> PruningCv:
        """Prune to the alpha that cross-validation over the rows it was fitted on chooses.

        The options are the same as for `cross_validate_pruning`.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": range(20), "y": ["a"] * 10 + ["b"] * 10})
        >>> gt.fit_tree(df, "y").tree.prune_cross_validated(df, folds=5).cv["chosen"].to_list()
        [True, False]
        """
        cv = cv_options(folds, one_standard_error, prune_by)
        rows = self._training_rows(data)
        return PruningCv._of(*call("prune_cross_validated", rows, of=self._native, **cv))

    # Model files and exports.

    def to_sql(self, dialect: Dialect = "duckdb") -> str:
        """Write the prediction as an SQL expression, whose answers equal `score`'s.

        It names the columns that the tree uses, and no table. With `missing="error"` a row with a
        missing value in one of them gets null. `to_sql_select` says what the SQL is of.

        Parameters
        ----------
        dialect : str
            The engine: `"duckdb"`, `"postgresql"`, `"sqlite"`, `"datafusion"`, `"spark"`,
            `"trino"`, `"mysql"` (MariaDB too), `"sqlserver"`, `"bigquery"`, `"snowflake"` or
            `"clickhouse"`.

        Returns
        -------
        str
            A `CASE` of the class, as a value of the target's dtype, or of the mean.

        Raises
        ------
        SpecError
            A tree fitted with `missing="fractional"` or of more than 50,000 leaves; a name, a level
            or a cut that the engine cannot hold.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> sql = gt.fit_tree(df, "y").tree.to_sql("duckdb")
        >>> sql.startswith("CASE")
        True
        """
        return self._native.to_sql(choice("dialect", dialect, get_args(Dialect)))

    def to_sql_probabilities(self, dialect: Dialect = "duckdb") -> list[str]:
        """Write the probability of each class as an SQL expression, in class order.

        Parameters
        ----------
        dialect : str
            As in `to_sql`.

        Returns
        -------
        list of str
            As many expressions as classes.

        Raises
        ------
        SpecError
            As `to_sql`, and a numeric target.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> len(gt.fit_tree(df, "y").tree.to_sql_probabilities("sqlite"))
        2
        """
        return self._native.to_sql_probabilities(choice("dialect", dialect, get_args(Dialect)))

    def to_sql_leaf_id(self, dialect: Dialect = "duckdb") -> str:
        """Write the id of the node that a row ends at as an SQL expression.

        Parameters
        ----------
        dialect : str
            As in `to_sql`.

        Returns
        -------
        str
            A `CASE` of the `leaf_id` that `score` gives.

        Raises
        ------
        SpecError
            As `to_sql`.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> print(gt.fit_tree(df, "y").tree.to_sql_leaf_id("sqlite"))
        CASE
          WHEN `x` IS NULL OR `x` >= 3 THEN 2
          ELSE 1
        END
        """
        return self._native.to_sql_leaf_id(choice("dialect", dialect, get_args(Dialect)))

    def to_sql_select(
        self, dialect: Dialect = "duckdb", *, probability: bool = False, leaf: bool = False
    ) -> str:
        """Write the select list of a query that scores, with what the model is on top.

        Parameters
        ----------
        dialect : str
            As in `to_sql`.
        probability : bool, optional
            Add a column `probability_<class>` for each class.
        leaf : bool, optional
            Add a column `leaf_id`.

        Returns
        -------
        str
            A comment of what the model is, the SHA-256 of its model file, gaintree's version and
            what becomes of missing values and absent levels; then the columns.

        Raises
        ------
        SpecError
            As `to_sql`, and probabilities of a numeric target.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> select = gt.fit_tree(df, "y").tree.to_sql_select("postgresql", leaf=True)
        >>> query = f"SELECT {select} FROM rows"
        >>> query.startswith("SELECT /* A tree of 3 nodes that predicts `y`")
        True
        """
        return self._native.to_sql_select(
            choice("dialect", dialect, get_args(Dialect)),
            switch("probability", probability),
            switch("leaf", leaf),
        )

    @overload
    def to_onnx(self) -> bytes: ...
    @overload
    def to_onnx(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes | None:
        """Write the tree as an ONNX model (`ai.onnx.ml` 5), whose answers equal `score`'s.

        Each used column is an input of shape `[rows, 1]` by its name: numbers, booleans and text of
        their own type; dates as int32 days, times and decimals as int64, as `to_physical` gives
        them. NaN is missing in a float column. Any other has a Boolean input `<column>__missing`,
        which may be left out where the training rows had no missing value. `onnx_inputs` makes them
        of a frame.

        Parameters
        ----------
        path : path, optional
            The file to write, whole or not at all.

        Returns
        -------
        bytes or None
            The model, if no path is given. Its outputs are `prediction`, `probabilities` (of a
            class target, in class order) and `leaf_id`. With `missing="error"` a run with a missing
            value fails.

        Raises
        ------
        SpecError
            A tree fitted with `missing="fractional"`, or one that asks thousands of tests of a row;
            a used column that is ordered by text, of 128-bit integers, or cut at 2^53 or beyond
            (cast times to a coarser unit); a column that is named like an output.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "b"]})
        >>> tree = gt.fit_tree(df, "y").tree
        >>> model = tree.to_onnx()
        >>> import onnxruntime  # doctest: +SKIP
        >>> session = onnxruntime.InferenceSession(model)  # doctest: +SKIP
        >>> session.run(["prediction"], tree.onnx_inputs(df))  # doctest: +SKIP
        [array(['a', 'a', 'b', 'b'], dtype=object)]
        """
        if path is None:
            return self._native.to_onnx()
        self._native.save_onnx(path)
        return None

    @overload
    def to_code(
        self, language: Language, *, name: str | None = ..., max_conditions: int = ...
    ) -> Code: ...
    @overload
    def to_code(
        self,
        language: Language,
        folder: str | PathLike[str],
        *,
        name: str | None = ...,
        max_conditions: int = ...,
    ) -> None: ...
    def to_code(
        self,
        language: Language,
        folder: str | PathLike[str] | None = None,
        *,
        name: str | None = None,
        max_conditions: int = MAX_CONDITIONS,
    ) -> Code | None:
        """Write the tree as source code without a dependency, whose answers equal `score`'s.

        It has a `Row` (in C `<name>_row`) of the used columns, and the functions `predict`,
        `probabilities` (of a class target, in class order) and `leaf_id` of a row. Dates, times and
        decimals are integers, as `to_physical` gives them. Missing is NaN, None, NULL or in C a
        flag `<column>_missing`. With `missing="error"` a missing value fails an assertion, or
        raises a `ValueError`.

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
        >>> code = gt.fit_tree(df, "y").tree.to_code("c", name="sides")
        >>> "const char *sides_predict(const struct sides_row *row);" in code.header
        True
        """
        options = code_options(language, name, max_conditions)
        if folder is None:
            return Code(*self._native.to_code(options))
        self._native.save_code(options, folder)
        return None

    def to_code_test(self, language: Language, data: FrameLike, *, name: str | None = None) -> str:
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
        >>> test = gt.fit_tree(df, "y").tree.to_code_test("rust", df)
        >>> "model::predict(row) == PREDICTIONS[i]" in test
        True
        """
        columns = self._used_rows(data)["rows"]
        return self._native.to_code_test(code_options(language, name), columns)

    def to_when_then(self) -> pl.Expr:
        """Write the prediction in plain Polars expressions, which need no gaintree where they run.

        They evaluate every node for every row, so `predict` is faster. The columns must have the
        dtypes the tree was fitted on; text of any dtype will do for text.

        Returns
        -------
        pl.Expr
            The prediction, named `prediction`.

        Raises
        ------
        SpecError
            A tree of more than 1,000 nodes or deeper than 50, or one fitted with
            `missing="fractional"` or `"error"`.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, None], "y": ["a", "a", "b", "b"]})
        >>> plain = gt.fit_tree(df, "y").tree.to_when_then()
        >>> df.select(plain)["prediction"].to_list()
        ['a', 'a', 'b', 'b']
        """
        return when_then_of(self._native.when_then_steps())

    def to_dot(self, max_depth: int = 20) -> str:
        """Write the tree for Graphviz.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.to_dot()[:7]
        'digraph'
        """
        return self._native.to_dot(count("max_depth", max_depth))

    def to_svg(
        self,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        direction: Direction | None = None,
        *,
        event: object = None,
        compact: bool = False,
    ) -> Svg:
        """Draw the tree as an SVG picture.

        Parameters
        ----------
        max_depth : int
            Nodes below this depth are folded.
        max_leaves : int
            At most this many leaves and folded subtrees are shown, the splits that gain most first;
            32, or no limit where a `max_depth` is given.
        direction : 'down' or 'right', optional
            Which way it grows; down where that is no wider than a page, else to the right.
        event : class, optional
            The class that the picture is about; the rarer of two. A node's bar is the class's
            share, the colours are its lift: how many times as frequent it is as in all rows.
            Without an event, each of more classes has a colour.
        compact : bool
            Whether a node has two lines instead of four.

        Returns
        -------
        Svg
            The picture.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.to_svg()[:4]
        '<svg'
        """
        options = _picture(max_depth, max_leaves, direction, event, compact)
        return Svg(self._native.to_svg(options))

    def to_html(
        self,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        direction: Direction | None = None,
        *,
        event: object = None,
        compact: bool = False,
    ) -> Html:
        """Write the tree as a page: its picture, the tree to fold and search, and its rules.

        The options are the same as for [`to_svg`][gaintree.Tree.to_svg]. `report` adds what rows
        say.

        Returns
        -------
        Html
            The page, one HTML file without a network.

        Examples
        --------
        >>> import polars as pl, gaintree as gt
        >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> gt.fit_tree(df, "y").tree.to_html()[:15]
        '<!DOCTYPE html>'
        """
        options = _picture(max_depth, max_leaves, direction, event, compact)
        return Html(self._native.to_html(options))


def _picture(
    max_depth: int | None,
    max_leaves: int | None,
    direction: Direction | None,
    event: object,
    compact: bool,
) -> tuple[int | None, int | None, str | None, str | None, bool]:
    """The options of a tree's picture, checked."""
    return (
        None if max_depth is None else count("max_depth", max_depth),
        None if max_leaves is None else count("max_leaves", max_leaves),
        None if direction is None else choice("direction", direction, get_args(Direction)),
        event_of(event),
        switch("compact", compact),
    )


@dataclass(frozen=True)
class PruningCv(HoldsModel):
    """A tree pruned by cross-validation, and what that saw.

    Attributes
    ----------
    tree : Tree
        The tree of all rows, pruned to the chosen alpha.
    cv : DataFrame
        A line for each subtree of the sequence: alpha, leaves, mean error, standard error, chosen.
    notes : list of str
        What to know about it, a sentence each. Each is a `GaintreeWarning` too.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": range(20), "y": ["a"] * 10 + ["b"] * 10})
    >>> gt.cross_validate_pruning(df, "y", folds=5).cv["leaves"].to_list()
    [2, 1]
    """

    _holds = "tree"

    tree: Tree
    cv: pl.DataFrame
    notes: list[str]

    @classmethod
    def _of(cls, native: _gaintree.Tree, cv: pl.DataFrame, notes: list[str]) -> PruningCv:
        warn_of(notes)
        return cls(Tree(native), shown(cv), notes)
