"""Gets everything that is measured: the peers, gaintree's release build, the Rust peers."""

import subprocess
import sys
import venv
from pathlib import Path

from peers import PEERS

HERE = Path(__file__).resolve().parent
REPO = HERE.parent.parent
WORK = REPO / "target" / "peers"  # ignored by git
PYTHON = WORK / "venv" / "bin" / "python"
GAINTREE = REPO / "target" / "release" / "gaintree"
RUST_PEERS = WORK / "rust" / "release" / "rust-peers"
BASICS = ("numpy", "pyarrow", "polars")


def set_up(peers: list[str], build: bool) -> dict[str, str]:
    """Installs and builds; gives the peers that are not there, and why."""
    if not PYTHON.exists():
        note("making a virtual environment")
        venv.create(WORK / "venv", with_pip=True)
    for package in BASICS:
        if why := install(package):
            raise SystemExit(f"{package} does not install: {why}")
    missing = {}
    for package in sorted({PEERS[p].needs for p in peers} - {""}):
        if why := install(package):
            missing |= {p: f"not installed: {why}" for p in peers if PEERS[p].needs == package}
    if build:
        note("building gaintree; the first time this takes Polars' release build")
        if not cargo(at=REPO):
            raise SystemExit("gaintree does not build")
        rust = [p for p in peers if PEERS[p].runs == "rust"]
        if rust and not cargo("--target-dir", str(WORK / "rust"), at=HERE / "rust"):
            missing |= {p: "not built" for p in rust}
    return missing


def install(package: str) -> str | None:
    """Why a package cannot be had; None where it is there."""
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    if subprocess.run([*pip, "show", package], capture_output=True).returncode == 0:
        return None
    note(f"installing {package}")
    done = subprocess.run([*pip, "install", package], capture_output=True, text=True)
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or ["no word why"])[-1]


def cargo(*options: str, at: Path) -> bool:
    return subprocess.run(["cargo", "build", "--release", *options], cwd=at).returncode == 0


def versions() -> dict[str, str]:
    """Of the packages that are there."""
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "list", "--format=freeze"]
    lines = subprocess.run(pip, capture_output=True, text=True).stdout.split()
    have = dict(line.split("==", 1) for line in lines if "==" in line)
    wanted = {*BASICS, *(p.needs for p in PEERS.values())} - {""}
    return {name: have[name] for name in sorted(wanted) if name in have}


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
