//! Groups of rows by the values of some columns.

use polars::prelude::{Column, DataFrame, GroupsIndicator};

use crate::error::Result;

/// The group of each row, in order of first appearance, and the keys of the groups.
pub(super) fn groups_of_rows(keys: &DataFrame, by: &[String]) -> Result<(Vec<u32>, Vec<Column>)> {
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
