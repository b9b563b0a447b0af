#!/usr/bin/env python3
"""Two threads beside one, and beside two processes of one thread each at the same time.

Needs what run.py sets up. What two processes lose by each other the machine does not give to two
threads either. All in random turns; encoding and growing only.
"""

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from arguments import names_of
from cases import CASES
from run import make
from setup import GAINTREE


def start(case, data: Path, threads: int, model: Path) -> subprocess.Popen:
    depth = [] if case.depth is None else ["--max-depth", str(case.depth)]
    words = ["--target", "y", "--criterion", case.criterion, *depth, "--threads", str(threads)]
    command = [GAINTREE, "fit", data, *words, "--report", "json", "-o", model]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def seconds(fit: subprocess.Popen) -> float:
    report = json.loads(fit.communicate()[0])
    return report["encode_s"] + report["grow_s"]


def measured(case, data: Path, runs: int) -> dict[str, float]:
    took = {"one": [], "two": [], "pair": []}
    with tempfile.TemporaryDirectory() as folder:
        models = [Path(folder) / f"{i}.json" for i in range(2)]
        for _ in range(runs):
            for what in random.sample(list(took), len(took)):
                threads = 2 if what == "two" else 1
                fits = [start(case, data, threads, m) for m in models[: 2 if what == "pair" else 1]]
                took[what].append(median(seconds(fit) for fit in fits))
    return {what: median(times) for what, times in took.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=names_of(CASES), default=list(CASES))
    parser.add_argument("--runs", type=int, default=15, help="their median counts (15)")
    args = parser.parse_args()
    print("| table | 1 thread | 2 threads | times as fast | two processes |")
    print("| --- | --- | --- | --- | --- |", flush=True)
    for case in (CASES[name] for name in args.cases):
        [data] = make([case.table])
        t = measured(case, data, args.runs)
        ratio, pair = t["one"] / t["two"], 2 * t["one"] / t["pair"]
        print(f"| {case.title} | {t['one']:.3f} | {t['two']:.3f} | {ratio:.2f} | {pair:.2f} |", flush=True)


if __name__ == "__main__":
    main()
