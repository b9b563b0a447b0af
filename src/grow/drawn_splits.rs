//! Growth that draws one split of each column at each node.

use std::sync::Arc;

use super::node::NodePath;
use super::sample::{SplitSeeds, Splits};
use super::stored::{StoredCodes, StoredColumns};
use crate::data::column::{ColumnInfo, RowCodes};
use crate::data::dtype::Kind;
use crate::split::DrawnSplit;

/// What splits are drawn by.
pub(super) struct SplitDraws<'a> {
    seeds: &'a SplitSeeds<'a>,
    columns: &'a [ColumnInfo],
}

impl<'a> SplitDraws<'a> {
    /// `None` if no splits are drawn.
    pub(super) fn new(splits: Splits<'a>, columns: &'a [ColumnInfo]) -> Option<SplitDraws<'a>> {
        match splits {
            Splits::All => None,
            Splits::Drawn(seeds) => Some(SplitDraws { seeds, columns }),
        }
    }

    /// The draw of a column's split at a node; `stored` are the node's columns.
    pub(super) fn of_column<'s>(
        &'s self,
        column: u32,
        path: NodePath,
        stored: &'s StoredColumns,
    ) -> DrawnSplit<'s> {
        DrawnSplit {
            seed: (self.seeds)(path, column),
            column: &self.columns[column as usize],
            table_codes: stored.columns[column as usize].table_codes.as_deref(),
        }
    }
}

impl StoredColumns {
    /// These columns without the order of rows where a drawn cut needs none: columns of numbers and
    /// times. `orders` are the rows of each presorted column in order of level.
    pub(super) fn unordered(mut self, columns: &[ColumnInfo], orders: &[Vec<u32>]) -> Self {
        let of_columns = self.columns.iter_mut().zip(columns).zip(orders);
        for ((stored, column), order) in of_columns {
            if let StoredCodes::Presorted(codes) = &stored.codes
                && column.kind == Kind::Ordered
                && column.has_scale()
            {
                let missing = stored.missing;
                let (codes, table_codes) = match &**codes {
                    RowCodes::Stored(codes) => (codes.as_slice().into(), None),
                    RowCodes::Identity(_) => {
                        (ranks(codes, order, missing), Some(order.as_slice().into()))
                    }
                };
                stored.codes = StoredCodes::Unordered(codes);
                stored.table_codes = table_codes;
            }
        }
        self
    }
}

/// The place of each row in an order by level. No two rows share a place, and missing is last.
fn ranks(codes: &RowCodes, order: &[u32], missing: u32) -> Arc<[u32]> {
    let mut ranks = vec![missing; order.len()];
    let known = order.iter().take_while(|&&row| codes.of(row) < missing);
    (0..).zip(known).for_each(|(rank, &row)| ranks[row as usize] = rank);
    ranks.into()
}
