#!/usr/bin/env python3
"""A frame of 5,000,000 rows and 20 floats in memory, scored by gaintree, scikit-learn and ONNX
Runtime on two threads: trees of depth 12 grown from the same rows, calls in random turns.

ONNX Runtime's threads are told not to spin on when a call is done: that takes nothing off its own
time, and else slows whoever is next. The others score a matrix of float32 made beforehand.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from setup import GAINTREE, HERE, PYTHON, REPO, WORK, install, note

FOLDER = WORK / "scoring"
TRAINED, SCORED, COLUMNS = 130_000, 5_000_000, 20


def set_up() -> None:
    for package in ("scikit-learn", "onnxruntime", "skl2onnx"):
        if why := install(package):
            raise SystemExit(f"{package} does not install: {why}")
    note("building gaintree and the bench that scores")
    for build in (["build", "--release"], ["bench", "--bench", "score", "--no-run"]):
        subprocess.run(["cargo", *build], cwd=REPO, check=True)


def draw(rng, rows: int):
    """Columns, and a class that takes all of them to tell."""
    import numpy as np

    columns = rng.random((COLUMNS, rows))
    score = sum(np.sin((3 + i) * column) for i, column in enumerate(columns))
    target = (score > np.median(score)).astype(np.int64)
    stray = rng.random(rows) < 0.1
    target[stray] = rng.integers(0, 2, stray.sum())
    return {f"x{i}": column for i, column in enumerate(columns)}, target


def timed(call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def learners(threads: int) -> dict:
    """By name, what scores the frame once and says the seconds."""
    import numpy as np
    import onnxruntime as ort
    import polars as pl
    from skl2onnx import to_onnx
    from sklearn.tree import DecisionTreeClassifier

    FOLDER.mkdir(parents=True, exist_ok=True)
    train, frame, model = (FOLDER / name for name in ("train.parquet", "frame.parquet", "tree.json"))
    rng = np.random.default_rng(3)
    columns, target = draw(rng, TRAINED)
    pl.DataFrame(columns | {"y": target}).write_parquet(train)
    matrix = np.column_stack([column.astype(np.float32) for column in columns.values()])
    tree = DecisionTreeClassifier(max_depth=12).fit(matrix, target)
    columns, _ = draw(rng, SCORED)
    pl.DataFrame(columns).write_parquet(frame)
    rows = np.column_stack([column.astype(np.float32) for column in columns.values()])
    del columns

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    graph = to_onnx(tree, matrix[:1], options={id(tree): {"zipmap": False}})
    session = ort.InferenceSession(graph.SerializeToString(), options)
    [name, label] = session.get_inputs()[0].name, session.get_outputs()[0].name

    fit = [GAINTREE, "fit", train, "--target", "y", "--criterion", "gini", "--max-depth", "12"]
    subprocess.run([*fit, "-o", model], check=True)
    server = subprocess.Popen(
        ["cargo", "bench", "--quiet", "--bench", "score"], cwd=REPO,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"MODEL": model, "FRAME": frame, "POLARS_MAX_THREADS": str(threads)},
    )

    def gaintree() -> float:
        print(file=server.stdin, flush=True)
        return float(server.stdout.readline())

    return {
        "gaintree": gaintree,
        "scikit-learn": lambda: timed(lambda: tree.predict(rows)),
        "ONNX Runtime": lambda: timed(lambda: session.run([label], {name: rows})),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__) parser.add_argument("--runs", type=int,
    default=7, help="runs of several calls each (7)") parser.add_argument("--calls", type=int,
    default=9, help="calls of a run; their median counts (9)") parser.add_argument("--threads",
    type=int, default=2) parser.add_argument("--inside", action="store_true",
    help=argparse.SUPPRESS) args = parser.parse_args() if not args.inside:
        set_up()
        words = [PYTHON, HERE / "scoring.py", "--inside", *sys.argv[1:]]
        raise SystemExit(subprocess.run(words).returncode)
    calls = learners(args.threads)
    for call in calls.values():
        call()
    print("| " + " | ".join(calls) + " | times gaintree's |\n" + "| --- " * 4 + "|", flush=True)
    for _ in range(args.runs):
        took = {name: [] for name in calls}
        for _ in range(args.calls):
            for name in random.sample(list(calls), len(calls)):
                took[name].append(calls[name]())
        [ours, *others] = (median(times) for times in took.values())
        seconds = " | ".join(f"{t:.4f}" for t in (ours, *others))
        print(f"| {seconds} | {' and '.join(f'{t / ours:.1f}' for t in others)} |", flush=True)


if __name__ == "__main__":
    main()
