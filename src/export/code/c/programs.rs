//! C: a program that asks a model for a row, and one that tests it.

use super::source::{element_name, table};
use super::{C, float, literal};
use crate::data::dtype::Value;
use crate::export::code::field::{Field, FieldType};
use crate::export::code::rows::{Row, TestRows};
use crate::export::code::text::{fill, listed};

const EXAMPLE: &str = r#"// cc $NAME.c $NAME_example.c -o $NAME_example
#include <math.h>
#include <stdio.h>

#include "$NAME.h"

int main(void)
{
    struct $NAME_row row = $ROW;
    printf("$FORMAT\n", $PREDICTED);
$PROBABILITIES    return 0;
}
"#;

const PRINT_PROBABILITIES: &str = r#"    double probabilities[$NAME_n_classes];
    $NAME_probabilities(&row, probabilities);
    for (int i = 0; i < $NAME_n_classes; i++) {
        printf("probability %d: %.17g\n", i, probabilities[i]);
    }
"#;

const TEST: &str = r#"// cc $NAME.c $NAME_test.c -o $NAME_test && ./$NAME_test
// Rows, and what gaintree answers to them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "$NAME.h"

static const struct $NAME_row rows[] = {
$ROWS};
$TABLES
int main(void)
{
    int differing = 0, n = sizeof rows / sizeof rows[0];
    for (int i = 0; i < n; i++) {
        bool same = true;
$CHECKS        if (!same) {
            printf("row %d differs\n", i + 1);
            differing++;
        }
    }
    printf("%d of %d rows differ\n", differing, n);
    return differing > 0;
}
"#;

const CHECK_NUMBER: &str = "        same = same && $NAME_predict(&rows[i]) == predictions[i];\n";

const CHECK_TEXT: &str =
    "        same = same && strcmp($NAME_predict(&rows[i]), predictions[i]) == 0;\n";

const CHECK_PROBABILITIES: &str = "        double found[$N];
        $NAME_probabilities(&rows[i], found);
        for (int c = 0; c < $N; c++) {
            same = same && found[c] == probabilities[i * $N + c];
        }
";

const CHECK_LEAF: &str = "        same = same && $NAME_leaf_id(&rows[i]) == leaf_ids[i];\n";

impl C<'_> {
    /// A row as an initializer.
    fn row(&self, row: &Row) -> String {
        let field = |(field, value): (&Field, &Option<Value>)| {
            let text = match value {
                Some(value) => literal(field.field_type, value),
                None => match field.field_type {
                    FieldType::F64 => "NAN".to_string(),
                    FieldType::Text => "NULL".to_string(),
                    FieldType::Bool => "false".to_string(),
                    _ => "0".to_string(),
                },
            };
            match C::has_flag(field) {
                true => format!("{text}, {}", value.is_none()),
                false => text,
            }
        };
        let fields: Vec<String> = self.program.fields.iter().zip(row).map(field).collect();
        match fields.is_empty() {
            true => "{0}".to_string(),
            false => format!("{{{}}}", fields.join(", ")),
        }
    }

    /// A row as an initializer that names its fields, a line each.
    fn named_row(&self, row: &Row) -> String {
        let mut lines = String::new();
        for (value, field) in row.iter().zip(&self.program.fields) {
            let value = value.as_ref().map_or(String::new(), |v| literal(field.field_type, v));
            lines += &format!("        .{} = {value},\n", field.name);
            if C::has_flag(field) {
                lines += &format!("        .{} = false,\n", field.missing_name);
            }
        }
        if lines.is_empty() { "{0}".to_string() } else { format!("{{\n{lines}    }}") }
    }

    pub(in crate::export::code) fn example(&self, row: &Row) -> String {
        let (format, predicted) = match self.label_type() {
            FieldType::Text => ("%s", "$NAME_predict(&row)"),
            FieldType::Bool => ("%s", "$NAME_predict(&row) ? \"true\" : \"false\""),
            FieldType::F64 => ("%.17g", "$NAME_predict(&row)"),
            FieldType::U64 => ("%llu", "(unsigned long long)$NAME_predict(&row)"),
            _ => ("%lld", "(long long)$NAME_predict(&row)"),
        };
        let probabilities = if self.program.is_regression() { "" } else { PRINT_PROBABILITIES };
        let name = [("NAME", self.name)];
        let (predicted, probabilities) = (fill(predicted, &name), fill(probabilities, &name));
        let values = [
            ("NAME", self.name),
            ("ROW", &self.named_row(row)),
            ("FORMAT", format),
            ("PREDICTED", &predicted),
            ("PROBABILITIES", &probabilities),
        ];
        fill(EXAMPLE, &values)
    }

    pub(in crate::export::code) fn test(&self, rows: &TestRows) -> String {
        let n = self.program.width().to_string();
        let TestRows { rows, answers } = rows;
        let lines: String = rows.iter().map(|row| format!("    {},\n", self.row(row))).collect();
        let values = listed(answers.values.iter().map(|x| float(*x)));
        let (mut tables, mut checks) = (String::new(), CHECK_NUMBER.to_string());
        if self.program.is_regression() {
            tables += &table("double predictions", values);
        } else {
            let label_type = self.label_type();
            if label_type == FieldType::Text {
                checks = CHECK_TEXT.to_string();
            }
            let labels = answers.classes.iter().map(|&class| self.label(class as usize));
            tables += &table(&format!("{}predictions", element_name(label_type)), listed(labels));
            tables += &table("double probabilities", values);
            checks += CHECK_PROBABILITIES;
        }
        if let Some(ids) = &answers.leaf_ids {
            tables += &table("uint32_t leaf_ids", listed(ids));
            checks += CHECK_LEAF;
        }
        let checks = fill(&checks, &[("NAME", self.name), ("N", &n)]);
        let values =
            [("NAME", self.name), ("ROWS", &lines), ("TABLES", &tables), ("CHECKS", &checks)];
        fill(TEST, &values)
    }
}
