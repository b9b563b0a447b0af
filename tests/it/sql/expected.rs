//! Trees to be written as SQL, of names and levels of ill will, and what they answer.

use gaintree::engine::dtype::{DType, TimeUnit, Value};
use gaintree::{Dialect, Tree};

use crate::frames::Frame;

/// Names that would break out of careless quotes.
pub const NAMES: [&str; 5] =
    ["a\"b; drop table t --", "back`tick``", "new\nline", "it's; select", "[ünï] \\"];

/// A level as somebody might name it who wishes no good.
pub fn nasty(text: &str) -> String {
    match text {
        "a" => "');--".to_string(),
        "b" => "it's".to_string(),
        "c" => "\\' or 1=1 --".to_string(),
        "d" => "\"; drop table t; --".to_string(),
        "e" => "''".to_string(),
        "f" => "\\".to_string(),
        _ => text.to_string(),
    }
}

/// The days of the first and the last year of four digits.
pub const DAYS: (i128, i128) = (-719_162, 2_932_896);

/// A value that all engines can keep: integers of 64 bits, years of four digits, microseconds.
pub fn kept(dtype: &DType, value: Value) -> Value {
    let days = |unit: TimeUnit| -> (i128, i128, i128) {
        let (per_day, fine) = match unit {
            TimeUnit::Nanoseconds => (86_400_000_000_000, 1_000),
            TimeUnit::Microseconds => (86_400_000_000, 1),
            TimeUnit::Milliseconds => (86_400_000, 1),
        };
        // Nanoseconds of 64 bits end in 2262 (and PostgreSQL rounds what is finer).
        let (lo, hi) = (DAYS.0 * per_day, (DAYS.1 + 1) * per_day - 1);
        (lo.max(i64::MIN.into()), hi.min(i64::MAX.into()), fine)
    };
    match (dtype, value) {
        (DType::Date, Value::Int(x)) => Value::Int(x.clamp(DAYS.0, DAYS.1)),
        (DType::Datetime { unit, .. }, Value::Int(x)) => {
            let (lo, hi, fine) = days(*unit);
            let x = x.clamp(lo, hi);
            Value::Int(if x - x.rem_euclid(fine) < lo {
                x - x.rem_euclid(fine) + fine
            } else {
                x - x.rem_euclid(fine)
            })
        }
        (DType::Time, Value::Int(x)) => Value::Int(x - x.rem_euclid(1_000)),
        (DType::U64 | DType::I128, Value::Int(x)) => {
            Value::Int(x.clamp(i64::MIN.into(), i64::MAX.into()))
        }
        (DType::U128, Value::Unsigned(x)) => Value::Unsigned(x.min(i64::MAX as u128)),
        (DType::String | DType::Categorical, Value::Text(text)) => Value::Text(nasty(&text)),
        (_, value) => value,
    }
}

/// The frame with names and levels of ill will, and values an engine keeps.
pub fn hostile(frame: &Frame, names: &[&str], keep: impl Fn(&DType, Value) -> Value) -> Frame {
    frame.changed(names, keep)
}

/// What the tree answers to each row: prediction, leaf id and probabilities as text, floats by
/// their bits.
pub fn answers(frame: &Frame, tree: &Tree) -> Vec<Vec<String>> {
    let routes = frame.routes(tree);
    let schema = tree.schema();
    let (classes, means) = (tree.classes(&routes), tree.means(&routes));
    let probabilities: Vec<Vec<f64>> =
        (0..schema.classes.len()).map(|class| tree.probabilities(&routes, class)).collect();
    let answer = |row: usize| {
        let first = if tree.is_regression() {
            bits(means[row])
        } else {
            schema.target_dtype.write(&schema.classes[classes[row] as usize])
        };
        let rest = probabilities.iter().map(|p| bits(p[row]));
        [first, routes.nodes[row].to_string()].into_iter().chain(rest).collect()
    };
    (0..frame.n_rows()).map(answer).collect()
}

/// -0.0 is 0.0.
pub fn bits(x: f64) -> String {
    format!("{:016x}", (x + 0.0).to_bits())
}

/// Prediction, leaf id and probabilities as expressions.
pub fn expressions(tree: &Tree, dialect: Dialect) -> gaintree::Result<Vec<String>> {
    let mut all = vec![tree.to_sql(dialect)?, tree.to_sql_leaf_id(dialect)?];
    if !tree.is_regression() {
        all.extend(tree.to_sql_probabilities(dialect)?);
    }
    Ok(all)
}

/// Whether a refusal is due: by a dtype that the tree uses, or predicts.
pub fn may_be_refused(tree: &Tree, dialect: Dialect) -> bool {
    let used = tree.used_features();
    let used = used.iter().map(|&f| &tree.schema().features[f as usize].dtype);
    let refused = |dtype: &DType| match dtype {
        DType::Duration { .. } => true,
        DType::Decimal { .. } => dialect == Dialect::Sqlite,
        _ => false,
    };
    used.chain([&tree.schema().target_dtype]).any(refused)
        || tree.spec().missing == gaintree::Missing::Fractional
}
