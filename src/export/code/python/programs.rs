//! Python: a program that asks a model for a row, and one that tests it.

use super::{Python, float, literal};
use crate::data::dtype::Value;
use crate::export::code::field::Field;
use crate::export::code::rows::{Row, TestRows};
use crate::export::code::text::{fill, listed};

const EXAMPLE: &str = "\
# python $NAME_example.py
from $NAME import $NAMES

row = Row($FIELDS)
print(predict(row))
$PROBABILITIES";

const TEST: &str = r#"# pytest $NAME_test.py
"""Rows, and what gaintree answers to them."""

from $NAME import $NAMES

ROWS = [
$ROWS]
$TABLES

def test_rows():
    for i, row in enumerate(ROWS):
        assert predict(row) == PREDICTIONS[i], f"row {i + 1} differs"
$CHECKS

if __name__ == "__main__":
    test_rows()
    print(f"0 of {len(ROWS)} rows differ")
"#;

const CHECK_PROBABILITIES: &str = r#"        shares = PROBABILITIES[$N * i : $N * (i + 1)]
        assert list(probabilities(row)) == shares, f"row {i + 1} differs"
"#;

const CHECK_LEAF: &str = r#"        assert leaf_id(row) == LEAF_IDS[i], f"row {i + 1} differs"
"#;

impl Python<'_> {
    fn values(&self, row: &Row) -> Vec<String> {
        let value = |(field, value): (&Field, &Option<Value>)| match value {
            Some(value) => literal(field.field_type, value),
            None => "None".to_string(),
        };
        self.0.fields.iter().zip(row).map(value).collect()
    }

    pub(in crate::export::code) fn example(&self, name: &str, row: &Row) -> String {
        let field = |(field, value): (&Field, String)| format!("    {}={value},\n", field.name);
        let mut fields: String = self.0.fields.iter().zip(self.values(row)).map(field).collect();
        if !fields.is_empty() {
            fields.insert(0, '\n');
        }
        let (names, print) = match self.0.is_regression() {
            true => ("Row, predict", ""),
            false => ("Row, predict, probabilities", "print(probabilities(row))\n"),
        };
        let values =
            [("NAME", name), ("NAMES", names), ("FIELDS", &fields), ("PROBABILITIES", print)];
        fill(EXAMPLE, &values)
    }

    pub(in crate::export::code) fn test(&self, name: &str, rows: &TestRows) -> String {
        let TestRows { rows, answers } = rows;
        let table = |head: &str, items: String| format!("{head} = [\n{items}\n]\n");
        let row = |row: &Row| format!("    Row({}),\n", self.values(row).join(", "));
        let lines: String = rows.iter().map(row).collect();
        let values = listed(answers.values.iter().map(|x| float(*x)));
        let mut names = vec!["Row", "predict"];
        let (mut tables, mut checks) = (String::new(), String::new());
        if self.0.is_regression() {
            tables += &table("PREDICTIONS", values);
        } else {
            let labels = answers.classes.iter().map(|&class| self.label(class as usize));
            tables += &table("PREDICTIONS", listed(labels));
            tables += &table("PROBABILITIES", values);
            checks += &fill(CHECK_PROBABILITIES, &[("N", &self.0.width().to_string())]);
            names.push("probabilities");
        }
        if let Some(ids) = &answers.leaf_ids {
            tables += &table("LEAF_IDS", listed(ids));
            checks += CHECK_LEAF;
            names.insert(1, "leaf_id");
        }
        let values = [
            ("NAME", name),
            ("NAMES", &names.join(", ")),
            ("ROWS", &lines),
            ("TABLES", &tables),
            ("CHECKS", &checks),
        ];
        fill(TEST, &values)
    }
}
