"""A PostgreSQL server."""

import psycopg


class PostgreSql:
    def __init__(self, connection):
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
        yield "t", run(("select " + ",\n".join(case["postgresql"]) + " from t order by nr").encode()).fetchall()
