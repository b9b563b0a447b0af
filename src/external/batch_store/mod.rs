//! A store of rows that come in batches and can be read again: files, say. Each pass reads all
//! batches once and counts them with all threads.

mod bin_finder;
mod cells;
mod count;
mod gather;
mod node_slots;
mod rank;
mod row_nodes;
mod summary;
mod tables;

use std::sync::Arc;

use super::coding::Coding;
use super::growing_tree::GrowingTree;
use super::rank_store::{LevelCount, LevelRequest, RankStore, RatedMomentRequest};
use super::row_store::{
    CountRequest, Counts, GatheredRows, Moments, RowStore, StoreColumn, StoreSummary,
    SummaryRequest, Weighed, Weighing,
};
use crate::data::column_data::ColumnData;
use crate::error::Result;
use row_nodes::RowNodes;
use tables::Tables;

/// Rows that can be read again and again, in the same order.
pub trait RowBatches {
    /// The features, in column order.
    fn features(&self) -> &[StoreColumn];

    /// The target.
    fn target(&self) -> &StoreColumn;

    /// The weight column's name.
    fn weight(&self) -> Option<&str>;

    /// The number of rows, if it is known or much cheaper to find than by a pass over the rows.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn n_rows(&mut self) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Reads all rows, batch by batch, with the features that are `wanted` (by index).
    ///
    /// # Errors
    /// Rows that cannot be read; whatever `take` says, which ends the reading.
    fn read(
        &mut self,
        wanted: &[bool],
        take: &mut (dyn FnMut(RowBatch) -> Result<()> + Send),
    ) -> Result<()>;
}

/// Some rows.
#[derive(Clone, Debug)]
pub struct RowBatch {
    /// The cells of each feature; `None` of one that was not wanted.
    pub features: Vec<Option<ColumnData>>,
    /// The target.
    pub target: ColumnData,
    /// The weights: finite, and not negative.
    pub weights: Option<Vec<f64>>,
}

/// A [`RowStore`] over [`RowBatches`].
pub struct BatchStore<B> {
    batches: B,
    /// What each listed value counts as.
    tables: Tables,
    coding: Option<Arc<Coding>>,
    row_nodes: RowNodes,
}

impl<B: RowBatches> BatchStore<B> {
    /// A store that may use `bytes_for_row_nodes` to remember the node of each row. If that is not
    /// enough, it follows the rules from the root on in each pass.
    pub fn new(batches: B, bytes_for_row_nodes: u64) -> BatchStore<B> {
        let row_nodes = RowNodes::new(bytes_for_row_nodes);
        BatchStore { batches, tables: Tables::default(), coding: None, row_nodes }
    }

    /// What the rows are read from.
    pub fn into_batches(self) -> B {
        self.batches
    }
}

impl<B: RowBatches> RowStore for BatchStore<B> {
    fn features(&self) -> &[StoreColumn] {
        self.batches.features()
    }

    fn target(&self) -> &StoreColumn {
        self.batches.target()
    }

    fn weight(&self) -> Option<&str> {
        self.batches.weight()
    }

    fn n_rows(&mut self) -> Result<Option<u64>> {
        self.batches.n_rows()
    }

    fn summarize(&mut self, request: &SummaryRequest) -> Result<StoreSummary> {
        summary::summarize(&mut self.batches, request, &mut self.tables)
    }

    fn weigh(&mut self, weighing: &Weighing) -> Result<Weighed> {
        summary::weigh(&mut self.batches, weighing, &self.tables)
    }

    fn begin(&mut self, coding: &Arc<Coding>) -> Result<()> {
        self.tables.take_codes(coding);
        self.coding = Some(Arc::clone(coding));
        Ok(())
    }

    fn count(&mut self, request: &CountRequest) -> Result<Counts> {
        let Some(coding) = &self.coding else { return Ok(Counts::default()) };
        count::count(&mut self.batches, request, coding, &self.tables, &mut self.row_nodes)
    }

    fn gather(&mut self, tree: &GrowingTree, nodes: &[u32]) -> Result<Vec<GatheredRows>> {
        let Some(coding) = &self.coding else { return Ok(Vec::new()) };
        gather::gather(&mut self.batches, tree, nodes, coding, &self.tables, &mut self.row_nodes)
    }
}

impl<B: RowBatches> RankStore for BatchStore<B> {
    fn count_levels(
        &mut self,
        tree: &GrowingTree,
        requests: &[LevelRequest],
    ) -> Result<Vec<LevelCount>> {
        let BatchStore { batches, tables, row_nodes, .. } = self;
        rank::count_levels(batches, tree, requests, tables, row_nodes)
    }

    fn rated_moments(
        &mut self,
        tree: &GrowingTree,
        requests: &[RatedMomentRequest],
    ) -> Result<Vec<Moments>> {
        let BatchStore { batches, tables, row_nodes, coding, .. } = self;
        let Some(coding) = coding else { return Ok(Vec::new()) };
        rank::rated_moments(batches, tree, requests, coding, tables, row_nodes)
    }
}
