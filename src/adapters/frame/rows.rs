//! Rows of Polars columns that a tree is to answer.

use std::ops::Range;

use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataType, Expr, Field, Float64Chunked, IntoColumn, Schema, UInt32Chunked,
};

use super::column::{FrameColumn, dtype_of};
use super::expr::{broadcast, to_polars};
use super::verbs::column;
use crate::adapters::common::score_spec::ScoreSpec;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::{BatchedRows, RouteStats, Routes};

/// A tree that answers the rows of a query, however many batches of them.
pub(crate) struct Ready {
    tree: Tree,
}

impl Ready {
    pub(crate) fn new(tree: &Tree) -> Ready {
        Ready { tree: tree.clone() }
    }

    /// The names of the used columns.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.tree.prepared().features().map(|feature| feature.name.as_str())
    }

    /// The used columns.
    pub(crate) fn inputs(&self) -> Vec<Expr> {
        self.names().map(column).collect()
    }

    /// Whether a query of these columns can be answered. No column is made for it, not even an
    /// empty one: with the first, Polars takes 8 MB to have zeros at hand, which takes 4 ms.
    ///
    /// # Errors
    /// A used column that is absent, or of another dtype.
    pub(crate) fn check(&self, query: &Schema) -> Result<()> {
        let dtype = |name: &str| {
            let Some(dtype) = query.get(name) else { return Ok(None) };
            dtype_of(dtype).map(Some).ok_or_else(|| of_no_model(name, dtype))
        };
        let known: Vec<&str> = query.iter_names().map(|name| name.as_str()).collect();
        self.tree.prepared().sources(dtype, |dtype| dtype, &known).map(drop)
    }

    /// The added columns.
    pub(crate) fn fields(&self, spec: &ScoreSpec) -> Result<Vec<Field>> {
        let (columns, _) =
            self.tree.answers(Routes::new(Vec::new(), RouteStats::default()), spec)?;
        Ok(columns.iter().map(|column| column.field().into_owned()).collect())
    }

    pub(crate) fn rows<'a>(&'a self, n_rows: usize, find: &'a Find<'a>) -> RowsOf<'a> {
        RowsOf { tree: &self.tree, n_rows, find, table: None }
    }

    /// What `answer` makes of the rows of the [inputs](Self::inputs), of which those of one row
    /// stand for as many as others have, and how many rows there are.
    pub(crate) fn answer<R>(
        &self,
        columns: &[Column],
        answer: impl FnOnce(RowsOf) -> Result<R>,
    ) -> PolarsResult<(R, usize)> {
        let n_rows = columns.iter().map(Column::len).max().unwrap_or(0);
        let columns: Vec<Column> = columns.iter().map(|c| broadcast(c, n_rows)).collect();
        let find = |name: &str| columns.get(self.names().position(|known| known == name)?);
        Ok((answer(self.rows(n_rows, &find)).map_err(to_polars)?, n_rows))
    }
}

impl Tree {
    /// The added columns of rows that end there, and how many of them met an absent level.
    fn answers(&self, routes: Routes, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        let (predictions, absent) = self.predictions(&spec.name("prediction"), &routes)?;
        let mut added = vec![predictions];
        if spec.probability {
            for class in 0..self.schema().classes.len() {
                let class_text = self.schema().class_text(class);
                let name = spec.name(&format!("probability_{class_text}"));
                let shares = self.probabilities(&routes, class);
                added.push(Float64Chunked::from_vec(name.into(), shares).into_column());
            }
        }
        if spec.leaf {
            let ids = UInt32Chunked::from_vec(spec.name("leaf_id").into(), routes.nodes);
            added.push(ids.into_column());
        }
        Ok((added, absent))
    }
}

fn of_no_model(name: &str, dtype: &DataType) -> Error {
    Error::data(format!(
        "column `{name}` is {dtype} here, which no model is fitted on: cast it to the dtype of the \
         training frame"
    ))
}

/// Finds a column by its name.
type Find<'a> = dyn Fn(&str) -> Option<&'a Column> + Sync + 'a;

/// So many rows, of columns found by name.
#[derive(Clone, Copy)]
pub(crate) struct RowsOf<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) n_rows: usize,
    pub(crate) find: &'a Find<'a>,
    /// The names of a whole table, if that is where the columns are found: messages tell them, and
    /// the row.
    pub(crate) table: Option<&'a [&'a str]>,
}

impl<'a> RowsOf<'a> {
    /// To be routed batch by batch.
    pub(crate) fn batches(
        self,
    ) -> BatchedRows<impl Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync + use<'a>> {
        let route = move |rows: Range<usize>, nodes: &mut [u32]| self.route(rows, nodes);
        BatchedRows { n_rows: self.n_rows, route }
    }

    /// The added columns, and how many rows met an absent level.
    pub(crate) fn answers(self, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        if spec.probability || spec.leaf {
            return self.tree.answers(self.batches().routes()?, spec);
        }
        let name = spec.name("prediction");
        let (predictions, absent) = self.tree.predictions(&name, self.batches())?;
        Ok((vec![predictions], absent))
    }

    fn route(self, rows: Range<usize>, nodes: &mut [u32]) -> Result<RouteStats> {
        let source = |name: &str| {
            let Some(whole) = (self.find)(name) else { return Ok(None) };
            let column = whole.slice(rows.start as i64, rows.len());
            FrameColumn::new(&column).map(Some).ok_or_else(|| of_no_model(name, column.dtype()))
        };
        let first = self.table.map(|_| rows.start);
        let known = self.table.unwrap_or_default();
        self.tree.prepared().route(nodes, first, source, known)
    }
}
