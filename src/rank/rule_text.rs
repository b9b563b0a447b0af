//! The rules of a ranking as text.

use crate::data::column::ColumnInfo;
use crate::data::dtype::Value;
use crate::split::{Candidate, CodeTest};
use crate::tree::rule::Test;
use crate::tree::rule_text::condition;

/// The rule of a test as tables show it.
#[derive(Default)]
pub(super) struct ShownRule {
    pub(super) text: String,
    /// Its cut, in the column's own type.
    pub(super) cut: Option<Value>,
}

impl ShownRule {
    /// `x >= cut` or `x == level`. Where missing is a level of its own, its code stands for it.
    pub(super) fn of(column: &ColumnInfo, test: &CodeTest) -> Self {
        let test = test.map_cut(|cut| column.cut(cut.lo, cut.hi));
        let text = text_of(column, &test);
        let cut = if let Test::AtLeast(cut) = test { Some(cut) } else { None };
        ShownRule { text, cut }
    }

    /// The rule of the best candidate; empty where there is none.
    pub(super) fn of_best(column: &ColumnInfo, best: Option<&Candidate>) -> Self {
        best.map_or_else(ShownRule::default, |best| ShownRule::of(column, &best.test))
    }
}

/// The rule of a test whose cut is a value.
pub(super) fn text_of(column: &ColumnInfo, test: &Test) -> String {
    text_of_branch(column, test, 1)
}

/// The rule of a branch of a test whose cut is a value: 1 where it holds, 0 where it does not.
pub(super) fn text_of_branch(column: &ColumnInfo, test: &Test, branch: u32) -> String {
    let text = |level| column.level_text(level);
    let condition = match test {
        Test::Equals(level) if *level == column.missing_code() => {
            condition(&Test::IsMissing, branch, &column.dtype, text, usize::MAX)
        }
        test => condition(test, branch, &column.dtype, text, usize::MAX),
    };
    [&column.name, " ", &condition].concat()
}
