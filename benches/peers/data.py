"""Makes the tables as parquet files, uncompressed, so that any reader takes them."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cases import Columns, Table

# The classes follow so many columns; the others only get in the way.
TELLING = 6


def file_name(table: Table) -> str:
    """Tells recipes apart, and what followed them."""
    recipe = repr(table) + Path(__file__).read_text()
    return hashlib.sha256(recipe.encode()).hexdigest()[:12] + ".parquet"


def make(table: Table, folder: Path) -> Path:
    """The table's file, made unless it is there."""
    path = folder / file_name(table)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = copied(table) if table.file else drawn(table)
        unfinished = path.with_suffix(".part")
        pq.write_table(made, unfinished, compression="NONE")
        unfinished.rename(path)
    return path


def copied(table: Table) -> pa.Table:
    """A file of the user's, its target named y and numbered from 0."""
    read = pq.read_table(table.file)
    y = read[table.target].combine_chunks()
    if y.null_count:
        raise SystemExit(f"{table.file}: target {table.target} has nulls")
    labels = sorted(y.unique().to_pylist())
    codes = pa.compute.index_in(y, value_set=pa.array(labels, y.type)).cast(pa.int32())
    return read.drop_columns([table.target]).append_column("y", codes)


def drawn(table: Table) -> pa.Table:
    rng = np.random.default_rng(7)
    names, arrays, telling = [], [], []
    for columns in table.columns:
        for _ in range(columns.count):
            values, speaks = column(columns, table.rows, rng)
            if len(telling) < TELLING:
                telling.append(speaks)
            names.append(f"x{len(names)}")
            absent = rng.random(table.rows) < table.missing if table.missing else None
            arrays.append(pa.array(values, mask=absent))
    y = target(telling, table, rng)
    return pa.table(arrays + [pa.array(y)], names=names + ["y"])


def column(columns: Columns, rows: int, rng: np.random.Generator):
    """A column's values, and how much each speaks for a high class, in [0, 1)."""
    draw = rng.random(rows)
    match columns.kind:
        case "distinct":
            return draw, draw
        case "ties":
            level = np.floor(draw**3 * 1000)
            return level / 8, level / 1000
        case "few":
            level = np.floor(draw * 20).astype(np.int32)
            return level, level / 20
        case "counts":
            level = np.floor(draw * 2000).astype(np.int32)
            return level, level / 2000
        case "bits":
            bit = (draw < 0.2).astype(np.int32)
            return bit, bit.astype(float)
        case "text10k":
            level = np.floor(draw * 10_000).astype(np.int32)
            texts = np.array([f"level {i:04}" for i in range(10_000)], dtype=object)
            # Levels that are neighbours in text speak for different classes.
            return texts[level], (level * 0.618034) % 1
    raise ValueError(columns.kind)


def target(telling: list[np.ndarray], table: Table, rng: np.random.Generator) -> np.ndarray:
    """A score that no few cuts tell, or classes by it, equally many rows a class."""
    u = [telling[i % len(telling)] for i in range(TELLING)]
    score = np.sin(7 * u[0]) + 2 * u[1] * u[2] + np.abs(u[3] - 0.5) + (u[4] > u[5]) * u[1]
    stray = rng.random(table.rows) < table.noise
    if table.classes == 0:
        score[stray] = rng.permutation(score[stray])
        return score
    cuts = np.quantile(score, np.arange(1, table.classes) / table.classes)
    y = np.searchsorted(cuts, score).astype(np.int32)
    y[stray] = rng.integers(0, table.classes, stray.sum(), dtype=np.int32)
    return y


def main() -> None:
    """Reads recipes on standard input and prints their files."""
    folder = Path(sys.argv[1])
    for recipe in json.load(sys.stdin):
        columns = tuple(Columns(**c) for c in recipe.pop("columns"))
        file = recipe.pop("file")
        table = Table(columns=columns, file=file and Path(file), **recipe)
        print(make(table, folder), flush=True)


if __name__ == "__main__":
    main()
