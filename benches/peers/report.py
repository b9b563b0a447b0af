"""Raw figures to one page of markdown. Medians; ratios are to scikit-learn within the same case."""

import math
from statistics import median

from cases import RANK_TABLES
from peers import PEERS, REFERENCE
from ranks import METHODS


def page(figures: dict) -> str:
    parts = ["# gaintree beside its peers", about(figures)]
    for case in figures["fits"]:
        parts += [f"## {case['title']}", fits(case["entries"])]
    if figures["ranks"]:
        parts += ["# Ranking", ranks(figures["ranks"])]
    if figures["scaling"]:
        parts += ["# Growth of time and memory", scaling(figures["scaling"])]
    return "\n\n".join(parts) + "\n"


def about(figures: dict) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
    return (
        f"{figures['machine']}. {versions}. Medians of {figures['runs']} runs in turns, each in a "
        "process of its own. *Fit* is from a frame or matrix in memory to a fitted tree, *file to "
        "tree* has the reading and the peer's own form of the data in it; peak memory is of the "
        "whole process. Two-way Gini trees to depth 12 unless a heading says otherwise."
    )


def fits(entries: list[dict]) -> str:
    reference = next((e for e in entries if e["peer"] == REFERENCE and e["runs"]), None)
    base = seconds(reference, "fit_s") if reference else math.nan
    rows = []
    for entry in entries:
        peer = PEERS[entry["peer"]]
        name = peer.title + (f" ({peer.note})" if peer.note else "")
        if not entry["runs"]:
            rows.append([name, entry["threads"], entry.get("failed", ""), *[""] * 5])
            continue
        fit, nodes, accuracy = seconds(entry, "fit_s"), entry.get("nodes"), entry.get("accuracy")
        rows.append([
            name,
            entry["threads"],
            f"{fit:.3f}",
            f"{fit / base:.3f}",
            f"{seconds(entry, 'end_to_end_s'):.2f}",
            f"{peak(entry) / 1e6:,.0f}",
            "" if nodes is None else f"{nodes:,}",
            "" if accuracy is None else f"{accuracy:.4f}",
        ])
    head = ["learner", "threads", "fit s", "ratio", "file to tree s", "peak MB", "nodes", "accuracy"]
    return table(head, rows)


def ranks(entries: list[dict]) -> str:
    rows = []
    for entry in entries:
        name = [RANK_TABLES[entry["table"]][0], METHODS[entry["method"]], entry["threads"]]
        if not entry["runs"]:
            rows.append([*name, entry.get("failed", ""), "", "", ""])
            continue
        took = seconds(entry, "rank_s")
        against = next(
            e for e in entries if e["method"] == "gaintree" and same(e, entry, "table", "threads")
        )
        ratio = f"{seconds(against, 'rank_s') / took:.2f}" if against["runs"] else ""
        rows.append([*name, f"{took:.3f}", ratio, f"{peak(entry) / 1e6:,.0f}", agreement(against, entry)])
    head = ["table", "way", "threads", "s", "gaintree takes", "peak MB", "gains differ by"]
    return table(head, rows)


def agreement(against: dict, entry: dict) -> str:
    """The largest difference of two ways' gains."""
    mine, theirs = against.get("gains"), entry.get("gains")
    if not mine or not theirs or entry is against:
        return ""
    return f"{max(abs(mine[x] - theirs[x]) for x in mine):.0e}"


def scaling(entries: list[dict]) -> str:
    rows = []
    for entry in entries:
        n = entry["rows"]
        if "failed" in entry:
            rows.append([f"{n:,}", entry["failed"], "", "", ""])
            continue
        fit, cells = seconds(entry, "fit_s"), n * entry["columns"]
        per_cell = f"{fit * 1e9 / (cells * math.log2(n)):.2f}"
        rows.append([f"{n:,}", f"{fit:.3f}", per_cell, f"{peak(entry) / 1e6:,.0f}", f"{peak(entry) / cells:.0f}"])
    return table(["rows", "fit s", "ns per cell and log2 n", "peak MB", "peak bytes per cell"], rows)


def seconds(entry: dict, figure: str) -> float:
    return median(run[figure] for run in entry["runs"])


def peak(entry: dict) -> float:
    """In bytes."""
    return median(run["peak_kb"] for run in entry["runs"]) * 1024


def same(a: dict, b: dict, *keys: str) -> bool:
    return all(a[key] == b[key] for key in keys)


def table(head: list, rows: list[list]) -> str:
    line = lambda cells: "| " + " | ".join(str(c).replace("|", "/") for c in cells) + " |"
    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)])
