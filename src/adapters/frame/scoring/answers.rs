//! What a tree answers for each row, as one column.

use polars::prelude::{
    Column, DataFrame, DataType, Field, Float64Chunked, IntoColumn, StructChunked, UInt32Chunked,
};

use super::rows::RowsToScore;
use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::INLINE_ROWS;

/// A column that a tree makes of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowAnswer {
    /// `prediction`, of the target's dtype.
    Prediction,
    /// `probabilities`: a struct with an f64 field per class, named by the class, in class order.
    Probabilities,
    /// `leaf_id`: the node each row stops at, a u32.
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

impl Tree {
    /// The dtype of an answer's column.
    ///
    /// # Errors
    /// Probabilities of a target that is a number.
    pub fn answer_dtype(&self, answer: RowAnswer) -> Result<DataType> {
        match answer {
            RowAnswer::Prediction => Ok(self.prediction_dtype()),
            RowAnswer::LeafId => Ok(DataType::UInt32),
            RowAnswer::Probabilities if self.is_regression() => Err(Error::spec(format!(
                "the model's target `{}` is a number, which has no class probabilities: use \
                 predict()",
                self.schema().target
            ))),
            RowAnswer::Probabilities => {
                let classes = 0..self.schema().classes.len();
                let field = |c| Field::new(self.schema().class_text(c).into(), DataType::Float64);
                Ok(DataType::Struct(classes.map(field).collect()))
            }
        }
    }

    /// An answer for each row of a frame, in Polars' pool (few rows in the calling thread). Columns
    /// the tree does not use are not looked at.
    ///
    /// # Errors
    /// A used column that is absent or of another dtype; probabilities of a target that is a
    /// number.
    pub fn answer(&self, df: &DataFrame, answer: RowAnswer) -> Result<Column> {
        self.answer_dtype(answer)?;
        let (known, find) = (names(df), |name: &str| df.column(name).ok());
        let (n_rows, table) = (df.height(), Some(known.as_slice()));
        let rows = RowsToScore { tree: self, n_rows, find: &find, table };
        match n_rows <= INLINE_ROWS {
            true => rows.answer(answer),
            false => in_pool(None, || rows.answer(answer)),
        }
    }
}

impl RowsToScore<'_> {
    /// The answer's column.
    pub(super) fn answer(self, answer: RowAnswer) -> Result<Column> {
        let name = answer.name();
        match answer {
            RowAnswer::Prediction => Ok(self.tree.predictions(name, self.batches())?.0),
            RowAnswer::LeafId => {
                let nodes = self.batches().routes()?.nodes;
                Ok(UInt32Chunked::from_vec(name.into(), nodes).into_column())
            }
            RowAnswer::Probabilities => {
                let (tree, routes) = (self.tree, self.batches().routes()?);
                let field = |class| {
                    let text = tree.schema().class_text(class);
                    Float64Chunked::from_vec(text.into(), tree.probabilities(&routes, class))
                        .into_column()
                };
                let fields: Vec<Column> = (0..tree.schema().classes.len()).map(field).collect();
                let fields = StructChunked::from_columns(name.into(), self.n_rows, &fields);
                fields.map(IntoColumn::into_column).map_err(Error::from)
            }
        }
    }
}
