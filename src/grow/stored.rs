//! Where the codes of columns are while trees grow: in one place, which partitions share.

use std::sync::Arc;

use super::histogram::packed_columns::{ByteColumn, PackedColumns};
use crate::data::column::{Codes, RowCodes, Sorted};
use crate::data::dtype::Kind;

/// A column without the order of its rows, which is each partition's own.
#[derive(Clone)]
pub(crate) struct StoredColumn {
    pub(crate) kind: Kind,
    pub(crate) codes: StoredCodes,
    pub(crate) missing: u32,
    /// No two rows with a value share a level.
    pub(crate) is_distinct: bool,
    /// The table's code of each code here, where gathering has renumbered them and
    /// [`code_before_gather`](super::partition::Partition::code_before_gather) does not tell.
    pub(crate) table_codes: Option<Arc<[u32]>>,
}

#[derive(Clone)]
pub(crate) enum StoredCodes {
    /// Many levels: their rows are kept in order.
    Presorted(Arc<RowCodes>),
    /// Many levels, and cuts are drawn, which needs no order of the rows. Codes ascend with the
    /// levels.
    Unordered(Arc<[u32]>),
    /// Few levels, beside other columns: column `index` of a pack.
    Packed { pack: usize, index: usize },
    /// Nowhere: the column is constant in this partition, or no feature of the tree.
    Constant,
}

/// The columns of some rows, and the packs some of them are in.
#[derive(Clone)]
pub(crate) struct StoredColumns {
    pub(crate) columns: Vec<StoredColumn>,
    pub(crate) packs: Arc<[PackedColumns]>,
}

impl StoredColumns {
    /// Stores columns and their codes; a stat is `width` numbers. Returns the rows, or entries, of
    /// each presorted column in order of level too, and nothing for the others.
    pub(super) fn new(
        columns: Vec<(StoredColumn, Option<Codes>)>,
        width: usize,
    ) -> (StoredColumns, Vec<Vec<u32>>) {
        let (mut to_pack, mut orders) = (Vec::new(), Vec::with_capacity(columns.len()));
        let store = |(at, (mut column, codes)): (usize, (StoredColumn, Option<Codes>))| {
            orders.push(Vec::new());
            match codes {
                Some(Codes::Sorted(Sorted { codes, order })) => {
                    column.codes = StoredCodes::Presorted(Arc::new(codes));
                    orders[at] = order;
                }
                Some(Codes::ByRow(codes)) => {
                    let n_codes = column.missing as usize + 1;
                    to_pack.push(ByteColumn { column: at as u32, codes, n_codes });
                }
                None => {}
            }
            column
        };
        let mut columns: Vec<StoredColumn> = columns.into_iter().enumerate().map(store).collect();
        let packs = PackedColumns::pack(to_pack, width);
        for (pack, of) in packs.iter().enumerate() {
            for (index, &column) in of.columns.iter().enumerate() {
                columns[column as usize].codes = StoredCodes::Packed { pack, index };
            }
        }
        (StoredColumns { columns, packs: packs.into() }, orders)
    }

    pub(crate) fn code(&self, column: u32, row: u32) -> u32 {
        let StoredColumn { codes, missing, .. } = &self.columns[column as usize];
        match codes {
            StoredCodes::Presorted(codes) => codes.of(row),
            StoredCodes::Unordered(codes) => codes[row as usize],
            &StoredCodes::Packed { pack, index } => self.packs[pack].code(row, index),
            StoredCodes::Constant => *missing,
        }
    }

    /// Whether a row's code in a column is its number.
    pub(crate) fn is_identity(&self, column: u32) -> bool {
        let codes = &self.columns[column as usize].codes;
        matches!(codes, StoredCodes::Presorted(codes) if matches!(**codes, RowCodes::Identity(_)))
    }
}

impl StoredColumn {
    pub(crate) fn constant(kind: Kind) -> Self {
        let codes = StoredCodes::Constant;
        StoredColumn { kind, codes, missing: 0, is_distinct: false, table_codes: None }
    }

    pub(crate) fn is_packed(&self) -> bool {
        matches!(self.codes, StoredCodes::Packed { .. })
    }

    pub(crate) fn is_presorted(&self) -> bool {
        matches!(self.codes, StoredCodes::Presorted(_))
    }
}
