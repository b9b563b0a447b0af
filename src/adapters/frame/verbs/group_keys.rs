//! Groups of rows that are read in batches.

use polars::prelude::{Column, DataFrame, DataType, GroupsIndicator};

use crate::adapters::frame::frame_reader::FrameReader;
use crate::data::column_data::{ColumnData, MISSING};
use crate::error::Result;
use crate::spec::Monitor;
use crate::util::monitoring::check_interrupt;

/// The groups of a table, in order of first appearance.
pub(super) struct GroupKeys {
    by: Vec<String>,
    /// A row per group.
    keys: DataFrame,
    /// A text for each group; they ascend.
    texts: Vec<String>,
}

impl GroupKeys {
    /// Reads the groups of the rows of positive weight.
    pub(super) fn read(
        rows: &mut dyn FrameReader,
        by: &[String],
        weight: Option<&str>,
        rows_at_once: u32,
        monitor: Option<&Monitor>,
    ) -> Result<GroupKeys> {
        let mut names: Vec<&str> = by.iter().map(String::as_str).chain(weight).collect();
        names.sort_unstable();
        names.dedup();
        let by_names = || by.iter().map(String::as_str);
        let mut keys = rows.empty().select(by_names())?;
        rows.read_batches(&names, rows_at_once, &mut |df| {
            check_interrupt(monitor)?;
            let kept = match weight {
                // What is no weight is told by who counts.
                Some(weight) => {
                    let weights = df.column(weight)?.cast(&DataType::Float64)?;
                    let is_positive = weights.f64()?.iter().map(|weight| weight > Some(0.0));
                    df.filter(&is_positive.collect())?
                }
                None => df,
            };
            let all = keys.vstack(&kept.select(by_names())?)?;
            let distinct = all.group_by_stable(by_names())?.keys();
            keys = DataFrame::new_infer_height(distinct)?;
            Ok(())
        })?;
        let texts = (0..keys.height()).map(|group| format!("{group:010}")).collect();
        Ok(GroupKeys { by: by.to_vec(), keys, texts })
    }

    /// The columns that group the rows.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.by.iter().map(String::as_str)
    }

    /// The group of each row as a text; missing of a group that was not there before.
    pub(super) fn cells(&self, df: &DataFrame) -> Result<ColumnData> {
        let n_groups = self.keys.height();
        let all = self.keys.vstack(&df.select(self.names())?)?;
        let (groups, _) = groups_of_rows(&all, &self.by)?;
        let known = |&group: &u32| if (group as usize) < n_groups { group } else { MISSING };
        let ids = groups[n_groups..].iter().map(known).collect();
        Ok(ColumnData::Text(ids, self.texts.clone()))
    }

    /// The number of groups, and their keys.
    pub(super) fn into_columns(self) -> (usize, Vec<Column>) {
        let n_groups = self.keys.height();
        (n_groups, self.keys.into_columns())
    }
}

/// The group of each row, in order of first appearance, and the keys of the groups.
pub(crate) fn groups_of_rows(keys: &DataFrame, by: &[String]) -> Result<(Vec<u32>, Vec<Column>)> {
    let grouped = keys.group_by_stable(by.iter().map(String::as_str))?;
    let mut of = vec![0; keys.height()];
    for (group, rows) in grouped.get_groups().iter().enumerate() {
        let mut put = |row: u32| of[row as usize] = group as u32;
        match rows {
            GroupsIndicator::Idx((_, rows)) => rows.iter().for_each(|&row| put(row)),
            GroupsIndicator::Slice([start, len]) => (start..start + len).for_each(put),
        }
    }
    Ok((of, grouped.keys()))
}
