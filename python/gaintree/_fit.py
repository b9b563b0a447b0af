"""Fitting trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from html import escape
from typing import TYPE_CHECKING, Any

from gaintree import _gaintree
from gaintree._call import call
from gaintree._checks import memory_of, refuse, text
from gaintree._frames import prepared, reader_of, rows_of
from gaintree._holds_model import HoldsModel
from gaintree._notes import number_of, warn_of
from gaintree._options import PruneBy, TreeOptions, cv_options, options_shown
from gaintree._output import shown
from gaintree._progress import passes
from gaintree.specs import TreeSpec
from gaintree.tree import PruningCv, Tree

if TYPE_CHECKING:
    import polars as pl
    from typing_extensions import Unpack

    from gaintree._frames import FrameLike, Frames, RowsLike
    from gaintree._progress import PassProgress

__all__ = ["Fit", "cross_validate_pruning", "fit_tree"]


@dataclass(frozen=True)
class Fit(HoldsModel):
    """A fitted tree and what its features did.

    Attributes
    ----------
    tree : Tree
        The tree.
    importance : DataFrame
        Its feature importances, most important first.
    notes : list of str
        What to know about it, a sentence each: a target of many integers that was taken for classes
        (or of few whole floats for numbers), a feature that gives the target away, and which
        features are like ids (these are not looked for with `memory`). Each is a `GaintreeWarning`
        too.
    encode_time, grow_time : timedelta
        How long the parts took; zero of a fit with `memory`.
    report : dict
        Of a fit with `memory`: its passes, the bins and values that were looked at, the rows that
        were gathered, and the bytes that counts and gathered rows took. Empty otherwise.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> fit = gt.fit_tree(df, "y")
    >>> fit.importance.select("feature", "importance").rows()
    [('x', 1.0)]
    """

    _holds = "tree"

    tree: Tree
    importance: pl.DataFrame
    notes: list[str]
    encode_time: timedelta = timedelta(0)
    grow_time: timedelta = timedelta(0)
    report: dict[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<gaintree.Fit: {self.tree._native.headline()}{number_of(self.notes)}>"

    def __str__(self) -> str:
        notes = "".join(f"\nnote: {note}" for note in self.notes)
        return f"{self.tree}{notes}"

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>note: {escape(note)}</p>" for note in self.notes)
        return f"{self.tree._repr_html_()}{notes}"


@options_shown(TreeOptions)
def fit_tree(
    data: RowsLike,
    target: str,
    spec: TreeSpec | None = None,
    *,
    memory: int | str | None = None,
    progress: PassProgress | None = None,
    **options: Unpack[TreeOptions],
) -> Fit:
    """Fit a tree that predicts a target from the other columns.

    It works on the columns as they are: numbers of every width, dates, times, decimals, strings,
    categoricals, enums, booleans and nulls. Ctrl-C ends it.

    Parameters
    ----------
    data : DataFrame, LazyFrame, Arrow table, or paths of Parquet files
        The rows. Only the columns needed of a LazyFrame or of files are collected.
    target : str
        The column to predict: classes, or a number.
    spec : TreeSpec
        Of `cart` (which it is if not given), `c45` or `id3`.
    memory : int or str, optional
        Fit in this many bytes (or `"500MB"`, `"2GB"`): the rows of a LazyFrame or of files are read
        in batches, several times, so that they may be larger than memory. The tree is the same.
        What needs all rows at once is refused: fractional missing values and subtree raising,
        which `c45` has by default.
    progress : bool or callable, optional
        Of a fit with `memory`: whether standard error shows its passes; if not given, at a terminal
        and in a notebook. A callable is given each `Pass` before it begins; what it raises ends the
        fit.
    **options
        As of `cart`; they replace the spec's.

    Returns
    -------
    Fit
        The tree, its importances and notes.

    Raises
    ------
    DataError
        A column that does not exist or cannot serve, a target with nulls or of one class, or rows
        that change while they are read in batches.
    SpecError
        An option that cannot be, or a tree that may not fit in `memory`.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, None, 4], "c": ["r", "g", "r", "g"], "y": [0, 0, 1, 1]})
    >>> fit = gt.fit_tree(df, "y", gt.cart(max_depth=2))
    >>> fit.tree.n_leaves
    2
    >>> fit.tree.score(df)["prediction"].to_list()
    [0, 0, 1, 1]
    >>> gt.fit_tree(df, "y", max_depth=2).tree == fit.tree
    True

    Files that do not fit in memory give the same tree:

    >>> streamed = gt.fit_tree(df.lazy(), "y", gt.cart(max_depth=2), memory="1GB")
    >>> streamed.tree == fit.tree, streamed.report["passes"]
    (True, 2)
    """
    data = rows_of(data)
    if memory is not None:
        spec, budget = _checked(spec, options), memory_of("memory", memory)
        rows, resolved = reader_of(data, text("target", target), dict(spec.options))
        given = {"target": target, "algorithm": spec.algorithm, "memory": budget}
        with passes(progress) as tell:
            native, importance, notes, report = call(
                "fit_tree", {}, resolved, of=_gaintree.RowsInParts(rows), tell=tell, **given
            )
        warn_of(notes)
        return Fit(Tree(native), shown(importance), notes, report=dict(report))
    columns, fitted = _fitted_on(data, target, spec, options)
    native, importance, notes, (encode, grow) = call("fit_tree", columns, **fitted)
    warn_of(notes)
    return Fit(Tree(native), shown(importance), notes, encode, grow)


@options_shown(TreeOptions)
def cross_validate_pruning(
    data: FrameLike,
    target: str,
    spec: TreeSpec | None = None,
    *,
    folds: int = 10,
    one_standard_error: bool = True,
    prune_by: PruneBy = "error_rate",
    **options: Unpack[TreeOptions],
) -> PruningCv:
    """Fit a tree and prune it to the alpha that cross-validation chooses.

    The method is that of Breiman et al. (1984), section 3.4. It takes the time of `folds + 1`
    fits, and gives the same answer each time.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows.
    target : str
        The column to predict.
    spec : TreeSpec
        Its own pruning is put aside.
    folds : int
        Parts the rows are dealt into; each is held out once.
    one_standard_error : bool
        Choose the smallest tree whose error is within one standard error of the least.
    prune_by : 'error_rate', 'log_loss' or 'gini'
        What counts as an error: wrong classes (or squared errors of numbers), `-ln p` of the actual
        class, or the squared errors of the probabilities. Where a class is rare, hardly a split
        changes an answer, and by the error rate little is left of a tree.
    **options
        As of `cart`; they replace the spec's.

    Returns
    -------
    PruningCv
        The pruned tree, and a table of what each size of tree was worth.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": range(20), "y": ["a"] * 10 + ["b"] * 10})
    >>> gt.cross_validate_pruning(df, "y", folds=5).tree.n_leaves
    2
    """
    columns, fitted = _fitted_on(data, target, spec, options)
    cv = cv_options(folds, one_standard_error, prune_by)
    return PruningCv._of(*call("cross_validate_pruning", columns, **fitted, **cv))


def _fitted_on(
    data: FrameLike, target: str, spec: TreeSpec | None, options: TreeOptions
) -> tuple[Frames, dict[str, Any]]:
    """The rows to fit on, and what else verbs that fit trees take."""
    spec = _checked(spec, options)
    columns, resolved = prepared(data, text("target", target), dict(spec.options))
    fitted = {"options": resolved, "target": target, "algorithm": spec.algorithm}
    return {"rows": columns}, fitted


def _checked(spec: TreeSpec | None, options: TreeOptions | None = None) -> TreeSpec:
    spec = TreeSpec() if spec is None else spec
    if not isinstance(spec, TreeSpec):
        refuse("spec", spec, "a TreeSpec, as cart(…), c45(…) and id3(…) give")
    return TreeSpec(spec.algorithm, {**spec.options, **options}) if options else spec
