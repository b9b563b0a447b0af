"""Runs each case in an engine and compares its answers: compare.py ENGINE FOLDER [CONNECTION]."""

import importlib
import json
import sys

from answers import text

# Where an engine is asked, and its file of cases where that is not of its name.
ENGINES = {
    "onnx": ("onnx", "Onnx", "shared"),
    "duckdb": ("duckdb", "DuckDb", "shared"),
    "postgresql": ("postgresql", "PostgreSql", "shared"),
    "clickhouse": ("clickhouse", "ClickHouse", None),
    "mysql": ("mariadb", "MariaDb", None),
    "spark": ("spark", "Spark", None),
    "trino": ("parsed", "Parsed", None),
    "bigquery": ("parsed", "Parsed", None),
    "snowflake": ("parsed", "Parsed", None),
    "sqlserver": ("parsed", "Parsed", None),
}


def differs(case, found):
    """What an engine answered wrongly."""
    if isinstance(found, tuple):
        answer, rows = found
        right = [at for at, answers in enumerate(case["answers"]) if answers[0] == answer]
        return None if rows == right else f"{answer}: rows {rows} for {right}"
    if found is None:
        return None
    found = [[text(value) for value in row] for row in found]
    if found == case["answers"]:
        return None
    return [p for p in zip(case["rows"], found, case["answers"]) if p[1] != p[2]][:3]


def main():
    engine, folder, *connection = sys.argv[1:]
    module, name, cases = ENGINES[engine]
    asked = getattr(importlib.import_module(f"asked.{module}"), name)(*connection or [engine])
    run = refused = wrong = rows = files = 0
    for line, content in enumerate(open(f"{folder}/{cases or engine}", encoding="utf-8")):
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
    how = getattr(asked, "how_wrong", "answered wrongly")
    print(f"{asked.version}: {run} trees, {rows} rows{read}, {wrong} trees {how}; {refused} not asked")
    sys.exit(1 if wrong or not run else 0)


main()
