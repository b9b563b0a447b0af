//! Cases for engines that are not part of the suite: see `tests/engines`.

use std::fs::File;
use std::io::{BufWriter, Write};

use gaintree::Missing;
use gaintree::engine::{Split, Test};
use proptest::collection::vec;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;

use super::*;
use crate::agreement::with_cuts;
use crate::frames::{Weighing, frames};
use crate::growth::ways;

/// The type of a column in DuckDB and in PostgreSQL; the first with nanoseconds, or without.
fn types(dtype: &DType, nanoseconds: bool) -> [String; 2] {
    let both = |a: &str, b: &str| [a.to_string(), b.to_string()];
    match dtype {
        DType::Datetime { unit: TimeUnit::Nanoseconds, zone: Some(_) } if nanoseconds => {
            both("TIMESTAMPTZ_NS", "timestamptz")
        }
        DType::Time if nanoseconds => both("TIME_NS", "time"),
        DType::Boolean => both("BOOLEAN", "boolean"),
        DType::I8 => both("TINYINT", "smallint"),
        DType::I16 => both("SMALLINT", "smallint"),
        DType::I32 => both("INTEGER", "integer"),
        DType::I64 => both("BIGINT", "bigint"),
        DType::I128 => both("HUGEINT", "numeric"),
        DType::U8 => both("UTINYINT", "smallint"),
        DType::U16 => both("USMALLINT", "integer"),
        DType::U32 => both("UINTEGER", "bigint"),
        DType::U64 => both("UBIGINT", "numeric"),
        DType::U128 => both("UHUGEINT", "numeric"),
        DType::F16 | DType::F32 => both("REAL", "real"),
        DType::F64 => both("DOUBLE", "double precision"),
        DType::Decimal { precision, scale } => {
            [format!("DECIMAL({precision}, {scale})"), format!("numeric({precision}, {scale})")]
        }
        DType::Date => both("DATE", "date"),
        DType::Datetime { zone: Some(_), .. } => both("TIMESTAMPTZ", "timestamptz"),
        DType::Datetime { unit: TimeUnit::Nanoseconds, .. } => both("TIMESTAMP_NS", "timestamp"),
        DType::Datetime { .. } => both("TIMESTAMP", "timestamp"),
        DType::Time => both("TIME", "time"),
        DType::Duration { .. } => both("BIGINT", "bigint"),
        _ => both("VARCHAR", "text"),
    }
}

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

/// Values that both engines keep: integers are not cut to 64 bits here.
fn kept_whole(dtype: &DType, value: Value) -> Value {
    match dtype {
        DType::U64 | DType::I128 | DType::U128 => value,
        _ => kept(dtype, value),
    }
}

/// Years of four digits; nanoseconds are kept.
fn kept_fine(dtype: &DType, value: Value) -> Value {
    match (dtype, &value) {
        // DuckDB reads no text of the first and the last hours that nanoseconds of 64 bits reach.
        (DType::Datetime { unit: TimeUnit::Nanoseconds, zone: Some(_) }, Value::Int(x)) => {
            Value::Int((*x).clamp(-9_200_000_000_000_000_000, 9_200_000_000_000_000_000))
        }
        (DType::Datetime { unit: TimeUnit::Nanoseconds, .. } | DType::Time, _) => value,
        _ => kept_whole(dtype, value),
    }
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

/// Writes a line of JSON a case to the file that `GAINTREE_CASES` names.
#[test]
#[ignore = "writes the cases that tests/engines/run asks other engines"]
fn cases_for_other_engines() {
    let path = std::env::var("GAINTREE_CASES").expect("a file to write to");
    let mut file = BufWriter::new(File::create(path).expect("created"));
    let mut runner = TestRunner::deterministic();
    let strategy = (frames(Weighing::Exact), ways(), vec(-3..4i8, 200), any::<bool>(), 0.3..1.0f64);
    for at in 0..3_000 {
        let made = strategy.new_tree(&mut runner).expect("a case").current();
        let (frame, spec, numbers, regress, share) = made;
        let frame = if regress { frame.of_numbers(&numbers) } else { frame };
        // Fitted on nanoseconds, scored on the microseconds that engines keep. DuckDB alone keeps more.
        let nanoseconds = at % 4 == 0;
        let fitted = hostile(&frame, kept_fine);
        let some: Vec<usize> = (0..((frame.n_rows() as f64 * share) as usize).max(1)).collect();
        let Ok(tree) = fitted.take(&some).grow(&spec) else { continue };
        let keep = if nanoseconds { kept_fine } else { kept_whole };
        let scored = hostile(&with_cuts(frame, &tree), keep);
        let scored = scored.with_nan(|row| (at + row) % 3 < at % 4);
        let mut sql = [Dialect::DuckDb, Dialect::PostgreSql].map(|dialect| {
            let sql = expressions(&tree, dialect);
            assert!(sql.is_ok() || may_be_refused(&tree, dialect), "{}", sql.expect_err("refused"));
            sql.ok()
        });
        if nanoseconds {
            sql[1] = None;
        }
        let rows: Vec<Vec<Option<String>>> = (0..scored.n_rows())
            .map(|row| scored.columns.iter().map(|column| cell(column, row)).collect())
            .collect();
        let columns: Vec<_> = scored
            .columns
            .iter()
            .map(|c| {
                let [duckdb, postgresql] = types(&c.dtype, nanoseconds);
                let dtype = c.dtype.to_string();
                json!({"name": c.name, "dtype": dtype, "duckdb": duckdb, "postgresql": postgresql})
            })
            .collect();
        let case = json!({
            "columns": columns, "rows": rows, "duckdb": sql[0], "postgresql": sql[1],
            "onnx": onnx(&tree),
            "answers": answers(&scored, &tree),
            "predicts": if tree.is_regression() { "f64".to_string() } else { tree.schema().target_dtype.to_string() },
        });
        writeln!(file, "{case}").expect("written");
    }
    file.flush().expect("written");
}
