//! The rules of a ranking as text.

use crate::data::column::ColumnInfo;
use crate::data::dtype::Value;
use crate::split::CodeTest;
use crate::tree::rule::Test;
use crate::tree::rule_text::condition;

/// The cut of a test, in the column's own type.
pub(super) fn cut_of(column: &ColumnInfo, test: &CodeTest) -> Option<Value> {
    match test {
        CodeTest::AtLeast(cut) => Some(column.cut(cut.lo, cut.hi)),
        CodeTest::Equals(_) | CodeTest::In { .. } | CodeTest::Each(_) | CodeTest::IsMissing => None,
    }
}

/// `x >= cut` or `x == level`. Where missing is a level of its own, its code stands for it.
pub(super) fn rule_text(column: &ColumnInfo, test: &CodeTest) -> String {
    text_of(column, &test.map_cut(|cut| column.cut(cut.lo, cut.hi)))
}

/// The rule of the best test; empty where there is none.
pub(super) fn best_rule_text(column: &ColumnInfo, test: Option<&CodeTest>) -> String {
    test.map_or(String::new(), |test| rule_text(column, test))
}

/// The rule of a test whose cut is a value.
pub(super) fn text_of(column: &ColumnInfo, test: &Test) -> String {
    let condition = match test {
        Test::Equals(level) if *level == column.missing_code() => "is missing".to_string(),
        test => condition(test, 1, &column.dtype, |level| column.level_text(level), usize::MAX),
    };
    [&column.name, " ", &condition].concat()
}
