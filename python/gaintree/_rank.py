"""Rankings of features by what they tell about a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polars import selectors as cs

from gaintree import _gaintree
from gaintree._call import svg, table
from gaintree._checks import memory_of, text
from gaintree._frames import columns_of, prepared, reader_of, rows_of
from gaintree._options import (
    RankOptions,
    chance_options,
    options_shown,
    rank_options,
    ranking_options,
)
from gaintree._progress import stages
from gaintree.pictures import Svg

if TYPE_CHECKING:
    import polars as pl
    from typing_extensions import Unpack

    from gaintree._frames import Columns, Excluded, FrameLike, Frames, RowsLike
    from gaintree._options import Cuts, LogBase, RankMissing, SortBy, Task
    from gaintree._progress import Progress

__all__ = [
    "curve_svg",
    "mdl_cuts",
    "mdl_cuts_by_feature",
    "rank_gain",
    "ranking_svg",
    "split_candidates",
]


def rank_gain(
    data: RowsLike,
    target: str,
    *,
    by: Columns = (),
    given: Columns = (),
    features: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    task: Task = "auto",
    weight: str | None = None,
    log_base: LogBase = 2,
    missing: RankMissing = "known",
    cuts: Cuts = "best",
    sort_by: SortBy = "info_gain",
    full: bool = False,
    chance: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """Rank features by what they tell about a target, best first.

    Parameters
    ----------
    data : DataFrame, LazyFrame, Arrow table, or paths of Parquet files
        The rows. Only the columns needed of a LazyFrame or of files are collected.
    target : str
        The column to tell: classes, or a number.
    by : name, list of names, or a Polars selector
        Columns that group the rows; features are then ranked within each group.
    given : name, list of names, or a Polars selector
        Columns that are known already: features are ranked by `gain_given`, what they tell beyond
        these, which is their conditional information gain.
    features, exclude : list of names, or a Polars selector
        The columns to rank, or not to rank; `exclude` may be a table of `screen`, for the columns
        that it says to leave out. All others but the target, the weight, the groups and the given
        ones.
    ordered, nominal : list of names, or a Polars selector
        Features taken as of the other kind: an integer code as nominal, a graded enum as ordered.
    task : {'auto', 'classify', 'regress'}
        Whether the target is classes or a number. With auto, floats and decimals are numbers.
    weight : str
        A column of non-negative weights.
    log_base : {2, 'e'}
        Entropies in bits or nats.
    missing : {'known', 'own_level'}
        Rate over the rows whose value is known, or count missing as one more level.
    cuts : {'best', 'mdl'}
        Rate an ordered feature by its best cut, or by all cuts that the minimum description
        length allows.
    sort_by : {'info_gain', 'gain_ratio', 'gini_gain', 'symmetric_uncertainty', 'information_value'}
        What the ranking goes by. Beside given columns it goes by `gain_given`. The information
        value is that of the bins that `woe_bins` makes by default, for a target of two classes and
        without groups; it is a column of its own.
    full : bool
        Whether the table has all its columns: entropies, split info, cuts, thresholds and more.
    chance : int, optional
        Say what chance alone would have gained, by at most this many permutations of the target:
        columns `expected_gain`, `adjusted_gain`, `p_value` and `q_value`. 200 are usual; the
        least p-value is `1 / (chance + 1)`. They are of the feature's own gain, also beside given
        columns.
    seed : int
        Permute by this seed: the same one gives the same figures.
    threads : int
        Threads to work with; without it, Polars' number.
    memory : int or str, optional
        Rank in this many bytes (or `"500MB"`, `"2GB"`): a few columns of a LazyFrame or of files
        are collected at a time, so that they may be larger than memory. Where one column alone has
        no room, all are counted in several passes. The table is the same.
    progress : bool or callable, optional
        Whether a bar on standard error shows how far the work is; if not given, at a terminal and
        in a notebook. A callable is given each `Stage`; what it raises ends the work.

    Returns
    -------
    DataFrame
        A line per feature, or per group and feature: `rank`, `feature`, the figure it goes by,
        `kind`, `n_missing`, the other gains, the best `rule` and a `note`. That of groups, chance
        and given columns comes with them. `full` adds all that is known.

    Raises
    ------
    DataError
        A column that does not exist, or a target with nulls or of one class.
    SpecError
        An option that cannot be.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame(
    ...     {"x": [1, 2, 3, 4], "s": ["n", "s", "n", "s"], "y": ["a", "a", "b", "b"]}
    ... )
    >>> gt.rank_gain(df, "y").select("rank", "feature", "info_gain", "rule").rows()
    [(1, 'x', 1.0, 'x >= 3'), (2, 's', 0.0, 's == n')]
    >>> gt.rank_gain(df, "y", full=True).select("feature", "entropy", "threshold").rows()
    [('x', 1.0, 3.0), ('s', 1.0, None)]
    >>> gt.rank_gain(df.lazy(), "y", by="s").select("s", "feature", "info_gain").rows()
    [('n', 'x', 1.0), ('s', 'x', 1.0)]

    What a column tells beyond another one may be more than it tells alone:

    >>> xor = pl.DataFrame({"p": [0, 0, 1, 1], "q": [0, 1, 0, 1], "y": ["a", "b", "b", "a"]})
    >>> gt.rank_gain(xor, "y", given="p").select("feature", "info_gain", "gain_given").rows()
    [('q', 0.0, 1.0)]

    Files that do not fit in memory are ranked a few columns at a time:

    >>> gt.rank_gain(df.lazy(), "y", memory="64MB").equals(gt.rank_gain(df, "y"))
    True

    A column of as many levels as rows gains all there is, and so would any such column:

    >>> ids = pl.DataFrame({"id": ["p", "q", "r", "s"], "y": ["a", "a", "b", "b"]})
    >>> gt.rank_gain(ids, "y", chance=200).select("info_gain", "expected_gain", "p_value").row(0)
    (1.0, 1.0, 1.0)
    """
    options: dict[str, Any] = {
        "by": by,
        "given": given,
        "features": features,
        "exclude": exclude,
        "ordered": ordered,
        "nominal": nominal,
        "task": task,
        "weight": weight,
        "log_base": log_base,
        "missing": missing,
        "cuts": cuts,
        "sort_by": sort_by,
        "full": full,
        "chance": chance_options(chance, seed),
        "threads": threads,
    }
    target, options, data = text("target", target), ranking_options(options), rows_of(data)
    if memory is not None:
        budget = memory_of("memory", memory)
        rows, options = reader_of(data, target, options)
        about = {"of": _gaintree.RowsInParts(rows), "target": target, "memory": budget}
        with stages(progress) as tell:
            return table("rank_gain", {}, options, tell=tell, **about)
    columns, options = prepared(data, target, options)
    with stages(progress) as tell:
        return table("rank_gain", {"rows": columns}, options, target=target, tell=tell)


@options_shown(RankOptions)
def split_candidates(
    data: FrameLike, target: str, feature: str, **options: Unpack[RankOptions]
) -> pl.DataFrame:
    """Every split of one feature, rated.

    It is the gain curve of an ordered feature, in the order of its levels, and the table of each
    level against the rest of a nominal one.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows.
    target, feature : str
        The columns.
    **options
        `ordered`, `nominal`, `task`, `weight`, `log_base` and `threads`, as of `rank_gain`.

    Returns
    -------
    DataFrame
        A line per candidate: rule, threshold or level, rows and class shares of both sides, gains.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.split_candidates(df, "y", "x").select("rule", "info_gain").rows()[1]
    ('x >= 3', 1.0)
    """
    columns, given = _of_one(data, target, feature, options)
    return table("split_candidates", columns, given, target=target, feature=feature)


@options_shown(RankOptions)
def mdl_cuts(
    data: FrameLike, target: str, feature: str, **options: Unpack[RankOptions]
) -> pl.DataFrame:
    """The cuts of an ordered feature by the minimum description length.

    The method of Fayyad & Irani (1993) cuts one interval in two, then each part again, as long as
    a cut shortens the description.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows.
    target, feature : str
        The columns; the target is of classes.
    **options
        `task`, `weight`, `log_base` and `threads`, as of `rank_gain`.

    Returns
    -------
    DataFrame
        A line per cut, ascending: `cut` in the feature's dtype, `rule`, `n`, `info_gain`.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4, 10, 11, 12, 13], "y": ["n"] * 4 + ["y"] * 4})
    >>> gt.mdl_cuts(df, "y", "x").rows()
    [(7, 'x >= 7', 8, 1.0)]
    """
    columns, given = _of_one(data, target, feature, options)
    return table("mdl_cuts", columns, given, target=target, feature=feature)


@options_shown(RankOptions)
def mdl_cuts_by_feature(
    data: FrameLike,
    target: str,
    *,
    features: Columns | None = None,
    exclude: Excluded | None = None,
    **options: Unpack[RankOptions],
) -> pl.DataFrame:
    """The cuts of `mdl_cuts` of every ordered feature, in one table.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows.
    target : str
        The column of classes.
    features, exclude : list of names, or a Polars selector
        The columns to cut, or not to cut. Nominal ones are passed over, unless a list names them:
        that is an error.
    **options
        `ordered`, `nominal`, `task`, `weight`, `log_base` and `threads`, as of `rank_gain`.

    Returns
    -------
    DataFrame
        A line per feature and cut, and one with nulls for a feature without any.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4, 10, 11, 12, 13], "y": ["n"] * 4 + ["y"] * 4})
    >>> gt.mdl_cuts_by_feature(df, "y")["rule"].to_list()
    ['x >= 7']
    """
    target = text("target", target)
    given = {**rank_options(options), "features": features, "exclude": exclude}
    columns, given = prepared(data, target, given)
    if features is None or cs.is_selector(features):
        # Without names Rust takes the ordered ones of the columns that it gets.
        given.pop("features", None)
    return table("mdl_cuts_by_feature", {"rows": columns}, given, target=target)


@options_shown(RankOptions)
def curve_svg(data: FrameLike, target: str, feature: str, **options: Unpack[RankOptions]) -> Svg:
    """What `split_candidates` lists, as an SVG picture.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows.
    target, feature : str
        The columns.
    **options
        `ordered`, `nominal`, `task`, `weight`, `log_base` and `threads`, as of `rank_gain`.

    Returns
    -------
    Svg
        The picture.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.curve_svg(df, "y", "x")[:4]
    '<svg'
    """
    columns, given = _of_one(data, target, feature, options)
    return svg("curve_svg", columns, given, target=target, feature=feature)


# What a bar chart shows beside its figure, if it is there.
BESIDE = ["expected_gain", "standard_error"]


def ranking_svg(ranking: pl.DataFrame, figure: str = "info_gain") -> Svg:
    """A ranking, or a table of importances, as a bar chart in SVG.

    In a ranking beside chance, bars of the gain have a mark at what chance gains. An importance
    with a standard error has whiskers of one to either side.

    Parameters
    ----------
    ranking : DataFrame
        Of `rank_gain`, or an importance table.
    figure : str
        The column to draw: `info_gain`, `gain_ratio`, `importance`, …

    Returns
    -------
    Svg
        The picture.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.ranking_svg(gt.rank_gain(df, "y"))[:4]
    '<svg'
    """
    columns = columns_of(ranking, ["feature", text("figure", figure)], BESIDE)
    return Svg(_gaintree.table_svg("ranking", columns, figure))


def _of_one(
    data: FrameLike, target: str, feature: str, options: RankOptions
) -> tuple[Frames, dict[str, Any]]:
    target, feature, given = text("target", target), text("feature", feature), rank_options(options)
    columns, given = prepared(data, target, {**given, "features": [feature]})
    del given["features"]
    return {"rows": columns}, given
