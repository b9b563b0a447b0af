"""One fit by one Python peer in a process of its own; prints one line of JSON."""

import argparse
import json
import resource
import time

import numpy as np

from frame import Frame
from learners import LEARNERS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("learner")
    parser.add_argument("path")
    parser.add_argument("--classes", type=int, default=0)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--criterion", default="gini")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", action="store_true", help="nodes and train accuracy too")
    job = parser.parse_args()

    learner = LEARNERS[job.learner]()
    start = time.perf_counter()
    frame = Frame(job.path)
    read = time.perf_counter()
    data = learner.prepare(frame, job)
    is_number = np.issubdtype(frame.target.dtype, np.floating)
    job.classes = 0 if is_number else int(frame.target.max()) + 1
    prepared = time.perf_counter()
    model = learner.fit(data, job)
    fitted = time.perf_counter()

    result = {
        "read_s": read - start,
        "prepare_s": prepared - read,
        "fit_s": fitted - prepared,
        "peak_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }
    if job.rate:
        result["nodes"] = learner.nodes(model, job)
        predicted = learner.predict(model, data)
        result["accuracy"] = float(rated(predicted, frame.target, is_number))
    print(json.dumps(result))


def rated(predicted: np.ndarray, target: np.ndarray, is_number: bool) -> float:
    """R² of numbers, the share of right classes."""
    if is_number:
        return 1 - np.mean((predicted - target) ** 2) / np.var(target)
    return (predicted == target).mean()


if __name__ == "__main__":
    main()
