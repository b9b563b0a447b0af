"""ClickHouse, in this process."""

import json

import chdb
from chdb.session import Session


class ClickHouse:
    def __init__(self, _):
        self.session = Session()
        # What it reads here is a table that others would have written.
        self.session.query("SET precise_float_parsing = 1, enable_time_time64_type = 1, max_query_size = 100000000")
        self.version = "ClickHouse " + str(chdb.engine_version)

    def ask(self, case):
        quoted = ["`" + c["name"].replace("\\", "\\\\").replace("`", "\\`") + "`" for c in case["columns"]]
        types = [c["clickhouse"] for c in case["columns"]]
        run = self.session.query
        run("DROP TABLE IF EXISTS t")
        columns = ", ".join(map(" ".join, zip(quoted, types)))
        run(f"CREATE TABLE t (nr UInt32, {columns}) ENGINE = Memory")
        rows = "\n".join("\t".join([str(at), *map(field, types, row)]) for at, row in enumerate(case["rows"]))
        run(f"INSERT INTO t FORMAT TSV\n{rows}\n")
        found = run("SELECT " + ",\n".join(case["clickhouse"]) + " FROM t ORDER BY nr", "JSONCompactEachRow")
        numbers = case["predicts"] == "f64"
        yield "t", [answer(json.loads(line), numbers) for line in str(found).splitlines()]


def answer(row, numbers):
    """A row whose floats are floats: JSON has none of their dtype."""
    first, leaf, *shares = row
    return [float(first) if numbers else first, leaf, *map(float, shares)]


def field(sql_type, text):
    if text is None:
        return "\\N"
    text = text.removesuffix("+00") if "DateTime64" in sql_type else text
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
