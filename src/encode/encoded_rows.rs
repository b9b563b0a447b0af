//! Rows of an encoded column as a source, so that encoded tables can be scored.

use crate::data::column::{ColumnInfo, Levels};
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::data::dtype::DType;

/// The codes of some rows of a column.
pub(crate) struct EncodedRows<'a> {
    pub(crate) column: &'a ColumnInfo,
    pub(crate) codes: Vec<u32>,
}

impl Source for EncodedRows<'_> {
    fn name(&self) -> &str {
        &self.column.name
    }

    fn dtype(&self) -> &DType {
        &self.column.dtype
    }

    fn n_rows(&self) -> usize {
        self.codes.len()
    }

    fn cells(&self) -> ColumnData {
        let missing = self.column.missing_code();
        let codes = &self.codes;
        let mask = || {
            let mask: Vec<bool> = codes.iter().map(|&code| code >= missing).collect();
            mask.contains(&true).then_some(mask)
        };
        match &self.column.levels {
            Levels::Keys(keys) => ColumnData::Keys(values(codes, keys), mask()),
            Levels::Wide(keys) => ColumnData::Wide(values(codes, keys), mask()),
            Levels::Text(texts) => {
                let ids = codes.iter().map(|&code| if code < missing { code } else { MISSING });
                ColumnData::Text(ids.collect(), texts.clone())
            }
        }
    }
}

/// The key of each code, and any key for missing.
fn values<K: Copy + Default>(codes: &[u32], keys: &[K]) -> Vec<K> {
    codes.iter().map(|&code| keys.get(code as usize).copied().unwrap_or_default()).collect()
}
