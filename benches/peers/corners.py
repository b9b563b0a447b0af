#!/usr/bin/env python3
"""What makes a tree or a ranking slower, each beside the run without it: weights, nulls that go down
every branch, pruning, numbers, many groups.

Needs what run.py sets up. A line is two commands in turns, one thread, each run in a process of its
own. Times are medians, of encoding, growing and pruning, or of ranking; memory is the most that the process
had.
"""

import argparse
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from arguments import names_of
from cases import BASE, CASES, M, Columns, Table
from measure import run
from run import make
from setup import GAINTREE

WEIGHED = replace(BASE, columns=(Columns("distinct", 11),))
NULLS = replace(BASE, missing=(0.05, 0.5))
GROUPED = Table(M, (Columns("distinct", 5), Columns("keys1k", 1), Columns("keys100k", 1)))


@dataclass(frozen=True)
class Work:
    title: str
    table: Table
    verb: str  # of the command
    words: str


def fit(title: str, words: str, table: Table = BASE) -> Work:
    return Work(title, table, "fit", words)


def rank(title: str, words: str, table: Table) -> Work:
    return Work(title, table, "rank", words)


TO_12 = fit("CART to depth 12", "--max-depth 12")
FULL = fit("CART to full depth", "")
UNPRUNED = "--algorithm c45 --pruning none --max-depth 12"
FIVE = "--features x0,x1,x2,x3,x4"

PAIRS = {
    "weights": (
        fit("a weight of its own for each row", "--max-depth 12 --weight x10", WEIGHED),
        fit("CART to depth 12", "--max-depth 12 --exclude x10", WEIGHED),
    ),
    "class-weights": (fit("class weights", "--max-depth 12 --class-weights 0=1,1=3"), TO_12),
    "fractional": (
        fit("C4.5 to depth 12, 5 to 50 % null, fractional", UNPRUNED, NULLS),
        fit("missing = learn", f"{UNPRUNED} --missing learn", NULLS),
    ),
    "pruned-raising": (fit("C4.5 to full depth, pruned with raising", "--algorithm c45"), FULL),
    "pruned": (
        fit("C4.5 to full depth, pruned without", "--algorithm c45 --subtree-raising false"),
        FULL,
    ),
    "unpruned": (fit("C4.5 to full depth, unpruned", "--algorithm c45 --pruning none"), FULL),
    "rank-number": (
        rank("rank against a number", "", CASES["numbers"].table),
        rank("against two classes", "", BASE),
    ),
    "rank-groups": (
        rank("rank 5 columns by 100,000 groups", f"{FIVE} --by x6", GROUPED),
        rank("by 1,000 groups", f"{FIVE} --by x5", GROUPED),
    ),
}


def one(work: Work, data: Path) -> tuple[float, float]:
    """Seconds, and the most memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / {"fit": "tree.json", "rank": "ranking.parquet"}[work.verb]
        words = ["--target", "y", "--threads", 1, "--report", "json", *work.words.split()]
        result = run([GAINTREE, work.verb, data, *words, "-o", out], 1, 600)
    if "failed" in result:
        raise SystemExit(f"{work.title}: {result['failed']}")
    seconds = sum(result.get(part) or 0 for part in ("encode_s", "grow_s", "score_s"))
    return seconds, result["peak_kb"] * 1024 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=names_of(PAIRS), default=list(PAIRS))
    parser.add_argument("--runs", type=int, default=5, help="their median counts (5)")
    parser.add_argument("--scale", type=float, default=1.0, help="of the rows, to try things out")
    args = parser.parse_args()
    print("| what | s | MB | beside | s | MB | times as long | times the memory |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for pair in (PAIRS[name] for name in args.pairs):
        files = make([work.table.scaled(args.scale) for work in pair])
        turns = [[one(work, data) for work, data in zip(pair, files)] for _ in range(args.runs)]
        figures = [[median(figure) for figure in zip(*runs)] for runs in zip(*turns)]
        cells = [f"{w.title} | {s:.2f} | {mb:,.0f}" for w, (s, mb) in zip(pair, figures)]
        (s, mb), (other_s, other_mb) = figures
        print(f"| {' | '.join(cells)} | {s / other_s:.2f} | {mb / other_mb:.2f} |", flush=True)


if __name__ == "__main__":
    main()
