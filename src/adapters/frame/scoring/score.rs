//! Scoring a DataFrame: the input and a prediction per row.

use polars::prelude::{Column, DataFrame};

use super::rows::RowsToScore;
use crate::adapters::frame::columns::names;
use crate::adapters::frame::in_pool;
use crate::error::Result;
use crate::score::Voting;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::{ScoreReport, ScoreSpec, check_free};

impl ModelRef<'_> {
    /// The kept columns of the frame and the added ones, and a report.
    pub(super) fn score(
        self,
        df: &DataFrame,
        spec: &ScoreSpec,
    ) -> Result<(DataFrame, ScoreReport)> {
        spec.check(self)?;
        let find = |name: &str| df.column(name).ok().cloned();
        let mut columns = spec.kept(df.columns().iter().cloned(), find, || names(df))?;
        let (added, absent_levels) = in_pool(spec.threads, || self.added_columns(df, spec))?;
        let kept = columns.iter().map(|column| column.name().as_str());
        check_free(added.iter().map(|column| column.name().as_str()), kept)?;
        columns.extend(added);
        let scored = DataFrame::new(df.height(), columns)?;
        Ok((scored, ScoreReport { rows: df.height() as u64, absent_levels }))
    }

    /// The added columns of a frame, and the rows that met an absent level.
    fn added_columns(self, df: &DataFrame, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        let (known, find) = (names(df), |name: &str| df.column(name).ok());
        let (n_rows, table) = (df.height(), Some(known.as_slice()));
        let voting = Voting::default();
        RowsToScore { model: self, voting, n_rows, find: &find, table }.added_columns(spec)
    }
}
