//! The rows that a tree was grown on.

use std::borrow::Cow;
use std::sync::Arc;

use super::shared_table::GrowthTable;
use crate::data::column::ColumnInfo;
use crate::data::target::TargetValues;
use crate::data::weights::Weights;

pub(crate) struct GrownRows<'a> {
    pub(super) table: &'a GrowthTable,
    /// `None` if they are all rows of the table.
    pub(super) rows: Option<Vec<u32>>,
    /// The table's columns that are the tree's features; `None` if all are.
    pub(super) only: Option<Vec<u32>>,
    /// As growth counted the rows.
    pub(crate) weights: Option<Cow<'a, Weights>>,
    /// The copies each row stands for, if rows may be shared out; empty if all are one.
    pub(crate) copies: Option<Arc<[u64]>>,
}

impl GrownRows<'_> {
    fn rows(&self) -> impl Iterator<Item = u32> {
        let n_rows = self.rows.as_ref().map_or(self.table.n_rows(), Vec::len);
        (0..n_rows as u32).map(|at| self.rows.as_ref().map_or(at, |rows| rows[at as usize]))
    }

    fn column_of(&self, feature: u32) -> u32 {
        self.only.as_ref().map_or(feature, |only| only[feature as usize])
    }

    pub(crate) fn info(&self, feature: u32) -> &ColumnInfo {
        &self.table.columns[self.column_of(feature) as usize]
    }

    /// The codes of a feature, in row order.
    pub(crate) fn codes(&self, feature: u32) -> impl Iterator<Item = u32> {
        let column = self.column_of(feature);
        self.rows().map(move |row| self.table.stored.code(column, row))
    }

    /// Whether the codes of a feature are numbers of rows.
    pub(crate) fn is_identity(&self, feature: u32) -> bool {
        self.table.stored.is_identity(self.column_of(feature))
    }

    /// The classes in row order; none of a target of numbers.
    pub(crate) fn classes(&self) -> Vec<u16> {
        match &self.table.target.values {
            TargetValues::Classes { codes, .. } => {
                self.rows().map(|row| codes[row as usize]).collect()
            }
            TargetValues::Numbers { .. } => Vec::new(),
        }
    }
}
