//! A model as tables of numbers, which a loop walks.

use super::field::{FieldCoding, FieldType};
use super::program::{FieldCondition, Program};
use crate::data::dtype::Value;
use crate::export::Next;

/// A test as numbers. Places are tests (0, 1, ...) or answers (-1, -2, ...).
pub(super) struct TableTest {
    pub(super) field: u32,
    /// Where a missing value goes.
    pub(super) missing: i64,
    /// Where a lower value goes, or a level that is none of the test's.
    pub(super) low: i64,
    /// Where another value goes; of a nominal field the number of the test's levels.
    pub(super) high: i64,
    /// What a value is compared with; of a nominal field the index of the test's first level.
    pub(super) cut: Value,
}

/// All tests, and the levels that they ask for.
pub(super) struct CodeTables {
    pub(super) tests: Vec<TableTest>,
    /// Codes of levels, ascending within a test.
    pub(super) levels: Vec<i32>,
    /// Where each goes.
    pub(super) level_places: Vec<i64>,
    pub(super) roots: Vec<i64>,
}

impl Program<'_> {
    /// Linear in the model.
    pub(super) fn tables(&self) -> CodeTables {
        let (mut levels, mut level_places) = (Vec::new(), Vec::new());
        let mut tests = Vec::with_capacity(self.tests.len());
        for test in &self.tests {
            let of_levels = |low: Next, n: usize, first: usize| {
                (low.number(), n as i64, Value::Int(first as i128))
            };
            let (low, high, cut) = match &test.condition {
                FieldCondition::AtLeast(cut, [below, above]) => {
                    (below.number(), above.number(), cut.clone())
                }
                FieldCondition::Levels(of_test, absent) => {
                    let first = levels.len();
                    levels.extend(of_test.iter().map(|(code, _)| *code));
                    level_places.extend(of_test.iter().map(|(_, next)| next.number()));
                    of_levels(*absent, of_test.len(), first)
                }
                FieldCondition::Known(next) if self.fields[test.field as usize].is_nominal() => {
                    of_levels(*next, 0, 0)
                }
                FieldCondition::Known(next) => (next.number(), next.number(), Value::Int(0)),
            };
            let missing = test.missing.number();
            tests.push(TableTest { field: test.field, missing, low, high, cut });
        }
        if levels.is_empty() {
            // No test asks for it; C has no empty tables.
            levels.push(0);
            level_places.push(0);
        }
        let roots = self.roots.iter().map(|root| root.number()).collect();
        CodeTables { tests, levels, level_places, roots }
    }

    /// What a test compares a 64-bit key of its field with.
    pub(super) fn key(&self, test: &TableTest) -> i64 {
        let field = &self.fields[test.field as usize];
        match (&field.coding, field.field_type, &test.cut) {
            (FieldCoding::Number, FieldType::F64, Value::Float(x)) => key_of_float(*x),
            (FieldCoding::Number, FieldType::U64, Value::Int(x)) => {
                let x = u64::try_from(*x).unwrap_or(if *x < 0 { 0 } else { u64::MAX });
                (x ^ 1 << 63) as i64
            }
            (_, _, Value::Int(x)) => {
                i64::try_from(*x).unwrap_or(if *x < 0 { i64::MIN } else { i64::MAX })
            }
            _ => 0,
        }
    }
}

/// An integer that orders as the float does: its bits, with all but the sign flipped if it is
/// negative.
fn key_of_float(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_as_floats() {
        let floats =
            [f64::NEG_INFINITY, -1e300, -1.5, -1.0, -5e-324, 0.0, 5e-324, 0.1, 2.0, f64::INFINITY];
        assert!(floats.map(key_of_float).is_sorted_by(|a, b| a < b));
    }
}
