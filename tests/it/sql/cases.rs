//! Cases for engines that are not part of the suite: see `tests/engines`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use gaintree::Missing;
use gaintree::engine::{Split, Test};
use serde_json::{Value as Json, json};

use super::asked::{engines, in_duckdb_and_postgresql, kept_fine, kept_whole};
use super::*;
use crate::random_cases::random_cases;

/// A value as the text that an engine casts.
fn cell(column: &Column, row: usize) -> Option<String> {
    let value = column.cells[row].as_ref()?;
    Some(match (&column.dtype, value) {
        (_, Value::Float(x)) if x.is_nan() => "NaN".to_string(),
        (_, Value::Float(x)) if x.is_infinite() => {
            if *x > 0.0 { "Infinity" } else { "-Infinity" }.to_string()
        }
        (DType::Datetime { zone: Some(_), .. }, _) => format!("{}+00", column.dtype.write(value)),
        (DType::Duration { .. }, Value::Int(x)) => x.to_string(),
        _ => column.dtype.write(value),
    })
}

/// The ONNX model in hexadecimal digits; `None` where it is refused with reason.
fn onnx(tree: &Tree) -> Option<String> {
    match tree.to_onnx() {
        Ok(model) => Some(model.iter().map(|byte| format!("{byte:02x}")).collect()),
        Err(error) => {
            assert!(error.is_spec() && may_lack_onnx(tree), "{error}");
            None
        }
    }
}

/// Whether a refusal is due: by the feature's dtype or kind, or by a number that doubles do not tell
/// from its neighbours.
fn may_lack_onnx(tree: &Tree) -> bool {
    let is_large = |value: &Value| match value {
        Value::Int(x) => x.unsigned_abs() >= 1 << 53,
        _ => false,
    };
    let split_is = |split: &Split| {
        let feature = &tree.schema().features[split.rule.feature as usize];
        let levels = || feature.levels.iter().filter_map(|text| feature.dtype.parse(text));
        match (&feature.dtype, feature.kind) {
            (DType::I128 | DType::U128, _) => true,
            (DType::String | DType::Categorical, Kind::Ordered) => true,
            (_, Kind::Nominal) => levels().any(|level| is_large(&level)),
            _ => matches!(&split.rule.test, Test::AtLeast(cut) if is_large(cut)),
        }
    };
    let splits = tree.node_slice().iter().filter_map(|node| node.split.as_ref());
    tree.spec().missing == Missing::Fractional
        // Of features that are none of those that a rule can use.
        || tree.n_nodes() == 1
        || splits.into_iter().any(split_is)
        || tree.schema().classes.iter().any(|class| match class {
            Value::Int(x) => i64::try_from(*x).is_err(),
            Value::Unsigned(x) => i64::try_from(*x).is_err(),
            _ => false,
        })
}

/// Writes a line of JSON a case to a file an engine, in the folder that `GAINTREE_CASES` names.
#[test]
#[ignore = "writes the cases that tests/engines/run asks other engines"]
fn cases_for_other_engines() {
    let folder = PathBuf::from(std::env::var("GAINTREE_CASES").expect("a folder to write to"));
    let mut cases = random_cases();
    let mut file = CaseFile::new(&folder, "shared");
    for (at, (frame, spec, share)) in cases.by_ref().take(3_000).enumerate() {
        // Fitted on nanoseconds, scored on the microseconds that engines keep. DuckDB alone keeps more.
        let nanoseconds = at % 4 == 0;
        let keep = if nanoseconds { kept_fine } else { kept_whole };
        let fitted = hostile(&frame, &NAMES, kept_fine);
        let Ok(tree) = fitted.first(share).grow(&spec) else { continue };
        let scored = hostile(&frame.with_cuts(&tree), &NAMES, keep);
        let scored = scored.with_nan(|row| (at + row) % 3 < at % 4);
        let mut sql = [Dialect::DuckDb, Dialect::PostgreSql].map(|dialect| sql(&tree, dialect));
        if nanoseconds {
            sql[1] = None;
        }
        let types = |c: &Column| {
            let [duckdb, postgresql] = in_duckdb_and_postgresql(&c.dtype, nanoseconds);
            json!({"name": c.name, "dtype": c.dtype.to_string(), "duckdb": duckdb, "postgresql": postgresql})
        };
        let of_engines = json!({"duckdb": sql[0], "postgresql": sql[1], "onnx": onnx(&tree)});
        file.write(&scored, &tree, types, of_engines);
    }
    for engine in engines() {
        let name = engine.dialect.name();
        let mut file = CaseFile::new(&folder, name);
        for (at, (frame, spec, share)) in cases.by_ref().take(1_700).enumerate() {
            let fitted = hostile(&frame, &engine.names, engine.keep);
            let Ok(tree) = fitted.first(share).grow(&spec) else { continue };
            let mut scored = hostile(&frame.with_cuts(&tree), &engine.names, engine.keep);
            if engine.has_nan {
                scored = scored.with_nan(|row| (at + row) % 3 < at % 4);
            }
            let types = |c: &Column| json!({"name": c.name, name: (engine.sql_type)(&c.dtype)});
            file.write(&scored, &tree, types, json!({name: sql(&tree, engine.dialect)}));
        }
    }
}

/// The expressions of a tree; `None` where they are refused with reason.
fn sql(tree: &Tree, dialect: Dialect) -> Option<Vec<String>> {
    let sql = expressions(tree, dialect);
    assert!(sql.is_ok() || may_be_refused(tree, dialect), "{}", sql.expect_err("refused"));
    sql.ok()
}

struct CaseFile(BufWriter<File>);

impl CaseFile {
    fn new(folder: &Path, name: &str) -> Self {
        CaseFile(BufWriter::new(File::create(folder.join(name)).expect("created")))
    }

    /// A line of the rows, with what engines are asked and what the tree answers.
    fn write(&mut self, rows: &Frame, tree: &Tree, types: impl Fn(&Column) -> Json, asked: Json) {
        let cells = |row| rows.columns.iter().map(|column| cell(column, row)).collect();
        let cells: Vec<Vec<Option<String>>> = (0..rows.n_rows()).map(cells).collect();
        let mut case = json!({
            "columns": rows.columns.iter().map(types).collect::<Vec<_>>(),
            "rows": cells,
            "answers": answers(rows, tree),
            "predicts": match tree.is_regression() {
                true => "f64".to_string(),
                false => tree.schema().target_dtype.to_string(),
            },
        });
        let all = case.as_object_mut().expect("an object");
        all.extend(asked.as_object().expect("an object").clone());
        writeln!(self.0, "{case}").expect("written");
    }
}
