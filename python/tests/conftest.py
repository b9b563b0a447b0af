"""Data and the command, for all tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

DATA = Path(__file__).parents[2] / "examples" / "data"


@pytest.fixture(scope="session")
def iris() -> pl.DataFrame:
    return pl.read_parquet(DATA / "iris.parquet")


@pytest.fixture(scope="session")
def wine() -> pl.DataFrame:
    return pl.read_parquet(DATA / "wine.parquet")


@pytest.fixture(scope="session")
def diabetes() -> pl.DataFrame:
    return pl.read_parquet(DATA / "diabetes.parquet")


def found_command() -> str | None:
    """The command line, which `.ci/run` has built; GAINTREE_COMMAND names another one."""
    built = Path(__file__).parents[2] / "target" / "debug" / "gaintree"
    found = os.environ.get("GAINTREE_COMMAND") or (str(built) if built.exists() else None)
    return found or shutil.which("gaintree")


@pytest.fixture(scope="session")
def command() -> str:
    if not (found := found_command()):
        pytest.skip("no command: cargo build --all-features, or set GAINTREE_COMMAND")
    return found


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Run a command in a folder of its own, and give what it prints."""

    def ran(*words: str) -> str:
        done = subprocess.run(
            words, cwd=tmp_path, check=False, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return ran
