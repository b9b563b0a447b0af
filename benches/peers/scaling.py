"""How gaintree's time and memory grow with the rows."""

from dataclasses import replace
from pathlib import Path

from cases import BASE, SCALING_ROWS, Case
from fits import gaintree
from setup import note


def tables(scale: float):
    return [replace(BASE, rows=round(rows * scale)) for rows in SCALING_ROWS]


def measure(files: list[Path], args) -> list[dict]:
    entries = []
    for rows, data in zip(SCALING_ROWS, files):
        case = Case("", replace(BASE, rows=round(rows * args.scale)))
        runs = [gaintree(case, data, args.threads[0], args.limit, False) for _ in range(args.runs)]
        failed = [run["failed"] for run in runs if "failed" in run]
        entry = {"rows": case.table.rows, "columns": 10, "runs": runs}
        if failed:
            entry["failed"] = failed[0]
        note(f"  {case.table.rows} rows: {failed[0] if failed else runs[0]['fit_s']}")
        entries.append(entry)
    return entries
