//! C: the source of a model, and its header.

use super::templates::{
    CATEGORY, CLASS_FUNCTIONS, CLASS_OF_FOREST, CLASS_OF_TREE, HEADER, KEY_OF_DOUBLE, KEYS,
    LEAF_FUNCTION, LEAF_OF_TREE, LEVEL, LEVEL_TABLES, MEAN, NUMBER_FUNCTIONS, NUMBER_OF_FOREST,
    NUMBER_OF_TREE, RANK, READ_KEYS, TESTS, WALK, WALK_LEVELS, WIDE,
};
use super::{C, float, literal, search, string, type_name};
use crate::data::dtype::Value;
use crate::export::code::branches::{ANSWER_OF, Branches};
use crate::export::code::field::{ABSENT, Field, FieldCoding, FieldType, MISSING};
use crate::export::code::tables::CodeTables;
use crate::export::code::text::{fill, listed};

/// Headers of the C library, and what code uses of them.
const HEADERS: [(&str, &[&str]); 3] = [
    ("assert", &["assert("]),
    ("math", &["INFINITY"]),
    ("string", &["NULL", "memcpy(", "strcmp("]),
];

impl C<'_> {
    /// The values of what holes stand for everywhere.
    pub(super) fn fill(&self, template: &str, more: &[(&str, &str)]) -> String {
        let (n, label_type) = (self.program.width().to_string(), self.label_type());
        let (label, element) = (type_name(label_type), element_name(label_type));
        let mut values = vec![("NAME", self.name), ("LABEL", label), ("ELEMENT", element)];
        values.splice(0..0, more.iter().copied());
        values.push(("N", &n));
        fill(template, &values)
    }

    /// What the header declares. The source begins with it, so that it needs no other file.
    pub(in crate::export::code) fn header(&self, about: &[String]) -> String {
        let program = self.program;
        let mut text: String = about.iter().map(|line| format!("// {line}\n")).collect();
        let mut fields = String::new();
        for field in &program.fields {
            let field_type = type_name(field.field_type);
            fields += &format!("    // {}\n    {field_type}{};\n", field.about(), field.name);
            if C::has_flag(field) {
                fields += &format!("    bool {};\n", field.missing_name);
            }
        }
        if fields.is_empty() {
            fields += "    // The model asks for no column.\n    char unused;\n";
        }
        let answers = match program.is_regression() {
            true => NUMBER_FUNCTIONS,
            false => CLASS_FUNCTIONS,
        };
        let leaf = if program.is_forest { "" } else { LEAF_FUNCTION };
        let known = match program.refuses_missing {
            true => ", none of which may be missing",
            false => "",
        };
        let has_wide = program.fields.iter().any(|field| field.field_type.is_wide());
        let values = [
            ("GUARD", self.name.to_uppercase()),
            ("WIDE", if has_wide { WIDE } else { "" }.to_string()),
            ("KNOWN", known.to_string()),
            ("FIELDS", fields),
            ("FUNCTIONS", self.fill(&format!("{answers}{leaf}"), &[])),
        ];
        text += &self.fill(HEADER, &values.each_ref().map(|(key, value)| (*key, value.as_str())));
        text
    }

    pub(in crate::export::code) fn source(&self, header: &str) -> String {
        let program = self.program;
        let names =
            ["int32_t outcome_of", "double outcomes", "int32_t class_of", "uint32_t leaf_ids"];
        let outcomes = |at: usize, _, items| table(names[at], items);
        let outcomes = program.outcome_tables("//", float, outcomes);
        let mut rest = self.labels() + &outcomes + &self.searches();
        program.fields.iter().for_each(|field| rest += &values_of(field));
        rest += &match program.is_readable() {
            true => program.branch_functions(self),
            false => self.walk(),
        };
        let (number, class) = match program.is_forest {
            true => {
                let ((asks, answer), n_trees) = (self.asks(), program.roots.len().to_string());
                let values = [("ASKS", asks.as_str()), ("ANSWER", answer), ("TREES", &n_trees)];
                rest += &self.fill(MEAN, &values);
                (NUMBER_OF_FOREST, CLASS_OF_FOREST)
            }
            false => (NUMBER_OF_TREE, CLASS_OF_TREE),
        };
        rest += &self.fill(if program.is_regression() { number } else { class }, &[]);
        if !program.is_forest {
            rest += &self.fill(LEAF_OF_TREE, &[]);
        }
        let used = HEADERS.iter().filter(|(_, words)| words.iter().any(|word| rest.contains(word)));
        let includes: String = used.map(|(name, _)| format!("#include <{name}.h>\n")).collect();
        let space = if includes.is_empty() { "" } else { "\n" };
        format!("{header}{space}{includes}{rest}")
    }

    fn labels(&self) -> String {
        if self.program.is_regression() {
            return String::new();
        }
        let labels = listed((0..self.program.width()).map(|class| self.label(class)));
        self.fill("\nconst $ELEMENT$NAME_classes[$N] = {\n$LABELS\n};\n", &[("LABELS", &labels)])
    }

    /// The functions that find a value among the values that tests name.
    fn searches(&self) -> String {
        let mut types: Vec<FieldType> = Vec::new();
        let fields = &self.program.fields;
        for field in fields {
            let is_searched = !matches!(field.coding, FieldCoding::Number | FieldCoding::Bit);
            if is_searched && !types.contains(&field.field_type) {
                types.push(field.field_type);
            }
        }
        let mut text = String::new();
        for field_type in types {
            let of_type = || fields.iter().filter(|field| field.field_type == field_type);
            let (above, same) = match field_type {
                FieldType::Text => ("strcmp(sorted[middle], x) > 0", "strcmp(sorted[at], x) == 0"),
                _ => ("sorted[middle] > x", "sorted[at] == x"),
            };
            let (rank, level) = (search("rank", field_type), search("level", field_type));
            let (absent, missing) = (ABSENT.to_string(), MISSING.to_string());
            let values = [
                ("TYPE", type_name(field_type)),
                ("ELEMENT", element_name(field_type)),
                ("RANK", &rank),
                ("LEVEL", &level),
                ("ABOVE", above),
                ("SAME", same),
                ("ABSENT", &absent),
                ("MISSING", &missing),
            ];
            text += &fill(RANK, &values);
            if of_type().any(|field| !matches!(field.coding, FieldCoding::Cuts(_))) {
                text += &fill(LEVEL, &values);
            }
            if of_type().any(|field| matches!(field.coding, FieldCoding::Categories(_))) {
                text += &fill(CATEGORY, &values);
            }
        }
        text
    }

    /// Larger models: the tests in a table, and a loop.
    fn walk(&self) -> String {
        let CodeTables { tests, levels, level_places, roots } = self.program.tables();
        let mut lines = String::new();
        for test in &tests {
            let cut = literal(FieldType::I64, &Value::Int(self.program.key(test).into()));
            let (field, missing, low, high) = (test.field, test.missing, test.low, test.high);
            lines += &format!("    {{{field}, {missing}, {low}, {high}, {cut}}},\n");
        }
        let mut text = fill(TESTS, &[("TESTS", &lines), ("ROOTS", &listed(roots))]);
        let fields = &self.program.fields;
        let has_nominal = fields.iter().any(Field::is_nominal);
        if has_nominal {
            let (levels, places) = (listed(levels), listed(level_places));
            let nominal = listed(fields.iter().map(Field::is_nominal));
            let values = [("LEVELS", &*levels), ("PLACES", &places), ("NOMINAL", &nominal)];
            text += &fill(LEVEL_TABLES, &values);
        }
        text += &fill(WALK, &[("LEVELS", if has_nominal { WALK_LEVELS } else { "" })]);
        if fields.iter().any(|field| field.is_number() && field.field_type == FieldType::F64) {
            text += KEY_OF_DOUBLE;
        }
        text += &self.keys();
        if !self.program.is_forest {
            let (asks, answer) = self.asks();
            let (about, name) = ANSWER_OF;
            text += &self.function(about, name, true, &format!("{asks}    return {answer};\n"));
        }
        text
    }

    /// The function that makes keys of a row.
    fn keys(&self) -> String {
        let mut lines = String::new();
        for (at, field) in self.program.fields.iter().enumerate() {
            let key = match (field.is_number(), field.field_type) {
                (true, FieldType::F64) => format!("key_of_double(row->{})", field.name),
                (true, FieldType::U64) => {
                    format!("(int64_t)(row->{} ^ UINT64_C(9223372036854775808))", field.name)
                }
                _ => C::code(field),
            };
            let missing = match field.is_number() {
                true if field.may_lack => C::is_missing(field),
                true => "false".to_string(),
                false => format!("keys[{at}] == {MISSING}"),
            };
            lines += &format!("    keys[{at}] = {key};\n    missing[{at}] = {missing};\n");
        }
        self.fill(KEYS, &[("LINES", &lines)])
    }

    fn asks(&self) -> (String, &'static str) {
        let keys = fill(READ_KEYS, &[("N", &self.program.fields.len().to_string())]);
        let walks = ["walk(roots[tree], keys, missing)", "walk(roots[0], keys, missing)"];
        self.program.asks(self, &keys, ["trees[tree](row)", walks[0], walks[1]])
    }
}

pub(super) fn table(head: &str, items: String) -> String {
    format!("static const {head}[] = {{\n{items}\n}};\n")
}

/// The type of a table's values.
pub(super) fn element_name(field_type: FieldType) -> &'static str {
    match field_type {
        FieldType::Text => "char *const ",
        other => type_name(other),
    }
}

/// The values that tests of a field name.
fn values_of(field: &Field) -> String {
    let name = &field.name;
    let array = |suffix: &str, mut values: Vec<String>| {
        if values.is_empty() {
            // C has no empty tables.
            values.push("0".to_string());
        }
        let head = format!("{}{name}_{suffix}", element_name(field.field_type));
        format!("\n{}", table(&head, listed(values)))
    };
    let literals =
        |values: &[Value]| values.iter().map(|value| literal(field.field_type, value)).collect();
    match &field.coding {
        FieldCoding::Number | FieldCoding::Bit => String::new(),
        FieldCoding::Cuts(cuts) => array("cuts", literals(cuts)),
        FieldCoding::Levels(levels) => array("levels", literals(levels)),
        FieldCoding::Categories(categories) => {
            let texts = categories.iter().map(|(text, _)| string(text)).collect();
            let order = listed(categories.iter().map(|(_, index)| index));
            array("categories", texts) + &table(&format!("int32_t {name}_order"), order)
        }
    }
}
