//! A column as an adapter hands it over.

use std::ops::Range;

use crate::data::dtype::{DType, PhysicalType, Value};
use crate::error::{Error, Result};

/// The id of a missing text.
pub const MISSING: u32 = u32::MAX;

/// A column that an adapter offers. It is read only when its turn to be encoded comes, so that
/// not all columns are in memory twice at the same time.
pub trait Source: Sync {
    /// The column's name.
    fn name(&self) -> &str;
    /// The column's dtype.
    fn dtype(&self) -> &DType;
    /// The column's values.
    fn cells(&self) -> ColumnData;

    /// The number of rows. The default reads the values to count them.
    fn n_rows(&self) -> usize {
        self.cells().len()
    }

    /// The values of some rows as the `f64` that scoring compares, without the way over
    /// [`ColumnData`]: floats widened, and the integer behind an integer of up to 64 bits, a date
    /// or a time as the nearest `f64`; NaN where missing. The slice is the column's own memory if
    /// it has that form, otherwise `scratch`. `None` if the column has no such numbers, which does
    /// not depend on `rows`.
    fn numbers<'a>(&'a self, rows: Range<usize>, scratch: &'a mut Vec<f64>) -> Option<&'a [f64]> {
        let _ = (rows, scratch);
        None
    }
}

/// The value of a column of one row as text; `None` where it is missing.
pub(crate) fn only_text(column: &impl Source) -> Option<String> {
    column.cells().value(column.dtype(), 0).map(|value| column.dtype().show(&value))
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum ColumnData {
    /// Order-preserving keys ([`key_of_f64`](crate::engine::dtype::key_of_f64) and its like), and
    /// which of them are missing.
    Keys(Vec<u64>, Option<Vec<bool>>),
    /// Keys of 128 bits, and which of them are missing: integers as they are, `u128` by
    /// [`wide_key_of_u128`](crate::engine::dtype::wide_key_of_u128).
    Wide(Vec<i128>, Option<Vec<bool>>),
    /// For each row the index of its text in the dictionary, or [`MISSING`]. The dictionary may
    /// hold a text twice, and texts that no row has.
    Text(Vec<u32>, Vec<String>),
    /// This many missing values.
    Missing(usize),
}

impl ColumnData {
    /// Checks that this is valid data of the dtype, as anyone can implement a [`Source`].
    pub(crate) fn check(&self, name: &str, dtype: &DType) -> Result<()> {
        use PhysicalType::*;
        let fits = match dtype.physical() {
            Null => matches!(self, ColumnData::Missing(_)),
            Bool | Text => matches!(self, ColumnData::Text(..) | ColumnData::Missing(_)),
            I128 | U128 => matches!(self, ColumnData::Wide(..) | ColumnData::Missing(_)),
            I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | F16 | F32 | F64 => {
                matches!(self, ColumnData::Keys(..) | ColumnData::Missing(_))
            }
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

    /// The number of rows.
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
        self.gather(rows.iter().map(|&row| Some(row as usize)))
    }

    /// The cells at these indices, for example dictionary keys; `None` is missing.
    pub(crate) fn gather(
        self,
        at: impl ExactSizeIterator<Item = Option<usize>> + Clone,
    ) -> ColumnData {
        fn keyed<K: Copy + Default>(
            keys: &[K],
            missing: Option<&[bool]>,
            at: impl ExactSizeIterator<Item = Option<usize>> + Clone,
        ) -> (Vec<K>, Option<Vec<bool>>) {
            let is_missing = |at: usize| missing.is_some_and(|missing| missing[at]);
            let has_missing = missing.is_some() || at.clone().any(|at| at.is_none());
            let mask =
                has_missing.then(|| at.clone().map(|at| at.is_none_or(is_missing)).collect());
            (at.map(|at| at.map_or(K::default(), |at| keys[at])).collect(), mask)
        }
        match self {
            ColumnData::Keys(keys, missing) => {
                let (keys, missing) = keyed(&keys, missing.as_deref(), at);
                ColumnData::Keys(keys, missing)
            }
            ColumnData::Wide(keys, missing) => {
                let (keys, missing) = keyed(&keys, missing.as_deref(), at);
                ColumnData::Wide(keys, missing)
            }
            ColumnData::Text(ids, texts) => {
                ColumnData::Text(at.map(|at| at.map_or(MISSING, |at| ids[at])).collect(), texts)
            }
            ColumnData::Missing(_) => ColumnData::Missing(at.len()),
        }
    }

    /// These cells and then others of the same dtype.
    pub(crate) fn append(self, other: ColumnData) -> ColumnData {
        fn keyed<K: Clone + Default>(
            (mut keys, missing): (Vec<K>, Option<Vec<bool>>),
            (others, others_missing): (Vec<K>, Option<Vec<bool>>),
        ) -> (Vec<K>, Option<Vec<bool>>) {
            let mask = (missing.is_some() || others_missing.is_some()).then(|| {
                let mut mask = missing.unwrap_or_else(|| vec![false; keys.len()]);
                mask.extend(others_missing.unwrap_or_else(|| vec![false; others.len()]));
                mask
            });
            keys.extend(others);
            (keys, mask)
        }
        fn none<K: Clone + Default>(n: usize) -> (Vec<K>, Option<Vec<bool>>) {
            (vec![K::default(); n], Some(vec![true; n]))
        }
        use ColumnData::{Keys, Missing, Text, Wide};
        let keys = |(keys, missing)| Keys(keys, missing);
        let wide = |(keys, missing)| Wide(keys, missing);
        match (self, other) {
            (Keys(a, am), Keys(b, bm)) => keys(keyed((a, am), (b, bm))),
            (Keys(a, am), Missing(n)) => keys(keyed((a, am), none(n))),
            (Missing(n), Keys(b, bm)) => keys(keyed(none(n), (b, bm))),
            (Wide(a, am), Wide(b, bm)) => wide(keyed((a, am), (b, bm))),
            (Wide(a, am), Missing(n)) => wide(keyed((a, am), none(n))),
            (Missing(n), Wide(b, bm)) => wide(keyed(none(n), (b, bm))),
            // Texts of an enum stay in declared order.
            (Text(mut ids, texts), Text(others, other_texts)) if texts == other_texts => {
                ids.extend(others);
                Text(ids, texts)
            }
            (Text(mut ids, mut texts), Text(others, other_texts)) => {
                let first = texts.len() as u32;
                let moved = |id| if id == MISSING { MISSING } else { first + id };
                ids.extend(others.into_iter().map(moved));
                texts.extend(other_texts);
                Text(ids, texts)
            }
            (Text(mut ids, texts), Missing(n)) => {
                ids.resize(ids.len() + n, MISSING);
                Text(ids, texts)
            }
            (Missing(n), Text(ids, texts)) => {
                Text(std::iter::repeat_n(MISSING, n).chain(ids).collect(), texts)
            }
            // Cells of other dtypes do not come together; they count as rows without a value.
            (a, b) => Missing(a.len() + b.len()),
        }
    }

    /// The value of a row of a column of this dtype; `None` where it is missing.
    pub(crate) fn value(&self, dtype: &DType, row: usize) -> Option<Value> {
        let is_known = |missing: &Option<Vec<bool>>| missing.as_ref().is_none_or(|m| !m[row]);
        let value = match self {
            ColumnData::Keys(keys, missing) => {
                is_known(missing).then(|| dtype.value_of_key(keys[row]))
            }
            ColumnData::Wide(keys, missing) => {
                is_known(missing).then(|| dtype.value_of_wide(keys[row]))
            }
            ColumnData::Text(ids, texts) => {
                let text = texts.get(ids[row] as usize).filter(|_| ids[row] != MISSING);
                text.map(|text| Value::Text(text.clone()))
            }
            ColumnData::Missing(_) => None,
        };
        value.filter(|value| !matches!(value, Value::Float(x) if x.is_nan()))
    }

    /// The nearest `f64` of each row's value; `None` for missing values and for text.
    pub fn numbers(&self, dtype: &DType) -> Vec<Option<f64>> {
        let known = |missing: &Option<Vec<bool>>, row: usize, value: Value| {
            if missing.as_ref().is_some_and(|m| m[row]) { None } else { dtype.threshold(&value) }
        };
        let rows = 0..self.len();
        match self {
            ColumnData::Keys(keys, missing) => {
                rows.map(|row| known(missing, row, dtype.value_of_key(keys[row]))).collect()
            }
            ColumnData::Wide(keys, missing) => {
                rows.map(|row| known(missing, row, dtype.value_of_wide(keys[row]))).collect()
            }
            ColumnData::Text(..) | ColumnData::Missing(_) => vec![None; self.len()],
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
