//! What a model answers for each row, as one column.

use polars::prelude::{
    Column, DataFrame, DataType, Field, Float64Chunked, IntoColumn, StructChunked,
};

use crate::adapters::frame::columns::dtypes::polars_dtype;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::scores::FrameToScore;
use crate::adapters::frame::tables::column_of;
use crate::error::{Error, Result};
use crate::score::{INLINE_ROWS, Voting};
use crate::tree::Schema;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score::RowsToScore;
use crate::verbs::score_spec::no_leaf_id;
use crate::verbs::table::ResultColumn;

/// A column that a model makes of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowAnswer {
    /// `prediction`, of the target's dtype.
    Prediction,
    /// `probabilities`: a struct with an f64 field per class, named by the class, in class order.
    Probabilities,
    /// `leaf_id`: the node each row stops at, a u32; of a tree only.
    LeafId,
}

impl RowAnswer {
    /// The column's name.
    pub fn name(self) -> &'static str {
        match self {
            RowAnswer::Prediction => "prediction",
            RowAnswer::Probabilities => "probabilities",
            RowAnswer::LeafId => "leaf_id",
        }
    }
}

impl ModelRef<'_> {
    pub(super) fn answer_dtype(self, answer: RowAnswer) -> Result<DataType> {
        let schema = self.schema();
        match (answer, self) {
            (RowAnswer::Prediction, _) => Ok(prediction_dtype(schema)),
            (RowAnswer::LeafId, ModelRef::Tree(_)) => Ok(DataType::UInt32),
            (RowAnswer::LeafId, ModelRef::Forest(_)) => Err(no_leaf_id()),
            (RowAnswer::Probabilities, _) if self.is_regression() => Err(Error::spec(format!(
                "the model's target `{}` is a number, which has no class probabilities: use \
                 predict()",
                schema.target
            ))),
            (RowAnswer::Probabilities, _) => {
                let field = |c| Field::new(schema.class_text(c).into(), DataType::Float64);
                Ok(DataType::Struct((0..schema.classes.len()).map(field).collect()))
            }
        }
    }

    /// An answer for each row of a frame, in Polars' pool (few rows in the calling thread).
    pub(super) fn answer(
        self,
        df: &DataFrame,
        answer: RowAnswer,
        voting: Voting,
    ) -> Result<Column> {
        self.answer_dtype(answer)?;
        let rows = FrameToScore::whole(df);
        match df.height() <= INLINE_ROWS {
            true => self.answer_rows(&rows, answer, voting),
            false => in_pool(None, || self.answer_rows(&rows, answer, voting)),
        }
    }

    pub(super) fn answer_rows(
        self,
        rows: &FrameToScore,
        answer: RowAnswer,
        voting: Voting,
    ) -> Result<Column> {
        let (name, schema) = (answer.name(), self.schema());
        let shares = match (answer, self) {
            (RowAnswer::Prediction, ModelRef::Tree(tree)) => {
                return Ok(FrameToScore::predictions(name, tree, rows.ends(tree)?)?.0);
            }
            (RowAnswer::Prediction, ModelRef::Forest(forest)) => {
                return column_of(name, rows.answers(forest, voting, false)?.predictions(schema));
            }
            (RowAnswer::LeafId, ModelRef::Tree(tree)) => {
                return column_of(name, ResultColumn::Ids(rows.routes(tree)?.nodes));
            }
            (RowAnswer::LeafId, ModelRef::Forest(_)) => return Err(no_leaf_id()),
            (RowAnswer::Probabilities, ModelRef::Tree(tree)) => {
                let routes = rows.routes(tree)?;
                let classes = 0..schema.classes.len();
                classes.map(|class| tree.probabilities(&routes, class)).collect()
            }
            (RowAnswer::Probabilities, ModelRef::Forest(forest)) => {
                rows.answers(forest, voting, true)?.shares
            }
        };
        let field = |(class, shares): (usize, Vec<f64>)| {
            Float64Chunked::from_vec(schema.class_text(class).into(), shares).into_column()
        };
        let fields: Vec<Column> = shares.into_iter().enumerate().map(field).collect();
        let fields = StructChunked::from_columns(name.into(), rows.n_rows(), &fields);
        fields.map(IntoColumn::into_column).map_err(Error::from)
    }
}

/// The dtype of a prediction: the target's, but f64 for means of integers and decimals.
pub(super) fn prediction_dtype(schema: &Schema) -> DataType {
    match &schema.target_dtype {
        dtype if schema.classes.is_empty() && !dtype.is_float() => DataType::Float64,
        dtype => polars_dtype(dtype),
    }
}
