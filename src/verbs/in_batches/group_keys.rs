//! Groups of rows that are read in batches.

use super::frame_reader::FrameReader;
use crate::data::column_data::{ColumnData, MISSING, Source};
use crate::error::Result;
use crate::spec::Monitor;
use crate::util::monitoring::check_interrupt;
use crate::verbs::frame::{Frame, NamedColumns, Needed, RowGroups, find};

/// The groups of a table, in order of first appearance.
pub(super) struct GroupKeys<C> {
    by: Vec<String>,
    /// A row per group.
    keys: C,
    /// A text for each group; they ascend.
    texts: Vec<String>,
}

impl<C: NamedColumns> GroupKeys<C> {
    /// Reads the groups of the rows of positive weight.
    pub(super) fn read<F: Frame<Columns = C>>(
        rows: &mut dyn FrameReader<Frame = F>,
        by: &[String],
        weight: Option<&str>,
        rows_at_once: u32,
        monitor: Option<&Monitor>,
    ) -> Result<Self> {
        let mut names: Vec<&str> = by.iter().map(String::as_str).chain(weight).collect();
        names.sort_unstable();
        names.dedup();
        let empty = rows.empty().outline()?;
        // Columns that cannot group rows are told before any row is read.
        empty.groups(by, None)?;
        let mut keys = empty.select(by)?;
        rows.read_batches(&names, rows_at_once, &mut |batch| {
            check_interrupt(monitor)?;
            let mut batch = batch.columns(&Needed::All)?;
            if let Some(weight) = weight {
                batch = of_positive_weight(&batch, weight)?;
            }
            let all = keys.append(&batch.select(by)?)?;
            let groups = all.groups(by, None)?;
            if groups.count > keys.n_rows() {
                keys = all.rows(&first_rows(&groups))?;
            }
            Ok(())
        })?;
        let texts = (0..keys.n_rows()).map(|group| format!("{group:010}")).collect();
        Ok(GroupKeys { by: by.to_vec(), keys, texts })
    }

    /// The columns that group the rows.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.by.iter().map(String::as_str)
    }

    /// The group of each row as a text; missing of a group that was not there before.
    pub(super) fn cells(&self, batch: &C) -> Result<ColumnData> {
        let n_groups = self.keys.n_rows();
        let all = self.keys.append(&batch.select(&self.by)?)?;
        let groups = all.groups(&self.by, None)?.of;
        let known = |&group: &u32| if (group as usize) < n_groups { group } else { MISSING };
        let ids = groups[n_groups..].iter().map(known).collect();
        Ok(ColumnData::Text(ids, self.texts.clone()))
    }

    /// The groups, and their keys as the face holds them.
    pub(super) fn into_groups(self) -> Result<RowGroups<C::Keys>> {
        self.keys.groups(&self.by, None)
    }
}

/// The rows of positive weight. What is no weight is told by who counts.
fn of_positive_weight<C: NamedColumns>(batch: &C, weight: &str) -> Result<C> {
    let column = find(batch, "weight", weight)?.usable("weight")?;
    let weights = column.cells().numbers(column.dtype()).into_iter();
    let positive = weights.zip(0..).filter(|(weight, _)| *weight > Some(0.0));
    batch.rows(&positive.map(|(_, row)| row).collect::<Vec<u32>>())
}

/// The first row of each group.
fn first_rows<K>(groups: &RowGroups<K>) -> Vec<u32> {
    let mut first_rows = Vec::with_capacity(groups.count);
    for (&group, row) in groups.of.iter().zip(0..) {
        // They are numbered in order of first appearance.
        if group as usize == first_rows.len() {
            first_rows.push(row);
        }
    }
    first_rows
}
