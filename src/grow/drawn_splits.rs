//! Growth that draws one split of each column at each node.

use std::sync::Arc;

use super::node::NodePath;
use super::sample::{SplitSeeds, Splits};
use super::stored::{StoredCodes, StoredColumns};
use crate::data::column::{ColumnInfo, RowCodes};
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
    /// These columns with codes that ascend with the levels, and that gathering keeps: a place among
    /// the levels is found by the codes then. `orders` are the rows of each presorted column in order
    /// of level.
    pub(super) fn ranked(mut self, orders: &[Vec<u32>]) -> StoredColumns {
        for (column, order) in self.columns.iter_mut().zip(orders) {
            // Gathering renumbers the codes of levels that no two rows share.
            column.is_distinct = false;
            let StoredCodes::Presorted(codes) = &column.codes else { continue };
            if !matches!(**codes, RowCodes::Identity(_)) {
                continue;
            }
            let missing = column.missing;
            let n_known = order.partition_point(|&row| codes.of(row) < missing);
            let mut ranks = vec![missing; order.len()];
            (0..).zip(&order[..n_known]).for_each(|(rank, &row)| ranks[row as usize] = rank);
            column.codes = StoredCodes::Presorted(Arc::new(RowCodes::Stored(ranks)));
            column.table_codes = Some(order.as_slice().into());
        }
        self
    }
}
