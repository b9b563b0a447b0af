//! Parquet's INT96 timestamps, as older Spark writes them. Polars reads them in nanoseconds of 64
//! bits, and a time that these do not reach as the last one, of the year 2262.

use std::fs::File;

use polars::prelude::{
    ChunkAgg, Column, DataType, LazyFrame, ParquetReader, PlSmallStr, PolarsResult, Series,
    TimeUnit, polars_bail,
};

use crate::adapters::frame::columns::column;

/// The columns of a file that have such timestamps. They alone are read as nanoseconds without an
/// annotation that says what they are.
pub(super) fn int96_columns(file: &mut ParquetReader<File>) -> PolarsResult<Vec<PlSmallStr>> {
    let schema = file.schema()?;
    let is_of_nanoseconds = |name: &PlSmallStr| {
        schema.get(name).is_some_and(|field| has_nanoseconds(&DataType::from_arrow_field(field)))
    };
    let mut names: Vec<PlSmallStr> = Vec::new();
    for leaf in file.get_metadata()?.schema_descr.columns() {
        let stored = &leaf.descriptor.primitive_type;
        if let (None, None) = (&stored.logical_type, &stored.converted_type)
            && let Some(name) = leaf.path_in_schema.first()
            && names.last() != Some(name)
            && is_of_nanoseconds(name)
        {
            names.push(name.clone());
        }
    }
    Ok(names)
}

/// The rows, which are refused if such a column has a time that was not reached.
pub(super) fn checked(rows: LazyFrame, int96: &[PlSmallStr]) -> LazyFrame {
    let check = |name: &PlSmallStr| column(name).map(check, |_, field| Ok(field.clone()));
    match int96 {
        [] => rows,
        _ => rows.with_columns(int96.iter().map(check).collect::<Vec<_>>()),
    }
}

fn check(column: Column) -> PolarsResult<Column> {
    if has_last_moment(column.as_materialized_series())? {
        polars_bail!(
            ComputeError: "column `{}` ({}) has INT96 timestamps outside the years 1677 to 2262, which \
            nanoseconds do not reach: write the file with microseconds (in Spark, \
            spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS), or leave the column out",
            column.name(), column.dtype()
        );
    }
    Ok(column)
}

fn has_nanoseconds(dtype: &DataType) -> bool {
    match dtype {
        DataType::Datetime(TimeUnit::Nanoseconds, _) => true,
        DataType::List(inner) | DataType::Array(inner, _) => has_nanoseconds(inner),
        DataType::Struct(fields) => fields.iter().any(|field| has_nanoseconds(field.dtype())),
        _ => false,
    }
}

/// Whether nanoseconds among the values, however deep, are the greatest.
fn has_last_moment(values: &Series) -> PolarsResult<bool> {
    Ok(match values.dtype() {
        DataType::Datetime(TimeUnit::Nanoseconds, _) => {
            values.datetime()?.physical().max() == Some(i64::MAX)
        }
        DataType::List(_) => has_last_moment(&values.list()?.get_inner())?,
        DataType::Array(..) => has_last_moment(&values.array()?.get_inner())?,
        DataType::Struct(_) => {
            let fields = values.struct_()?.fields_as_series();
            fields.iter().map(has_last_moment).collect::<PolarsResult<Vec<_>>>()?.contains(&true)
        }
        _ => false,
    })
}
