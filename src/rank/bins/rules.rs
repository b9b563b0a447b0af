//! Bins as text.

use crate::data::column::ColumnInfo;
use crate::data::dtype::Value;
use crate::tree::rule_text::{level_set, quote};

/// The interval `at` between cuts: `x < 5`, `5 <= x < 10`, `x >= 10`; without a cut `x is not
/// missing`.
pub(in crate::rank) fn interval_rule(column: &ColumnInfo, cuts: &[Value], at: usize) -> String {
    let name = &column.name;
    let show = |at: usize| column.dtype.show(&cuts[at]);
    match (at > 0, at < cuts.len()) {
        (false, false) => format!("{name} is not missing"),
        (false, true) => format!("{name} < {}", show(at)),
        (true, true) => format!("{} <= {name} < {}", show(at - 1), show(at)),
        (true, false) => format!("{name} >= {}", show(at - 1)),
    }
}

/// `x == a` or `x in {a, b}`.
pub(in crate::rank) fn level_rule(column: &ColumnInfo, levels: &[u32]) -> String {
    let name = &column.name;
    match levels {
        [level] => format!("{name} == {}", quote(&column.level_text(*level))),
        _ => format!("{name} in {}", level_set(levels, |l| column.level_text(l), usize::MAX)),
    }
}
