//! The rows that a tree was grown on, as growth leaves them.

use std::sync::Arc;

use super::histogram::packed_columns::PackedColumns;
use super::partition::{Partition, Storage};
use crate::data::column::Column;
use crate::data::target::Target;
use crate::data::weights::Weights;
use crate::stat::RowStats;

pub(crate) struct GrownRows {
    /// Columns without their codes.
    pub(crate) columns: Vec<Column>,
    pub(super) codes: StoredCodes,
    pub(crate) target: Target,
    /// As growth counted the rows.
    pub(crate) weights: Option<Weights>,
    /// The copies each row stands for, if rows may be shared out; empty if all are one.
    pub(crate) copies: Option<Arc<[u64]>>,
}

/// The codes of columns, where growth has them.
pub(crate) struct StoredCodes {
    pub(super) columns: Vec<Storage>,
    pub(super) packs: Arc<[PackedColumns]>,
}

impl StoredCodes {
    pub(super) fn of<S: RowStats>(partition: &Partition<S>) -> StoredCodes {
        let columns = partition.columns.iter().map(|column| match &column.storage {
            Storage::Presorted { codes, .. } => {
                Storage::Presorted { codes: Arc::clone(codes), order: Vec::new() }
            }
            &Storage::Packed { pack, index } => Storage::Packed { pack, index },
            Storage::Constant => Storage::Constant,
        });
        StoredCodes { columns: columns.collect(), packs: Arc::clone(&partition.packs) }
    }
}

impl GrownRows {
    /// The codes of a column, in row order.
    pub(crate) fn codes(&self, column: u32) -> impl Iterator<Item = u32> {
        let (column, missing) = (column as usize, self.columns[column as usize].missing_code());
        let StoredCodes { columns, packs } = &self.codes;
        (0..self.target.len() as u32).map(move |row| columns[column].code(packs, row, missing))
    }
}
