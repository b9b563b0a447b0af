//! Rows by group, and the view of a column in each group.

use super::Groups;
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
        let mut starts = vec![0; groups.count + 1];
        groups.of.iter().for_each(|&g| starts[g as usize + 1] += 1);
        for g in 0..groups.count {
            starts[g + 1] += starts[g];
        }
        let mut grouped = GroupedRows { groups, starts, rows: Vec::new() };
        grouped.rows = grouped.arrange(0..groups.of.len() as u32, |row| row);
        grouped
    }

    /// A stable counting sort of items by their row's group.
    fn arrange<T: Copy + Default>(
        &self,
        items: impl ExactSizeIterator<Item = T>,
        row: impl Fn(T) -> u32,
    ) -> Vec<T> {
        let mut next = self.starts.clone();
        let mut arranged = vec![T::default(); items.len()];
        for item in items {
            let slot = &mut next[self.groups.of[row(item) as usize] as usize];
            arranged[*slot] = item;
            *slot += 1;
        }
        arranged
    }

    pub(super) fn for_each_group<R>(
        &self,
        column: &Column,
        mut each: impl FnMut(ColumnView) -> R,
    ) -> Vec<R> {
        let missing = column.missing_code();
        let ranges = self.starts.windows(2).map(|w| w[0]..w[1]);
        match &column.codes {
            Codes::ByRow(codes) => ranges
                .map(|range| each(ColumnView::ByRow { codes, rows: &self.rows[range], missing }))
                .collect(),
            Codes::Sorted(sorted) => {
                let order = self.arrange(sorted.order.iter().copied(), |row| row);
                let whole = PresortedView::of(column, sorted, &order);
                ranges
                    .map(|range| {
                        let entries = &order[range];
                        each(ColumnView::Presorted(PresortedView { entries, ..whole }))
                    })
                    .collect()
            }
        }
    }
}
