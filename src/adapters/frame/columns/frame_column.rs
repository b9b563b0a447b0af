//! A Polars column as the engine reads it.

use std::ops::Range;

use polars::prelude::{
    CategoricalPhysical, ChunkedArray, Column as PlColumn, DataType, PolarsNumericType, Series,
    StringChunked,
};
use polars_core::utils::arrow::array::{Array, Utf8ViewArray, View};
use polars_core::utils::arrow::bitmap::Bitmap;

use super::dtypes::dtype_of;
use super::physical::match_numeric;
use crate::adapters::common::numeric::{
    KeyReader, NumberReader, NumericChunk, NumericReader, Validity, contiguous,
};
use crate::adapters::common::texts::{bools, interned};
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::DType;
use crate::encode::interner::Texts;

/// A column of a DataFrame whose dtype the engine knows.
#[derive(Clone, Debug)]
pub struct FrameColumn {
    name: String,
    dtype: DType,
    series: Series,
}

impl FrameColumn {
    /// `None` where the dtype is a list, a struct, binary or the like.
    pub(crate) fn new(column: &PlColumn) -> Option<FrameColumn> {
        let dtype = dtype_of(column.dtype())?;
        let series = column.as_materialized_series().clone();
        Some(FrameColumn { name: column.name().to_string(), dtype, series })
    }

    /// Calls the reader with the column's chunks; `None` if it is not numeric.
    fn read<R: NumericReader>(&self, reader: R) -> Option<R::Output> {
        let physical = self.series.to_physical_repr();
        match_numeric!(
            self.dtype,
            physical,
            |array, native| Some(reader.read(chunks(array.ok()?), native)),
            else None
        )
    }

    /// The texts of a column of booleans or texts; `None` for any other.
    fn texts(&self) -> Option<ColumnData> {
        let (mapping, codes) = match self.series.dtype() {
            DataType::Boolean => return Some(bools(self.series.bool().ok()?.iter())),
            DataType::String => {
                let strings = self.series.str().ok()?;
                return Some(interned(strings.len(), string_chunks(strings)));
            }
            DataType::Categorical(categories, mapping) => (mapping, categories.physical()),
            DataType::Enum(categories, mapping) => (mapping, categories.physical()),
            _ => return None,
        };
        // Physical codes are only a dictionary here: levels are matched by their text.
        let physical = self.series.to_physical_repr();
        let ids: Vec<u32> = match codes {
            CategoricalPhysical::U8 => ids_of(physical.u8().ok()?.iter()),
            CategoricalPhysical::U16 => ids_of(physical.u16().ok()?.iter()),
            CategoricalPhysical::U32 => ids_of(physical.u32().ok()?.iter()),
        };
        let n_texts = match &self.dtype {
            // All categories, so that columns of one dtype have one dictionary.
            DType::Enum { categories } => categories.len() as u32,
            _ => ids.iter().filter(|&&id| id != MISSING).max().map_or(0, |&id| id + 1),
        };
        // Unused categories are no level; what stands in for them is never read.
        let texts = (0..n_texts).map(|id| mapping.cat_to_str(id).unwrap_or("").to_string());
        Some(ColumnData::Text(ids, texts.collect()))
    }
}

impl Source for FrameColumn {
    fn name(&self) -> &str {
        &self.name
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn cells(&self) -> ColumnData {
        let data = self.read(KeyReader).or_else(|| self.texts());
        // What is neither numeric nor text is Null.
        data.unwrap_or(ColumnData::Missing(self.series.len()))
    }

    fn n_rows(&self) -> usize {
        self.series.len()
    }

    fn numbers<'a>(&'a self, rows: Range<usize>, scratch: &'a mut Vec<f64>) -> Option<&'a [f64]> {
        if self.dtype == DType::F64
            && let Ok(array) = self.series.f64()
            && let Some(numbers) = contiguous(chunks(array), &rows)
        {
            return Some(numbers);
        }
        if self.dtype.is_wide() {
            return None;
        }
        self.read(NumberReader { rows, numbers: scratch })?;
        Some(scratch)
    }
}

fn chunks<T: PolarsNumericType>(
    array: &ChunkedArray<T>,
) -> impl Iterator<Item = NumericChunk<'_, T::Native>> + Clone {
    (0..array.chunks().len()).filter_map(|i| array.downcast_get(i)).map(|chunk| NumericChunk {
        values: chunk.values(),
        validity: chunk.validity().filter(|v| v.unset_bits() > 0).map(|validity| {
            let (bytes, offset, _) = validity.as_slice();
            Validity { bytes, offset }
        }),
    })
}

fn ids_of<T: Into<u32>>(codes: impl Iterator<Item = Option<T>>) -> Vec<u32> {
    codes.map(|code| code.map_or(MISSING, Into::into)).collect()
}

/// A chunk of a column of strings.
struct StringViews<'a> {
    views: &'a [View],
    /// `None` if no string is null.
    validity: Option<&'a Bitmap>,
    array: &'a Utf8ViewArray,
}

impl<'a> Texts<'a> for StringViews<'a> {
    fn len(&self) -> usize {
        self.views.len()
    }

    #[inline(always)]
    fn is_missing(&self, row: usize) -> bool {
        self.validity.is_some_and(|validity| !validity.get_bit(row))
    }

    #[inline(always)]
    fn view(&self, row: usize) -> u128 {
        let View { length, prefix, buffer_idx, offset } = self.views[row];
        let words = [length, prefix, buffer_idx, offset].map(u128::from);
        words[0] | words[1] << 32 | words[2] << 64 | words[3] << 96
    }

    fn text(&self, row: usize) -> &'a str {
        self.array.value(row)
    }
}

fn string_chunks(strings: &StringChunked) -> impl Iterator<Item = StringViews<'_>> {
    strings.downcast_iter().map(|array| {
        let validity = array.validity().filter(|validity| validity.unset_bits() > 0);
        StringViews { views: array.views(), validity, array }
    })
}
