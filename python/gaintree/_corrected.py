"""What features gain beside permuted copies, and which tell more than noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaintree._call import table
from gaintree._checks import count, finite, known
from gaintree._fit import _fitted_on
from gaintree._forest_options import forest_options
from gaintree._options import TreeOptions, options_shown
from gaintree._progress import stages

if TYPE_CHECKING:
    import polars as pl
    from typing_extensions import Unpack

    from gaintree._forest_options import MaxFeatures
    from gaintree._frames import FrameLike
    from gaintree._progress import Progress
    from gaintree.specs import TreeSpec

__all__ = ["boruta", "corrected_importance"]


@options_shown(TreeOptions)
def corrected_importance(
    data: FrameLike,
    target: str,
    spec: TreeSpec | None = None,
    *,
    permutations: int = 100,
    trees: int = 25,
    max_features: MaxFeatures = "auto",
    extra: bool = False,
    bootstrap: bool = True,
    sample_share: float = 1.0,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[TreeOptions],
) -> pl.DataFrame:
    """What features gain in random forests more than permuted copies of them do.

    Gains of trees favour features of many levels: noise with many levels gains much. Here forests
    are grown on the features and on a copy of each whose values are permuted among the rows (the
    actual impurity reduction of Nembrini, König & Wright 2018). The trees are not kept. Ctrl-C ends
    it.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns needed of a LazyFrame are collected.
    target : str
        The column to predict: classes, or a number.
    spec : TreeSpec
        How each tree is grown, of `cart` (which it is if not given), `c45` or `id3`.
    permutations : int
        How often the features are permuted, at least 10: each time a forest is grown. The least
        p-value is `1 / (permutations + 1)`.
    trees : int
        Number of trees of each forest. More of them tell more.
    max_features : int, float or 'auto'
        How many of the features and copies a node looks at, as of `fit_forest`.
    extra, bootstrap, sample_share, seed
        What is drawn, as of `fit_forest`.
    progress : bool or callable, optional
        As of `fit_forest`.
    **options
        As of `cart`; they replace the spec's.

    Returns
    -------
    DataFrame
        A line per feature, highest `corrected_gain` first: `gain` is the mean over all trees of the
        gains of its rules, each times its node's share of the rows; `permuted_gain` is the same of
        its copies, and `corrected_gain` the difference, which is about 0 for a feature that tells
        nothing. `standard_error` is the standard error of the difference over the permutations.
        `p_value` is the chance that a copy gains as much in the trees of one permutation as the
        feature does in the trees of the first, and `q_value` the false discovery rate (Benjamini &
        Hochberg 1995).

    Raises
    ------
    DataError
        As of `fit_tree`.
    SpecError
        An option that cannot be, as fewer than 10 permutations.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({
    ...     "size": range(12),
    ...     "mood": [2, 1, 2, 2, 1, 1, 2, 1, 2, 1, 1, 2],
    ...     "ripe": [0] * 6 + [1] * 6,
    ... })
    >>> table = gt.corrected_importance(df, "ripe", trees=20, seed=1)
    >>> table.filter(pl.col("p_value") < 0.01)["feature"].to_list()
    ['size']
    """
    drawn = forest_options(trees, max_features, extra, bootstrap, sample_share, seed)
    known(options, {*TreeOptions.__annotations__, *drawn, "permutations", "progress"})
    columns, fitted = _fitted_on(data, target, spec, options)
    with stages(progress) as tell:
        given = {**fitted, "forest": drawn, "permutations": count("permutations", permutations)}
        return table("corrected_importance", columns, **given, tell=tell)


@options_shown(TreeOptions)
def boruta(
    data: FrameLike,
    target: str,
    spec: TreeSpec | None = None,
    *,
    runs: int = 100,
    alpha: float = 0.01,
    trees: int = 50,
    max_features: MaxFeatures = "auto",
    extra: bool = False,
    bootstrap: bool = True,
    sample_share: float = 1.0,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[TreeOptions],
) -> pl.DataFrame:
    """Which features tell more than noise: the Boruta algorithm (Kursa & Rudnicki 2010).

    Each run grows a forest on the features and on permuted copies of them. A feature has a hit
    where it gains more than the best copy of any feature, each gain less what copies of the feature
    gain in the mean (Nembrini, König & Wright 2018), so that features of many levels do not keep
    others from their hits. Features that say the same are all confirmed; `select_features` drops
    what is redundant. Ctrl-C ends it.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns needed of a LazyFrame are collected.
    target : str
        The column to predict: classes, or a number.
    spec : TreeSpec
        How each tree is grown, of `cart` (which it is if not given), `c45` or `id3`.
    runs : int
        The most runs, at least 10. They end earlier where all features are decided.
    alpha : float
        A feature is confirmed, or rejected, where tosses of a coin would give as many hits, or as
        few, with a chance below this over the number of features.
    trees : int
        Number of trees of each run.
    max_features : int, float or 'auto'
        How many of the features and copies a node looks at, as of `fit_forest`.
    extra, bootstrap, sample_share, seed
        What is drawn, as of `fit_forest`.
    progress : bool or callable, optional
        As of `fit_forest`.
    **options
        As of `cart`; they replace the spec's.

    Returns
    -------
    DataFrame
        A line per feature: its `decision` ('confirmed', 'tentative' or 'rejected'), what it gains
        more than its copies in the mean over its runs, its hits, and the runs that were counted.

    Raises
    ------
    DataError
        As of `fit_tree`.
    SpecError
        An option that cannot be, as fewer than 10 runs.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({
    ...     "size": range(12),
    ...     "mood": [2, 1, 2, 2, 1, 1, 2, 1, 2, 1, 1, 2],
    ...     "ripe": [0] * 6 + [1] * 6,
    ... })
    >>> gt.boruta(df, "ripe", trees=20, seed=1).select("feature", "decision").rows()
    [('size', 'confirmed'), ('mood', 'rejected')]
    """
    drawn = forest_options(trees, max_features, extra, bootstrap, sample_share, seed)
    known(options, {*TreeOptions.__annotations__, *drawn, "runs", "alpha", "progress"})
    columns, fitted = _fitted_on(data, target, spec, options)
    with stages(progress) as tell:
        tests = {"runs": count("runs", runs), "alpha": finite("alpha", alpha)}
        given = {**fitted, "forest": drawn, **tests}
        return table("boruta", columns, **given, tell=tell)
