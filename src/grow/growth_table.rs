//! A table as growth reads it: its codes stored, and where values are missing.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::partition::Partition;
use super::partition::some_rows::{ABSENT, entries_present, layout_of_some, note_entries};
use super::prepare::check_missing;
use super::stored::{StoredColumn, StoredColumns};
use crate::data::column::{Column, ColumnInfo, EntryLayout};
use crate::data::target::Target;
use crate::data::weights::Weights;
use crate::encode::encoded_rows::EncodedRows;
use crate::encode::table::{EncodeContext, Table};
use crate::error::Result;
use crate::spec::TreeSpec;
use crate::stat::{RowStats, stat_width};
use crate::util::parallel;

/// What growth reads of a table.
pub(crate) struct GrowthTable {
    pub(crate) columns: Vec<ColumnInfo>,
    pub(super) stored: StoredColumns,
    /// These [without the orders](StoredColumns::unordered) that drawn splits do not need; made for the
    /// first tree of such splits.
    unordered: OnceLock<StoredColumns>,
    /// The first row without a value, of each column.
    first_missing: Vec<Option<u32>>,
    pub(crate) target: Target,
    pub(crate) weights: Option<Weights>,
    context: EncodeContext,
}

impl GrowthTable {
    /// Stores the columns of a table. Returns the rows of each column of many levels in order of
    /// level too, missing last.
    pub(crate) fn new(table: Table) -> (GrowthTable, Vec<Vec<u32>>) {
        let Table { columns, target, weights, context } = table;
        let stored = |column: Column| {
            let (missing, is_distinct) = (column.missing_code(), column.is_distinct());
            let of_rows =
                StoredColumn { missing, is_distinct, ..StoredColumn::constant(column.kind) };
            let first_missing = column.first_missing();
            let Column { info, codes } = column;
            ((info, first_missing), (of_rows, Some(codes)))
        };
        let (columns, codes): (Vec<_>, Vec<_>) = parallel::map(columns, stored).into_iter().unzip();
        let (columns, first_missing) = columns.into_iter().unzip();
        let (stored, orders) = StoredColumns::new(codes, stat_width(&target));
        let unordered = OnceLock::new();
        (
            GrowthTable { columns, stored, unordered, first_missing, target, weights, context },
            orders,
        )
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.target.len()
    }

    pub(super) fn encoded_rows(
        &self,
        column: u32,
        rows: impl Iterator<Item = u32>,
    ) -> EncodedRows<'_> {
        let codes = rows.map(|row| self.stored.code(column, row)).collect();
        EncodedRows { column: &self.columns[column as usize], codes }
    }

    /// Whether each column has a missing value among some rows, an error if the spec allows none;
    /// columns that are no features have none.
    pub(super) fn has_missing(
        &self,
        rows: Option<&[u32]>,
        only: Option<&[u32]>,
        spec: &TreeSpec,
    ) -> Result<Vec<bool>> {
        let first_missing = |at: u32, missing: u32| {
            let first = self.first_missing[at as usize]?;
            let is_feature = only.is_none_or(|only| only.binary_search(&at).is_ok());
            let is_missing = |row: &u32| self.stored.code(at, *row) == missing;
            match rows {
                _ if !is_feature => None,
                Some(rows) => rows.iter().copied().find(is_missing),
                None => Some(first),
            }
        };
        let of_column = |(at, column): (u32, &ColumnInfo)| {
            let first = first_missing(at, column.missing_code());
            check_missing(spec, &self.context, column, first)?;
            Ok(first.is_some())
        };
        (0..).zip(&self.columns).map(of_column).collect()
    }

    /// A partition of all rows, or of some, with the columns that are features, and with
    /// [no order](StoredColumns::unordered) where splits are drawn and need none.
    pub(super) fn partition<S: RowStats>(
        &self,
        orders: Cow<[Vec<u32>]>,
        stats: S,
        rows: Option<&[u32]>,
        only: Option<&[u32]>,
        copies: Arc<[u64]>,
        are_splits_drawn: bool,
    ) -> Partition<S> {
        let unordered = || self.stored.clone().unordered(&self.columns, &orders);
        let mut stored = match are_splits_drawn {
            true => self.unordered.get_or_init(unordered).clone(),
            false => self.stored.clone(),
        };
        if let Some(only) = only {
            for (at, column) in (0..).zip(&mut stored.columns) {
                if only.binary_search(&at).is_err() {
                    *column = StoredColumn::constant(column.kind);
                }
            }
        }
        let n_numbers = self.n_rows();
        let (layout, entries) = match rows {
            None => {
                let layout = EntryLayout::new(n_numbers, stats.payload_bits());
                (layout, entries_of_all(orders, &stored.columns, layout, &stats))
            }
            Some(rows) => {
                let layout = layout_of_some(n_numbers, &stats);
                let mut entry_of = vec![ABSENT; n_numbers];
                note_entries(rows, layout, &stats, &mut entry_of);
                let present =
                    |(order, column): (&Vec<u32>, &StoredColumn)| match column.is_presorted() {
                        true => entries_present(order, u32::MAX, &entry_of, rows.len()),
                        false => Vec::new(),
                    };
                (layout, parallel::map(orders.iter().zip(&stored.columns), present))
            }
        };
        let rows = rows.map_or_else(|| (0..n_numbers as u32).collect(), <[u32]>::to_vec);
        Partition::new(stored, entries, stats, layout, rows, n_numbers, copies)
    }
}

/// The entries of all rows, in place if the orders are given away.
fn entries_of_all(
    orders: Cow<[Vec<u32>]>,
    columns: &[StoredColumn],
    layout: EntryLayout,
    stats: &impl RowStats,
) -> Vec<Vec<u32>> {
    let mut entries = match orders {
        Cow::Owned(orders) => orders,
        Cow::Borrowed(orders) => {
            let copied = |(order, column): (&Vec<u32>, &StoredColumn)| match column.is_presorted() {
                true => order.clone(),
                false => Vec::new(),
            };
            parallel::map(orders.iter().zip(columns), copied)
        }
    };
    if layout.has_payloads() {
        let entry = |row: &mut u32| *row = layout.entry(*row, stats.payload(*row));
        parallel::for_each(&mut entries, |entries| entries.iter_mut().for_each(entry));
    }
    entries
}
