//! Rust: the text of functions and tables, with holes.

pub(super) const SOURCE: &str = "\
$ABOUT
#![allow(dead_code, non_snake_case, clippy::all)]

/// The columns of a row$KNOWN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row$LIFETIME {
$FIELDS}
$LABELS$FUNCTIONS$TABLES$SEARCHES$VALUES$TREES";

pub(super) const LABELS: &str = "
/// The classes.
pub const CLASSES: [$LABEL; $N] = [
$LABELS
];
";

pub(super) const NUMBER_OF_TREE: &str = "
/// The number that is predicted for a row.
pub fn predict(row: $ROW) -> f64 {
    OUTCOMES[OUTCOME_OF[answer_of(row)] as usize]
}
";

pub(super) const CLASS_OF_TREE: &str = "
/// The class that is predicted for a row.
pub fn predict(row: $ROW) -> $ANSWER {
    CLASSES[CLASS_OF[OUTCOME_OF[answer_of(row)] as usize] as usize]
}

/// The probability of each class.
pub fn probabilities(row: $ROW) -> [f64; $N] {
    let first = OUTCOME_OF[answer_of(row)] as usize * $N;
    std::array::from_fn(|class| OUTCOMES[first + class])
}
";

pub(super) const LEAF_OF_TREE: &str = "
/// The node that a row ends at.
pub fn leaf_id(row: $ROW) -> u32 {
    LEAF_IDS[answer_of(row)]
}
";

pub(super) const NUMBER_OF_FOREST: &str = "
/// The number that is predicted for a row.
pub fn predict(row: $ROW) -> f64 {
    mean_of(row)[0]
}
";

pub(super) const CLASS_OF_FOREST: &str = "
/// The class that is predicted for a row.
pub fn predict(row: $ROW) -> $ANSWER {
    let mean = mean_of(row);
    let mut best = 0;
    for class in 1..$N {
        if mean[class] > mean[best] {
            best = class;
        }
    }
    CLASSES[best]
}

/// The probability of each class.
pub fn probabilities(row: $ROW) -> [f64; $N] {
    mean_of(row)
}
";

pub(super) const MEAN: &str = "
/// The mean of what the trees say.
fn mean_of(row: $ROW) -> [f64; $N] {
$ASKS    let mut mean = [0.0; $N];
    for tree in 0..$TREES {
        let first = OUTCOME_OF[$ASKED] as usize * $N;
        for (sum, said) in mean.iter_mut().zip(&OUTCOMES[first..]) {
            *sum += said;
        }
    }
    mean.map(|sum| sum / $TREES.0)
}
";

pub(super) const RANK: &str = "
/// How many values, which ascend, are not above another.
fn rank<T: PartialOrd>(x: T, sorted: &[T]) -> i32 {
    sorted.partition_point(|other| *other <= x) as i32
}
";

pub(super) const LEVEL: &str = "
/// The place of a value among others, or $ABSENT.
fn level<T: PartialOrd + Copy>(x: T, sorted: &[T]) -> i32 {
    let at = rank(x, sorted) - 1;
    if at >= 0 && sorted[at as usize] == x { at } else { $ABSENT }
}
";

pub(super) const CATEGORY: &str = "
/// The place of a text in its order; $MISSING of another text, which is missing.
fn category(x: &str, sorted: &[&str], order: &[i32]) -> i32 {
    let at = level(x, sorted);
    if at >= 0 { order[at as usize] } else { $MISSING }
}
";

pub(super) const TREE: &str = "
/// $ABOUT to a row.
fn $FUNCTION($ARGUMENT: $ROW) -> usize {
$LINES}
";

pub(super) const TREES: &str = "
static TREES: [fn($ROW) -> usize; $TREES] = [
$NAMES
];
";

pub(super) const TESTS: &str = "
/// Places are tests (0, 1, ...) or answers (-1, -2, ...). A test sends a missing value to
/// `missing`, a key below `cut` to `low` and another one to `high`. Of a nominal column `cut`
/// and `high` are the first and the number of its levels, and what is none goes to `low`.
struct Test {
    field: u32,
    missing: i32,
    low: i32,
    high: i32,
    cut: i64,
}

const fn t(field: u32, missing: i32, low: i32, high: i32, cut: i64) -> Test {
    Test { field, missing, low, high, cut }
}

static TESTS: [Test; $TESTS] = [
$LINES];
static ROOTS: [i32; $TREES] = [
$ROOTS
];
";

pub(super) const LEVEL_TABLES: &str = "\
static LEVELS: [i32; $ALL] = [
$LEVELS
];
static LEVEL_PLACES: [i32; $ALL] = [
$PLACES
];
static IS_NOMINAL: [bool; $FIELDS] = [
$NOMINAL
];
";

pub(super) const WALK: &str = "
/// The answer to a row of keys.
fn walk(mut at: i32, keys: &[i64; $FIELDS], missing: &[bool; $FIELDS]) -> usize {
    while at >= 0 {
        let test = &TESTS[at as usize];
        let field = test.field as usize;
        at = if missing[field] {
            test.missing
        }$LEVELS else if keys[field] >= test.cut {
            test.high
        } else {
            test.low
        };
    }
    (-1 - at) as usize
}
";

pub(super) const WALK_LEVELS: &str = " else if IS_NOMINAL[field] {
            let first = test.cut as usize;
            let levels = &LEVELS[first..first + test.high as usize];
            match levels.binary_search(&(keys[field] as i32)) {
                Ok(level) => LEVEL_PLACES[first + level],
                Err(_) => test.low,
            }
        }";

pub(super) const KEY_OF_F64: &str = "
/// An integer that orders as a float does.
fn key_of_f64(x: f64) -> i64 {
    let bits = (x + 0.0).to_bits() as i64;
    if bits < 0 { bits ^ i64::MAX } else { bits }
}
";

pub(super) const KEYS: &str = "
fn read_keys(row: $ROW) -> ([i64; $FIELDS], [bool; $FIELDS]) {
    let (mut keys, mut missing) = ([0; $FIELDS], [false; $FIELDS]);
$LINES    (keys, missing)
}
";
