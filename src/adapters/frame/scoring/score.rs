//! Scoring a DataFrame: the input and a prediction per row.

use polars::prelude::{Column, DataFrame};

use super::rows::RowsToScore;
use crate::adapters::common::score_spec::{ScoreReport, ScoreSpec, check_free};
use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
use crate::error::Result;
use crate::fitted::Tree;

impl Tree {
    /// The frame with a column `prediction` of the target's dtype (means of integers and
    /// decimals are f64, and a categorical is of Polars' global categories).
    ///
    /// Integer widths compare as integers, an f32 column fits an f64 model, String, Categorical
    /// and Enum are interchangeable, a Null column is all missing; columns the tree does not
    /// use are not looked at.
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
    /// As [`score`](Self::score), and a kept column that is not there.
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
        spec.check(self)?;
        let find = |name: &str| df.column(name).ok().cloned();
        let mut columns = spec.kept(df.columns().iter().cloned(), find, || names(df))?;
        let (added, absent_levels) = in_pool(spec.threads, || self.added_columns(df, spec))?;
        let is_kept = |name: &str| columns.iter().any(|column| column.name() == name);
        check_free(added.iter().map(|column| column.name().as_str()), is_kept)?;
        columns.extend(added);
        let scored = DataFrame::new(df.height(), columns)?;
        Ok((scored, ScoreReport { rows: df.height() as u64, absent_levels }))
    }

    /// The added columns of a frame, and the rows that met an absent level.
    fn added_columns(&self, df: &DataFrame, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        let (known, find) = (names(df), |name: &str| df.column(name).ok());
        let (n_rows, table) = (df.height(), Some(known.as_slice()));
        RowsToScore { tree: self, n_rows, find: &find, table }.added_columns(spec)
    }
}
