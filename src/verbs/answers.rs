//! What a model answers for each row, as one column.

use super::frame::{Frame, NamedColumns, in_pool_of_many};
use super::frame_to_score::FrameToScore;
use super::model_columns::ModelColumns;
use super::model_ref::ModelRef;
use super::score::{ScoredColumns, predictions};
use super::score_spec::{RowAnswer, ScoreSpec, no_leaf_id};
use super::table::{FromResults, ResultColumn, ResultTable};
use crate::data::dtype::DType;
use crate::error::{Error, Result};
use crate::score::Voting;
use crate::tree::Schema;

/// A model's answers alone, without the columns of the rows. This trait is sealed.
pub trait ModelAnswers: ModelColumns {
    /// An answer for each row of a frame, as a table of one column. The trees of a forest vote in one
    /// way or the other. Columns the model does not use are not looked at.
    ///
    /// ```
    /// use gaintree::{ModelAnswers, RowAnswer, engine::Voting, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["size" => [1, 2, 8, 9], "ripe" => ["no", "no", "yes", "yes"]]?;
    /// let tree = df.fit_tree("ripe", &TreeSpec::cart())?.tree;
    /// let leaves = tree.answers_of(&df, RowAnswer::LeafId, Voting::Soft)?;
    /// assert_eq!(leaves, df!["leaf_id" => [1u32, 1, 2, 2]]?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Probabilities of a target that is a number, and leaf ids of a forest; votes of one tree, and of a
    /// target that is a number; a used column that is absent or of another dtype.
    fn answers_of<F: Frame + ?Sized>(
        &self,
        frame: &F,
        answer: RowAnswer,
        voting: Voting,
    ) -> Result<F::Table> {
        let model = self.model_ref();
        ScoreSpec::default().votes(voting == Voting::Hard).check(model)?;
        model.check_answer(answer)?;
        let columns = frame.columns(&model.used_columns().into())?;
        let work = || columns.answered(model, answer, voting);
        in_pool_of_many::<F, _>(columns.n_rows(), work)
    }

    /// The answers for no row, which show the column's dtype: a DataFrame or a record batch.
    ///
    /// # Errors
    /// Probabilities of a target that is a number, and leaf ids of a forest.
    fn answers_of_no_rows<T: FromResults>(&self, answer: RowAnswer) -> Result<T> {
        let column = self.model_ref().no_answers(answer)?;
        ResultTable::default().push(answer.name(), column).into_table()
    }
}

impl<M: ModelColumns> ModelAnswers for M {}

impl<'m> ModelRef<'m> {
    /// Only classes have probabilities, and only a tree has leaves.
    fn check_answer(self, answer: RowAnswer) -> Result<()> {
        match (answer, self) {
            (RowAnswer::LeafId, ModelRef::Forest(_)) => Err(no_leaf_id()),
            (RowAnswer::Probabilities, _) if self.is_regression() => Err(Error::spec(format!(
                "the model's target `{}` is a number, which has no class probabilities: use \
                 predict()",
                self.schema().target
            ))),
            _ => Ok(()),
        }
    }

    fn no_answers(self, answer: RowAnswer) -> Result<ResultColumn<'m>> {
        self.check_answer(answer)?;
        let schema = self.schema();
        Ok(match answer {
            RowAnswer::Prediction => predictions(schema, Vec::new(), Vec::new()),
            RowAnswer::Probabilities => {
                probabilities(schema, schema.classes.iter().map(|_| Vec::new()))
            }
            RowAnswer::LeafId => ResultColumn::Ids(Vec::new()),
        })
    }

    /// An answer for each row, in the current pool.
    pub(crate) fn answer_rows<F: NamedColumns + ScoredColumns>(
        self,
        rows: &FrameToScore<F>,
        answer: RowAnswer,
        voting: Voting,
    ) -> Result<F::Made> {
        let (name, schema) = (answer.name(), self.schema());
        let column = match (answer, self) {
            (RowAnswer::Prediction, ModelRef::Tree(tree)) => {
                return Ok(F::predictions(name, tree, rows.batches(tree))?.0);
            }
            (RowAnswer::Prediction, ModelRef::Forest(forest)) => {
                rows.answers(forest, voting, false)?.predictions(schema)
            }
            (RowAnswer::LeafId, ModelRef::Tree(tree)) => {
                ResultColumn::Ids(rows.routes(tree)?.nodes)
            }
            (RowAnswer::LeafId, ModelRef::Forest(_)) => return Err(no_leaf_id()),
            (RowAnswer::Probabilities, ModelRef::Tree(tree)) => {
                let routes = rows.routes(tree)?;
                let classes = 0..schema.classes.len();
                probabilities(schema, classes.map(|class| tree.probabilities(&routes, class)))
            }
            (RowAnswer::Probabilities, ModelRef::Forest(forest)) => {
                probabilities(schema, rows.answers(forest, voting, true)?.shares)
            }
        };
        F::column(name, column)
    }
}

/// A struct of the shares of each class.
fn probabilities(
    schema: &Schema,
    shares: impl IntoIterator<Item = Vec<f64>>,
) -> ResultColumn<'static> {
    let field =
        |(class, shares)| (schema.class_text(class), ResultColumn::Floats(&DType::F64, shares));
    ResultColumn::Struct(shares.into_iter().enumerate().map(field).collect())
}
