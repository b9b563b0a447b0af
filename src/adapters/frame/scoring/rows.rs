//! Rows of Polars columns to score.

use std::ops::Range;

use polars::prelude::{Column, IntoColumn, UInt32Chunked};

use super::predictions::probability_column;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::{BatchedRows, RouteStats, Routes, Voting};
use crate::verbs::frame::of_no_model;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::ScoreSpec;

/// Finds a column by its name.
pub(super) type FindColumn<'a> = dyn Fn(&str) -> Option<&'a Column> + Sync + 'a;

/// Rows to score, of columns found by name.
#[derive(Clone, Copy)]
pub(crate) struct RowsToScore<'a> {
    pub(crate) model: ModelRef<'a>,
    /// How the trees of a forest vote.
    pub(crate) voting: Voting,
    pub(crate) n_rows: usize,
    pub(crate) find: &'a FindColumn<'a>,
    /// The columns' names if they are of a whole table: error messages list them, and number rows.
    pub(crate) table: Option<&'a [&'a str]>,
}

impl<'a> RowsToScore<'a> {
    /// The added columns, and how many rows met an absent level.
    pub(crate) fn added_columns(self, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        match self.model {
            ModelRef::Forest(forest) => {
                RowsToScore { voting: spec.voting(), ..self }.added_by_forest(forest, spec)
            }
            ModelRef::Tree(tree) if spec.probability || spec.leaf => {
                tree.added_of_routes(self.batches(tree).routes()?, spec)
            }
            ModelRef::Tree(tree) => {
                let name = spec.name("prediction");
                let (predictions, absent) = tree.predictions(&name, self.batches(tree))?;
                Ok((vec![predictions], absent))
            }
        }
    }

    /// The rows, routed down a tree batch by batch.
    pub(super) fn batches(
        self,
        tree: &'a Tree,
    ) -> BatchedRows<impl Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync + use<'a>> {
        let route = move |rows: Range<usize>, nodes: &mut [u32]| {
            let (first, known) = self.place(&rows);
            tree.prepared().route(nodes, first, |name| self.source(name, &rows), known)
        };
        BatchedRows { n_rows: self.n_rows, route }
    }

    /// Some rows of a column.
    pub(super) fn source(self, name: &str, rows: &Range<usize>) -> Result<Option<FrameColumn>> {
        let Some(whole) = (self.find)(name) else { return Ok(None) };
        let column = whole.slice(rows.start as i64, rows.len());
        FrameColumn::new(&column).map(Some).ok_or_else(|| of_no_model(name, column.dtype()))
    }

    /// For messages: the number of the first of some rows, if known, and the names of the columns.
    pub(super) fn place(self, rows: &Range<usize>) -> (Option<usize>, &'a [&'a str]) {
        (self.table.map(|_| rows.start), self.table.unwrap_or_default())
    }
}

impl Tree {
    /// The added columns of rows that are routed, and how many of them met an absent level.
    pub(super) fn added_of_routes(
        &self,
        routes: Routes,
        spec: &ScoreSpec,
    ) -> Result<(Vec<Column>, u64)> {
        let (predictions, absent) = self.predictions(&spec.name("prediction"), &routes)?;
        let mut added = vec![predictions];
        if spec.probability {
            for class in 0..self.schema().classes.len() {
                let shares = self.probabilities(&routes, class);
                added.push(probability_column(spec, self.schema(), class, shares));
            }
        }
        if spec.leaf {
            let ids = UInt32Chunked::from_vec(spec.name("leaf_id").into(), routes.nodes);
            added.push(ids.into_column());
        }
        Ok((added, absent))
    }
}
