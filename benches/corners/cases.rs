//! What is measured: a table and the work on it.

use gaintree::{Missing, Pruning, TreeSpec};

use crate::tables::Values::{Distinct, Holes, LargeIntegers, Levels, Skewed, Texts};
use crate::tables::{Answer, RawTable, Values};

pub struct Case {
    pub name: &'static str,
    pub table: fn(usize) -> RawTable,
    pub work: Work,
}

pub enum Work {
    Fit(Box<TreeSpec>),
    /// Ranks the columns, in groups of `rows_per_group` rows.
    Rank {
        rows_per_group: Option<usize>,
    },
    /// Ranks the columns as they come, all rows together.
    RankInTurn,
    Curve,
}

const TEN: [Values; 10] = [Distinct; 10];

fn two_classes(rows: usize) -> RawTable {
    RawTable::new(rows, &TEN, Answer::Classes(2))
}

fn number(rows: usize) -> RawTable {
    RawTable::new(rows, &TEN, Answer::Number)
}

fn few_levels(rows: usize) -> RawTable {
    RawTable::new(rows, &[Levels(20); 20], Answer::Classes(10))
}

fn ties(rows: usize) -> RawTable {
    RawTable::new(rows, &[Skewed(1_000); 10], Answer::Classes(2))
}

fn number_of_few_levels(rows: usize) -> RawTable {
    RawTable::new(rows, &[Levels(20); 20], Answer::Number)
}

fn number_of_mixed(rows: usize) -> RawTable {
    let columns = [Distinct, Levels(20), Holes(0.1), Texts(30), Levels(1_000), Texts(8)];
    RawTable::new(rows, &columns, Answer::Number)
}

fn mixed(rows: usize) -> RawTable {
    let columns = [Distinct, Levels(20), Holes(0.1), Texts(30), Levels(1_000), Texts(8)];
    RawTable::new(rows, &columns, Answer::Classes(2))
}

fn poker(rows: usize) -> RawTable {
    let columns: Vec<Values> = (0..10).map(|i| Levels([4, 13][i % 2])).collect();
    RawTable::new(rows, &columns, Answer::Hands(10))
}

fn bits(rows: usize) -> RawTable {
    RawTable::new(rows, &[Levels(2); 30], Answer::Classes(7))
}

fn holes(rows: usize) -> RawTable {
    let columns: Vec<Values> = (1..=10).map(|i| Holes(0.05 * f64::from(i))).collect();
    RawTable::new(rows, &columns, Answer::Classes(2))
}

fn texts(rows: usize) -> RawTable {
    let columns = [2, 12, 100, 1_000, 10_000, 50_000].map(Texts);
    RawTable::new(rows, &columns, Answer::Classes(2))
}

/// As kdd99: few levels of large integers and floats, and many classes.
fn kdd(rows: usize) -> RawTable {
    let mut columns = vec![LargeIntegers(3_000), LargeIntegers(10_000), Texts(70), Texts(11)];
    columns.extend([Levels(2); 8]);
    columns.extend([LargeIntegers(500); 6]);
    columns.extend([Skewed(100); 15]);
    columns.extend([Levels(256); 8]);
    RawTable::new(rows, &columns, Answer::Classes(23))
}

/// Many levels, but many rows of each.
fn many_levels(rows: usize) -> RawTable {
    let few = (rows / 12) as u32;
    let columns = [Levels(300), Levels(few / 8), Levels(few), LargeIntegers(few / 8), Skewed(few)];
    RawTable::new(rows, &columns, Answer::Classes(2))
}

/// Columns of few levels, so that a code is a byte.
fn bytes(rows: usize) -> RawTable {
    RawTable::new(rows, &[Levels(20); 20], Answer::Classes(2))
}

/// Few rows of very many columns of few levels.
fn wide(rows: usize) -> RawTable {
    RawTable::new(200, &vec![Levels(3); rows / 10], Answer::Classes(2))
}

/// A text of few levels that sets are made of, and more classes than two.
fn sets(rows: usize) -> RawTable {
    RawTable::new(rows, &[Texts(7), Texts(14), Texts(16), Distinct, Levels(70)], Answer::Classes(4))
}

pub fn all() -> Vec<Case> {
    let case = |name, table, work| Case { name, table, work };
    let cart = TreeSpec::cart;
    let to_12 = |spec: TreeSpec| Work::Fit(Box::new(spec.max_depth(12)));
    let full = |spec: TreeSpec| Work::Fit(Box::new(spec));
    let rank = |rows_per_group| Work::Rank { rows_per_group };
    vec![
        case("cart", two_classes, to_12(cart())),
        case("cart-full", two_classes, full(cart())),
        case("id3-full", two_classes, full(TreeSpec::id3())),
        case("c45-full", two_classes, full(TreeSpec::c45())),
        case("c45-full-unpruned", two_classes, full(TreeSpec::c45().pruning(Pruning::None))),
        case("few", few_levels, to_12(cart())),
        case("ties", ties, to_12(cart())),
        case("number", number, to_12(cart())),
        case("number-full", number, full(cart())),
        case("number-levels", number_of_few_levels, to_12(cart())),
        case("number-levels-full", number_of_few_levels, full(cart())),
        case("number-mixed-full", number_of_mixed, full(cart())),
        case("mixed-full", mixed, full(cart())),
        case("mixed-c45", mixed, full(TreeSpec::c45())),
        case(
            "mixed-weights-full",
            |n| mixed(n).weighted(|d| 0.5 + d),
            full(cart().min_samples_leaf(3)),
        ),
        case("poker", poker, full(cart())),
        case("bits", bits, full(cart())),
        case("fractional", holes, to_12(TreeSpec::c45().pruning(Pruning::None))),
        case(
            "fractional-learnt",
            holes,
            to_12(TreeSpec::c45().missing(Missing::Learn).pruning(Pruning::None)),
        ),
        case("weights-3", |n| two_classes(n).weighted(|d| 1.0 + (3.0 * d).floor()), to_12(cart())),
        case("weights", |n| two_classes(n).weighted(|d| 0.5 + d), to_12(cart())),
        case("texts-c45", texts, to_12(TreeSpec::c45())),
        case("texts-cart", texts, to_12(cart())),
        case("kdd", kdd, full(cart())),
        case("kdd-rank", kdd, rank(None)),
        case("kdd-rank-in-turn", kdd, Work::RankInTurn),
        case("wide", wide, full(cart())),
        case("sets", sets, full(cart())),
        case("rank", two_classes, rank(None)),
        case("rank-in-turn", two_classes, Work::RankInTurn),
        case("rank-bytes-in-turn", bytes, Work::RankInTurn),
        case("rank-levels-in-turn", many_levels, Work::RankInTurn),
        case("rank-number", number, rank(None)),
        case("rank-1000", two_classes, rank(Some(1_000))),
        case("rank-10", two_classes, rank(Some(10))),
        case("curve", |n| RawTable::new(n, &[Distinct], Answer::Classes(2)), Work::Curve),
    ]
}
