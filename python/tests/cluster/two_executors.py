"""Trees and rankings by a Spark cluster of two executors are those of its rows in memory."""

import random
import signal
import subprocess
import threading
import time
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import polars as pl
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import gaintree as gt

DAY = datetime(1969, 12, 31, 23, 59)
TEXTS = ["a", "it's", 'b"q', "back\\slash", "", "null", "Ä", "two\nlines", "${spark.app.name}", "`"]
ODD = [float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 1e-38, 5e-324]
# A column of each type, by names that would break a query or meet the names of ours.
TYPES = {
    "i8": (pl.Int8, lambda n: n % 100 - 50),
    "i16": (pl.Int16, lambda n: n - 200),
    "i32": (pl.Int32, lambda n: n * 1000),
    "i64": (pl.Int64, lambda n: 2**63 - 1 - n if n % 3 else -n),
    "u64": (pl.UInt64, lambda n: 2**64 - 1 - n),
    "f32": (pl.Float32, lambda n: n / 7 - 20),
    "f`64": (pl.Float64, lambda n: n / 7 - 20),
    "d9": (pl.Decimal(9, 2), lambda n: Decimal(n) / 100 - 2),
    "d38": (pl.Decimal(38, 3), lambda n: Decimal(n * 10**32) + Decimal("0.125")),
    "day": (pl.Date, lambda n: date(1969, 12, 1) + timedelta(n)),
    "ntz": (pl.Datetime("us"), lambda n: DAY + timedelta(microseconds=n * 1_000_003)),
    "ltz": (
        pl.Datetime("us", "UTC"),
        lambda n: DAY.replace(tzinfo=timezone.utc) + timedelta(seconds=n),
    ),
    "__n": (pl.String, lambda n: TEXTS[n % len(TEXTS)]),
    "select": (pl.String, lambda n: f"level {n}"),
    "w": (pl.Boolean, lambda n: n % 2 > 0),
    "nothing": (pl.Int32, lambda _: None),
}
TARGETS = ["classes", "flag", "number", "price"]
SPECS = [
    gt.cart(max_depth=5),
    gt.cart(weight="whole", max_leaves=8),
    gt.cart(missing="majority", min_samples_leaf=3),
    gt.cart(grouping="one_vs_rest", nominal=["i8", "day"], max_depth=4),
    gt.cart(max_depth=4, weight="share", min_weight_leaf=2.5, pruning={"leaves": 5}),
    gt.c45(missing="learn", subtree_raising=False),
    gt.id3(max_depth=4, weight="share"),
    gt.cart(max_depth=4, class_weights="balanced"),
]


@pytest.fixture(scope="module")
def session():
    """A session with two executors, each a process."""
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("it's")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.session.timeZone": "America/New_York",
        # Executors that a test kills are no reason to give up.
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.task.maxFailures": "9",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    # A query of no use, once per executor, before anything is timed or killed.
    session.range(0, 1000, 1, 4).count()
    yield session
    session.stop()


def table(seed, rows=90):
    """A frame of random values, which depend on each other a little."""
    r = random.Random(seed)

    def cell(dtype, of):
        if r.random() < 0.1:
            return None
        if dtype.is_float() and r.random() < 0.2:
            return r.choice(ODD)
        return of(r.randrange(400 if r.random() < 0.7 else 7))

    columns = {
        name: pl.Series([cell(dtype, of) for _ in range(rows)], dtype=dtype)
        for name, (dtype, of) in TYPES.items()
    }
    pairs = zip(columns["i16"], columns["__n"], strict=True)
    hints = [(v is not None and v > 0) + (t == "a") for v, t in pairs]
    classes = ["abc"[r.randrange(3)] if r.random() < 0.4 else "abc"[h] for h in hints]
    return pl.DataFrame(columns).with_columns(
        classes=pl.Series(classes),
        flag=pl.Series([c == "a" for c in classes]),
        number=pl.Series([r.randrange(50) / 3 + 7 * (c == "b") for c in classes]),
        price=pl.Series([Decimal(r.randrange(90)) + Decimal("0.125") for _ in classes]).cast(
            pl.Decimal(12, 3)
        ),
        whole=pl.Series([r.randrange(4) for _ in classes]),
        share=pl.Series([r.randrange(5) / 3 for _ in classes]),
    )


def registered(session, folder, frame, name="t"):
    """The frame as a view over files of two parts."""
    half = frame.height // 2
    for part, rows in enumerate((frame[:half], frame[half:])):
        rows.write_parquet(folder / f"{name}-{part}.parquet", row_group_size=20)
    session.read.parquet(f"{folder}/{name}-*.parquet").createOrReplaceTempView(name)


def query_of(target, options):
    """All columns but other targets and weights."""
    beside = {*TARGETS, "whole", "share"} - {target, options.get("weight")}
    return f"SELECT * EXCEPT ({', '.join(sorted(beside))}) FROM t -- all"


@pytest.mark.parametrize("seed", range(16))
def test_trees_are_those_of_the_rows(session, tmp_path, seed):
    registered(session, tmp_path, table(seed))
    target, spec = TARGETS[seed % 4], SPECS[seed % 8 if seed < 8 else (seed + 3) % 8]
    options = dict(spec.options)
    if target in ("number", "price"):
        options = {k: v for k, v in options.items() if k not in ("criterion", "class_weights")}
        spec = gt.TreeSpec("cart", options) if spec.algorithm == "cart" else gt.cart(max_depth=4)
    query = query_of(target, options)
    engine = gt.sql.spark(session)
    fit = gt.sql.fit(engine, query, target, spec, bins=4 + seed % 5, gathered_rows=seed % 3 * 12)
    rows = session.sql(query).toArrow()
    wanted = gt.fit_tree(rows, target, spec)
    assert fit.tree.to_json() == wanted.tree.to_json()
    assert fit.importance.equals(wanted.importance)
    assert fit.report["passes"] > 2
    if seed % 4 == 0:
        halves = f"SELECT * FROM (({query}\n) UNION ALL ({query}\n)) DISTRIBUTE BY i16"
        both = gt.sql.fit(engine, halves, target, spec, gathered_rows=30)
        assert both.tree == gt.fit_tree(session.sql(halves).toArrow(), target, spec).tree
    is_classes = not wanted.tree.is_regression
    scored = gt.sql.score(engine, query, fit.tree, probability=is_classes)
    assert scored.columns[-1] == ("probability_c" if target == "classes" else scored.columns[-1])
    of_memory = wanted.tree.score(rows, probability=is_classes)
    columns = [name for name in of_memory.columns if name.startswith(("predic", "proba"))]
    here = pl.DataFrame(scored.toArrow())[columns]
    assert here.equals(of_memory[columns]) or here.rows() == of_memory[columns].rows()


@pytest.mark.parametrize("seed", range(4))
def test_rankings_are_those_of_the_rows(session, tmp_path, seed):
    registered(session, tmp_path, table(seed + 50, 200))
    options = [
        {},
        {"weight": "whole", "sort_by": "gain_ratio"},
        {"missing": "own_level", "weight": "share"},
        {"nominal": ["i8", "f32"], "log_base": "e"},
    ][seed]
    query = query_of(TARGETS[seed], options)
    ranking = gt.sql.rank(gt.sql.spark(session), query, TARGETS[seed], bins=6, full=True, **options)
    rows = session.sql(query).toArrow()
    wanted = gt.rank_gain(rows, TARGETS[seed], full=True, **options)
    assert ranking.equals(wanted)


def executors():
    """The processes of the executors."""
    found = subprocess.run(
        ["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True, check=False
    )
    return [int(process) for process in found.stdout.split()]


def test_an_executor_that_is_killed_changes_nothing(session, tmp_path):
    frame = pl.concat([table(seed, 900) for seed in range(4)])
    registered(session, tmp_path, frame)
    query = query_of("classes", {})
    spec = gt.cart(max_depth=4)
    killed = []

    def then(progress):
        # In the middle of the pass that follows, which takes longer than this.
        if progress.number in (2, 4):
            victim = executors()[0]
            killed.append(victim)
            threading.Timer(0.3, lambda: subprocess.run(["kill", "-9", str(victim)])).start()

    engine = gt.sql.spark(session)
    fit = gt.sql.fit(engine, query, "classes", spec, gathered_rows=0, bins=8, progress=then)
    assert len(set(killed)) == 2
    assert not set(killed) & set(executors())
    assert fit.tree == gt.fit_tree(session.sql(query).toArrow(), "classes", spec).tree


def test_what_spark_raises_comes_back(session, tmp_path):
    registered(session, tmp_path, table(1))
    engine = gt.sql.spark(session)
    with pytest.raises(PySparkException, match="nowhere"):
        gt.sql.fit(engine, "nowhere", "classes")
    with pytest.raises(PySparkException, match="nix"):
        gt.sql.rank(engine, "SELECT nix FROM t", "classes")
    with pytest.raises(PySparkException, match="CAST_INVALID_INPUT"):
        gt.sql.fit(engine, "SELECT *, CAST(__n AS INT) AS n FROM t", "classes")
    registered(session, tmp_path, pl.DataFrame({"${x}": [1, 2], "y": ["a", "b"]}), "odd")
    with pytest.raises(gt.SpecError, match=r"has a `\$\{`: rename"):
        gt.sql.fit(engine, "odd", "y")
    tree = gt.fit_tree(pl.DataFrame({"i8": [1, 2], "y": ["a", "b"]}), "y").tree
    with pytest.raises(gt.SpecError, match="already have a column `Prediction`"):
        gt.sql.score(engine, "SELECT *, 1 AS Prediction FROM t", tree)


def test_a_signal_ends_the_query_that_runs(session):
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    started = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 3)
        # Of so many rows a count takes hours.
        query = f"SELECT id, id % 2 AS y FROM range({10**13})"
        with pytest.raises(KeyboardInterrupt):
            gt.sql.fit(gt.sql.spark(session), query, "y")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - started < 60
    query = "SELECT id, id > 4 AS y FROM range(9)"
    assert gt.sql.fit(gt.sql.spark(session), query, "y").tree.n_leaves == 2
