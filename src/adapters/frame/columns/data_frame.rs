//! A DataFrame as the verbs read it: columns by name.

use std::ops::Range;

use polars::prelude::{Column as PlColumn, DataFrame, IdxCa};

use super::frame_column::FrameColumn;
use super::groups::groups_of_rows;
use super::names;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::column_of;
use crate::error::{Error, Result};
use crate::score::Voting;
use crate::verbs::RowAnswer;
use crate::verbs::frame::{ColumnOrReason, Frame, NamedColumns, Needed, RowGroups, sealed};
use crate::verbs::frame_to_score::FrameToScore;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::ScoreSpec;
use crate::verbs::table::ResultColumn;

impl NamedColumns for DataFrame {
    type Column = FrameColumn;
    type Keys = Vec<PlColumn>;
    type Table = DataFrame;

    fn n_rows(&self) -> usize {
        self.height()
    }

    fn names(&self) -> Vec<&str> {
        names(self)
    }

    fn column_or_reason(&self, name: &str) -> Option<ColumnOrReason<FrameColumn>> {
        self.column(name).ok().map(column_or_reason)
    }

    fn part_or_reason(
        &self,
        name: &str,
        rows: &Range<usize>,
    ) -> Option<ColumnOrReason<FrameColumn>> {
        let whole = self.column(name).ok()?;
        Some(column_or_reason(&whole.slice(rows.start as i64, rows.len())))
    }

    fn rows(&self, rows: &[u32]) -> Result<DataFrame> {
        match rows {
            [row] => Ok(self.slice(i64::from(*row), 1)),
            rows => self.take(&IdxCa::from_vec("".into(), rows.to_vec())).map_err(Error::from),
        }
    }

    fn select(&self, names: &[String]) -> Result<DataFrame> {
        DataFrame::select(self, names.iter().map(String::as_str)).map_err(Error::from)
    }

    fn slice(&self, rows: Range<usize>) -> DataFrame {
        DataFrame::slice(self, rows.start as i64, rows.len())
    }

    fn append(&self, later: &DataFrame) -> Result<DataFrame> {
        self.vstack(later).map_err(Error::from)
    }

    fn groups(&self, by: &[String], kept: Option<&[u32]>) -> Result<RowGroups<Vec<PlColumn>>> {
        if by.is_empty() {
            return Ok(RowGroups::one(Vec::new()));
        }
        let mut keys = self.select(by.iter().map(String::as_str))?;
        if let Some(kept) = kept {
            keys = keys.rows(kept)?;
        }
        let (of, keys) = groups_of_rows(&keys, by)?;
        let count = keys.first().map_or(1, PlColumn::len);
        Ok(RowGroups { of, count, keys })
    }

    fn table_of_groups<'a>(
        keys: &Vec<PlColumn>,
        groups: &[u32],
        results: impl Iterator<Item = (&'a str, ResultColumn<'a>)>,
    ) -> Result<DataFrame> {
        let lines = IdxCa::from_vec("".into(), groups.to_vec());
        let keys = keys.iter().map(|key| key.take(&lines).map_err(Error::from));
        let columns = keys.chain(results.map(|(name, values)| column_of(name, values)));
        DataFrame::new_infer_height(columns.collect::<Result<_>>()?).map_err(Error::from)
    }

    fn scored(
        &self,
        model: ModelRef,
        kept: &[usize],
        spec: &ScoreSpec,
    ) -> Result<(DataFrame, u64)> {
        let mut columns: Vec<PlColumn> =
            kept.iter().map(|&at| self.columns()[at].clone()).collect();
        let kept = columns.iter().map(|column| column.name().as_str());
        let (added, absent_levels) = FrameToScore::whole(self).added(model, spec, kept)?;
        columns.extend(added.into_iter().map(|(_, column)| column));
        Ok((DataFrame::new(self.height(), columns)?, absent_levels))
    }

    fn answered(&self, model: ModelRef, answer: RowAnswer, voting: Voting) -> Result<DataFrame> {
        Ok(model.answer_rows(&FrameToScore::whole(self), answer, voting)?.into_frame())
    }
}

fn column_or_reason(column: &PlColumn) -> ColumnOrReason<FrameColumn> {
    let usable = FrameColumn::new(column).map(ColumnOrReason::Usable);
    usable.unwrap_or_else(|| ColumnOrReason::of_no_kind(column.name(), column.dtype()))
}

impl sealed::Sealed for DataFrame {}

impl Frame for DataFrame {
    type Table = DataFrame;
    type Columns = DataFrame;

    fn columns(&self, _: &Needed) -> Result<DataFrame> {
        Ok(self.clone())
    }

    fn in_pool<R: Send>(
        threads: Option<usize>,
        work: impl FnOnce() -> Result<R> + Send,
    ) -> Result<R> {
        in_pool(threads, work)
    }
}
