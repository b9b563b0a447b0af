"""What each column is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaintree import _gaintree
from gaintree._call import table
from gaintree._checks import text
from gaintree._frames import columns_of, prepared
from gaintree._options import screen_options
from gaintree.pictures import Html, Svg

if TYPE_CHECKING:
    import polars as pl

    from gaintree._frames import Columns, Excluded, FrameLike
    from gaintree._options import LogBase, Task

__all__ = ["screen", "screen_html", "screen_svg"]


def screen(
    data: FrameLike,
    target: str,
    *,
    features: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    task: Task = "auto",
    weight: str | None = None,
    log_base: LogBase = 2,
    alpha: float = 0.05,
    weak_share: float = 0.01,
    leak_share: float = 0.99,
    pure_share: float = 0.99,
    pure_recall: float = 0.1,
    rare_share: float = 0.2,
    id_share: float = 0.95,
    id_share_nominal: float = 0.3,
    twin_share: float = 0.9,
    full: bool = False,
    threads: int | None = None,
) -> pl.DataFrame:
    """Say what each column is: one to leave out, or one that tells about the target.

    The first rule that holds makes the verdict: `unusable` (a dtype without order and levels),
    `constant`, `id` (its values name the rows), `chance` (it tells no more than chance), `leak` (it
    gives the target away), `twin` (another column tells it), `weak`, `useful`.

    Parameters
    ----------
    data : DataFrame, LazyFrame or Arrow table
        The rows. Only the columns needed of a LazyFrame are collected.
    target : str
        The column to tell: classes or a number.
    features, exclude : list of names, or a Polars selector
        The columns to screen, or not to.
    ordered, nominal : list of names, or a Polars selector
        Columns taken as of the other kind.
    task : {'auto', 'classify', 'regress'}
        Whether the target is classes or a number.
    weight : str, optional
        A column of non-negative weights.
    log_base : {2, 'e'}
        Gains in bits or nats.
    alpha : float
        A column is `chance` if its false discovery rate is above this.
    weak_share : float
        A column is `weak` if it tells less than this share of the target.
    leak_share : float
        A column is a `leak` if it tells at least this share of the target, by its values or by
        whether one is missing.
    pure_share, pure_recall, rare_share : float
        A column is a `leak` too if a rule finds at least `pure_recall` of a rare class, and at
        least `pure_share` of the rule's rows are of it. The smaller one of two classes is rare if
        at most `rare_share` of the rows are of it.
    id_share, id_share_nominal : float
        A column of whole numbers is an `id` if at least `id_share` of them are distinct, and they
        number the rows or tell no more than chance; a nominal column if it has at least
        `id_share_nominal` levels a row.
    twin_share : float
        A column is a `twin` if another tells at least this share of it.
    full : bool
        All columns of the table, with nothing rounded.
    threads : int
        Threads to work with; without it, Polars' number.

    Returns
    -------
    DataFrame
        A line per column, the ones to act on first, then useful ones by what each tells beside the
        ones before it: `verdict`, `feature`, `share` (of the target, beyond chance), `q_value`,
        `missing` (share of rows), `n_levels` and `why`.

    Raises
    ------
    DataError
        A column that does not exist, or a target with nulls or of one class.
    SpecError
        An option that cannot be.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> age = [20 + row * 7 % 60 for row in range(200)]
    >>> df = pl.DataFrame({
    ...     "customer": [f"c{row}" for row in range(200)],
    ...     "age": age,
    ...     "born": [2025 - years for years in age],
    ...     "country": ["NO"] * 200,
    ...     "churn": [(years > 50) != (row % 5 == 0) for row, years in enumerate(age)],
    ... })
    >>> for line in gt.screen(df, "churn").select("verdict", "feature", "why").rows():
    ...     print(line)
    ('id', 'customer', '200 values in 200 rows')
    ('twin', 'born', '100 % told by age')
    ('useful', 'age', 'age >= 50')
    ('constant', 'country', 'one value in all rows')

    A table of it says what to leave out.

    >>> fit = gt.fit_tree(df, "churn", gt.cart(exclude=gt.screen(df, "churn")))
    >>> fit.importance["feature"].to_list()
    ['age']
    """
    options: dict[str, Any] = {
        "features": features,
        "exclude": exclude,
        "ordered": ordered,
        "nominal": nominal,
        "task": task,
        "weight": weight,
        "log_base": log_base,
        "alpha": alpha,
        "weak_share": weak_share,
        "leak_share": leak_share,
        "pure_share": pure_share,
        "pure_recall": pure_recall,
        "rare_share": rare_share,
        "id_share": id_share,
        "id_share_nominal": id_share_nominal,
        "twin_share": twin_share,
        "full": full,
        "threads": threads,
    }
    target, options = text("target", target), screen_options(options)
    columns, options = prepared(data, target, options)
    return table("screen", {"rows": columns}, options, target=target)


# What a picture and a page show. Rust says which of them a table lacks.
SHOWN = ["verdict", "feature", "share", "q_value", "missing", "n_levels", "why"]
OF_FULL = ["n", "rule"]


def screen_svg(screened: pl.DataFrame) -> Svg:
    """The table of `screen` as an SVG picture.

    A line per column, grouped by verdict: its name, a bar of the share of the target that it tells,
    and why. The first sixty columns are drawn.

    Parameters
    ----------
    screened : DataFrame
        Of `screen`.

    Returns
    -------
    Svg
        The picture.

    Raises
    ------
    DataError
        A table that is not of `screen`.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.screen_svg(gt.screen(df, "y"))[:4]
    '<svg'
    """
    return Svg(_gaintree.table_svg("screen", columns_of(screened, [], SHOWN), ""))


def screen_html(screened: pl.DataFrame, target: str) -> Html:
    """The table of `screen` as an HTML page, in one file that needs no network.

    The columns are grouped by verdict, with what each verdict means and what to do about it. The
    table of `screen(..., full=True)` has the number of rows and the best rules too.

    Parameters
    ----------
    screened : DataFrame
        Of `screen`.
    target : str
        What the page calls the target.

    Returns
    -------
    Html
        The page.

    Raises
    ------
    DataError
        A table that is not of `screen`.

    Examples
    --------
    >>> import polars as pl, gaintree as gt
    >>> df = pl.DataFrame({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> gt.screen_html(gt.screen(df, "y"), "y")[:15]
    '<!DOCTYPE html>'
    """
    columns = columns_of(screened, [], SHOWN + OF_FULL)
    return Html(_gaintree.screen_html(columns, text("target", target)))
