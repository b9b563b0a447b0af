"""Ranking: gaintree beside what one would write by hand."""

import json
import tempfile
from pathlib import Path

from cases import RANK_TABLES
from measure import run
from setup import GAINTREE, HERE, PYTHON, note

METHODS = {
    "gaintree": "gaintree rank",
    "arg_sort": "Polars: arg_sort of each column, and no more",
    "sort": "Polars: sort each column, cum_sum, gain of each cut",
    "group_by": "Polars: group_by each column, cum_sum, gain of each cut",
    "multiway": "Polars: group_by each column, gain of all levels",
    "sklearn": "scikit-learn: a tree of depth 1 per column",
}
# A cut of text has no meaning, and counting levels that are all distinct is sorting.
SUITS = {
    "distinct": ("gaintree", "arg_sort", "sort", "sklearn"),
    "few": ("gaintree", "arg_sort", "sort", "group_by", "sklearn"),
    "text": ("gaintree", "arg_sort", "multiway"),
    "kdd": ("gaintree", "arg_sort"),
}


def measure(files: dict[str, Path], args) -> list[dict]:
    entries = []
    for table, data in files.items():
        mine = [
            {"table": table, "method": method, "threads": threads, "runs": []}
            for method in SUITS[table]
            for threads in (args.threads if method != "sklearn" else args.threads[:1])
        ]
        note(f"ranking {RANK_TABLES[table][0]}")
        for _ in range(args.runs):
            for entry in (e for e in mine if "failed" not in e):
                result = one(entry["method"], data, entry["threads"], args.limit)
                if "failed" in result:
                    entry["failed"] = result["failed"]
                    note(f"  {entry['method']}: {result['failed']}")
                    continue
                entry["gains"] = result.pop("gains", None)
                entry["runs"].append(result)
                note(f"  {entry['method']}, {entry['threads']} threads: {result['rank_s']:.3f} s")
        entries += mine
    return entries


def one(method: str, data: Path, threads: int, limit: float) -> dict:
    if method != "gaintree":
        return run([PYTHON, HERE / "rank_one.py", method, data], threads, limit)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "ranking.ndjson"
        words = ["--target", "y", "--threads", threads, "--report", "json", "-o", table]
        result = run([GAINTREE, "rank", data, *words], threads, limit)
        if "failed" not in result:
            result["rank_s"] = result["score_s"]
            rows = [json.loads(line) for line in table.read_text().splitlines()]
            result["gains"] = {row["feature"]: row["info_gain"] for row in rows}
    return result
