#!/usr/bin/env python3
"""gaintree beside its peers, with one command: see README.md here, or --help."""

import argparse
import json
import os
import platform
import subprocess
from dataclasses import asdict
from pathlib import Path

import fits
import ranks
import report
import scaling
from arguments import names_of
from cases import CASES, RANK_TABLES, Table, file_case
from peers import PEERS
from setup import HERE, PYTHON, WORK, note, set_up, versions


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures gaintree beside its peers.")
    parser.add_argument("--cases", type=names_of([*CASES, "none"]), default=list(CASES),
                        metavar="A,B", help=f"of {', '.join(CASES)}; none for no fits")
    parser.add_argument("--file", help="a parquet file to fit too, at full depth")
    parser.add_argument("--target", default="y", help="its target")
    parser.add_argument("--peers", type=names_of(PEERS), default=list(PEERS), metavar="A,B",
                        help=f"of {', '.join(PEERS)}")
    parser.add_argument("--ranking", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--scaling", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--threads", type=lambda t: [int(n) for n in t.split(",")], default=[1, 2])
    parser.add_argument("--runs", type=int, default=5, help="their median counts (5)")
    parser.add_argument("--limit", type=float, default=300, help="seconds a process may take (300)")
    parser.add_argument("--scale", type=float, default=1.0, help="of the rows, to try things out")
    parser.add_argument("--build", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--out", type=Path, default=WORK / "results", help="without an ending")
    return parser.parse_args()


def make(tables: list[Table]) -> list[Path]:
    """The tables' files, made where they are not there."""
    recipes = json.dumps([asdict(table) for table in tables], default=str)
    done = subprocess.run(
        [PYTHON, HERE / "data.py", WORK / "data"], input=recipes, stdout=subprocess.PIPE, text=True,
        check=True,
    )
    return [Path(line) for line in done.stdout.splitlines()]


def main() -> None:
    args = arguments()
    missing = set_up(args.peers, args.build)
    figures = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "versions": versions(),
        "runs": args.runs,
        "fits": [],
        "ranks": [],
        "scaling": [],
    }
    cases = [CASES[name] for name in args.cases if name != "none"]
    if args.file:
        cases.append(file_case(args.file, args.target))
    taking_part = {peer: missing.get(peer) for peer in args.peers}
    for case in cases:
        note(case.title)
        [data] = make([case.table.scaled(args.scale)])
        entries = fits.measure(case, data, taking_part, args)
        figures["fits"].append({"title": case.title, "entries": entries})
        write(figures, args.out)
    if args.ranking:
        files = make([table.scaled(args.scale) for _, table in RANK_TABLES.values()])
        figures["ranks"] = ranks.measure(dict(zip(RANK_TABLES, files)), args)
        write(figures, args.out)
    if args.scaling:
        note("scaling")
        figures["scaling"] = scaling.measure(make(scaling.tables(args.scale)), args)
    write(figures, args.out)
    print(args.out.with_suffix(".md").read_text())


def write(figures: dict, out: Path) -> None:
    """After each case, so that a run cut short leaves what it had."""
    out.parent.mkdir(parents=True, exist_ok=True)
    out.with_suffix(".json").write_text(json.dumps(figures, indent=1))
    out.with_suffix(".md").write_text(report.page(figures))


if __name__ == "__main__":
    main()
