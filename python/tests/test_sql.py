"""Trees and rankings by an SQL engine are those of its rows in memory."""

import contextlib
import logging
import random
import signal

import duckdb
import polars as pl
import pytest
import sqlglot

import gaintree as gt

# A column of each type, by names that would break a query or meet the names of ours.
TYPES = {
    "i8": "TINYINT",
    "i64": "BIGINT",
    "i128": "HUGEINT",
    "u64": "UBIGINT",
    "u128": "UHUGEINT",
    "f32": "FLOAT",
    'f"64': "DOUBLE",
    "d9": "DECIMAL(9, 2)",
    "d38": "DECIMAL(38, 3)",
    "day": "DATE",
    "ts_s": "TIMESTAMP_S",
    "ts_ms": "TIMESTAMP_MS",
    "ts_us": "TIMESTAMP",
    "ts_ns": "TIMESTAMP_NS",
    "tz": "TIMESTAMPTZ",
    "time": "TIME",
    "__n": "VARCHAR",
    "select": "VARCHAR",
    "x0": "color",
    "w": "BOOLEAN",
    "id": "UUID",
    "nothing": "INTEGER",
}
TEXTS = ["a", "it's", 'b"q', "back\\slash", "", "null", "Ä", "two\nlines", "'; DROP TABLE t; --"]
TARGETS = {"classes": "VARCHAR", "flag": "BOOLEAN", "number": "DOUBLE", "price": "DECIMAL(12, 3)"}


def value(r, sql_type, many):
    """A literal of the type."""
    n = r.randrange(400 if many else 7)
    match sql_type:
        case "TINYINT":
            return str(n % 100 - 50)
        case "BIGINT":
            return str(2**63 - 1 - n if n % 3 else -n)
        case "HUGEINT":
            return f"'{(n - 3) * 10**35}'::HUGEINT"
        case "UBIGINT":
            return str(2**64 - 1 - n)
        case "UHUGEINT":
            return f"'{n * 10**34}'::UHUGEINT"
        case "FLOAT" | "DOUBLE":
            odd = ["'nan'", "'-nan'", "'inf'", "'-inf'", "'-0.0'", "0.0", "1e-38", "5e-324"]
            return f"{r.choice(odd) if r.random() < 0.3 else n / 7 - 20}::{sql_type}"
        case "DECIMAL(9, 2)" | "DECIMAL(12, 3)":
            return f"{n / 100 - 2:.2f}"
        case "DECIMAL(38, 3)":
            return f"'{n * 10**32}.125'::DECIMAL(38, 3)"
        case "DATE":
            return f"DATE '1969-12-01' + {n}"
        case "TIME":
            return f"TIME '10:00:00' + INTERVAL ({n * 1237}) MICROSECONDS"
        case "TIMESTAMP_NS":
            return f"make_timestamp_ns({n * 1_000_000_007 - 77})"
        case "BOOLEAN":
            return str(n % 2 > 0)
        case "UUID":
            return f"'00000000-0000-0000-000{n % 9}-{n:012}'::UUID"
        case "INTEGER":
            return "NULL"
        case "color":
            return f"'{['red', 'blue', 'green'][n % 3]}'"
        case "VARCHAR":
            return "'" + TEXTS[n % len(TEXTS)].replace("'", "''") + "'"
        case _:
            return f"(TIMESTAMP '1969-12-31 23:59:00' + INTERVAL ({n * 1_000_003}) MICROSECONDS)"


def table(seed, rows=90):
    """A connection with a table `t` of random values, which depend on each other a little."""
    r = random.Random(seed)
    connection = duckdb.connect()
    connection.sql("SET TimeZone = 'America/New_York'")
    connection.sql("CREATE TYPE color AS ENUM ('red', 'blue', 'green')")
    types = TYPES | TARGETS | {"whole": "INTEGER", "share": "DOUBLE"}
    declared = ", ".join(f"{quoted(name)} {of}" for name, of in types.items())
    connection.sql(f"CREATE TABLE t ({declared})")
    lines = []
    for _ in range(rows):
        many = r.random() < 0.7
        cells = [value(r, of, many) for of in TYPES.values()]
        cells = ["NULL" if r.random() < 0.1 else cell for cell in cells]
        c = "abc"[r.randrange(3)] if r.random() < 0.5 else "ab"["'red'" in cells]
        cells += [f"'{c}'", str(c == "a"), f"{r.randrange(50) / 3}::DOUBLE", f"{len(c) + many}.125"]
        cells += [str(r.randrange(4)), f"{r.randrange(5) / 3}::DOUBLE"]
        lines.append(f"({', '.join(cells)})")
    connection.sql(f"INSERT INTO t VALUES {', '.join(lines)}")
    return connection


def quoted(name):
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


SPECS = [
    gt.cart(max_depth=5),
    gt.cart(weight="whole", max_leaves=8, criterion="entropy"),
    gt.cart(missing="majority", min_samples_leaf=3),
    gt.cart(grouping="one_vs_rest", nominal=["i8", "day"], max_depth=4),
    gt.id3(max_depth=4, weight="share"),
    gt.c45(missing="learn", subtree_raising=False),
    gt.cart(max_depth=4, class_weights="balanced"),
    gt.cart(max_depth=4, weight="share", min_weight_leaf=2.5, pruning={"leaves": 5}),
]


@pytest.mark.parametrize("seed", range(10))
def test_trees_are_those_of_the_rows(seed, tmp_path):
    connection, target, rows = table(seed), list(TARGETS)[seed // 2 % 4], "t"
    if seed % 2:
        # By the statistics of a file, which leave NaN out, DuckDB skips parts of it.
        file = tmp_path / "t.parquet"
        pl.DataFrame(connection.sql("FROM t")).write_parquet(file, row_group_size=20)
        rows = f"'{file}'"
    spec = SPECS[seed % len(SPECS)]
    if target in ("number", "price") and spec.algorithm != "cart":
        target = "classes"
    options = dict(spec.options)
    if target in ("number", "price"):
        options = {k: v for k, v in options.items() if k not in ("criterion", "class_weights")}
    beside = {*TARGETS, "whole", "share"} - {target, options.get("weight")}
    query = f"SELECT * EXCLUDE ({', '.join(sorted(beside))}) FROM {rows} -- all"
    spec = gt.TreeSpec(spec.algorithm, options)
    fit = gt.sql.fit(
        gt.sql.duckdb(connection),
        query,
        target,
        spec,
        bins=4 + seed % 5,
        gathered_rows=seed % 3 * 12,
    )
    wanted = gt.fit_tree(connection.sql(query), target, spec)
    assert fit.tree.to_json() == wanted.tree.to_json()
    assert fit.importance.equals(wanted.importance)
    # The same rows in another order, and in parts.
    halves = f"({query}\n) UNION ALL ({query}\n)"
    both = gt.sql.fit(gt.sql.duckdb(connection), halves, target, spec, bins=7, gathered_rows=30)
    wanted = gt.fit_tree(connection.sql(halves), target, spec)
    assert both.tree.to_json() == wanted.tree.to_json()


def translated(connection):
    """An engine of Spark's SQL, which DuckDB runs in its own."""
    connection.sql("CREATE MACRO get(list, place) AS list[place + 1]")

    def run(query):
        return connection.sql(sqlglot.transpile(query, read="spark", write="duckdb")[0])

    return gt.sql.Engine(run, "spark")


@pytest.mark.parametrize("seed", range(4))
def test_sparks_sql_counts_as_well(seed):
    connection, target = table(seed + 90), list(TARGETS)[seed]
    # What Spark has no type for, and translates to another type.
    beside = {*TARGETS, "i128", "u64", "u128", "time", "id", "ts_s", "ts_ms", "ts_ns", "share"}
    beside.remove(target)
    connection.sql(f"CREATE TABLE u AS SELECT * EXCLUDE ({', '.join(sorted(beside))}) FROM t")
    engine, rows = translated(connection), connection.sql("FROM u")
    spec = gt.cart(max_depth=4, weight="whole")
    fit = gt.sql.fit(engine, "u", target, spec, bins=4 + seed, gathered_rows=0)
    assert fit.tree.to_json() == gt.fit_tree(rows, target, spec).tree.to_json()
    ranking = gt.sql.rank(engine, "u", target, weight="whole", full=True, bins=6)
    wanted = gt.rank_gain(rows, target, weight="whole", full=True)
    assert ranking.drop("dtype").equals(wanted.drop("dtype"))


def test_where_a_row_is_in_a_large_tree_is_said_in_parts():
    connection, asked = duckdb.connect(), []
    connection.sql(
        "CREATE TABLE t AS SELECT i * 7919 % 4001 AS a, i * 104729 % 3001 / 7 AS b, "
        "hash(i) % 2 = 0 AS y FROM range(700) r(i)"
    )
    engine = translated(connection)

    def run(query):
        asked.append(query)
        return engine.run_query(query)

    fit = gt.sql.fit(run, "t", "y", max_depth=7, dialect="spark", gathered_rows=0)
    assert fit.tree == gt.fit_tree(connection.sql("FROM t"), "y", max_depth=7).tree
    # Spark is slow with more than a few conditions in one expression.
    assert any("AS __n1" in query for query in asked)


def test_no_answer_is_larger_than_the_budget():
    connection, sizes = duckdb.connect(), []
    connection.sql(
        "CREATE TABLE t AS SELECT hash(i) / 1e17 AS x, hash(i + 1) % 1000 AS k, 'n' || i % 7 AS s, "
        "(hash(i + 2) % 5 + x / 50 + k / 500) > 5 AS y FROM range(450_000) r(i)"
    )

    def run(query):
        answer = connection.sql(query).to_arrow_table()
        sizes.append(answer.nbytes)
        return answer

    rows = connection.sql("FROM t")
    # The root has more rows than are gathered by themselves.
    fit = gt.sql.fit(run, "t", "y", dialect="duckdb", max_depth=3)
    assert fit.tree == gt.fit_tree(rows, "y", max_depth=3).tree
    assert 0 < fit.report["gathers"] < fit.report["passes"] - 2
    assert fit.report["largest_answer_bytes"] == pytest.approx(max(sizes), rel=0.2)
    assert max(sizes) < 64 << 20
    assert fit.report["bytes_fetched"] == pytest.approx(sum(sizes), rel=0.2)
    assert 2 + fit.report["queries"] == len(sizes)
    sizes.clear()
    small = gt.sql.fit(run, "t", "y", dialect="duckdb", max_depth=3, memory="16MiB")
    assert small.tree == fit.tree
    assert max(sizes) <= 16 << 20
    wrong(
        "answer to a query is larger than the memory budget of 16 MiB: allow more memory",
        lambda query: pl.concat([pl.DataFrame(run(query))] * 200_000),
        "SELECT * FROM t LIMIT 9",
        "y",
        error=gt.SpecError,
        dialect="duckdb",
        memory="16MiB",
    )


@pytest.mark.parametrize("seed", range(8))
def test_rankings_are_those_of_the_rows(seed):
    connection, target = table(seed + 50, 200), list(TARGETS)[seed % 4]
    options = [
        {"full": True},
        {"weight": "whole", "sort_by": "gain_ratio", "full": True},
        {"missing": "own_level", "weight": "share", "full": True},
        {"nominal": ["i8", "f32"], "log_base": "e", "full": True},
    ][seed // 2 % 4]
    beside = {*TARGETS, "whole", "share"} - {target, options.get("weight")}
    query = f"SELECT * EXCLUDE ({', '.join(sorted(beside))}), [1] AS list FROM t"
    ranking = gt.sql.rank(gt.sql.duckdb(connection), query, target, bins=6, **options)
    wanted = gt.rank_gain(connection.sql(query), target, **options)
    assert ranking.drop("excluded_reason", "dtype").equals(wanted.drop("excluded_reason", "dtype"))
    assert ranking["feature"][-1] == "list"


def numbers():
    """A connection with 300 rows of a number and a text that tell a class."""
    connection = duckdb.connect()
    connection.sql(
        "CREATE TABLE t AS SELECT i AS x, chr(97 + (i % 5)::INT) AS s, i % 7 AS z, "
        "i * 37 % 300 > 120 OR i % 5 = 2 AS y FROM range(300) r(i)"
    )
    return connection


def wrong(message, *arguments, error=gt.DataError, verb=gt.sql.fit, **options):
    with pytest.raises(error, match=message):
        verb(*arguments, **options)


def test_a_callable_with_a_dialect_is_an_engine():
    connection, asked = numbers(), []

    def run(query):
        asked.append(query)
        return connection.sql(query).to_arrow_table()

    fit = gt.sql.fit(run, "t", "y", dialect="duckdb", gathered_rows=20)
    assert fit.tree == gt.fit_tree(connection.sql("FROM t"), "y").tree
    assert asked[0].startswith("SELECT * FROM (SELECT * FROM t")
    assert fit.report["rows"] == 300
    assert 0 < fit.report["rows_gathered"] < 300
    of_frame = gt.sql.fit(lambda q: connection.sql(q).pl(), "FROM t;", "y", dialect="duckdb")
    assert of_frame.tree == fit.tree


def test_columns_may_be_picked():
    connection = numbers()
    engine = gt.sql.duckdb(connection)
    for options in (
        {"features": ["z", "x"]},
        {"features": pl.selectors.integer()},
        {"exclude": "s"},
        {"exclude": pl.selectors.string(), "nominal": ["z"]},
    ):
        fit = gt.sql.fit(engine, "t", "y", max_depth=3, **options)
        wanted = gt.fit_tree(connection.sql("FROM t"), "y", gt.cart(max_depth=3, **options))
        assert fit.tree == wanted.tree
        ranking = gt.sql.rank(engine, "t", "y", **options)
        assert ranking.equals(gt.rank_gain(connection.sql("FROM t"), "y", **options))


def test_rows_are_scored_where_they_are():
    connection = numbers()
    engine = gt.sql.duckdb(connection)
    tree = gt.sql.fit(engine, "t", "y", gt.cart(max_depth=4)).tree
    scored = gt.sql.score(engine, "SELECT * FROM t ORDER BY x -- in order", tree, probability=True)
    wanted = tree.score(connection.sql("FROM t ORDER BY x"), probability=True)
    assert pl.DataFrame(scored).equals(wanted)
    wrong(
        "already have a column `Prediction`",
        engine,
        "SELECT *, 1 AS Prediction FROM t",
        tree,
        error=gt.SpecError,
        verb=gt.sql.score,
    )


def test_the_queries_are_logged(caplog):
    with caplog.at_level(logging.DEBUG, logger="gaintree.sql"):
        gt.sql.rank(gt.sql.duckdb(numbers()), "t", "y")
    assert any("count(*)" in record.getMessage() for record in caplog.records)


def test_progress_is_told_and_may_end_the_work():
    engine, told = gt.sql.duckdb(numbers()), []
    gt.sql.fit(engine, "t", "y", gathered_rows=10, progress=told.append)
    assert [of.number for of in told] == list(range(1, len(told) + 1))
    assert {of.task for of in told} == {"summary", "counts", "gather"}
    assert told[-1].nodes_so_far > told[-1].nodes > 0
    features = []
    gt.sql.rank(engine, "t", "y", progress=features.append)
    assert features[-1] == gt.Stage("ranking columns", 3, 3)

    def enough(progress):
        if progress.number == 2:
            raise TimeoutError("enough")

    wrong("enough", engine, "t", "y", error=TimeoutError, progress=enough)


def test_what_the_engine_raises_comes_back():
    engine = gt.sql.duckdb(numbers())
    wrong("nowhere", engine, "nowhere", "y", error=duckdb.CatalogException)
    wrong("nix", engine, "SELECT nix FROM t", "y", error=duckdb.BinderException)
    halted = [0]

    def falling(query):
        halted[0] += 1
        if halted[0] > 4:
            raise ConnectionError("the server is gone")
        return engine.run_query(query)

    wrong("the server is gone", falling, "t", "y", error=ConnectionError, dialect="duckdb")
    wrong("convert", engine, "SELECT *, s::INT AS n FROM t", "y", error=duckdb.ConversionException)


CHANGES = [
    "INSERT INTO t VALUES (1, 'a', 1, true)",
    "DELETE FROM t WHERE x < 9",
    "UPDATE t SET y = NOT y",
    "UPDATE t SET s = 'new'",
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_that_changes_ends_the_fit(change):
    connection = numbers()

    def then(progress):
        if progress.number == 3:
            connection.sql(change)

    wrong(
        "changed between two passes",
        gt.sql.duckdb(connection),
        "t",
        "y",
        gathered_rows=0,
        bins=6,
        progress=then,
    )


@pytest.mark.parametrize("target", ["y", "x"])
@pytest.mark.parametrize("verb", [gt.sql.fit, gt.sql.rank])
def test_answers_that_fit_no_question_are_an_error(verb, target):
    rows = pl.DataFrame({"x": [1.5, 2, 3, 4], "s": ["a", "b", "a", "b"], "y": ["p", "q", "p", "q"]})
    engine = gt.sql.duckdb(duckdb.connect())
    engine.run_query("CREATE TABLE t (x DOUBLE, s VARCHAR, y VARCHAR)")
    engine.run_query("INSERT INTO t VALUES (1, 'a', 'p'), (2, 'b', 'q'), (3, 'a', 'q')")
    wrong("another number of columns", lambda _: rows, "t", target, verb=verb, dialect="duckdb")
    # From the n-th query on, an answer of the right width with odd numbers in it.
    for n, odd in ((n, odd) for n in range(2, 9) for odd in (-1, 9, "z", None, 2**62)):
        asked = []

        def run(query, n=n, odd=odd, asked=asked):
            asked.append(query)
            answer = pl.DataFrame(engine.run(query))
            if len(asked) <= n:
                return answer
            return pl.DataFrame({name: [odd] * 3 for name in answer.columns})

        # A panic would be another error.
        with contextlib.suppress(gt.DataError):
            verb(run, "t", target, dialect="duckdb", bins=4)


def test_wrong_words_are_refused():
    connection = numbers()
    engine, spec = gt.sql.duckdb(connection), gt.SpecError
    wrong("did you mean `y`|no such column", engine, "t", "yy")
    wrong("`xx`: no such column", engine, "t", "y", gt.cart(features=["xx"]))
    wrong("no such column", engine, "t", "y", verb=gt.sql.rank, exclude="xx")
    wrong("of type DuckDBPyConnection", connection, "t", "y", error=spec)
    wrong("`dialect` is None", connection.sql, "t", "y", error=spec)
    wrong("`dialect` is 'sqlite'", connection.sql, "t", "y", error=spec, dialect="sqlite")
    wrong("which the engine has", engine, "t", "y", error=spec, dialect="datafusion")
    wrong("`rows` is ''", engine, " ;", "y", error=spec)
    wrong("`bins` is -1", engine, "t", "y", error=spec, bins=-1)
    wrong("fractional", engine, "SELECT nullif(x, 3) AS x, y FROM t", "y", gt.c45(), error=spec)
    wrong(
        "answered a query with a list",
        lambda _: [1],
        "t",
        "y",
        error=gt.FrameTypeError,
        dialect="duckdb",
    )
    wrong("too small|budget|memory", engine, "t", "y", error=spec, memory=100)
    wrong("class", engine, "SELECT * FROM t WHERE y", "y")
    wrong("no rows", engine, "SELECT * FROM t WHERE x > 999", "y")
    wrong("missing in 1 of 300 rows", engine, "SELECT * REPLACE (nullif(x, 7) AS x) FROM t", "x")


@pytest.mark.parametrize("engine", [gt.sql.duckdb, gt.sql.datafusion, gt.sql.spark])
@pytest.mark.parametrize("given", [None, "df://localhost:50050", 42])
def test_an_engine_is_made_of_a_connection(engine, given):
    with pytest.raises(gt.SpecError, match=r"`(connection|context|session)` is .*: expected a"):
        engine(given)


def test_a_signal_ends_the_query_that_runs():
    engine = gt.sql.duckdb(duckdb.connect())

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        # Of so many rows a count takes hours.
        with pytest.raises(KeyboardInterrupt):
            gt.sql.fit(engine, f"SELECT x, x % 2 AS y FROM range({10**14}) r(x)", "y")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert gt.sql.fit(engine, "SELECT x, x > 4 AS y FROM range(9) r(x)", "y").tree.n_leaves == 2
