//! Rows by group, and the view of a column in each group.

use super::Groups;
use super::strata::{arrange, counting_sort};
use crate::data::column::{Codes, Column};
use crate::split::{ColumnView, PresortedView};

/// The rows in order of group, then row.
pub(super) struct GroupedRows<'a> {
    groups: Groups<'a>,
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl<'a> GroupedRows<'a> {
    pub(super) fn new(groups: Groups<'a>) -> Self {
        let all = 0..groups.of.len() as u32;
        let (rows, starts) = counting_sort(all, groups.count, |row| groups.of[row as usize]);
        GroupedRows { groups, starts, rows }
    }

    /// The rows of a group, ascending.
    pub(super) fn rows_of(&self, group: usize) -> &[u32] {
        &self.rows[self.starts[group]..self.starts[group + 1]]
    }

    /// Calls `each` with the rows of each group and the column's view of them.
    pub(super) fn for_each_group<R>(
        &self,
        column: &Column,
        mut each: impl FnMut(&[u32], ColumnView) -> R,
    ) -> Vec<R> {
        let missing = column.missing_code();
        let groups = 0..self.groups.count;
        match &column.codes {
            Codes::ByRow(codes) => groups
                .map(|group| {
                    let rows = self.rows_of(group);
                    each(rows, ColumnView::ByRow { codes, rows, missing })
                })
                .collect(),
            Codes::Sorted(sorted) => {
                let group = |row: u32| self.groups.of[row as usize];
                let order = arrange(sorted.order.iter().copied(), &self.starts, group);
                let whole = PresortedView::of(column, sorted, &order);
                groups
                    .map(|group| {
                        let entries = &order[self.starts[group]..self.starts[group + 1]];
                        let view = PresortedView { entries, ..whole };
                        each(self.rows_of(group), ColumnView::Presorted(view))
                    })
                    .collect()
            }
        }
    }
}
