//! Nested values as JSON text, for csv and the terminal, which have no lists.

use polars::prelude::{AnyValue, Column, DataFrame, DataType, PolarsResult, StringChunked};
use polars::prelude::{IntoColumn, NewChunkedArray};
use serde_json::{Map, Value, json};

/// The frame with its lists, arrays and structs as JSON text.
pub fn flattened(df: &DataFrame) -> PolarsResult<DataFrame> {
    let columns = df.columns().iter().map(flat).collect::<PolarsResult<_>>()?;
    DataFrame::new(df.height(), columns)
}

fn flat(column: &Column) -> PolarsResult<Column> {
    match column.dtype() {
        DataType::List(_) | DataType::Array(..) | DataType::Struct(_) => {
            let texts = (0..column.len()).map(|row| {
                Ok(match column.get(row)? {
                    AnyValue::Null => None,
                    value => Some(json_of(&value).to_string()),
                })
            });
            let texts = texts.collect::<PolarsResult<Vec<Option<String>>>>()?;
            let texts = StringChunked::from_iter_options(column.name().clone(), texts.into_iter());
            Ok(texts.into_column())
        }
        _ => Ok(column.clone()),
    }
}

/// A value as JSON; dates, decimals and the like as the text they print as.
pub fn json_of(value: &AnyValue) -> Value {
    let fields = |names: &mut dyn Iterator<Item = &str>, values: &[AnyValue]| {
        let entries = names.zip(values).map(|(name, value)| (name.to_string(), json_of(value)));
        Value::Object(entries.collect::<Map<_, _>>())
    };
    match value {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(b) => json!(b),
        AnyValue::List(items) | AnyValue::Array(items, _) => {
            Value::Array(items.iter().map(|item| json_of(&item)).collect())
        }
        AnyValue::Struct(..) => match value.clone().into_static() {
            AnyValue::StructOwned(owned) => {
                fields(&mut owned.1.iter().map(|f| f.name().as_str()), &owned.0)
            }
            other => json!(other.to_string()),
        },
        AnyValue::StructOwned(owned) => {
            fields(&mut owned.1.iter().map(|f| f.name().as_str()), &owned.0)
        }
        _ => match (value.get_str(), value.is_integer(), value.is_float()) {
            (Some(text), ..) => json!(text),
            (None, true, _) => match (value.extract::<i64>(), value.extract::<u64>()) {
                (Some(int), _) => json!(int),
                (None, Some(int)) => json!(int),
                _ => json!(value.to_string()),
            },
            (None, false, true) => json!(value.extract::<f64>()),
            _ => json!(value.to_string()),
        },
    }
}
