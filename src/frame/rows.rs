//! Rows of Polars columns that a tree is to answer.

use std::ops::Range;

use polars::prelude::{Column, Float64Chunked, IntoColumn, UInt32Chunked};

use super::column::FrameColumn;
use crate::adapter::score_spec::ScoreSpec;
use crate::error::{Error, Result};
use crate::score::{Batches, Met, Router, Routes, in_batches};
use crate::tree::Tree;

/// So many rows, of columns found by name.
#[derive(Clone, Copy)]
pub(super) struct RowsOf<'a> {
    pub(super) tree: &'a Tree,
    /// That of the tree.
    pub(super) router: &'a Router,
    pub(super) n_rows: usize,
    pub(super) find: &'a (dyn Fn(&str) -> Option<&'a Column> + Sync),
    /// The names of a whole table, if that is where the columns are found: messages tell them, and
    /// the row.
    pub(super) table: Option<&'a [&'a str]>,
}

impl<'a> RowsOf<'a> {
    /// Where they end.
    pub(super) fn routes(self) -> Result<Routes> {
        in_batches(self.n_rows, move |rows, nodes: &mut [u32]| self.route(rows, nodes))
    }

    /// Where they end, for something to be said of batch by batch.
    pub(super) fn batches(
        self,
    ) -> Batches<impl Fn(Range<usize>, &mut [u32]) -> Result<Met> + Sync + use<'a>> {
        let route = move |rows: Range<usize>, nodes: &mut [u32]| self.route(rows, nodes);
        Batches { n_rows: self.n_rows, route }
    }

    /// The added columns, and how many rows met an absent level.
    pub(super) fn answers(self, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        let tree = self.tree;
        let name = |base: &str| format!("{}{base}", spec.prefix);
        if !spec.probability && !spec.leaf {
            let (predictions, absent) = tree.predictions(&name("prediction"), self.batches())?;
            return Ok((vec![predictions], absent));
        }
        let routes = self.routes()?;
        let (predictions, absent) = tree.predictions(&name("prediction"), &routes)?;
        let mut added = vec![predictions];
        if spec.probability {
            for class in 0..tree.schema().classes.len() {
                let name = name(&format!("probability_{}", tree.schema().class_text(class)));
                let shares = routes.probabilities(tree, class);
                added.push(Float64Chunked::from_vec(name.into(), shares).into_column());
            }
        }
        if spec.leaf {
            let ids = UInt32Chunked::from_vec(name("leaf_id").into(), routes.nodes);
            added.push(ids.into_column());
        }
        Ok((added, absent))
    }

    fn route(self, rows: Range<usize>, nodes: &mut [u32]) -> Result<Met> {
        let source = |name: &str| {
            let Some(column) = (self.find)(name) else { return Ok(None) };
            let column = column.slice(rows.start as i64, rows.len());
            FrameColumn::new(&column).map(Some).ok_or_else(|| {
                Error::data(format!(
                    "column `{name}` is {} here, which no model is fitted on: cast it to the \
                     dtype of the training frame",
                    column.dtype()
                ))
            })
        };
        let first = self.table.map(|_| rows.start);
        self.router.route(self.tree, nodes, first, source, self.table.unwrap_or_default())
    }
}
