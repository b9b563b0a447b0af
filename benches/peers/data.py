"""Makes the tables as parquet files, uncompressed, so that any reader takes them."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cases import Columns, Table

# The classes follow this many columns; the others only get in the way.
TELLING = 6

# The share of a row's values that are its type's.
TYPICAL = 0.97

# The levels of columns whose kind says how many.
LEVELS = {"keys1k": 1_000, "keys100k": 100_000, "text70": 70, "text10k": 10_000}


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
    if table.has("hand"):
        return hands(table.rows, rng)
    names, arrays, telling = [], [], []
    if table.types:
        types = np.floor(rng.random(table.rows) ** 4 * table.types).astype(int)
    nulls = iter(np.linspace(*table.missing, sum(columns.count for columns in table.columns)))
    for columns in table.columns:
        for _ in range(columns.count):
            draw = rng.random(table.rows)
            if table.types:
                of_type = rng.random(table.types)[types]
                draw = np.where(rng.random(table.rows) < TYPICAL, of_type, draw)
            values, speaks = column(columns, draw)
            if len(telling) < TELLING:
                telling.append(speaks)
            names.append(f"x{len(names)}")
            share = next(nulls)
            arrays.append(pa.array(values, mask=rng.random(table.rows) < share if share else None))
    y = target([scattered(types)] if table.types else telling, table, rng)
    return pa.table(arrays + [pa.array(y)], names=names + ["y"])


def column(columns: Columns, draw: np.ndarray):
    """A column's values, and how much each speaks for a high class, in [0, 1)."""
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
        case "bytes":
            level = np.floor(draw * 256).astype(np.int32)
            return level, level / 256
        case "large":
            level = np.floor(draw**6 * 3000).astype(np.int64)
            return level * 4099, scattered(level)
        case "rates":
            level = np.floor(draw**6 * 101)
            return level / 100, scattered(level)
        case "keys1k" | "keys100k":
            level = np.floor(draw * LEVELS[columns.kind]).astype(np.int32)
            return level, level / LEVELS[columns.kind]
        case "text70" | "text10k":
            level = np.floor(draw * LEVELS[columns.kind]).astype(np.int32)
            texts = np.array([f"level {i:04}" for i in range(LEVELS[columns.kind])], dtype=object)
            return texts[level], scattered(level)
    raise ValueError(columns.kind)


def scattered(level: np.ndarray) -> np.ndarray:
    """Levels that are neighbours speak for different classes."""
    return (level * 0.618034) % 1


def hands(rows: int, rng: np.random.Generator) -> pa.Table:
    """Hands of five cards, all equally likely, as in the poker hand data set (Cattral and Oppacher,
    UCI, 2002): from nothing (0) to a royal flush (9)."""
    cards = np.empty((rows, 0), dtype=np.int64)
    for drawn_before in range(5):
        card = rng.integers(0, 52 - drawn_before, rows)
        # Its number among the cards that are left becomes that among all.
        for taken in np.sort(cards, axis=1).T:
            card += card >= taken
        cards = np.column_stack([cards, card])
    suits, ranks = cards // 13, cards % 13  # an ace has rank 0
    order = np.sort(ranks, axis=1)
    pairs = sum((ranks[:, i] == ranks[:, j]).astype(int) for i in range(5) for j in range(i))
    royal = (order == [0, 9, 10, 11, 12]).all(axis=1)
    straight = (pairs == 0) & (royal | (order[:, 4] - order[:, 0] == 4))
    flush = (suits == suits[:, :1]).all(axis=1)
    is_hand = [flush & royal, flush & straight, pairs == 6, pairs == 4, flush, straight]
    is_hand += [pairs == 3, pairs == 2, pairs == 1]
    y = np.select(is_hand, range(9, 0, -1), 0).astype(np.int32)
    columns = [c.astype(np.int32) for pair in zip(suits.T, ranks.T) for c in pair]
    return pa.table([*columns, y], names=[f"x{i}" for i in range(10)] + ["y"])


def target(telling: list[np.ndarray], table: Table, rng: np.random.Generator) -> np.ndarray:
    """A score that no few cuts tell, or classes by it."""
    u = [telling[i % len(telling)] for i in range(TELLING)]
    score = np.sin(7 * u[0]) + 2 * u[1] * u[2] + np.abs(u[3] - 0.5) + (u[4] > u[5]) * u[1]
    stray = rng.random(table.rows) < table.noise
    if table.classes == 0:
        score[stray] = rng.permutation(score[stray])
        return score
    rows_up_to = np.cumsum(table.class_ratio ** np.arange(table.classes))
    cuts = np.quantile(score, rows_up_to[:-1] / rows_up_to[-1])
    y = np.searchsorted(cuts, score).astype(np.int32)
    y[stray] = rng.integers(0, table.classes, stray.sum(), dtype=np.int32)
    return y


def main() -> None:
    """Reads recipes on standard input and prints their files."""
    folder = Path(sys.argv[1])
    for recipe in json.load(sys.stdin):
        columns = tuple(Columns(**c) for c in recipe.pop("columns"))
        file, missing = recipe.pop("file"), tuple(recipe.pop("missing"))
        table = Table(columns=columns, missing=missing, file=file and Path(file), **recipe)
        print(make(table, folder), flush=True)


if __name__ == "__main__":
    main()
