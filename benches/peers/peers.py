"""Who is compared, and what each of them can and cannot do, as data."""

from dataclasses import dataclass, field
from math import inf

from cases import Case


@dataclass(frozen=True)
class Peer:
    title: str
    runs: str  # gaintree, python (an adapter in learners.py) or rust (one in rust/)
    needs: str = ""  # the package that the Python adapter imports
    exact: bool = True
    note: str = ""  # in what it solves another problem
    criteria: tuple[str, ...] = ("gini",)
    most_rows: float = inf  # past which it is too slow to wait for
    threads: bool = True  # whether more than one helps at all
    takes: frozenset[str] = field(default_factory=frozenset)  # of: missing, classes, numbers, text, codes

    def why_not(self, case: Case) -> str | None:
        """Why it cannot work on a case."""
        if case.criterion not in self.criteria:
            return f"no {case.criterion}"
        if any(case.table.missing) and "missing" not in self.takes:
            return "takes no missing values"
        if case.table.classes > 2 and "classes" not in self.takes:
            return "two classes only"
        if case.table.classes == 0 and "numbers" not in self.takes:
            return "classes only here"
        if case.table.has("text") and not self.takes & {"text", "codes"}:
            return "takes no text"
        if case.table.rows > self.most_rows:
            return f"not tried past {self.most_rows:,} rows"
        return None


ALL = frozenset({"missing", "classes", "numbers", "text"})
# codes: text as numbers, in the order of the texts: another problem, and an easier one.
CODES = frozenset({"classes", "codes"})
BOTH = ("gini", "entropy")

PEERS = {
    "gaintree": Peer("gaintree", "gaintree", criteria=BOTH, takes=ALL),
    "sklearn": Peer(
        "scikit-learn", "python", "scikit-learn", note="f32", criteria=BOTH, threads=False,
        takes=CODES | {"missing", "numbers"},
    ),
    "onedal": Peer("oneDAL", "python", "scikit-learn-intelex", takes=CODES),
    "snapml": Peer("SnapML", "python", "snapml", note="f32", takes=CODES | {"numbers"}),
    "xgboost": Peer(
        "XGBoost exact", "python", "xgboost", note="f32; a tree a class where more than two",
        takes=frozenset({"missing", "classes", "numbers"}),
    ),
    "ydf": Peer(
        "YDF", "python", "ydf", note="f32; missing values imputed", criteria=("entropy",),
        takes=ALL - {"numbers"},
    ),
    "biosphere": Peer("biosphere", "rust", note="as numbers 0 and 1", threads=False),
    "linfa": Peer(
        "linfa", "rust", most_rows=200_000, threads=False, takes=frozenset({"classes"})
    ),
    "smartcore": Peer(
        "smartcore", "rust", most_rows=200_000, threads=False, takes=frozenset({"classes"})
    ),
    "onedal-hist": Peer(
        "oneDAL histogram", "python", "scikit-learn-intelex", exact=False, note="bins",
        takes=CODES,
    ),
    "snapml-hist": Peer(
        "SnapML histogram", "python", "snapml", exact=False, note="bins",
        takes=CODES | {"numbers"},
    ),
    "xgboost-hist": Peer(
        "XGBoost histogram", "python", "xgboost", exact=False,
        note="bins; a tree a class where more than two", takes=ALL,
    ),
    "lightgbm": Peer(
        "LightGBM", "python", "lightgbm", exact=False,
        note="bins; leaf by leaf; a tree a class where more than two", takes=ALL,
    ),
}

# What all ratios are to.
REFERENCE = "sklearn"
