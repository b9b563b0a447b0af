//! Dates and times of years that Polars has no text for. DuckDB's `infinity` is one.

use chrono::DateTime;
use gaintree::engine::dtype::{DType, TimeUnit, Value};
use polars::prelude::{
    AnyValue, Column, DataType, Expr, LazyFrame, PolarsResult, Series, TimeUnit as PlTimeUnit,
    polars_bail,
};

/// A value as text, also where Polars has none.
pub fn text_of(value: &AnyValue) -> String {
    beyond_text(value).unwrap_or_else(|| value.to_string())
}

/// The text of a date or a time that Polars has none for.
fn beyond_text(value: &AnyValue) -> Option<String> {
    let (dtype, x, has_text) = match *value {
        AnyValue::Date(days) => {
            let x = i64::from(days);
            (DType::Date, x, DateTime::from_timestamp(x * 86_400, 0).is_some())
        }
        AnyValue::Datetime(x, unit, _) | AnyValue::DatetimeOwned(x, unit, _) => {
            let (unit, has_text) = match unit {
                PlTimeUnit::Milliseconds => {
                    (TimeUnit::Milliseconds, DateTime::from_timestamp_millis(x).is_some())
                }
                PlTimeUnit::Microseconds => {
                    (TimeUnit::Microseconds, DateTime::from_timestamp_micros(x).is_some())
                }
                PlTimeUnit::Nanoseconds => return None,
            };
            (DType::Datetime { unit, zone: None }, x, has_text)
        }
        _ => return None,
    };
    (!has_text).then(|| dtype.write(&Value::Int(x.into())))
}

/// Refuses a column with a date or a time that Polars has no text for.
pub(super) fn check_times(column: &Column) -> PolarsResult<()> {
    if has_times(column.dtype())
        && let Some(text) = beyond_text_among(column.as_materialized_series())?
    {
        polars_bail!(
            ComputeError: "column `{}` ({}) has {text}, and years as text are -262143 to 262142 (an \
            infinite date of DuckDB is beyond them): make such values missing, leave the column out, \
            as --keep does, or write .parquet",
            column.name(), column.dtype()
        );
    }
    Ok(())
}

/// The query, which refuses such columns when it runs.
pub(super) fn with_checked_times(mut query: LazyFrame) -> PolarsResult<LazyFrame> {
    let schema = query.collect_schema()?;
    let timed = schema.iter().filter(|(_, dtype)| has_times(dtype));
    let checked = timed.map(|(name, _)| {
        let check = |column: Column| check_times(&column).map(|()| column);
        Expr::Column(name.clone()).map(check, |_, field| Ok(field.clone()))
    });
    Ok(query.with_columns(checked.collect::<Vec<_>>()))
}

fn has_times(dtype: &DataType) -> bool {
    match dtype {
        DataType::Date | DataType::Datetime(..) => true,
        DataType::List(inner) | DataType::Array(inner, _) => has_times(inner),
        DataType::Struct(fields) => fields.iter().any(|field| has_times(field.dtype())),
        _ => false,
    }
}

fn beyond_text_among(values: &Series) -> PolarsResult<Option<String>> {
    match values.dtype() {
        DataType::Date | DataType::Datetime(..) => {
            let extremes = [values.min_reduce()?, values.max_reduce()?];
            Ok(extremes.iter().find_map(|extreme| beyond_text(extreme.value())))
        }
        DataType::List(_) => beyond_text_among(&values.list()?.get_inner()),
        DataType::Array(..) => beyond_text_among(&values.array()?.get_inner()),
        DataType::Struct(_) => {
            let fields = values.struct_()?.fields_as_series();
            fields.iter().find_map(|field| beyond_text_among(field).transpose()).transpose()
        }
        _ => Ok(None),
    }
}
