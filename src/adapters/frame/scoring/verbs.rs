//! Scoring on types of Polars alone, by a tree, a forest or a model of either kind.

#[cfg(feature = "lazy")]
use std::path::Path;

use polars::prelude::{Column, DataFrame, DataType};
#[cfg(feature = "lazy")]
use polars::prelude::{Expr, LazyFrame};

#[cfg(feature = "lazy")]
use super::score_lazy::LazyScore;
use crate::adapters::frame::tables::only;
#[cfg(feature = "lazy")]
use crate::error::Error;
use crate::error::Result;
#[cfg(feature = "lazy")]
use crate::fitted::Tree;
use crate::score::Voting;
use crate::verbs::{ModelAnswers, ModelVerbs, RowAnswer};
#[cfg(feature = "lazy")]
use crate::verbs::{ModelRef, ScoreReport, ScoreSpec};

/// What models do on types of Polars alone: columns of answers, expressions, queries and Parquet files.
/// [`ModelVerbs`] has what they do on every frame.
pub trait PolarsScoring: ModelVerbs {
    /// The dtype of an answer's column.
    ///
    /// # Errors
    /// Probabilities of a target that is a number, and leaf ids of a forest.
    fn answer_dtype(&self, answer: RowAnswer) -> Result<DataType> {
        self.model_ref().dtype_of_answer(answer)
    }

    /// An answer for each row of a frame, in Polars' pool (few rows in the calling thread).
    /// Columns the model does not use are not looked at.
    ///
    /// # Errors
    /// A used column that is absent or of another dtype, and as
    /// [`answer_dtype`](Self::answer_dtype).
    fn answer(&self, df: &DataFrame, answer: RowAnswer) -> Result<Column> {
        self.answer_by(df, answer, Voting::default())
    }

    /// [`answer`](Self::answer), with the trees of a forest voting in one way or the other.
    ///
    /// # Errors
    /// As [`answer`](Self::answer); votes of one tree, and of a target that is a number.
    fn answer_by(&self, df: &DataFrame, answer: RowAnswer, voting: Voting) -> Result<Column> {
        self.model_ref().answers_of(df, answer, voting).map(only)
    }

    /// The prediction as an expression named `prediction`, of the target's dtype, over
    /// exactly the columns the model uses; elementwise, so that a query reads no other
    /// column and streams. A model without rules is a literal.
    ///
    /// What is wrong with a column (absent, of another dtype) is an error of the query.
    #[cfg(feature = "lazy")]
    fn predict(&self) -> Expr {
        self.model_ref().expression(RowAnswer::Prediction)
    }

    /// The probability of each class as an expression named `probabilities`: a struct with an
    /// f64 field per class, named by the class, in class order. Otherwise as
    /// [`predict`](Self::predict).
    ///
    /// What is wrong with a column, and a target that is a number, is an error of the query.
    #[cfg(feature = "lazy")]
    fn predict_proba(&self) -> Expr {
        self.model_ref().expression(RowAnswer::Probabilities)
    }

    /// [`score_with`](ModelVerbs::score_with) as a query, which reads only the kept columns and
    /// those the model uses, and streams.
    ///
    /// # Errors
    /// As [`score_with`](ModelVerbs::score_with), as far as the columns and their dtypes tell; a
    /// missing value under [`Missing::Error`](crate::Missing::Error) is an error of the query;
    /// [`missing_value`](Self::missing_value) finds its row.
    #[cfg(feature = "lazy")]
    fn score_lazy(&self, input: LazyFrame, spec: &ScoreSpec) -> Result<LazyScore> {
        self.model_ref().score_lazy(input, spec)
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
    #[cfg(feature = "lazy")]
    fn missing_value(&self, rows: LazyFrame) -> Result<Option<Error>> {
        self.model_ref().missing_value(rows)
    }

    /// Scores the rows of Parquet files, in the order they are named, into one Parquet file.
    ///
    /// Rows are streamed, so that memory is bounded by batches. Only the kept columns and
    /// those the model uses are read; rows keep their order; row groups have statistics. The
    /// output appears whole or not at all: it is written to a hidden file beside its path
    /// first.
    ///
    /// ```no_run
    /// # use gaintree::prelude::*;
    /// let tree = Tree::load("churn.tree.json")?;
    /// let met = tree.score_parquet(["a.parquet", "b.parquet"], "scored.parquet", &ScoreSpec::default())?;
    /// println!("{} rows", met.rows);
    /// # Ok::<(), gaintree::Error>(())
    /// ```
    ///
    /// # Errors
    /// No input, inputs of unlike columns, a file that cannot be read or written, and as
    /// [`score_with`](ModelVerbs::score_with).
    #[cfg(feature = "lazy")]
    fn score_parquet<P: AsRef<Path>>(
        &self,
        inputs: impl IntoIterator<Item = P>,
        output: impl AsRef<Path>,
        spec: &ScoreSpec,
    ) -> Result<ScoreReport> {
        self.model_ref().score_parquet(inputs, output, spec)
    }
}

impl<M: ModelVerbs> PolarsScoring for M {}

#[cfg(feature = "lazy")]
impl Tree {
    /// The node each row stops at as an expression named `leaf_id`, of dtype u32. Otherwise as
    /// [`predict`](PolarsScoring::predict).
    pub fn leaf_id(&self) -> Expr {
        ModelRef::from(self).expression(RowAnswer::LeafId)
    }
}
