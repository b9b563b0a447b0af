//! PostgreSQL.

use super::{Engine, doubled, too_long};

pub(in crate::export::sql) struct PostgreSql;

impl Engine for PostgreSql {
    /// It cuts longer names off, which then name the wrong column, or none.
    fn refuses_name(&self, name: &str) -> Option<String> {
        too_long(name.len(), "bytes", 63)
    }

    /// For equality there is no need of it: only a nondeterministic collation holds different texts for
    /// equal.
    fn ordered_text_operand(&self, name: &str) -> String {
        format!("{name} COLLATE \"C\"")
    }

    /// NaN equals itself.
    fn is_nan(&self, name: &str) -> Option<String> {
        Some(format!("{name} = {}", self.float(f64::NAN, "NaN")))
    }

    /// Whether a backslash escapes in plain quotes is a setting; in these it always does.
    fn text(&self, text: &str) -> String {
        let quoted = doubled('\'', text);
        match text.contains('\\') {
            true => format!("E{}", quoted.replace('\\', "\\\\")),
            false => quoted,
        }
    }

    fn float(&self, _x: f64, text: &str) -> String {
        format!("'{text}'::float8")
    }
}
