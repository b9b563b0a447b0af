//! DuckDB.

use super::{Engine, Literal, Use};
use crate::data::dtype::{DType, TimeUnit, Value};

pub(in crate::export::sql) struct DuckDb;

/// The most texts that stay in an `IN`, which DuckDB then compares one by one.
const IN_TEXTS: usize = 4;
/// The most texts that are searched as one.
const SEARCHED_TEXTS: usize = 128;
/// Texts are joined by a separator that none of them has.
const SEPARATORS: [char; 6] = [',', '|', ';', '/', '~', '\t'];

impl Engine for DuckDb {
    fn compared_name(&self, name: &str) -> String {
        name.to_ascii_lowercase()
    }

    /// Only a column of TIME_NS compares with a value between microseconds: a TIME has to be cast.
    fn operand_beside(&self, dtype: &DType, value: &Value, operand: &str) -> String {
        match value {
            Value::Int(x) if *dtype == DType::Time && x % self.time_step() != 0 => {
                format!("CAST({operand} AS TIME_NS)")
            }
            _ => operand.to_string(),
        }
    }

    /// A parquet file's statistics leave NaN out. By them DuckDB answers `x = NaN`, `isnan(x)` and
    /// `x >= cut` without a look at the rows, but not this, within a `CASE`.
    fn is_nan(&self, name: &str) -> Option<String> {
        Some(format!("{name} IS NOT DISTINCT FROM {}", self.float(f64::NAN, "NaN")))
    }

    /// DuckDB plans a join for each `IN` of constants; a few hundred of them take it minutes. So
    /// the texts are one constant here. It is searched where they are few. Where they are many it
    /// is split, once a query, and each such split makes planning longer. `None` where every
    /// separator occurs in a text.
    fn one_of_texts(&self, column: &str, texts: &[&str]) -> Option<String> {
        if texts.len() <= IN_TEXTS {
            return None;
        }
        let sep = SEPARATORS.into_iter().find(|&sep| !texts.iter().any(|t| t.contains(sep)))?;
        let list = texts.join(&sep.to_string());
        Some(match texts.len() > SEARCHED_TEXTS {
            true => format!("list_contains(string_split({}, '{sep}'), {column})", self.text(&list)),
            // A text with a separator in it could be found across two.
            false => format!(
                "(contains({}, '{sep}' || {column} || '{sep}') AND NOT contains({column}, '{sep}'))",
                self.text(&format!("{sep}{list}{sep}"))
            ),
        })
    }

    fn float(&self, _x: f64, text: &str) -> String {
        format!("'{text}'::DOUBLE")
    }

    fn wide_integer(&self, digits: &str, dtype: &DType) -> Literal {
        let sql_type = match dtype {
            DType::U128 => "UHUGEINT",
            DType::U64 => "UBIGINT",
            _ => "HUGEINT",
        };
        Ok(format!("'{digits}'::{sql_type}"))
    }

    fn decimal(&self, digits: &str, precision: usize, scale: usize) -> Literal {
        Ok(format!("'{digits}'::DECIMAL({precision}, {scale})"))
    }

    fn timestamp(&self, text: &str, zoned: bool, nanoseconds: bool) -> String {
        let unit = if nanoseconds { "_NS" } else { "" };
        match zoned {
            true => format!("TIMESTAMPTZ{unit} '{text}+00'"),
            false => format!("TIMESTAMP{unit} '{text}'"),
        }
    }

    /// DuckDB compares no TIME with a TIME_NS, as parquet files have. A text is of the column's type.
    fn time(&self, text: &str, nanoseconds: bool) -> String {
        if nanoseconds { format!("TIME_NS '{text}'") } else { format!("'{text}'") }
    }

    fn keeps_nanoseconds(&self, dtype: &DType, is_between: bool, how: Use) -> bool {
        match dtype {
            // In a zone it has nanoseconds since version 2.
            DType::Datetime { unit, zone } => {
                *unit == TimeUnit::Nanoseconds && (zone.is_none() || is_between)
            }
            _ => is_between && how == Use::Cut,
        }
    }
}
