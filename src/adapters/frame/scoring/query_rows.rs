//! A model in a query: the columns it takes, and the rows of a batch of them.

use std::collections::HashMap;

use polars::error::PolarsResult;
use polars::prelude::{Column, Expr, Field, Schema};

use super::rows::{FindColumn, RowsToScore};
use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::columns::{broadcast, column};
use crate::error::Result;
use crate::fitted::Model;
use crate::score::Voting;
use crate::verbs::frame::of_no_model;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::ScoreSpec;

/// A model in a query, which scores batch after batch.
pub(crate) struct QueryModel(Model);

impl ModelRef<'_> {
    fn to_model(self) -> Model {
        match self {
            ModelRef::Tree(tree) => Model::Tree(tree.clone()),
            ModelRef::Forest(forest) => Model::Forest(forest.clone()),
        }
    }
}

impl QueryModel {
    pub(crate) fn new(model: ModelRef) -> QueryModel {
        QueryModel(model.to_model())
    }

    fn model(&self) -> ModelRef<'_> {
        (&self.0).into()
    }

    /// The used columns.
    pub(crate) fn inputs(&self) -> Vec<Expr> {
        self.model().used_names().map(column).collect()
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
        let model = self.model();
        model.used().columns(model.schema(), dtype, |dtype| dtype, &known).map(drop)
    }

    /// The added columns.
    pub(crate) fn fields(&self, spec: &ScoreSpec) -> Result<Vec<Field>> {
        let columns = match self.model() {
            ModelRef::Tree(tree) => tree.added_of_routes(Vec::new().into(), spec)?.0,
            ModelRef::Forest(forest) => forest.added_of_no_rows(spec)?,
        };
        Ok(columns.iter().map(|column| column.field().into_owned()).collect())
    }

    pub(crate) fn rows<'a>(&'a self, n_rows: usize, find: &'a FindColumn<'a>) -> RowsToScore<'a> {
        RowsToScore { model: self.model(), voting: Voting::default(), n_rows, find, table: None }
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
        let by_name: HashMap<&str, &Column> = self.model().used_names().zip(&columns).collect();
        let find = |name: &str| by_name.get(name).copied();
        Ok((score(self.rows(n_rows, &find))?, n_rows))
    }
}
