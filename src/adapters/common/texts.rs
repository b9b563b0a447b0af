//! Columns of booleans and texts.

use crate::data::column_data::{ColumnData, MISSING};
use crate::encode::interner::{Interner, Texts};

/// Booleans are the texts `false` and `true`.
pub(crate) fn bools(values: impl Iterator<Item = Option<bool>>) -> ColumnData {
    let ids = values.map(|value| value.map_or(MISSING, u32::from)).collect();
    ColumnData::Text(ids, vec!["false".to_string(), "true".to_string()])
}

/// The chunks of a text column, `n_rows` in total.
pub(crate) fn interned<'a, T: Texts<'a>>(
    n_rows: usize,
    chunks: impl Iterator<Item = T>,
) -> ColumnData {
    let mut interner = Interner::new(n_rows);
    for chunk in chunks {
        interner.add(&chunk);
    }
    interner.cells()
}
