#!/usr/bin/env python3
"""Fits and ranks a folder of parquet files that is larger than the memory allowed.

    python3 benches/peers/large.py make FOLDER --gigabytes 10
    python3 benches/peers/large.py run FOLDER --memory 1GiB [--command target/release/gaintree]

`make` draws rows of 14 columns, about 100 bytes each, into files of 2.5 million rows: four numbers that tell
the class, six that do not, an amount that is mostly zero, a day, a count and a city. It takes 300 MB.

`run` fits trees and ranks the columns with `--memory`, and prints for each: seconds, passes, the bytes that
were counted, the most memory that the process had (`ru_maxrss`), and what it had at `--memory` with one small
file, which is what the process needs anyway.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

ROWS_OF_FILE = 2_500_000
BYTES_OF_ROW = 97
CITIES = np.array([f"city {n}" for n in range(50)])


def rows(seed: int, n: int) -> pl.DataFrame:
    """A number of rows, the same ones for the same seed."""
    random = np.random.default_rng(seed)
    told = {f"told_{i}": random.standard_normal(n) for i in range(4)}
    noise = {f"noise_{i}": random.random(n) for i in range(6)}
    amount = np.where(random.random(n) < 0.9, 0.0, np.round(random.lognormal(6, 1, n), 2))
    city = random.integers(0, 50, n)
    count = random.poisson(7, n).astype(np.int32)
    day = random.integers(18_000, 20_000, n).astype(np.int32)
    score = told["told_0"] + 0.6 * told["told_1"] * (told["told_2"] > 0) + 0.3 * told["told_3"]
    score += 0.5 * (amount > 800) + 0.02 * (city % 7) + 0.05 * (count - 7)
    churn = score + random.logistic(size=n) > 0.8
    columns = {**told, **noise, "amount": amount, "count": count}
    frame = pl.DataFrame(columns).with_columns(
        day=pl.Series(day).cast(pl.Date), city=pl.Series(CITIES[city]), churn=pl.Series(churn)
    )
    return frame.with_columns(churn=pl.col("churn").cast(pl.Int8))


def make(folder: Path, gigabytes: float) -> None:
    """Writes the files that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    left = int(gigabytes * 1e9 / BYTES_OF_ROW)
    seed = 0
    while left > 0:
        path = folder / f"rows-{seed:04}.parquet"
        n = min(left, ROWS_OF_FILE)
        if not path.exists():
            unfinished = path.with_suffix(".part")
            frame = rows(seed, n)
            frame.write_parquet(unfinished, compression="uncompressed", row_group_size=250_000)
            unfinished.rename(path)
        left, seed = left - n, seed + 1
    size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
    print(f"{seed} files, {size / 1e9:.2f} GB")


def measured(command: list[str]) -> tuple[float, int, dict]:
    """Seconds, the most bytes in memory, and the report of a run of the command."""
    before = time.monotonic()
    run = subprocess.Popen([*command, "--report", "json"], stdout=subprocess.PIPE, stderr=sys.stderr)
    out = run.stdout.read()
    _, status, usage = os.wait4(run.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return time.monotonic() - before, usage.ru_maxrss * unit, json.loads(out.splitlines()[-1])


def run(folder: Path, memory: str, command: str, only: str | None) -> None:
    """Measures fits and rankings, each beside the same of a small file."""
    small = Path(tempfile.mkdtemp()) / "small.parquet"
    rows(0, 20_000).write_parquet(small)
    model, ranking = str(small.with_suffix(".json")), str(small.with_suffix(".csv"))

    def fit(target: str, *options: str) -> list[str]:
        return ["fit", "--target", target, "--memory", memory, "-o", model, *options]

    jobs = {
        "cart, depth 8": fit("churn", "--max-depth", "8"),
        "id3, depth 5": fit(
            "churn", "--algorithm", "id3", "--max-depth", "5", "--grouping", "one_vs_rest"
        ),
        "number, depth 6": fit("amount", "--max-depth", "6"),
        "ranking": ["rank", "--target", "churn", "--memory", memory, "-o", ranking],
    }
    print("| job | seconds | passes | counted MiB | peak MiB | of a small file MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, job in jobs.items():
        if only and only not in name:
            continue
        _, least, _ = measured([command, *job, str(small)])
        seconds, most, report = measured([command, *job, str(folder / "*.parquet")])
        passes = report.get("passes", report.get("readings"))
        counted = report["peak_bytes"] >> 20
        line = [name, f"{seconds:.0f}", passes, counted, most >> 20, least >> 20]
        print("|", " | ".join(map(str, line)), "|", flush=True)
        print(json.dumps(report), file=sys.stderr)


def main() -> None:
    """Makes, or runs."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("do", choices=["make", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--memory", default="1GiB")
    parser.add_argument("--command", default="target/release/gaintree")
    parser.add_argument("--only", help="the jobs whose name has this")
    args = parser.parse_args()
    if args.do == "make":
        make(args.folder, args.gigabytes)
    else:
        run(args.folder, args.memory, args.command, args.only)


if __name__ == "__main__":
    main()
