//! The rows that a tree was grown on.

use std::sync::Arc;

use super::growth_table::GrowthTable;
use super::sample::SampleWeights;
use crate::data::target::TargetValues;
use crate::encode::encoded_rows::EncodedRows;

pub(crate) struct GrownRows<'a> {
    pub(super) table: &'a GrowthTable,
    /// `None` if they are all rows of the table.
    pub(super) rows: Option<Vec<u32>>,
    /// The table's columns that are the tree's features; `None` if all are.
    pub(super) only: Option<Vec<u32>>,
    /// As growth counted the rows.
    pub(crate) weights: SampleWeights<'a>,
    /// The copies each row stands for, if rows may be shared out; empty if all are one.
    pub(crate) copies: Option<Arc<[u64]>>,
}

impl GrownRows<'_> {
    pub(crate) fn n_rows(&self) -> usize {
        self.rows.as_ref().map_or(self.table.n_rows(), Vec::len)
    }

    fn rows(&self) -> impl Iterator<Item = u32> {
        let row = |at: u32| self.rows.as_ref().map_or(at, |rows| rows[at as usize]);
        (0..self.n_rows() as u32).map(row)
    }

    pub(crate) fn of_feature(&self, feature: u32) -> EncodedRows<'_> {
        let column = self.only.as_ref().map_or(feature, |only| only[feature as usize]);
        self.table.encoded_rows(column, self.rows())
    }

    /// The classes in row order; none for a target of numbers.
    pub(crate) fn classes(&self) -> Vec<u16> {
        match &self.table.target.values {
            TargetValues::Classes { codes, .. } => {
                self.rows().map(|row| codes[row as usize]).collect()
            }
            TargetValues::Numbers { .. } => Vec::new(),
        }
    }
}
