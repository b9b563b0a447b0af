//! Columns in memory, as an adapter would hold them.

use gaintree::engine::dtype::{DType, key_of_f64, key_of_i64};
use gaintree::engine::{ColumnData, Source};

/// A column as an adapter would hold it.
pub struct Raw {
    pub name: String,
    pub dtype: DType,
    /// Missing values are NaN; texts are numbers of levels.
    pub values: Vec<f64>,
}

impl Source for Raw {
    fn name(&self) -> &str {
        &self.name
    }

    fn dtype(&self) -> &DType {
        &self.dtype
    }

    fn n_rows(&self) -> usize {
        self.values.len()
    }

    /// The work of an adapter: values to keys. Texts come as ids into a dictionary, so hashing
    /// them is not measured.
    fn cells(&self) -> ColumnData {
        match self.dtype {
            DType::String => {
                let ids: Vec<u32> = self.values.iter().map(|&v| v as u32).collect();
                let n = ids.iter().max().map_or(0, |&id| id + 1);
                ColumnData::Text(ids, (0..n).map(|id| format!("level {id}")).collect())
            }
            DType::I64 => {
                ColumnData::Keys(self.values.iter().map(|&v| key_of_i64(v as i64)).collect(), None)
            }
            _ => {
                let missing = self.values.iter().any(|v| v.is_nan());
                ColumnData::Keys(
                    self.values.iter().map(|&v| key_of_f64(v).unwrap_or(0)).collect(),
                    missing.then(|| self.values.iter().map(|v| v.is_nan()).collect()),
                )
            }
        }
    }
}
