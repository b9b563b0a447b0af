//! Python: the text of functions and tables, with holes.

pub(super) const SOURCE: &str = r#""""$ABOUT
"""

from __future__ import annotations

$BISECTfrom typing import NamedTuple


class Row(NamedTuple):
    """The columns of a row$KNOWN."""
$FIELDS$LABELS$FUNCTIONS$TABLES$VALUES$TREES"#;

pub(super) const LABELS: &str = "

# The classes.
CLASSES = (
$LABELS
)
";

pub(super) const NUMBER_OF_TREE: &str = r#"

def predict(row: Row) -> float:
    """The number that is predicted for a row."""
    return _OUTCOMES[_OUTCOME_OF[_answer_of(row)]]
"#;

pub(super) const CLASS_OF_TREE: &str = r#"

def predict(row: Row) -> $ANSWER:
    """The class that is predicted for a row."""
    return CLASSES[_CLASS_OF[_OUTCOME_OF[_answer_of(row)]]]


def probabilities(row: Row) -> tuple[float, ...]:
    """The probability of each class."""
    first = _OUTCOME_OF[_answer_of(row)] * $N
    return _OUTCOMES[first : first + $N]
"#;

pub(super) const LEAF_OF_TREE: &str = r#"

def leaf_id(row: Row) -> int:
    """The node that a row ends at."""
    return _LEAF_IDS[_answer_of(row)]
"#;

pub(super) const NUMBER_OF_FOREST: &str = r#"

def predict(row: Row) -> float:
    """The number that is predicted for a row."""
    return _mean_of(row)[0]
"#;

pub(super) const CLASS_OF_FOREST: &str = r#"

def predict(row: Row) -> $ANSWER:
    """The class that is predicted for a row."""
    mean = _mean_of(row)
    return CLASSES[mean.index(max(mean))]


def probabilities(row: Row) -> tuple[float, ...]:
    """The probability of each class."""
    return _mean_of(row)
"#;

pub(super) const MEAN: &str = r#"

def _mean_of(row: Row) -> tuple[float, ...]:
    """The mean of what the trees say."""
$ASKS    sums = [0.0] * $N
    for tree in $TREES:
        first = _OUTCOME_OF[$ASKED] * $N
        for i in range($N):
            sums[i] += _OUTCOMES[first + i]
    return tuple(x / $ALL for x in sums)
"#;

pub(super) const TREE: &str = r#"

def $FUNCTION(row: Row) -> int:
    """$ABOUT to a row."""
$LINES"#;

pub(super) const REFUSAL: &str = r#"    for name, value in zip(row._fields, row):
        if value is None or value != value:
            raise ValueError(f"`{name}` is missing, and the model knows no missing values")
"#;

pub(super) const TESTS: &str = "

# Five numbers a test: the field; then places, which are tests (0, 1, ...) or answers (-1, -2,
# ...): of a missing value, of one below the cut, and of another one; the cut. Of a nominal
# column the second place is that of what is none of its levels; then come the number of its
# levels and the index of the first.
_TESTS = (
$TESTS)
_ROOTS = (
$ROOTS
)
";

pub(super) const LEVEL_TABLES: &str = "\
_LEVELS = (
$LEVELS
)
_LEVEL_PLACES = (
$PLACES
)
_IS_NOMINAL = (
$NOMINAL
)
";

pub(super) const WALK: &str = r#"

def _walk(at: int, keys: tuple) -> int:
    """The answer to a row of keys."""
    while at >= 0:
        field, missing, low, high, cut = _TESTS[5 * at : 5 * at + 5]
        key = keys[field]
        if key is None:
            at = missing
$LEVELS        else:
            at = high if key >= cut else low
    return -1 - at


def _keys(row: Row) -> tuple:
    return (
$KEYS    )
"#;

pub(super) const WALK_LEVELS: &str = "        elif _IS_NOMINAL[field]:
            end = cut + high
            level = bisect_left(_LEVELS, key, cut, end)
            at = _LEVEL_PLACES[level] if level < end and _LEVELS[level] == key else low
";

pub(super) const KNOWN: &str = "

def _known(code: int) -> int | None:
    return None if code == $MISSING else code
";
