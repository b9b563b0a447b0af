//! Nested values as JSON text, for csv and the terminal, which have no lists.

use polars::prelude::{
    AnyValue, Column, DataFrame, DataType, Expr, Field, IntoColumn, LazyFrame, NewChunkedArray,
    PolarsResult, Schema, StringChunked,
};
use serde_json::{Map, Value, json};

/// The frame with its lists, arrays and structs as JSON text.
pub fn flattened(df: &DataFrame) -> PolarsResult<DataFrame> {
    let columns = df.columns().iter().map(flat).collect::<PolarsResult<_>>()?;
    DataFrame::new(df.height(), columns)
}

/// The query with its lists, arrays and structs as JSON text.
pub fn flattened_query(mut query: LazyFrame) -> PolarsResult<LazyFrame> {
    let schema = query.collect_schema()?;
    let nested = schema.iter().filter(|(_, dtype)| is_nested(dtype));
    let texts = nested.map(|(name, _)| {
        let text =
            |_: &Schema, field: &Field| Ok(Field::new(field.name().clone(), DataType::String));
        Expr::Column(name.clone()).map(|column| flat(&column), text)
    });
    Ok(query.with_columns(texts.collect::<Vec<_>>()))
}

fn is_nested(dtype: &DataType) -> bool {
    matches!(dtype, DataType::List(_) | DataType::Array(..) | DataType::Struct(_))
}

fn flat(column: &Column) -> PolarsResult<Column> {
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
