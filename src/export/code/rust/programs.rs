//! Rust: a program that asks a model for a row, and one that tests it.

use super::source::table;
use super::{Rust, float, has_option, literal, type_name};
use crate::data::dtype::Value;
use crate::export::code::field::Field;
use crate::export::code::rows::{Row, TestRows};
use crate::export::code::text::{fill, listed};

const EXAMPLE: &str = r#"// rustc $NAME_example.rs
#[path = "$NAME.rs"]
mod model;

use model::Row;

fn main() {
    let row = $ROW;
    println!("{}", model::predict(&row));
$PROBABILITIES}
"#;

const PRINT_PROBABILITIES: &str = r#"    println!("{:?}", model::probabilities(&row));
"#;

const TEST: &str = r#"// rustc --test $NAME_test.rs && ./$NAME_test
// Rows, and what gaintree answers to them.
#[path = "$NAME.rs"]
mod model;

use model::Row;

static ROWS: [Row; $N] = [
$ROWS];
$TABLES
#[test]
fn rows_are_answered_as_gaintree_does() {
    for (i, row) in ROWS.iter().enumerate() {
        let same = model::predict(row) == PREDICTIONS[i]$CHECKS;
        assert!(same, "row {} differs", i + 1);
    }
}
"#;

const CHECK_PROBABILITIES: &str =
    "\n            && model::probabilities(row)[..] == PROBABILITIES[$N * i..$N * (i + 1)]";

const CHECK_LEAF: &str = "\n            && model::leaf_id(row) == LEAF_IDS[i]";

impl Rust<'_> {
    /// The fields of a row as expressions.
    fn fields(&self, row: &Row) -> Vec<String> {
        let field = |(field, value): (&Field, &Option<Value>)| {
            let text = match value {
                None if has_option(field) => "None".to_string(),
                None => "f64::NAN".to_string(),
                Some(value) if has_option(field) => {
                    format!("Some({})", literal(field.field_type, value))
                }
                Some(value) => literal(field.field_type, value),
            };
            format!("{}: {text}", field.name)
        };
        self.0.fields.iter().zip(row).map(field).collect()
    }

    pub(in crate::export::code) fn example(&self, name: &str, row: &Row) -> String {
        let lines: String =
            self.fields(row).iter().map(|field| format!("        {field},\n")).collect();
        let row = match lines.is_empty() {
            true => "Row {}".to_string(),
            false => format!("Row {{\n{lines}    }}"),
        };
        let print = if self.0.is_regression() { "" } else { PRINT_PROBABILITIES };
        fill(EXAMPLE, &[("NAME", name), ("ROW", &row), ("PROBABILITIES", print)])
    }

    pub(in crate::export::code) fn test(&self, name: &str, rows: &TestRows) -> String {
        let TestRows { rows, answers } = rows;
        let n = rows.len();
        let row = |row: &Row| format!("    Row {{ {} }},\n", self.fields(row).join(", "));
        let lines: String = rows.iter().map(row).collect();
        let values = listed(answers.values.iter().map(|x| float(*x)));
        let (mut tables, mut checks) = (String::new(), String::new());
        if self.0.is_regression() {
            tables += &table("PREDICTIONS", "f64", n, values);
        } else {
            let labels = answers.classes.iter().map(|&class| self.label(class as usize));
            tables += &table("PREDICTIONS", type_name(self.label_type()), n, listed(labels));
            tables += &table("PROBABILITIES", "f64", answers.values.len(), values);
            checks += &fill(CHECK_PROBABILITIES, &[("N", &self.0.width().to_string())]);
        }
        if let Some(ids) = &answers.leaf_ids {
            tables += &table("LEAF_IDS", "u32", n, listed(ids));
            checks += CHECK_LEAF;
        }
        let values = [
            ("NAME", name),
            ("N", &n.to_string()),
            ("ROWS", &lines),
            ("TABLES", &tables),
            ("CHECKS", &checks),
        ];
        fill(TEST, &values)
    }
}
