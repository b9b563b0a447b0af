"""Runs each case in an engine and compares its answers: compare.py ENGINE CASES [CONNECTION]."""

import json
import struct
import sys
import tempfile


def bits(x):
    return struct.pack(">d", x + 0.0).hex()


def text(value):
    """An answer as the cases write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return bits(value)
    return str(value)


class DuckDb:
    def __init__(self, _):
        import duckdb

        import parquet

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
        yield "t", run(("select " + ",\n".join(case["postgresql"]) + " from t order by nr").encode()).fetchall()


class Onnx:
    """ONNX Runtime: the prediction and the probabilities of all rows in one run."""

    def __init__(self, _):
        import onnx
        import onnxruntime

        self.check = lambda model: onnx.checker.check_model(onnx.load_from_string(model), full_check=True)
        onnxruntime.set_default_logger_severity(4)
        self.session = onnxruntime.InferenceSession
        self.version = "ONNX Runtime " + onnxruntime.__version__

    def ask(self, case):
        from inputs import cells

        model = bytes.fromhex(case["onnx"])
        self.check(model)
        session = self.session(model, providers=["CPUExecutionProvider"])
        columns = {column["name"]: at for at, column in enumerate(case["columns"])}
        feed = {}
        for slot in [*session.get_inputs(), *session.get_overridable_initializers()]:
            name = slot.name if slot.name in columns else slot.name.removesuffix("__missing")
            texts = [row[columns[name]] for row in case["rows"]]
            feed[slot.name] = cells(case["columns"][columns[name]]["dtype"], texts, slot)
        found = session.run(None, feed)
        names = [output.name for output in session.get_outputs()]
        answers = [[value] for value in found[names.index("prediction")].tolist()]
        if "probabilities" in names:
            for answer, shares in zip(answers, found[names.index("probabilities")].tolist()):
                answer.extend(shares)
        yield "onnx", answers


def differs(case, found):
    """What an engine answered wrongly."""
    if isinstance(found, tuple):
        answer, rows = found
        right = [at for at, answers in enumerate(case["answers"]) if answers[0] == answer]
        return None if rows == right else f"{answer}: rows {rows} for {right}"
    found = [[text(value) for value in row] for row in found]
    if found == case["answers"]:
        return None
    return [p for p in zip(case["rows"], found, case["answers"]) if p[1] != p[2]][:3]


def main():
    engine, path, *connection = sys.argv[1:]
    asked = {"onnx": Onnx, "duckdb": DuckDb, "postgresql": PostgreSql}[engine](*connection or [None])
    run = refused = wrong = rows = files = 0
    for line, content in enumerate(open(path, encoding="utf-8")):
        case = json.loads(content)
        if case[engine] is None:
            refused += 1
            continue
        run += 1
        rows += len(case["rows"])
        source, finding = "", None
        try:
            for source, found in asked.ask(case):
                files += source.endswith(".parquet'")
                finding = differs(case, found)
                if finding:
                    break
        except Exception as error:  # whatever the engine says is a finding
            finding = f"{type(error).__name__}: {error}"
        if finding:
            wrong += 1
            if wrong <= 5:
                print(f"case {line}, {source}: {case[engine][0]}\n{case['columns']}\n{finding}")
    read = f", {files} parquet files" if files else ""
    print(
        f"{asked.version}: {run} trees, {rows} rows{read}, {wrong} trees answered wrongly; "
        f"{refused} not asked"
    )
    sys.exit(1 if wrong or not run else 0)


main()
