#!/usr/bin/env python3
"""How far it goes: large, wide and odd tables, their time beside an argsort and their memory.

Needs what run.py sets up. Each table is made, ranked and fitted (Gini, depth 12) from parquet by
a process of its own; its time is of the work on the frame in memory, its memory of the process.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from measure import run
from setup import GAINTREE, PYTHON, WORK, note

M = 1_000_000


def numbers(rows, columns):
    import numpy as np

    draw = np.random.default_rng(7)
    return {f"x{i}": draw.random(rows) for i in range(columns)}


def two_classes(rows):
    import numpy as np

    return (np.random.default_rng(8).random(rows) < 0.5).astype(np.int32)


def texts(rows, levels):
    import numpy as np
    import pyarrow as pa

    ids = np.random.default_rng(7).integers(0, levels, rows).astype(np.int32)
    ids[:levels] = np.arange(levels)
    return {"x0": pa.DictionaryArray.from_arrays(ids, [f"level {i}" for i in range(levels)]).cast(pa.string())}


# Each makes its features and its target.
TABLES = {
    "200 columns x 1,000,000 rows": lambda: (numbers(M, 200), two_classes(M)),
    "20,000 columns x 1,000 rows": lambda: (numbers(1000, 20_000), two_classes(1000)),
    "1 column x 50,000,000 rows": lambda: (numbers(50 * M, 1), two_classes(50 * M)),
    "1,000,000 levels of text, 2,000,000 rows": lambda: (texts(2 * M, M), two_classes(2 * M)),
    "5,000 classes, 10 columns x 100,000 rows": lambda: (
        numbers(100_000, 10),
        [i % 5000 for i in range(100_000)],
    ),
    "names of 100 KB, 10 columns x 100,000 rows": lambda: (
        {name * 50_000: values for name, values in numbers(100_000, 10).items()},
        two_classes(100_000),
    ),
}

ARGSORT = """
import json, sys, time
import polars as pl
df = pl.read_parquet(sys.argv[1]).drop("y")
start = time.perf_counter()
for column in df.get_columns():
    column.arg_sort()
print(json.dumps({"argsort_s": time.perf_counter() - start, "frame": df.estimated_size()}))
"""


def write(title: str, path: str) -> None:
    """In a process of its own, so that its memory is not ours."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    features, target = TABLES[title]()
    features = {name: pa.array(values) for name, values in features.items()}
    pq.write_table(pa.table(features | {"y": target}), path, compression="NONE")


def measured(title: str, threads: int, limit: float) -> list:
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        data, model = Path(folder) / "data.parquet", Path(folder) / "model.json"
        made = run([PYTHON, __file__, "--write", title, data], threads, limit)
        if "failed" in made:
            return [title, made["failed"]]
        sort = run([PYTHON, "-c", ARGSORT, data], threads, limit)
        words = [data, "--target", "y", "--threads", threads, "--report", "json"]
        rank = run([GAINTREE, "rank", *words, "-o", Path(folder) / "ranking.parquet"], threads, limit)
        fit = run([GAINTREE, "fit", *words, "--max-depth", 12, "-o", model], threads, limit)
    for result in (sort, rank, fit):
        if "failed" in result:
            return [title, result["failed"]]
    took, frame = sort["argsort_s"], sort["frame"]
    return [
        title,
        f"{frame / 1e6:,.0f}",
        f"{rank['score_s'] / took:.2f}",
        f"{rank['peak_kb'] * 1024 / frame:.1f}",
        f"{(fit['encode_s'] + fit['grow_s']) / took:.2f}",
        f"{fit['peak_kb'] * 1024 / frame:.1f}",
        f"{max(rank['peak_kb'], fit['peak_kb']) / 2**20:.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", nargs=2, metavar=("TABLE", "FILE"), help="only make a table")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=float, default=600, help="seconds a process may take (600)")
    args = parser.parse_args()
    if args.write:
        write(*args.write)
        print(json.dumps({}))
        return
    head = ["table", "frame MB", "rank / argsort", "rank peak / frame", "fit / argsort", "fit peak / frame", "peak GiB"]
    print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|", flush=True)
    for title in TABLES:
        note(title)
        print("| " + " | ".join(measured(title, args.threads, args.limit)) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
