//! Rows of Polars columns that a tree is to answer.

use std::ops::Range;

use polars::error::PolarsResult;
use polars::prelude::{Column, Expr, Float64Chunked, IntoColumn, UInt32Chunked};

use super::column::FrameColumn;
use super::expr::{broadcast, to_polars};
use super::verbs::column;
use crate::adapter::score_spec::ScoreSpec;
use crate::error::{Error, Result};
use crate::score::{Batches, Met, Router};
use crate::tree::Tree;

/// A tree made ready for the rows of a query: once, for however many batches.
pub(super) struct Ready {
    tree: Tree,
    router: Router,
    /// Of the used columns.
    names: Vec<String>,
}

impl Ready {
    pub(super) fn new(tree: &Tree) -> Ready {
        let used = tree.used_features().into_iter();
        let names = used.map(|f| tree.schema().features[f as usize].name.clone()).collect();
        Ready { tree: tree.clone(), router: Router::new(tree), names }
    }

    /// The used columns.
    pub(super) fn inputs(&self) -> Vec<Expr> {
        self.names.iter().map(|name| column(name)).collect()
    }

    pub(super) fn rows<'a>(&'a self, n_rows: usize, find: &'a Find<'a>) -> RowsOf<'a> {
        RowsOf { tree: &self.tree, router: &self.router, n_rows, find, table: None }
    }

    /// What `answer` makes of the rows of the [inputs](Self::inputs), of which those of one row
    /// stand for as many as others have, and how many rows there are.
    pub(super) fn answer<R>(
        &self,
        columns: &[Column],
        answer: impl FnOnce(RowsOf) -> Result<R>,
    ) -> PolarsResult<(R, usize)> {
        let n_rows = columns.iter().map(Column::len).max().unwrap_or(0);
        let columns: Vec<Column> = columns.iter().map(|c| broadcast(c, n_rows)).collect();
        let find = |name: &str| columns.get(self.names.iter().position(|known| known == name)?);
        Ok((answer(self.rows(n_rows, &find)).map_err(to_polars)?, n_rows))
    }
}

/// Finds a column by its name.
type Find<'a> = dyn Fn(&str) -> Option<&'a Column> + Sync + 'a;

/// So many rows, of columns found by name.
#[derive(Clone, Copy)]
pub(super) struct RowsOf<'a> {
    pub(super) tree: &'a Tree,
    /// That of the tree.
    pub(super) router: &'a Router,
    pub(super) n_rows: usize,
    pub(super) find: &'a Find<'a>,
    /// The names of a whole table, if that is where the columns are found: messages tell them, and
    /// the row.
    pub(super) table: Option<&'a [&'a str]>,
}

impl<'a> RowsOf<'a> {
    /// To be routed batch by batch.
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
        let routes = self.batches().routes()?;
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
            let Some(whole) = (self.find)(name) else { return Ok(None) };
            let column = whole.slice(rows.start as i64, rows.len());
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
