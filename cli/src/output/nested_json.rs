//! Nested values as JSON text, for csv and the terminal, which cannot hold lists.

use polars::prelude::{
    AnyValue, Column, DataFrame, DataType, Expr, Field, IntoColumn, LazyFrame, NewChunkedArray,
    PolarsResult, Schema, StringChunked,
};
use serde_json::{Value, json};

use super::times::text_of;

/// The frame with its lists, arrays and structs as JSON text.
pub(super) fn flatten(df: &DataFrame) -> PolarsResult<DataFrame> {
    let columns = df.columns().iter().map(flat_column).collect::<PolarsResult<_>>()?;
    DataFrame::new(df.height(), columns)
}

/// The query with its lists, arrays and structs as JSON text.
pub(super) fn flatten_query(mut query: LazyFrame) -> PolarsResult<LazyFrame> {
    let schema = query.collect_schema()?;
    let nested = schema.iter().filter(|(_, dtype)| is_nested(dtype));
    let texts = nested.map(|(name, _)| {
        let text =
            |_: &Schema, field: &Field| Ok(Field::new(field.name().clone(), DataType::String));
        Expr::Column(name.clone()).map(|column| flat_column(&column), text)
    });
    Ok(query.with_columns(texts.collect::<Vec<_>>()))
}

fn is_nested(dtype: &DataType) -> bool {
    matches!(dtype, DataType::List(_) | DataType::Array(..) | DataType::Struct(_))
}

fn flat_column(column: &Column) -> PolarsResult<Column> {
    if !is_nested(column.dtype()) {
        return Ok(column.clone());
    }
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

/// A value as JSON; dates, decimals and the like as the text they print as.
pub fn json_of(value: &AnyValue) -> Value {
    match value {
        AnyValue::Null => Value::Null,
        AnyValue::Boolean(b) => json!(b),
        AnyValue::List(items) | AnyValue::Array(items, _) => {
            Value::Array(items.iter().map(|item| json_of(&item)).collect())
        }
        AnyValue::StructOwned(owned) => {
            let names = owned.1.iter().map(|field| field.name().to_string());
            Value::Object(names.zip(owned.0.iter().map(json_of)).collect())
        }
        AnyValue::Struct(..) => match value.clone().into_static() {
            owned @ AnyValue::StructOwned(_) => json_of(&owned),
            other => json!(other.to_string()),
        },
        _ if value.is_float() => json!(value.extract::<f64>()),
        _ if value.is_integer() => match (value.extract::<i64>(), value.extract::<u64>()) {
            (Some(int), _) => json!(int),
            (None, Some(int)) => json!(int),
            (None, None) => json!(value.to_string()),
        },
        _ => value.get_str().map_or_else(|| json!(text_of(value)), |text| json!(text)),
    }
}
