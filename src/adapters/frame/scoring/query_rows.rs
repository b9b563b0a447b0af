//! A tree in a query: the columns it takes, and the rows of a batch of them.

use polars::error::PolarsResult;
use polars::prelude::{Column, Expr, Field, Schema};

use super::rows::{FindColumn, RowsToScore, of_no_model};
use crate::adapters::common::score_spec::ScoreSpec;
use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::columns::{broadcast, column};
use crate::error::Result;
use crate::fitted::Tree;
use crate::score::{RouteStats, Routes};

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
