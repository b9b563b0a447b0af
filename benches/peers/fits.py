"""Fits: every peer on every case, interleaved."""

import tempfile
from pathlib import Path

from cases import Case
from measure import run
from peers import PEERS
from setup import GAINTREE, HERE, PYTHON, RUST_PEERS, note


def measure(case: Case, data: Path, peers: dict[str, str | None], args) -> list[dict]:
    """One entry per peer and thread count; a peer that cannot take part has `failed`."""
    entries = []
    for name, absent in peers.items():
        why = absent or PEERS[name].why_not(case)
        for threads in args.threads if PEERS[name].threads else args.threads[:1]:
            entry = {"peer": name, "threads": threads, "runs": []}
            if why:
                entry["failed"] = why
            entries.append(entry)
    # One round after the other, so that a slow minute of the machine falls on all of them.
    for turn in range(args.runs):
        for entry in entries:
            if "failed" in entry:
                continue
            peer, threads = entry["peer"], entry["threads"]
            result = one(peer, case, data, threads, args.limit, rate=turn == 0)
            if "failed" in result:
                entry["failed"] = result["failed"]
                note(f"  {peer}, {threads} threads: {result['failed']}")
                continue
            for figure in ("nodes", "accuracy"):
                if turn == 0:
                    entry[figure] = result.get(figure)
            entry["runs"].append(result)
            note(f"  {peer}, {threads} threads: {result['fit_s']:.3f} s")
    return entries


def one(peer: str, case: Case, data: Path, threads: int, limit: float, rate: bool) -> dict:
    depth = [] if case.depth is None else ["--depth", case.depth]
    rating = ["--rate"] if rate else []
    match PEERS[peer].runs:
        case "gaintree":
            return gaintree(case, data, threads, limit, rate)
        case "python":
            words = ["--threads", threads, "--criterion", case.criterion, *depth, *rating]
            return ended(run([PYTHON, HERE / "fit_one.py", peer, data, *words], threads, limit))
        case "rust":
            return ended(run([RUST_PEERS, peer, data, *depth, *rating], threads, limit))
    raise ValueError(peer)


def ended(result: dict) -> dict:
    """From a file to a fitted tree."""
    if "failed" not in result:
        result["end_to_end_s"] = result["read_s"] + result["prepare_s"] + result["fit_s"]
    return result


def gaintree(case: Case, data: Path, threads: int, limit: float, rate: bool) -> dict:
    """By the command line, which tells its parts apart; writing the model is in its end to end."""
    depth = [] if case.depth is None else ["--max-depth", case.depth]
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "tree.json"
        words = ["--target", "y", "--criterion", case.criterion, *depth, "--threads", threads]
        fit = [GAINTREE, "fit", data, *words, "--report", "json", "-o", model]
        result = run(fit, threads, limit)
        if "failed" in result:
            return result
        result["fit_s"] = result["encode_s"] + result["grow_s"]
        result["end_to_end_s"] = result["total_s"]
        if rate:
            rated = run([GAINTREE, "eval", model, data, "--report", "json"], threads, limit)
            result["accuracy"] = rated.get("accuracy", rated.get("r2"))
    return result
