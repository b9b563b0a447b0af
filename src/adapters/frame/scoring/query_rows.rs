//! A model in a query: the columns it takes, and the rows of a batch of them.

use polars::error::{PolarsResult, polars_err};
use polars::prelude::{Column, DataFrame, Expr, Field, Scalar, Schema, lit, map_multiple};

use crate::adapters::frame::columns::dtypes::dtype_of;
use crate::adapters::frame::columns::{broadcast, column};
use crate::error::Result;
use crate::fitted::Model;
use crate::score::Voting;
use crate::verbs::RowAnswer;
use crate::verbs::frame::of_no_model;
use crate::verbs::frame_to_score::FrameToScore;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score::{ForestScores, ScoredColumns};
use crate::verbs::score_spec::ScoreSpec;

/// A model in a query, which scores batch after batch.
pub(crate) struct QueryModel(Model);

impl ModelRef<'_> {
    /// An expression over the used columns; an error for its dtype is raised by the query.
    pub(super) fn expression(self, answer: RowAnswer) -> Expr {
        let (name, dtype) = (answer.name(), self.dtype_of_answer(answer));
        let model = QueryModel::new(self);
        let inputs = model.inputs();
        if inputs.is_empty()
            && let Ok(dtype) = &dtype
            && let Ok(row) = DataFrame::new(1, Vec::new())
            && let Ok(one) = model.answer_frame(&row, answer)
            && let Ok(value) = one.get(0)
        {
            return lit(Scalar::new(dtype.clone(), value.into_static())).alias(name);
        }
        let function = move |columns: &mut [Column]| model.answer(columns, answer);
        let output = move |_: &Schema, _: &[Field]| match &dtype {
            Ok(dtype) => Ok(Field::new(name.into(), dtype.clone())),
            Err(e) => Err(polars_err!(ComputeError: "{e}")),
        };
        map_multiple(function, inputs, output).alias(name)
    }
}

impl QueryModel {
    pub(crate) fn new(model: ModelRef) -> QueryModel {
        QueryModel(match model {
            ModelRef::Tree(tree) => Model::Tree(tree.clone()),
            ModelRef::Forest(forest) => Model::Forest(forest.clone()),
        })
    }

    fn model(&self) -> ModelRef<'_> {
        (&self.0).into()
    }

    pub(crate) fn inputs(&self) -> Vec<Expr> {
        self.model().used_names().map(column).collect()
    }

    /// Checks that a query has the used columns, in their dtypes. It makes no column for that, not even
    /// an empty one: with the first column, Polars allocates and clears a large shared buffer.
    pub(crate) fn check(&self, query: &Schema) -> Result<()> {
        let dtype = |name: &str| {
            let Some(dtype) = query.get(name) else { return Ok(None) };
            dtype_of(dtype).map(Some).ok_or_else(|| of_no_model(name, dtype))
        };
        let known: Vec<&str> = query.iter_names().map(|name| name.as_str()).collect();
        let model = self.model();
        model.used().columns(model.schema(), dtype, |dtype| dtype, &known).map(drop)
    }

    pub(crate) fn fields(&self, spec: &ScoreSpec) -> Result<Vec<Field>> {
        let (columns, _) = match self.model() {
            ModelRef::Tree(tree) => DataFrame::of_routes(tree, Vec::new().into(), spec)?,
            ModelRef::Forest(forest) => {
                let none = ForestScores::of_no_rows(forest.schema(), spec.probability);
                DataFrame::of_answers(forest, none, spec)?
            }
        };
        Ok(columns.iter().map(|(_, column)| column.field().into_owned()).collect())
    }

    /// The added columns of the rows of the [inputs](Self::inputs), how many of the rows met an absent
    /// level, and how many there are.
    pub(crate) fn added(
        &self,
        inputs: &[Column],
        spec: &ScoreSpec,
    ) -> PolarsResult<(Vec<Column>, u64, usize)> {
        let df = self.frame(inputs)?;
        let (added, absent) = FrameToScore::of_query(&df).added_columns(self.model(), spec)?;
        Ok((added.into_iter().map(|(_, column)| column).collect(), absent, df.height()))
    }

    pub(crate) fn answer(&self, inputs: &[Column], answer: RowAnswer) -> PolarsResult<Column> {
        let df = self.frame(inputs)?;
        Ok(self.answer_frame(&df, answer)?)
    }

    fn answer_frame(&self, df: &DataFrame, answer: RowAnswer) -> Result<Column> {
        self.model().answer_rows(&FrameToScore::of_query(df), answer, Voting::default())
    }

    /// The inputs as a frame, scalars broadcast.
    fn frame(&self, inputs: &[Column]) -> PolarsResult<DataFrame> {
        let n_rows = inputs.iter().map(Column::len).max().unwrap_or(0);
        let named = self.model().used_names().zip(inputs);
        let columns = named.map(|(name, input)| broadcast(input, n_rows).with_name(name.into()));
        DataFrame::new(n_rows, columns.collect())
    }
}
