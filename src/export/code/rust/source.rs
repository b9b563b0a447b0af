//! Rust: the source of a model.

use super::templates::{
    CATEGORY, CLASS_OF_FOREST, CLASS_OF_TREE, KEY_OF_F64, KEYS, LABELS, LEAF_OF_TREE, LEVEL,
    LEVEL_TABLES, MEAN, NUMBER_OF_FOREST, NUMBER_OF_TREE, RANK, SOURCE, TESTS, WALK, WALK_LEVELS,
};
use super::{Rust, code, float, has_option, is_missing, literal, string, type_name};
use crate::data::dtype::Value;
use crate::export::code::branches::{ANSWER_OF, Branches};
use crate::export::code::field::{ABSENT, Field, FieldCoding, FieldType, MISSING};
use crate::export::code::tables::CodeTables;
use crate::export::code::text::{fill, listed};

impl Rust<'_> {
    /// The values of what holes stand for everywhere.
    pub(super) fn fill(&self, template: &str, more: &[(&str, &str)]) -> String {
        let program = self.0;
        let n = program.width().to_string();
        let (fields, trees) = (program.fields.len().to_string(), program.roots.len().to_string());
        let label = type_name(self.label_type());
        let mut values = more.to_vec();
        values.extend([
            ("ROW", if self.has_texts() { "&Row<'_>" } else { "&Row" }),
            ("ANSWER", if label == "&str" { "&'static str" } else { label }),
            ("LABEL", label),
            ("N", &n),
            ("FIELDS", &fields),
            ("TREES", &trees),
        ]);
        fill(template, &values)
    }

    pub(in crate::export::code) fn source(&self, about: &[String]) -> String {
        let program = self.0;
        let about: String = about.iter().map(|line| format!("//! {line}\n")).collect();
        let mut fields = String::new();
        for field in &program.fields {
            let plain = type_name(field.field_type).replace('&', "&'a ");
            let of = if has_option(field) { format!("Option<{plain}>") } else { plain };
            fields += &format!("    /// {}\n    pub {}: {of},\n", field.about(), field.name);
        }
        let known = match program.refuses_missing {
            true => ", none of which may be missing",
            false => "",
        };
        let trees = match program.is_readable() {
            true => program.branch_functions(self),
            false => self.walk(),
        };
        let names =
            [("OUTCOME_OF", "u32"), ("OUTCOMES", "f64"), ("CLASS_OF", "u32"), ("LEAF_IDS", "u32")];
        let outcomes = |at: usize, n, items| table(names[at].0, names[at].1, n, items);
        let values: String = program.fields.iter().map(values_of).collect();
        let values = [
            ("ABOUT", about),
            ("KNOWN", known.to_string()),
            ("LIFETIME", if self.has_texts() { "<'a>" } else { "" }.to_string()),
            ("FIELDS", fields),
            ("LABELS", self.labels()),
            ("FUNCTIONS", self.functions()),
            ("TABLES", program.outcome_tables("//", float, outcomes)),
            ("SEARCHES", self.searches()),
            ("VALUES", values),
            ("TREES", trees),
        ];
        self.fill(SOURCE, &values.each_ref().map(|(key, value)| (*key, value.as_str())))
    }

    fn has_texts(&self) -> bool {
        self.0.fields.iter().any(|field| field.field_type == FieldType::Text)
    }

    fn labels(&self) -> String {
        if self.0.is_regression() {
            return String::new();
        }
        let labels = listed((0..self.0.width()).map(|class| self.label(class)));
        self.fill(LABELS, &[("LABELS", &labels)])
    }

    /// What users call.
    fn functions(&self) -> String {
        let program = self.0;
        if !program.is_forest {
            let class = if program.is_regression() { NUMBER_OF_TREE } else { CLASS_OF_TREE };
            return self.fill(&format!("{class}{LEAF_OF_TREE}"), &[]);
        }
        let class = if program.is_regression() { NUMBER_OF_FOREST } else { CLASS_OF_FOREST };
        let (asks, asked) = self.asks();
        self.fill(class, &[]) + &self.fill(MEAN, &[("ASKS", &asks), ("ASKED", asked)])
    }

    /// The functions that find a value among the values that tests name.
    fn searches(&self) -> String {
        let has =
            |is: fn(&FieldCoding) -> bool| self.0.fields.iter().any(|field| is(&field.coding));
        let has_categories = has(|coding| matches!(coding, FieldCoding::Categories(_)));
        let has_levels = has(|coding| matches!(coding, FieldCoding::Levels(_))) || has_categories;
        let has_ranks = has(|coding| matches!(coding, FieldCoding::Cuts(_))) || has_levels;
        let parts = [(RANK, has_ranks), (LEVEL, has_levels), (CATEGORY, has_categories)];
        let (absent, missing) = (ABSENT.to_string(), MISSING.to_string());
        let parts = parts.iter().filter(|(_, is_used)| *is_used);
        parts.map(|(part, _)| fill(part, &[("ABSENT", &absent), ("MISSING", &missing)])).collect()
    }

    /// Larger models: the tests in a table, and a loop.
    fn walk(&self) -> String {
        let program = self.0;
        let CodeTables { tests, levels, level_places, roots } = program.tables();
        let mut lines = String::new();
        for test in &tests {
            let (field, missing, low, high) = (test.field, test.missing, test.low, test.high);
            lines += &format!("    t({field}, {missing}, {low}, {high}, {}),\n", program.key(test));
        }
        let n_tests = tests.len().to_string();
        let values = [("TESTS", n_tests.as_str()), ("LINES", &lines), ("ROOTS", &listed(roots))];
        let mut text = self.fill(TESTS, &values);
        let fields = &program.fields;
        let has_nominal = fields.iter().any(Field::is_nominal);
        if has_nominal {
            let values = [
                ("ALL", levels.len().to_string()),
                ("LEVELS", listed(levels)),
                ("PLACES", listed(level_places)),
                ("NOMINAL", listed(fields.iter().map(Field::is_nominal))),
            ];
            let values = values.each_ref().map(|(key, value)| (*key, value.as_str()));
            text += &self.fill(LEVEL_TABLES, &values);
        }
        text += &self.fill(WALK, &[("LEVELS", if has_nominal { WALK_LEVELS } else { "" })]);
        if fields.iter().any(|field| field.is_number() && field.field_type == FieldType::F64) {
            text += KEY_OF_F64;
        }
        text += &self.keys();
        if !program.is_forest {
            let (asks, asked) = self.asks();
            let (about, name) = ANSWER_OF;
            text += &self.function(about, name, true, &format!("{asks}    {asked}\n"));
        }
        text
    }

    /// The function that makes keys of a row.
    fn keys(&self) -> String {
        let mut lines = String::new();
        for (at, field) in self.0.fields.iter().enumerate() {
            let x = match has_option(field) {
                true => format!("row.{}.unwrap_or_default()", field.name),
                false => format!("row.{}", field.name),
            };
            let key = match (field.is_number(), field.field_type) {
                (true, FieldType::F64) => format!("key_of_f64({x})"),
                (true, FieldType::U64) => format!("({x} ^ 1 << 63) as i64"),
                (true, _) => x,
                (false, _) => format!("i64::from({})", code(field)),
            };
            lines += &format!("    keys[{at}] = {key};\n");
            if !field.is_number() {
                lines += &format!("    missing[{at}] = keys[{at}] == {MISSING};\n");
            } else if field.may_lack {
                lines += &format!("    missing[{at}] = {};\n", is_missing(field));
            }
        }
        self.fill(KEYS, &[("LINES", &lines)])
    }

    fn asks(&self) -> (String, &'static str) {
        let keys = "    let (keys, missing) = read_keys(row);\n";
        let walks = ["walk(ROOTS[tree], &keys, &missing)", "walk(ROOTS[0], &keys, &missing)"];
        self.0.asks(self, keys, ["TREES[tree](row)", walks[0], walks[1]])
    }
}

pub(super) fn table(name: &str, of: &str, n: usize, items: String) -> String {
    format!("static {name}: [{of}; {n}] = [\n{items}\n];\n")
}

/// The values that tests of a field name.
fn values_of(field: &Field) -> String {
    let upper = field.name.to_uppercase();
    let of = type_name(field.field_type);
    let array = |suffix: &str, of: &str, values: Vec<String>| {
        let n = values.len();
        format!("\n{}", table(&format!("{upper}_{suffix}"), of, n, listed(values)))
    };
    let literals =
        |values: &[Value]| values.iter().map(|value| literal(field.field_type, value)).collect();
    match &field.coding {
        FieldCoding::Number | FieldCoding::Bit => String::new(),
        FieldCoding::Cuts(cuts) => array("CUTS", of, literals(cuts)),
        FieldCoding::Levels(levels) => array("LEVELS", of, literals(levels)),
        FieldCoding::Categories(categories) => {
            let texts = categories.iter().map(|(text, _)| string(text)).collect();
            let order = categories.iter().map(|(_, index)| index.to_string()).collect();
            array("CATEGORIES", of, texts) + &array("ORDER", "i32", order)
        }
    }
}
