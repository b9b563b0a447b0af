//! Rows of Polars columns to score: of a frame, or of the batches of a query.

use std::ops::Range;

use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataType, Expr, Field, Float64Chunked, IntoColumn, Schema, UInt32Chunked,
};

use crate::adapters::common::score_spec::ScoreSpec;
use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::columns::{broadcast, column};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::{BatchedRows, RouteStats, Routes};

/// A tree in a query, which scores batch after batch.
pub(crate) struct QueryTree(Tree);

impl QueryTree {
    pub(crate) fn new(tree: &Tree) -> QueryTree {
        QueryTree(tree.clone())
    }

    /// The names of the used columns.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.prepared().features().map(|feature| feature.name.as_str())
    }

    /// The used columns.
    pub(crate) fn inputs(&self) -> Vec<Expr> {
        self.names().map(column).collect()
    }

    /// Checks that a query has the used columns. It makes no column for that, not even an empty
    /// one: with the first column, Polars allocates and clears a large shared buffer.
    ///
    /// # Errors
    /// A used column that is absent, or of another dtype.
    pub(crate) fn check(&self, query: &Schema) -> Result<()> {
        let dtype = |name: &str| {
            let Some(dtype) = query.get(name) else { return Ok(None) };
            dtype_of(dtype).map(Some).ok_or_else(|| of_no_model(name, dtype))
        };
        let known: Vec<&str> = query.iter_names().map(|name| name.as_str()).collect();
        self.0.prepared().sources(dtype, |dtype| dtype, &known).map(drop)
    }

    /// The added columns.
    pub(crate) fn fields(&self, spec: &ScoreSpec) -> Result<Vec<Field>> {
        let no_rows = Routes::new(Vec::new(), RouteStats::default());
        let (columns, _) = self.0.added_of_routes(no_rows, spec)?;
        Ok(columns.iter().map(|column| column.field().into_owned()).collect())
    }

    pub(crate) fn rows<'a>(&'a self, n_rows: usize, find: &'a FindColumn<'a>) -> RowsToScore<'a> {
        RowsToScore { tree: &self.0, n_rows, find, table: None }
    }

    /// Calls `score` with the rows of the [inputs](Self::inputs), scalars broadcast; also returns
    /// how many rows there are.
    pub(crate) fn score<R>(
        &self,
        columns: &[Column],
        score: impl FnOnce(RowsToScore) -> Result<R>,
    ) -> PolarsResult<(R, usize)> {
        let n_rows = columns.iter().map(Column::len).max().unwrap_or(0);
        let columns: Vec<Column> = columns.iter().map(|c| broadcast(c, n_rows)).collect();
        let find = |name: &str| columns.get(self.names().position(|known| known == name)?);
        Ok((score(self.rows(n_rows, &find))?, n_rows))
    }
}

impl Tree {
    /// The added columns of rows that are routed, and how many of them met an absent level.
    fn added_of_routes(&self, routes: Routes, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
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
type FindColumn<'a> = dyn Fn(&str) -> Option<&'a Column> + Sync + 'a;

/// Rows to score, of columns found by name.
#[derive(Clone, Copy)]
pub(crate) struct RowsToScore<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) n_rows: usize,
    pub(crate) find: &'a FindColumn<'a>,
    /// The columns' names if they are of a whole table: error messages list them, and number rows.
    pub(crate) table: Option<&'a [&'a str]>,
}

impl<'a> RowsToScore<'a> {
    /// The rows, routed batch by batch.
    pub(crate) fn batches(
        self,
    ) -> BatchedRows<impl Fn(Range<usize>, &mut [u32]) -> Result<RouteStats> + Sync + use<'a>> {
        let route = move |rows: Range<usize>, nodes: &mut [u32]| self.route(rows, nodes);
        BatchedRows { n_rows: self.n_rows, route }
    }

    /// The added columns, and how many rows met an absent level.
    pub(crate) fn added_columns(self, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        if spec.probability || spec.leaf {
            return self.tree.added_of_routes(self.batches().routes()?, spec);
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
