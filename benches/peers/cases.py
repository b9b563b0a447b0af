"""What is measured on: tables as recipes, and trees to grow on them."""

from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Columns:
    """A number of columns of one class.

    kind: distinct  floats, no two alike
          ties      floats of 1,000 values, a few of them very frequent
          few       integers of 20 values
          counts    integers of about 2,000 values
          bits      0 or 1, one in five 1
          bytes     integers of 256 values
          large     integers of 3,000 values up to 12 million, a few of them most of the rows
          rates     floats of 101 values, a few of them most of the rows
          keys1k    integers of 1,000 values
          keys100k  integers of 100,000 values
          text70    text of 70 levels
          text10k   text of 10,000 levels
          hand      suits (4) and ranks (13) of five cards in turn, and the hand as the class; all
                    ten columns, and no others
    """

    kind: str
    count: int


@dataclass(frozen=True)
class Table:
    """A recipe; `data.py` follows it."""

    rows: int
    columns: tuple[Columns, ...]
    classes: int = 2  # 0: the target is a number
    class_ratio: float = 1.0  # rows of a class for each of the one before
    missing: tuple[float, float] = (0.0, 0.0)  # share of nulls of the first and of the last feature
    types: int = 0  # of rows: rows of one type mostly have the same values, and the same class
    noise: float = 0.1  # share of the rows whose class or number is drawn at random
    file: Path | None = None  # a file of the user's instead
    target: str = "y"

    def scaled(self, scale: float) -> "Table":
        return self if self.file else replace(self, rows=max(1000, round(self.rows * scale)))

    def has(self, kind: str) -> bool:
        """Whether the kind of a column begins so: "text" is text of any number of levels."""
        return any(c.kind.startswith(kind) for c in self.columns)


@dataclass(frozen=True)
class Case:
    title: str
    table: Table
    depth: int | None = 12  # None: until the leaves are pure
    criterion: str = "gini"


M = 1_000_000
TEN = (Columns("distinct", 10),)
BASE = Table(M, TEN)
# Like the tables of those names, which are of hands of cards and of network connections.
POKER = Table(M, (Columns("hand", 10),), 10)
KDD = Table(
    494_021,
    (Columns("large", 3), Columns("bits", 16), Columns("bytes", 4), Columns("rates", 15)),
    classes=23,
    class_ratio=0.6,
    types=60,
    noise=0.0002,
)

CASES = {
    "base": Case("1M x 10 distinct floats", BASE),
    "full": Case("1M x 10 distinct floats, full depth", BASE, depth=None),
    "entropy": Case("1M x 10 distinct floats, entropy", BASE, criterion="entropy"),
    "small": Case("100k x 10 distinct floats", Table(100_000, TEN)),
    "wide": Case("1M x 50 distinct floats", Table(M, (Columns("distinct", 50),))),
    "long": Case("5M x 10 distinct floats", Table(5 * M, TEN)),
    "few": Case("1M x 20 integers of 20 levels, ten classes", Table(M, (Columns("few", 20),), 10)),
    "ties": Case("1M x 10 floats of 1,000 levels", Table(M, (Columns("ties", 10),))),
    "classes": Case("1M x 10 distinct floats, ten classes", Table(M, TEN, 10)),
    "text": Case("1M x 4 texts of 10,000 levels", Table(M, (Columns("text10k", 4),))),
    "missing": Case("1M x 10 distinct floats, 10 % null", Table(M, TEN, missing=(0.1, 0.1))),
    "bits": Case(
        "523k x 54, of which 44 are 0/1, seven classes",
        Table(523_000, (Columns("counts", 10), Columns("bits", 44)), 7),
    ),
    "numbers": Case("1M x 10 distinct floats, a number", Table(M, TEN, 0)),
    "numbers-full": Case("1M x 10 distinct floats, a number, full depth", Table(M, TEN, 0), depth=None),
    "numbers-small": Case(
        "200k x 10 distinct floats, a number, full depth", Table(200_000, TEN, 0), depth=None
    ),
    "numbers-few": Case("1M x 20 integers of 20 levels, a number", Table(M, (Columns("few", 20),), 0)),
    "numbers-ties": Case(
        "1M x 10 floats of 1,000 levels, a number", Table(M, (Columns("ties", 10),), 0)
    ),
    "numbers-missing": Case(
        "1M x 10 distinct floats, 10 % null, a number", Table(M, TEN, 0, missing=(0.1, 0.1))
    ),
    "flags": Case("523k x 54 of 0/1, seven classes", Table(523_000, (Columns("bits", 54),), 7)),
    "poker": Case("1M hands of cards, ten classes, full depth", POKER, depth=None),
    "kdd": Case("494k x 38 like kdd99, 23 classes, full depth", KDD, depth=None),
}

# Ranking has tables of its own: two classes where a hand-written expression is to stay readable.
RANK_TABLES = {
    "distinct": ("1M x 10 distinct floats", BASE),
    "few": ("1M x 20 integers of 20 levels", Table(M, (Columns("few", 20),))),
    "text": ("1M x 4 texts of 10,000 levels", CASES["text"].table),
    "kdd": (
        "494k x 41 like kdd99, 23 classes",
        replace(KDD, columns=(*KDD.columns, Columns("text70", 3))),
    ),
}

SCALING_ROWS = (10_000, 31_623, 100_000, 316_228, M, 3_162_278, 10 * M)


def file_case(path: str, target: str) -> Case:
    """A file of the user's, full depth."""
    table = Table(0, (), file=Path(path).resolve(), target=target)
    return Case(f"{Path(path).stem}, full depth", table, depth=None)
