//! Cells of another dtype than the feature they are compared with, such as floats beside integers.
//! Cuts and levels are brought to the dtype of the cells, once each; no cell is rounded.

use hashbrown::HashMap;

use super::column_data::{ColumnData, MISSING};
use super::dtype::{DType, Value};

/// How many of some cuts of dtype `of`, which ascend, are at or below each cell of dtype `from`;
/// `None` where it is missing.
pub(crate) fn cuts_at_or_below(
    cells: &ColumnData,
    from: &DType,
    cuts: &[Value],
    of: &DType,
) -> Vec<Option<usize>> {
    // A cut above all values of the dtype is last, and so are the cuts after it.
    let lowest = |cut| from.key_at_or_above(cut, of).map(|(key, _)| key);
    let cuts: Vec<i128> = cuts.iter().map_while(lowest).collect();
    by_key(cells, |key| cuts.partition_point(|&cut| cut <= key))
}

/// The index of each cell's level. The cells are of dtype `from`, and the levels are texts of dtype
/// `of`. A cell that is no level gets the number of levels, and a missing cell gets [`MISSING`].
pub(crate) fn level_indices(
    cells: &ColumnData,
    from: &DType,
    levels: &[String],
    of: &DType,
) -> Vec<u32> {
    let key = |text: &String| match from.key_at_or_above(&of.parse(text)?, of)? {
        (key, true) => Some(key),
        (_, false) => None,
    };
    let keys = levels.iter().map(key).zip(0..);
    let known: HashMap<i128, u32> = keys.filter_map(|(key, index)| Some((key?, index))).collect();
    let index = |key: i128| known.get(&key).copied().unwrap_or(levels.len() as u32);
    by_key(cells, index).into_iter().map(|index| index.unwrap_or(MISSING)).collect()
}

fn by_key<T>(cells: &ColumnData, of_key: impl Fn(i128) -> T) -> Vec<Option<T>> {
    fn known<K: Copy, T>(
        keys: &[K],
        missing: &Option<Vec<bool>>,
        of_key: impl Fn(K) -> T,
    ) -> Vec<Option<T>> {
        let is_missing = |row: usize| missing.as_ref().is_some_and(|missing| missing[row]);
        let of_row = |(row, &key)| (!is_missing(row)).then(|| of_key(key));
        keys.iter().enumerate().map(of_row).collect()
    }
    match cells {
        ColumnData::Keys(keys, missing) => known(keys, missing, |key| of_key(key.into())),
        ColumnData::Wide(keys, missing) => known(keys, missing, of_key),
        // An accepted dtype gives no text.
        cells @ (ColumnData::Text(..) | ColumnData::Missing(_)) => {
            (0..cells.len()).map(|_| None).collect()
        }
    }
}
