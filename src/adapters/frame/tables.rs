//! Results as frames.

use polars::prelude::{
    Column, DataFrame, DataType, Float64Chunked, IdxCa, IntoColumn, IntoSeries, ListChunked,
    NamedFrom, Series, StructChunked, UInt32Chunked,
};

use super::columns::dtypes::polars_dtype;
use super::columns::values::values_as;
use crate::data::column_data::MISSING;
use crate::error::{Error, Result};
use crate::score::INLINE_ROWS;
use crate::util::parallel;
use crate::verbs::table::{FromResults, ResultColumn};

impl FromResults for DataFrame {
    fn from_results<'a>(
        columns: impl IntoIterator<Item = (impl Into<String>, ResultColumn<'a>)>,
    ) -> Result<DataFrame> {
        let columns = columns.into_iter().map(|(name, values)| column_of(&name.into(), values));
        let columns = columns.collect::<Result<_>>()?;
        DataFrame::new_infer_height(columns).map_err(Error::from)
    }
}

/// The column of a table of one.
pub(crate) fn only(table: DataFrame) -> Column {
    table.into_columns().swap_remove(0)
}

pub(crate) fn column_of(name: &str, values: ResultColumn) -> Result<Column> {
    let of = |series: Series| Ok(Column::from(series));
    match values {
        ResultColumn::Bool(values) => of(Series::new(name.into(), values)),
        ResultColumn::U32(values) => of(Series::new(name.into(), values)),
        ResultColumn::U64(values) => of(Series::new(name.into(), values)),
        ResultColumn::F64(values) => of(Series::new(name.into(), values)),
        ResultColumn::Text(values) => of(Series::new(name.into(), values)),
        ResultColumn::Floats(dtype, values) => {
            let floats = Float64Chunked::from_vec(name.into(), values).into_column();
            match dtype.is_float() {
                true => floats.cast(&polars_dtype(dtype)).map_err(Error::from),
                false => Ok(floats),
            }
        }
        ResultColumn::Ids(ids) => Ok(UInt32Chunked::from_vec(name.into(), ids).into_column()),
        ResultColumn::Values(dtype, values) => values_as(name, dtype, values.iter()),
        ResultColumn::Lists(elements, lengths) => lists(column_of(name, *elements)?, lengths),
        ResultColumn::Struct(fields) => {
            let fields = fields.into_iter().map(|(name, values)| column_of(&name, values));
            let fields: Vec<Column> = fields.collect::<Result<_>>()?;
            let n_rows = fields.first().map_or(0, Column::len);
            Ok(StructChunked::from_columns(name.into(), n_rows, &fields)?.into_column())
        }
        ResultColumn::Repeated(one, n_rows) => Ok(column_of(name, *one)?.new_from_index(0, n_rows)),
        ResultColumn::Taken(whole, rows) => taken(&column_of(name, *whole)?, &rows),
    }
}

/// A column of lists, typed even where it is empty.
fn lists(elements: Column, lengths: Vec<Option<usize>>) -> Result<Column> {
    let elements = elements.take_materialized_series();
    let mut start = 0;
    let list = |length: Option<usize>| {
        let length = length?;
        start += length;
        Some(elements.slice((start - length) as i64, length))
    };
    let lists: ListChunked = lengths.into_iter().map(list).collect();
    let series = lists.into_series().with_name(elements.name().clone());
    let dtype = DataType::List(Box::new(elements.dtype().clone()));
    series.cast(&dtype).map(Column::from).map_err(Error::from)
}

/// Rows of a column, many of them in parallel.
pub(crate) fn gather(column: &Series, rows: &[u32]) -> Result<Column> {
    let take = |rows| column.take_slice(rows);
    let mut parts = parallel::map(rows.chunks(INLINE_ROWS), take).into_iter();
    let mut whole = parts.next().unwrap_or_else(|| take(&[]))?;
    for part in parts {
        part.and_then(|part| whole.append_owned(part).map(drop))?;
    }
    Ok(whole.into_column())
}

/// Rows of a column, null where they are missing.
fn taken(column: &Column, rows: &[u32]) -> Result<Column> {
    if !rows.contains(&MISSING) {
        return gather(column.as_materialized_series(), rows);
    }
    let known = |&row: &u32| (row != MISSING).then_some(row);
    column.take(&rows.iter().map(known).collect::<IdxCa>()).map_err(Error::from)
}
