//! A column with the values of other rows.

use super::ranks::order_by_counting;
use crate::data::column::{Codes, Column, ColumnInfo, Levels, MissingRows, RowCodes, Sorted};

impl Column {
    /// The column with its values in another order: row `i` gets the value of row `from[i]`. `from`
    /// is a permutation of the rows. `O(n)`.
    pub(crate) fn permuted(&self, from: &[u32]) -> Column {
        let codes = match &self.codes {
            Codes::ByRow(codes) => Codes::ByRow(taken(codes, from)),
            Codes::Sorted(Sorted { codes: RowCodes::Stored(codes), .. }) => {
                let codes = taken(codes, from);
                let order = order_by_counting(&codes, self.missing_code() as usize + 1);
                Codes::Sorted(Sorted { codes: RowCodes::Stored(codes), order })
            }
            Codes::Sorted(sorted @ Sorted { codes: RowCodes::Identity(missing), order }) => {
                return self.permuted_distinct(
                    from,
                    missing,
                    order,
                    sorted.n_known(missing.code()),
                );
            }
        };
        Column { info: self.info.clone(), codes }
    }

    /// [`permuted`](Self::permuted) of a column whose code of a row is its number: the levels move.
    fn permuted_distinct(
        &self,
        from: &[u32],
        missing: &MissingRows,
        order: &[u32],
        n_known: usize,
    ) -> Column {
        let mut moved_to = vec![0; from.len()];
        (0..).zip(from).for_each(|(row, &from)| moved_to[from as usize] = row);
        let mut order = taken(&moved_to, order);
        order[n_known..].sort_unstable();
        let without = order[n_known..].iter().copied();
        let missing = MissingRows::new(without, from.len(), missing.code());
        let levels = match &self.levels {
            Levels::Keys(keys) => Levels::Keys(taken(keys, from)),
            Levels::Wide(keys) => Levels::Wide(taken(keys, from)),
            Levels::Text(texts) => {
                Levels::Text(from.iter().map(|&row| texts[row as usize].clone()).collect())
            }
        };
        let info = ColumnInfo {
            name: self.name.clone(),
            dtype: self.dtype.clone(),
            kind: self.kind,
            levels,
        };
        Column { info, codes: Codes::Sorted(Sorted { codes: RowCodes::Identity(missing), order }) }
    }
}

/// The items at some places.
fn taken<T: Copy>(items: &[T], places: &[u32]) -> Vec<T> {
    places.iter().map(|&at| items[at as usize]).collect()
}
