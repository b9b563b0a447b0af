//! Rows of an encoded column as a source, so that encoded tables can be scored.

use crate::data::column::{Column, Levels};
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::DType;

/// Some rows of an encoded column.
pub(crate) struct EncodedRows<'a> {
    pub(crate) column: &'a Column,
    pub(crate) rows: &'a [u32],
}

impl Source for EncodedRows<'_> {
    fn name(&self) -> &str {
        &self.column.name
    }

    fn dtype(&self) -> &DType {
        &self.column.dtype
    }

    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn cells(&self) -> ColumnData {
        let codes: Vec<u32> = self.rows.iter().map(|&row| self.column.codes.of(row)).collect();
        values_of_codes(self.column, &codes)
    }
}

/// The values of some codes of a column.
pub(crate) fn values_of_codes(column: &Column, codes: &[u32]) -> ColumnData {
    let missing = column.missing_code();
    let mask = || {
        let mask: Vec<bool> = codes.iter().map(|&code| code >= missing).collect();
        mask.contains(&true).then_some(mask)
    };
    match &column.levels {
        Levels::Keys(keys) => ColumnData::Keys(values(codes, keys), mask()),
        Levels::Wide(keys) => ColumnData::Wide(values(codes, keys), mask()),
        Levels::Text(texts) => {
            let ids = codes.iter().map(|&code| if code < missing { code } else { MISSING });
            ColumnData::Text(ids.collect(), texts.clone())
        }
    }
}

/// The key of each code, and any key for missing.
fn values<K: Copy + Default>(codes: &[u32], keys: &[K]) -> Vec<K> {
    codes.iter().map(|&code| keys.get(code as usize).copied().unwrap_or_default()).collect()
}
