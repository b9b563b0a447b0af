//! Python: the source of a model.

use super::templates::{
    CLASS_OF_FOREST, CLASS_OF_TREE, KNOWN, LABELS, LEAF_OF_TREE, LEVEL_TABLES, MEAN,
    NUMBER_OF_FOREST, NUMBER_OF_TREE, SOURCE, TESTS, WALK, WALK_LEVELS,
};
use super::{Python, boolean, code, float, literal, number, string, type_name};
use crate::data::dtype::Value;
use crate::export::code::branches::{ANSWER_OF, Branches};
use crate::export::code::field::{Field, FieldCoding, FieldType, MISSING};
use crate::export::code::tables::CodeTables;
use crate::export::code::text::{fill, listed};

impl Python<'_> {
    pub(in crate::export::code) fn source(&self, about: &[String]) -> String {
        let program = self.0;
        let mut fields = String::new();
        for field in &program.fields {
            let plain = type_name(field.field_type);
            let of = if field.may_lack { format!("{plain} | None") } else { plain.to_string() };
            fields += &format!("    # {}\n    {}: {of}\n", field.about(), field.name);
        }
        if !fields.is_empty() {
            fields.insert(0, '\n');
        }
        let trees = match program.is_readable() {
            true => program.branch_functions(self),
            false => self.walk(),
        };
        let tables: String = program.fields.iter().map(values_of).collect();
        let searches = ["bisect_left", "bisect_right"];
        let used = |name: &&str| tables.contains(*name) || trees.contains(*name);
        let searches: Vec<&str> = searches.into_iter().filter(used).collect();
        let bisect = match searches.as_slice() {
            [] => String::new(),
            names => format!("from bisect import {}\n", names.join(", ")),
        };
        let known = match program.refuses_missing {
            true => ", none of which may be missing",
            false => "; None, or NaN, is missing",
        };
        let names = ["_OUTCOME_OF", "_OUTCOMES", "_CLASS_OF", "_LEAF_IDS"];
        let outcomes = |at: usize, _, items| table(names[at], items);
        let outcomes = program.outcome_tables("#", float, outcomes);
        let values = [
            ("ABOUT", about.join("\n")),
            ("BISECT", bisect),
            ("KNOWN", known.to_string()),
            ("FIELDS", fields),
            ("LABELS", self.labels()),
            ("FUNCTIONS", self.functions()),
            ("TABLES", format!("\n{outcomes}")),
            ("VALUES", tables),
            ("TREES", trees),
        ];
        fill(SOURCE, &values.each_ref().map(|(key, value)| (*key, value.as_str())))
    }

    fn labels(&self) -> String {
        if self.0.is_regression() {
            return String::new();
        }
        let labels = listed((0..self.0.width()).map(|class| self.label(class)));
        fill(LABELS, &[("LABELS", &labels)])
    }

    /// What users call.
    fn functions(&self) -> String {
        let program = self.0;
        let is_regression = program.is_regression();
        let n = program.width().to_string();
        let answer = type_name(FieldType::of(&program.schema.target_dtype));
        if !program.is_forest {
            let class = if is_regression { NUMBER_OF_TREE } else { CLASS_OF_TREE };
            return fill(class, &[("ANSWER", answer), ("N", &n)]) + LEAF_OF_TREE;
        }
        let class = if is_regression { NUMBER_OF_FOREST } else { CLASS_OF_FOREST };
        let (asks, asked) = self.asks();
        let values = [
            ("ANSWER", answer),
            ("N", &n),
            ("ASKS", &asks),
            ("ASKED", asked),
            ("TREES", if program.is_readable() { "_TREES" } else { "_ROOTS" }),
            ("ALL", &program.roots.len().to_string()),
        ];
        fill(&format!("{class}{MEAN}"), &values)
    }

    /// Larger models: the tests in a table, and a loop.
    fn walk(&self) -> String {
        let program = self.0;
        let CodeTables { tests, levels, level_places, roots } = program.tables();
        let mut lines = String::new();
        for test in &tests {
            let field = &program.fields[test.field as usize];
            let cut = match field.is_number() {
                true => literal(field.field_type, &test.cut),
                false => literal(FieldType::I64, &test.cut),
            };
            let (field, missing, low, high) = (test.field, test.missing, test.low, test.high);
            lines += &format!("    {field}, {missing}, {low}, {high}, {cut},\n");
        }
        let mut text = fill(TESTS, &[("TESTS", &lines), ("ROOTS", &listed(roots))]);
        let fields = &program.fields;
        let has_nominal = fields.iter().any(Field::is_nominal);
        if has_nominal {
            let (levels, places) = (listed(levels), listed(level_places));
            let nominal = listed(fields.iter().map(|field| boolean(field.is_nominal())));
            let values = [("LEVELS", &*levels), ("PLACES", &places), ("NOMINAL", &nominal)];
            text += &fill(LEVEL_TABLES, &values);
        }
        let key = |field: &Field| match field.is_number() {
            true => format!("        {},\n", number(field)),
            false => format!("        _known({}),\n", code(field)),
        };
        let keys: String = fields.iter().map(key).collect();
        let of_levels = if has_nominal { WALK_LEVELS } else { "" };
        text += &fill(WALK, &[("LEVELS", of_levels), ("KEYS", &keys)]);
        if fields.iter().any(|field| !field.is_number()) {
            text += &fill(KNOWN, &[("MISSING", &MISSING.to_string())]);
        }
        if !program.is_forest {
            let (asks, asked) = self.asks();
            let (about, name) = ANSWER_OF;
            text += &self.function(about, name, true, &format!("{asks}    return {asked}\n"));
        }
        text
    }

    fn asks(&self) -> (String, &'static str) {
        let answers = ["tree(row)", "_walk(tree, keys)", "_walk(_ROOTS[0], keys)"];
        self.0.asks(self, "    keys = _keys(row)\n", answers)
    }
}

fn table(name: &str, items: String) -> String {
    format!("{name} = (\n{items}\n)\n")
}

/// The values that tests of a field name.
fn values_of(field: &Field) -> String {
    let upper = field.name.to_uppercase();
    let literals = |values: &[Value]| -> Vec<String> {
        values.iter().map(|value| literal(field.field_type, value)).collect()
    };
    let dict = |suffix: &str, pairs: Vec<String>| match pairs.is_empty() {
        true => format!("_{upper}_{suffix} = {{}}\n"),
        false => format!("_{upper}_{suffix} = {{\n{}\n}}\n", listed(pairs)),
    };
    match &field.coding {
        FieldCoding::Number | FieldCoding::Bit => String::new(),
        FieldCoding::Cuts(cuts) => table(&format!("_{upper}_CUTS"), listed(literals(cuts))),
        FieldCoding::Levels(levels) => {
            let pairs = literals(levels).into_iter().enumerate();
            dict("LEVELS", pairs.map(|(code, level)| format!("{level}: {code}")).collect())
        }
        FieldCoding::Categories(categories) => {
            let pairs = categories.iter().map(|(text, at)| format!("{}: {at}", string(text)));
            dict("ORDER", pairs.collect())
        }
    }
}
