"""DuckDB, over a table and over parquet files of Polars, of pyarrow and of its own."""

import tempfile

import duckdb

import parquet
from answers import text


class DuckDb:
    def __init__(self, _):
        self.files = parquet.written
        self.place = tempfile.TemporaryDirectory()
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
        prediction = case["duckdb"][0]
        for source in ["t", *(f"'{path}'" for path in self.files(case, self.place.name, self.connection))]:
            yield source, run("select " + ",\n".join(case["duckdb"]) + f" from {source} order by nr").fetchall()
            # In a filter the rows of an answer are as many.
            first = run(f"select {prediction} from {source} limit 1").fetchone()[0]
            if isinstance(first, float):
                continue
            literal = "'" + first.replace("'", "''") + "'" if isinstance(first, str) else str(first)
            kept = run(f"select nr from {source} where {prediction} = {literal} order by nr").fetchall()
            yield f"{source} where", (text(first), [nr for (nr,) in kept])
