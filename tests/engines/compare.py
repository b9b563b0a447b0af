"""Runs each case in an engine and compares its answers: compare.py ENGINE CASES [CONNECTION]."""

import json
import struct
import sys


def bits(x):
    return struct.pack(">d", x + 0.0).hex()


def text(value, predicts):
    """An answer as the cases write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return bits(value)
    return str(value)


class DuckDb:
    def __init__(self, _):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("set timezone = 'America/New_York'")
        self.version = "DuckDB " + duckdb.__version__

    def ask(self, case):
        quoted = ['"' + c["name"].replace('"', '""') + '"' for c in case["columns"]]
        types = [c["duckdb"] for c in case["columns"]]
        run = self.connection.execute
        run("create or replace table t (nr integer, " + ", ".join(map(" ".join, zip(quoted, types))) + ")")
        for at, row in enumerate(case["rows"]):
            marks = ", ".join(f"cast(? as {t})" for t in types)
            run(f"insert into t select {at}, {marks}", row)
        return run("select " + ",\n".join(case["duckdb"]) + " from t order by nr").fetchall()


class PostgreSql:
    def __init__(self, connection):
        import psycopg

        self.connection = psycopg.connect(connection, autocommit=True)
        self.connection.execute("set timezone = 'America/New_York'")
        setting = self.connection.execute("show standard_conforming_strings").fetchone()[0]
        self.version = f"PostgreSQL {self.connection.info.server_version}, standard_conforming_strings {setting}"

    def ask(self, case):
        quoted = ['"' + c["name"].replace('"', '""') + '"' for c in case["columns"]]
        types = [c["postgresql"] for c in case["columns"]]
        run = self.connection.execute
        run("drop table if exists t")
        run("create temporary table t (nr integer, " + ", ".join(map(" ".join, zip(quoted, types))) + ")")
        cursor = self.connection.cursor()
        marks = ", ".join(f"%s::text::{t}" for t in types)
        rows = [[at, *row] for at, row in enumerate(case["rows"])]
        cursor.executemany(f"insert into t values (%s, {marks})", rows)
        # Without parameters the text goes to the server as it is.
        return run(("select " + ",\n".join(case["postgresql"]) + " from t order by nr").encode()).fetchall()


def main():
    engine, path, *connection = sys.argv[1:]
    asked = {"duckdb": DuckDb, "postgresql": PostgreSql}[engine](*connection or [None])
    run = refused = wrong = rows = 0
    for line, content in enumerate(open(path, encoding="utf-8")):
        case = json.loads(content)
        if case[engine] is None:
            refused += 1
            continue
        run += 1
        rows += len(case["rows"])
        try:
            found = [[text(v, case["predicts"]) for v in row] for row in asked.ask(case)]
        except Exception as error:  # whatever the engine says is a finding
            found = f"{type(error).__name__}: {error}"
        if found != case["answers"]:
            wrong += 1
            if wrong <= 5:
                print(f"case {line}: {case[engine][0]}\n{case['columns']}")
                if isinstance(found, str):
                    print(found)
                else:
                    pairs = zip(case["rows"], found, case["answers"])
                    print([p for p in pairs if p[1] != p[2]][:3])
    print(f"{asked.version}: {run} trees, {rows} rows, {wrong} trees answered wrongly; {refused} refused")
    sys.exit(1 if wrong or not run else 0)


main()
