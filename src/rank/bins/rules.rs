//! Bins as text.

use crate::data::column::ColumnInfo;
use crate::data::dtype::Value;
use crate::tree::rule_text::{level_set, quote};

/// The interval `at` between cuts: `x < 5`, `5 <= x < 10`, `x >= 10`; without a cut `x is not
/// missing`. An interval of a single value reads `x == 5`, and the next one `5 < x < 10` or `x > 5`.
pub(in crate::rank) fn interval_rule(column: &ColumnInfo, cuts: &[Value], at: usize) -> String {
    let (name, dtype) = (&column.name, &column.dtype);
    let show = |at: usize| dtype.show(&cuts[at]);
    let is_single = |at: usize| {
        at > 0 && at < cuts.len() && dtype.next_value(&cuts[at - 1]).as_ref() == Some(&cuts[at])
    };
    if is_single(at) {
        return format!("{name} == {}", show(at - 1));
    }
    let is_above = at > 0 && is_single(at - 1);
    match (at > 0, at < cuts.len()) {
        (false, false) => format!("{name} is not missing"),
        (false, true) => format!("{name} < {}", show(at)),
        (true, true) if is_above => format!("{} < {name} < {}", show(at - 2), show(at)),
        (true, true) => format!("{} <= {name} < {}", show(at - 1), show(at)),
        (true, false) if is_above => format!("{name} > {}", show(at - 2)),
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
