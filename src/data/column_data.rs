//! One column as an adapter hands it over.

use crate::data::dtype::{DType, Value};
use crate::error::{Error, Result};

/// The id of a missing text.
pub const MISSING: u32 = u32::MAX;

/// One column as an adapter hands it over.
#[derive(Clone, Debug)]
pub enum ColumnData {
    /// Order-preserving keys ([`key_of_f64`](crate::data::dtype::key_of_f64) and its kin), and which
    /// of them are missing.
    Keys(Vec<u64>, Option<Vec<bool>>),
    /// The same of 128 bits: integers as they are, `u128` by
    /// [`wide_key_of_u128`](crate::data::dtype::wide_key_of_u128).
    Wide(Vec<i128>, Option<Vec<bool>>),
    /// A text of the dictionary a row, or [`MISSING`]; a text may stand in it twice, or unused.
    Text(Vec<u32>, Vec<String>),
    /// Nothing but missing values, so many.
    Missing(usize),
}

impl ColumnData {
    /// Whether they are cells of a column of this dtype: whoever writes a
    /// [`Source`](crate::Source) may err.
    pub(crate) fn check(&self, name: &str, dtype: &DType) -> Result<()> {
        let wide = matches!(dtype, DType::I128 | DType::U128 | DType::Decimal { .. });
        let text = dtype.is_text() || *dtype == DType::Boolean;
        let fits = match self {
            ColumnData::Keys(..) => !wide && !text && *dtype != DType::Null,
            ColumnData::Wide(..) => wide,
            ColumnData::Text(..) => text,
            ColumnData::Missing(_) => true,
        };
        let wrong = match self {
            _ if !fits => "are of another dtype",
            ColumnData::Keys(_, Some(mask)) | ColumnData::Wide(_, Some(mask))
                if mask.len() != self.len() =>
            {
                "have a mask of another length"
            }
            ColumnData::Text(ids, texts)
                if ids.iter().any(|&id| id != MISSING && id as usize >= texts.len()) =>
            {
                "name a text that is not there"
            }
            _ => return Ok(()),
        };
        Err(Error::data(format!(
            "the cells of column `{name}` ({dtype}) {wrong}; they come from a Source, which is to \
             be mended"
        )))
    }

    /// Rows.
    pub fn len(&self) -> usize {
        match self {
            ColumnData::Keys(keys, _) => keys.len(),
            ColumnData::Wide(keys, _) => keys.len(),
            ColumnData::Text(ids, _) => ids.len(),
            ColumnData::Missing(n) => *n,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells of some rows.
    pub(crate) fn take(self, rows: &[u32]) -> ColumnData {
        let at = |row: &u32| *row as usize;
        let mask = |m: Option<Vec<bool>>| m.map(|m| rows.iter().map(|r| m[at(r)]).collect());
        match self {
            ColumnData::Keys(keys, m) => {
                ColumnData::Keys(rows.iter().map(|r| keys[at(r)]).collect(), mask(m))
            }
            ColumnData::Wide(keys, m) => {
                ColumnData::Wide(rows.iter().map(|r| keys[at(r)]).collect(), mask(m))
            }
            ColumnData::Text(ids, texts) => {
                ColumnData::Text(rows.iter().map(|r| ids[at(r)]).collect(), texts)
            }
            ColumnData::Missing(_) => ColumnData::Missing(rows.len()),
        }
    }

    /// ColumnData by their places in these, as a dictionary's keys are; `None` is missing.
    #[cfg(feature = "arrow")]
    pub(crate) fn gather(self, places: &[Option<usize>]) -> ColumnData {
        let mask = |missing: Option<Vec<bool>>| -> Vec<bool> {
            let is_missing = |at: usize| missing.as_ref().is_some_and(|m| m[at]);
            places.iter().map(|place| place.is_none_or(is_missing)).collect()
        };
        match self {
            ColumnData::Keys(keys, missing) => {
                let of = places.iter().map(|place| place.map_or(0, |at| keys[at]));
                ColumnData::Keys(of.collect(), Some(mask(missing)))
            }
            ColumnData::Wide(keys, missing) => {
                let of = places.iter().map(|place| place.map_or(0, |at| keys[at]));
                ColumnData::Wide(of.collect(), Some(mask(missing)))
            }
            ColumnData::Text(ids, texts) => {
                let of = places.iter().map(|place| place.map_or(MISSING, |at| ids[at]));
                ColumnData::Text(of.collect(), texts)
            }
            ColumnData::Missing(_) => ColumnData::Missing(places.len()),
        }
    }

    /// Each row's number, the nearest `f64`; `None` for missing values and for text.
    pub fn numbers(&self, dtype: &DType) -> Vec<Option<f64>> {
        let unless = |missing: &Option<Vec<bool>>, row: usize, value: Value| {
            if missing.as_ref().is_some_and(|m| m[row]) { None } else { dtype.threshold(&value) }
        };
        match self {
            ColumnData::Keys(keys, missing) => {
                let number = |(row, &k)| unless(missing, row, dtype.value_of_key(k));
                keys.iter().enumerate().map(number).collect()
            }
            ColumnData::Wide(keys, missing) => {
                let number = |(row, &k)| unless(missing, row, dtype.value_of_wide(k));
                keys.iter().enumerate().map(number).collect()
            }
            ColumnData::Text(ids, _) => vec![None; ids.len()],
            ColumnData::Missing(n) => vec![None; *n],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fuzzer's first find: a text that is not there.
    #[test]
    fn cells_fit_their_dtype() {
        let text = |ids: &[u32]| ColumnData::Text(ids.to_vec(), vec!["a".to_string()]);
        let no_mask = ColumnData::Keys(vec![1], Some(vec![]));
        for (cells, dtype, wrong) in [
            (text(&[0, 1]), DType::String, "a text that is not there"),
            (text(&[0]), DType::I64, "another dtype"),
            (ColumnData::Wide(vec![1], None), DType::F64, "another dtype"),
            (no_mask, DType::F64, "a mask of another length"),
        ] {
            let e = cells.check("x", &dtype).expect_err("refused").to_string();
            assert!(e.contains(wrong) && e.contains("column `x`"), "{e}");
        }
        text(&[0, MISSING]).check("x", &DType::Boolean).expect("fits");
        ColumnData::Missing(2).check("x", &DType::F64).expect("fits");
    }
}
