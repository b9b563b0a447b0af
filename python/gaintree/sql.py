"""Trees and rankings of rows that an SQL engine has: it counts, and no row needs to leave it.

An engine is anything that runs a query and answers in Arrow: DuckDB in this process, DataFusion, a
warehouse, a Spark cluster. `duckdb`, `datafusion` and `spark` make one of a connection. All that is
asked of it is plain `SELECT`; the tree and the ranking are the same as from the rows in memory.

The queries are logged at level DEBUG by the logger `gaintree.sql`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import polars as pl

from gaintree import _gaintree
from gaintree._call import call, table
from gaintree._checks import MOST_BYTES, choice, count, memory_of, refuse, switch, text
from gaintree._fit import Fit, _checked
from gaintree._frames import resolved
from gaintree._notes import warn_of
from gaintree._options import TreeOptions, options_shown, ranking_options
from gaintree._output import shown
from gaintree._progress import passes, stages
from gaintree.errors import FrameTypeError, SpecError
from gaintree.tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gaintree._frames import ArrowStream, Columns, Excluded
    from gaintree._options import LogBase, RankMissing, SortBy, Task
    from gaintree._progress import PassProgress, Progress
    from gaintree.specs import TreeSpec

__all__ = ["Engine", "datafusion", "duckdb", "fit", "rank", "score", "spark"]

CountingDialect = Literal["duckdb", "datafusion", "spark"]

_LOGGER = logging.getLogger("gaintree.sql")
# What a text begins with that is a query, and not the name of a table.
_QUERY = re.compile(r"\s*(\(|--|/\*|(select|with|from|values|table)\b)", re.IGNORECASE)


class _Session(Protocol):
    """A connection or session whose method `sql` runs a query."""

    def sql(self, query: str, /) -> ArrowStream:
        """Run a query."""


class _SparkFrame(Protocol):
    """A DataFrame of Spark."""

    def toArrow(self) -> ArrowStream:
        """Give its rows."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Give its rows, a partition at a time."""


class _SparkSession(Protocol):
    """A session of Spark."""

    def sql(self, query: str, /) -> _SparkFrame:
        """Run a query."""

    def interruptAll(self) -> object:
        """End all queries that run."""


@dataclass(frozen=True)
class Engine:
    """What runs queries.

    Attributes
    ----------
    run_query : callable
        Takes the text of a query, gives its rows as a table that exports the Arrow C stream.
    dialect : {'duckdb', 'datafusion', 'spark'}
        The SQL that it reads.
    interrupt : callable, optional
        Ends the query that runs, at Ctrl-C; without it the query runs to its end first.
    lazy_query : callable, optional
        As `run_query`, but its rows are not computed yet: `score` gives them. Without it `score`
        gives what `run_query` does.

    Examples
    --------
    >>> import gaintree as gt, polars as pl
    >>> context = pl.SQLContext(t=pl.DataFrame({"x": [1, 2]}), eager=True)
    >>> engine = gt.sql.Engine(context.execute, "datafusion")
    >>> engine.run("SELECT x FROM t").height
    2
    """

    run_query: Callable[[str], ArrowStream]
    dialect: CountingDialect
    interrupt: Callable[[], object] | None = None
    lazy_query: Callable[[str], ArrowStream] | None = None

    def __post_init__(self) -> None:
        choice("dialect", self.dialect, get_args(CountingDialect))
        if not callable(self.run_query):
            refuse("run_query", self.run_query, "a callable that takes the text of a query")

    def run(self, query: str) -> ArrowStream:
        """Run a query, and log it.

        Parameters
        ----------
        query : str
            Its text.

        Returns
        -------
        ArrowStream
            What the engine gives.

        Examples
        --------
        >>> import duckdb, gaintree as gt
        >>> gt.sql.duckdb(duckdb.connect()).run("SELECT 1 AS one").fetchall()
        [(1,)]
        """
        return self._answer(self.run_query, query)

    def run_lazily(self, query: str) -> ArrowStream:
        """Run a query as `run` does, by `lazy_query` if there is one.

        Parameters
        ----------
        query : str
            Its text.

        Returns
        -------
        ArrowStream
            What the engine gives, which may not be computed yet.

        Examples
        --------
        >>> import duckdb, gaintree as gt
        >>> gt.sql.duckdb(duckdb.connect()).run_lazily("SELECT 1 AS one").fetchall()
        [(1,)]
        """
        return self._answer(self.lazy_query or self.run_query, query)

    @staticmethod
    def _answer(ask: Callable[[str], ArrowStream], query: str) -> ArrowStream:
        _LOGGER.debug("%s", query)
        answer = ask(query)
        if not hasattr(answer, "__arrow_c_stream__"):
            msg = (
                f"the engine answered a query with a {type(answer).__name__}: expected a table "
                "with `__arrow_c_stream__`, as of pyarrow, Polars or DuckDB"
            )
            raise FrameTypeError(msg)
        return answer


def duckdb(connection: _Session) -> Engine:
    """Make an engine of a DuckDB connection.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The connection, or the module `duckdb` for its default one.

    Returns
    -------
    Engine
        The engine. While it counts, the connection is not to be used otherwise.

    Raises
    ------
    SpecError
        Something else than a connection.

    Examples
    --------
    >>> import duckdb, gaintree as gt
    >>> gt.sql.duckdb(duckdb.connect()).dialect
    'duckdb'
    """
    _with_methods("connection", connection, ["sql"], "a DuckDB connection, or the module duckdb")
    # A module stands for its default connection, which it does not interrupt.
    return Engine(connection.sql, "duckdb", getattr(connection, "interrupt", None))


def datafusion(context: _Session) -> Engine:
    """Make an engine of a `SessionContext` of the package `datafusion`.

    Parameters
    ----------
    context : datafusion.SessionContext
        The session.

    Returns
    -------
    Engine
        The engine.

    Raises
    ------
    SpecError
        Something else than a session.

    Examples
    --------
    >>> import gaintree as gt
    >>> from datafusion import SessionContext  # doctest: +SKIP
    >>> engine = gt.sql.datafusion(SessionContext())  # doctest: +SKIP
    """
    _with_methods("context", context, ["sql"], "a datafusion.SessionContext")
    return Engine(context.sql, "datafusion")


def spark(session: _SparkSession) -> Engine:
    """Make an engine of a Spark session, of this machine or of a cluster.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
        The session, of Spark 4 or later.

    Returns
    -------
    Engine
        The engine. Ctrl-C ends all queries of the session.

    Raises
    ------
    SpecError
        Something else than a session.

    Examples
    --------
    >>> import gaintree as gt
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> session = SparkSession.builder.getOrCreate()  # doctest: +SKIP
    >>> engine = gt.sql.spark(session)  # doctest: +SKIP
    """
    _with_methods("session", session, ["sql", "interruptAll"], "a pyspark.sql.SparkSession")
    # As PySpark does at Ctrl-C. Tags are known by the thread alone that sets them.
    return Engine(
        lambda query: session.sql(query).toArrow(), "spark", session.interruptAll, session.sql
    )


@options_shown(TreeOptions)
def fit(
    engine: Engine | Callable[[str], ArrowStream],
    rows: str,
    target: str,
    spec: TreeSpec | None = None,
    *,
    dialect: CountingDialect | None = None,
    memory: int | str | None = None,
    bins: int | None = None,
    gathered_rows: int | None = None,
    progress: PassProgress | None = None,
    **options: Unpack[TreeOptions],
) -> Fit:
    """Fit a tree that predicts a target from the other columns of a query.

    The engine counts, in a few queries for each level of the tree, and only the rows of small nodes
    come to this process. The tree is the one that `gaintree.fit_tree` grows of the same rows,
    however they are ordered and parted.

    Parameters
    ----------
    engine : Engine, or callable
        Of `duckdb`, `datafusion` or `spark`, or what runs a query and gives a table that exports
        the Arrow C stream; then `dialect` says which SQL it reads.
    rows : str
        A query, or the name of a table as SQL writes it. It runs again for each pass, and has to
        give the same rows, in any order.
    target : str
        The column to predict: classes, or a number.
    spec : TreeSpec
        Of `cart` (which it is if not given), `c45` or `id3`. What needs all rows at once is
        refused: fractional missing values and subtree raising, which `c45` has by default.
    dialect : {'duckdb', 'datafusion', 'spark'}
        The SQL of an engine that is a callable.
    memory : int or str, optional
        The bytes that counts and rows may take here (or `"500MB"`, `"2GB"`, which it is if not
        given). An answer of more bytes is an error.
    bins : int, optional
        The bins of a column of many values: at most 256 of DuckDB and DataFusion and 128 of Spark,
        which they are if not given. Columns that have no steps are compared with their bins, at
        most 32 of DuckDB and 64 of DataFusion. With fewer bins more values are fetched.
    gathered_rows : int, optional
        The rows of nodes of at most this many rows come here as they are; 0 is none. If not given,
        200,000, where that takes fewer passes than counting. An answer has at most about 64 MB.
    progress : bool or callable, optional
        Whether standard error shows the passes; if not given, at a terminal and in a notebook. A
        callable is given each `gaintree.Pass` before it begins; what it raises ends the fit.
    **options
        As of `cart`; they replace the spec's.

    Returns
    -------
    Fit
        The tree, its importances and notes, and a report of the passes and of what was fetched:
        `queries`, `bytes_fetched`, `largest_answer_bytes`, `values_fetched`, `rows_gathered`.

    Raises
    ------
    DataError
        A column that does not exist or cannot serve, a target with nulls or of one class, or rows
        that change between two passes.
    SpecError
        An option that cannot be, or a tree that may not fit in `memory`.
    Exception
        What the engine raises.

    Examples
    --------
    >>> import duckdb, gaintree as gt
    >>> connection = duckdb.connect()
    >>> _ = connection.sql("CREATE TABLE t AS SELECT x, x % 10 < 3 AS y FROM range(100) r(x)")
    >>> fit = gt.sql.fit(gt.sql.duckdb(connection), "SELECT x % 10 AS digit, y FROM t", "y")
    >>> print(fit.tree)
    CART tree of `y`: 3 nodes, 2 leaves, depth 1
    all rows: false (70.0 % of 100)
    ├─ digit < 3: true (100.0 % of 30)
    └─ digit >= 3: false (100.0 % of 70)
    >>> fit.report["passes"]
    2
    """
    engine, query = _engine(engine, dialect), _query(rows)
    spec = _checked(spec, options)
    _, _, chosen = resolved(
        engine.run(_nothing_of(query)), text("target", target), dict(spec.options)
    )
    given = {"target": target, "algorithm": spec.algorithm}
    given |= _budget(memory, bins, gathered_rows)
    with passes(progress) as tell:
        native, importance, notes, report = call(
            "fit_tree", {}, chosen, of=_gaintree.Query(engine, query), tell=tell, **given
        )
    warn_of(notes)
    return Fit(Tree(native), shown(importance), notes, report=dict(report))


def rank(
    engine: Engine | Callable[[str], ArrowStream],
    rows: str,
    target: str,
    *,
    features: Columns | None = None,
    exclude: Excluded | None = None,
    ordered: Columns = (),
    nominal: Columns = (),
    task: Task = "auto",
    weight: str | None = None,
    log_base: LogBase = 2,
    missing: RankMissing = "known",
    sort_by: SortBy = "info_gain",
    full: bool = False,
    threads: int | None = None,
    dialect: CountingDialect | None = None,
    memory: int | str | None = None,
    bins: int | None = None,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """Rank the columns of a query by what they tell about a target, best first.

    The engine counts, and no row comes to this process. The table is that of `gaintree.rank_gain`
    of the same rows. Rankings by group, beside chance or beside given columns, and MDL cuts, need
    the rows.

    Parameters
    ----------
    engine : Engine, or callable
        As of `fit`.
    rows : str
        A query, or the name of a table, as of `fit`.
    target : str
        The column to tell: classes, or a number.
    features, exclude : list of names, or a Polars selector
        The columns to rank, or not to rank. All others but the target and the weight.
    ordered, nominal : list of names, or a Polars selector
        Features taken as of the other kind.
    task : {'auto', 'classify', 'regress'}
        Whether the target is classes or a number. With auto, floats and decimals are numbers.
    weight : str
        A column of non-negative weights.
    log_base : {2, 'e'}
        Entropies in bits or nats.
    missing : {'known', 'own_level'}
        Rate over the rows whose value is known, or count missing as one more level.
    sort_by : {'info_gain', 'gain_ratio', 'gini_gain', 'symmetric_uncertainty'}
        What the ranking goes by.
    full : bool
        Whether the table has all its columns.
    threads : int
        Threads to work with here; without it, as many as there are.
    dialect, memory, bins
        As of `fit`.
    progress : bool or callable, optional
        As of `gaintree.rank_gain`.

    Returns
    -------
    DataFrame
        A line per feature, as of `gaintree.rank_gain`.

    Raises
    ------
    DataError
        A column that does not exist, a target with nulls or of one class, or rows that change
        between two passes.
    SpecError
        An option that cannot be.
    Exception
        What the engine raises.

    Examples
    --------
    >>> import duckdb, gaintree as gt
    >>> query = "SELECT x % 10 AS digit, x % 7 AS day, x % 10 < 3 AS y FROM range(100) r(x)"
    >>> engine = gt.sql.duckdb(duckdb.connect())
    >>> gt.sql.rank(engine, query, "y")["feature", "rule"].rows()
    [('digit', 'digit >= 3'), ('day', 'day >= 2')]
    """
    engine, query = _engine(engine, dialect), _query(rows)
    options = ranking_options(
        {
            "features": features,
            "exclude": exclude,
            "ordered": ordered,
            "nominal": nominal,
            "task": task,
            "weight": weight,
            "log_base": log_base,
            "missing": missing,
            "sort_by": sort_by,
            "full": full,
            "threads": threads,
        }
    )
    _, _, options = resolved(engine.run(_nothing_of(query)), text("target", target), options)
    given = {"target": target} | _budget(memory, bins, None)
    with stages(progress) as tell:
        return table(
            "rank_gain", {}, options, of=_gaintree.Query(engine, query), tell=tell, **given
        )


def score(
    engine: Engine | Callable[[str], ArrowStream],
    rows: str,
    tree: Tree,
    *,
    probability: bool = False,
    dialect: CountingDialect | None = None,
) -> ArrowStream:
    """Score the rows of a query where they are.

    Parameters
    ----------
    engine : Engine, or callable
        As of `fit`.
    rows : str
        A query, or the name of a table, as of `fit`.
    tree : Tree
        The tree. One of fractional missing values cannot be put into SQL.
    probability : bool
        Add a column `probability_<class>` for each class.
    dialect : {'duckdb', 'datafusion', 'spark'}
        As of `fit`.

    Returns
    -------
    ArrowStream
        What the engine makes of the query: the rows with a column `prediction`. For Spark it is a
        DataFrame of the cluster.

    Examples
    --------
    >>> import duckdb, gaintree as gt
    >>> engine = gt.sql.duckdb(duckdb.connect())
    >>> query = "SELECT x % 10 AS digit, x % 10 < 3 AS y FROM range(100) r(x)"
    >>> tree = gt.sql.fit(engine, query, "y").tree
    >>> scored = gt.sql.score(engine, query, tree)
    >>> scored.filter("prediction <> y").shape
    (0, 3)
    """
    engine, query = _engine(engine, dialect), _query(rows)
    if not isinstance(tree, Tree):
        refuse("tree", tree, "a Tree, as fit gives")
    probability = switch("probability", probability)
    return engine.run_lazily(_gaintree.Query(engine, query).scored(tree._native, probability))


def _with_methods(what: str, given: object, methods: list[str], expected: str) -> None:
    if not all(callable(getattr(given, method, None)) for method in methods):
        refuse(what, given, expected)


def _engine(engine: object, dialect: CountingDialect | None) -> Engine:
    if isinstance(engine, Engine):
        if dialect is not None and dialect != engine.dialect:
            refuse("dialect", dialect, f"{engine.dialect!r}, which the engine has, or none")
        return engine
    if not callable(engine):
        msg = (
            f"`engine` is of type {type(engine).__name__}: expected gaintree.sql.duckdb(…), "
            "gaintree.sql.datafusion(…), gaintree.sql.spark(…), or a callable that runs a query"
        )
        raise SpecError(msg)
    if dialect is None:
        known = " or ".join(repr(name) for name in get_args(CountingDialect))
        refuse("dialect", dialect, f"the SQL that the callable reads, {known}")
    return Engine(engine, dialect)


def _query(rows: str) -> str:
    rows = text("rows", rows, "a query, or the name of a table").strip().rstrip(";")
    if not rows:
        refuse("rows", rows, "a query, or the name of a table")
    return rows if _QUERY.match(rows) else f"SELECT * FROM {rows}"


def _nothing_of(query: str) -> str:
    # A line of its own, as the query may end in a comment.
    return f"SELECT * FROM ({query}\n) AS query LIMIT 0"


def _budget(
    memory: int | str | None, bins: int | None, gathered_rows: int | None
) -> dict[str, Any]:
    return {
        "memory": None if memory is None else memory_of("memory", memory),
        "bins": None if bins is None else count("bins", bins),
        "gathered_rows": (
            None if gathered_rows is None else count("gathered_rows", gathered_rows, MOST_BYTES)
        ),
    }
