//! The rules of a ranking as text.

use crate::data::column::Column;
use crate::data::dtype::Value;
use crate::split::CodeTest;
use crate::tree::rule_text::quote;

/// The cut of a test, in the column's own type.
pub(super) fn cut_of(column: &Column, test: &CodeTest) -> Option<Value> {
    match test {
        CodeTest::AtLeast { lo, hi } => Some(column.cut(*lo, *hi)),
        CodeTest::Equals(_) | CodeTest::In { .. } | CodeTest::Each(_) | CodeTest::IsMissing => None,
    }
}

/// `x >= cut` or `x == level`. Where missing is a level of its own, its code stands for it.
pub(super) fn rule_text(column: &Column, test: &CodeTest) -> String {
    match test {
        CodeTest::Equals(level) if *level == column.missing_code() => {
            format!("{} is missing", column.name)
        }
        CodeTest::Equals(level) => {
            format!("{} == {}", column.name, quote(&column.level_text(*level)))
        }
        test => match cut_of(column, test) {
            Some(cut) => format!("{} >= {}", column.name, column.dtype.show(&cut)),
            None => String::new(),
        },
    }
}
