//! The verbs of scoring, on a tree, on a forest and on a model of either kind.

#[cfg(feature = "lazy")]
use std::path::Path;

use polars::prelude::{Column, DataFrame, DataType};
#[cfg(feature = "lazy")]
use polars::prelude::{Expr, LazyFrame};

use super::answers::RowAnswer;
#[cfg(feature = "lazy")]
use super::score_lazy::LazyScore;
#[cfg(feature = "lazy")]
use crate::error::Error;
use crate::error::Result;
use crate::fitted::{Forest, Model, Tree};
use crate::score::Voting;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::{ScoreReport, ScoreSpec};

macro_rules! score_verbs {
    ($($model:ident),*) => {$(
        /// Scoring of frames.
        impl $model {
            /// The frame with a column `prediction` of the target's dtype (means of integers and
            /// decimals are f64, and a categorical is of Polars' global categories).
            ///
            /// Integer widths compare as integers, an f32 column fits an f64 model, String,
            /// Categorical and Enum are interchangeable, a Null column is all missing; columns the
            /// model does not use are not looked at.
            ///
            /// # Errors
            /// A used column that is absent or of another dtype, or a column of the frame named
            /// `prediction`.
            pub fn score(&self, df: &DataFrame) -> Result<DataFrame> {
                self.score_with(df, &ScoreSpec::default())
            }

            /// [`score`](Self::score) with more, or other, columns.
            ///
            /// # Errors
            /// As [`score`](Self::score), a kept column that is not there, and what the model does
            /// not have: probabilities of a number, votes of one tree, leaf ids of a forest.
            pub fn score_with(&self, df: &DataFrame, spec: &ScoreSpec) -> Result<DataFrame> {
                Ok(self.score_with_report(df, spec)?.0)
            }

            /// [`score_with`](Self::score_with), and a report on it.
            ///
            /// # Errors
            /// As [`score_with`](Self::score_with).
            pub fn score_with_report(
                &self,
                df: &DataFrame,
                spec: &ScoreSpec,
            ) -> Result<(DataFrame, ScoreReport)> {
                ModelRef::from(self).score(df, spec)
            }

            /// The dtype of an answer's column.
            ///
            /// # Errors
            /// Probabilities of a target that is a number, and leaf ids of a forest.
            pub fn answer_dtype(&self, answer: RowAnswer) -> Result<DataType> {
                ModelRef::from(self).answer_dtype(answer)
            }

            /// An answer for each row of a frame, in Polars' pool (few rows in the calling thread).
            /// Columns the model does not use are not looked at.
            ///
            /// # Errors
            /// A used column that is absent or of another dtype, and as
            /// [`answer_dtype`](Self::answer_dtype).
            pub fn answer(&self, df: &DataFrame, answer: RowAnswer) -> Result<Column> {
                ModelRef::from(self).answer(df, answer, Voting::default())
            }
        }

        /// Scoring of queries and files.
        #[cfg(feature = "lazy")]
        impl $model {
            /// The prediction as an expression named `prediction`, of the target's dtype, over
            /// exactly the columns the model uses; elementwise, so that a query reads no other
            /// column and streams. A model without rules is a literal.
            ///
            /// What is wrong with a column (absent, of another dtype) is an error of the query.
            pub fn predict(&self) -> Expr {
                ModelRef::from(self).expression(RowAnswer::Prediction)
            }

            /// The probability of each class as an expression named `probabilities`: a struct with an
            /// f64 field per class, named by the class, in class order. Otherwise as
            /// [`predict`](Self::predict).
            ///
            /// What is wrong with a column, and a target that is a number, is an error of the query.
            pub fn predict_proba(&self) -> Expr {
                ModelRef::from(self).expression(RowAnswer::Probabilities)
            }

            /// [`score_with`](Self::score_with) as a query, which reads only the kept columns and
            /// those the model uses, and streams.
            ///
            /// # Errors
            /// As [`score_with`](Self::score_with), as far as the columns and their dtypes tell; a
            /// missing value under [`Missing::Error`](crate::Missing::Error) is an error of the query;
            /// [`missing_value`](Self::missing_value) finds its row.
            pub fn score_lazy(&self, input: LazyFrame, spec: &ScoreSpec) -> Result<LazyScore> {
                ModelRef::from(self).score_lazy(input, spec)
            }

            /// Where the model was fitted with [`Missing::Error`](crate::Missing::Error): the error of a
            /// missing value in the rows of a query, which names the [row](crate::Error::row). It is the
            /// first one of the first used column that has any.
            ///
            /// A query that is scored batch by batch does not know the rows by their numbers. This
            /// reads the used columns once more, batch by batch too.
            ///
            /// # Errors
            /// A used column that is absent or of another dtype, and whatever the query ends in.
            pub fn missing_value(&self, rows: LazyFrame) -> Result<Option<Error>> {
                ModelRef::from(self).missing_value(rows)
            }

            /// Scores the rows of Parquet files, in the order they are named, into one Parquet file.
            ///
            /// Rows are streamed, so that memory is bounded by batches. Only the kept columns and
            /// those the model uses are read; rows keep their order; row groups have statistics. The
            /// output appears whole or not at all: it is written to a hidden file beside its path
            /// first.
            ///
            /// ```no_run
            /// # use gaintree::{ScoreSpec, Tree};
            /// let tree = Tree::load("churn.tree.json")?;
            /// let met = tree.score_parquet(["a.parquet", "b.parquet"], "scored.parquet", &ScoreSpec::default())?;
            /// println!("{} rows", met.rows);
            /// # Ok::<(), gaintree::Error>(())
            /// ```
            ///
            /// # Errors
            /// No input, inputs of unlike columns, a file that cannot be read or written, and as
            /// [`score_with`](Self::score_with).
            pub fn score_parquet<P: AsRef<Path>>(
                &self,
                inputs: impl IntoIterator<Item = P>,
                output: impl AsRef<Path>,
                spec: &ScoreSpec,
            ) -> Result<ScoreReport> {
                ModelRef::from(self).score_parquet(inputs, output, spec)
            }
        }
    )*};
}

score_verbs!(Tree, Forest, Model);

impl Tree {
    /// The node each row stops at as an expression named `leaf_id`, of dtype u32. Otherwise as
    /// [`predict`](Self::predict).
    #[cfg(feature = "lazy")]
    pub fn leaf_id(&self) -> Expr {
        ModelRef::from(self).expression(RowAnswer::LeafId)
    }
}

impl Forest {
    /// [`answer`](Self::answer), with the trees voting in one way or the other.
    ///
    /// # Errors
    /// As [`answer`](Self::answer); votes of a target that is a number.
    pub fn answer_by(&self, df: &DataFrame, answer: RowAnswer, voting: Voting) -> Result<Column> {
        let spec = ScoreSpec::default().votes(voting == Voting::Hard);
        spec.check(self.into())?;
        ModelRef::from(self).answer(df, answer, voting)
    }
}
