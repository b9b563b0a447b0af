//! What a column gains where the target is permuted.

use std::sync::Arc;

use smallvec::smallvec;

use super::shape::{RowsOfLevels, Shape};
use crate::data::column::EntryLayout;
use crate::split::{
    BinarySplits, PresortedView, RowLevels, Scratch, SplitPolicy, nominal, ordered, small_node,
};
use crate::stat::{Rating, RowStats, StatVec};

/// Rows in random order, as entries of their positions there.
pub(super) struct Permuted<S> {
    rows: Arc<S>,
    layout: EntryLayout,
    entries: Vec<u32>,
}

/// The levels of rows by their positions, which are their numbers.
#[derive(Clone, Copy)]
struct LevelsByPosition<'a>(&'a [u32]);

impl RowLevels for LevelsByPosition<'_> {
    #[inline(always)]
    fn code(self, row: u32) -> u32 {
        self.0[row as usize]
    }

    #[inline(always)]
    fn is_same(self, row: u32, other: u32) -> bool {
        self.code(row) == self.code(other)
    }
}

/// A level for each position.
#[derive(Clone, Copy)]
struct PositionsAsLevels;

impl RowLevels for PositionsAsLevels {
    #[inline(always)]
    fn code(self, row: u32) -> u32 {
        row
    }

    #[inline(always)]
    fn is_same(self, row: u32, other: u32) -> bool {
        row == other
    }
}

impl<S: RowStats> Permuted<S> {
    /// These rows in this order.
    pub(super) fn new(rows: &S, order: &[u32]) -> Self {
        let rows = rows.gather(order);
        let layout = EntryLayout::new(order.len(), rows.payload_bits());
        let entries =
            (0..order.len() as u32).map(|row| layout.entry_by(row, |row| rows.payload(row)));
        Permuted { layout, entries: entries.collect(), rows: Arc::new(rows) }
    }

    /// Only the rows that `is_kept` says, in the same order; `None` if their payloads do not say
    /// all of them.
    pub(super) fn kept(&self, is_kept: impl Iterator<Item = bool>) -> Option<Self> {
        let Permuted { rows, layout, entries } = self;
        if !layout.has_payloads() || !rows.payloads_are_stats() {
            return None;
        }
        let mut kept = vec![0; entries.len()];
        let mut n_kept = 0;
        // Branchless: which rows are kept is unpredictable.
        for (&entry, is_kept) in entries.iter().zip(is_kept) {
            kept[n_kept] = layout.entry(n_kept as u32, layout.payload(entry));
            n_kept += usize::from(is_kept);
        }
        kept.truncate(n_kept);
        Some(Permuted { rows: Arc::clone(rows), layout: *layout, entries: kept })
    }

    /// The gain of a column, as the ranking rates it. `of_buckets` rates buckets that are no
    /// partition into all levels.
    pub(super) fn gain(
        &self,
        shape: &Shape,
        policy: &SplitPolicy,
        scratch: &mut Scratch<S::Num>,
        of_buckets: impl Fn(&BinarySplits<S::Rating>) -> f64,
    ) -> f64 {
        match &shape.levels {
            RowsOfLevels::Distinct => self.best_cut(PositionsAsLevels, shape, policy, scratch),
            RowsOfLevels::Sorted(levels) => {
                self.best_cut(LevelsByPosition(levels), shape, policy, scratch)
            }
            RowsOfLevels::Sizes(sizes) => {
                scratch.fill_sizes(&*self.rows, &self.entries, self.layout, sizes);
                let splits = BinarySplits::new(policy, self.rows.rating(), &scratch.buckets);
                match shape.is_partition {
                    true => nominal::multiway(&splits).map_or(0.0, |all| all.gain),
                    false => of_buckets(&splits),
                }
            }
        }
    }

    fn best_cut<L: RowLevels>(
        &self,
        levels: L,
        shape: &Shape,
        policy: &SplitPolicy,
        scratch: &mut Scratch<S::Num>,
    ) -> f64 {
        let n_known = shape.n - shape.n_missing;
        let missing = match shape.n_missing {
            0 => u32::MAX,
            _ => levels.code(n_known as u32),
        };
        let is_distinct = matches!(shape.levels, RowsOfLevels::Distinct);
        let (rows, layout, entries) = (&*self.rows, self.layout, &self.entries);
        let view = PresortedView { entries, layout, levels, missing, is_distinct };
        let mut total: StatVec<S::Num> = smallvec![S::Num::default(); rows.rating().width()];
        rows.add_entries(entries, layout, &mut total);
        let best = if small_node::applies(policy, view) {
            small_node::best_cut(policy, rows, rows.rating(), &total, view)
        } else {
            scratch.fill_contenders(policy, rows, &[rows.rating()], &total, view);
            ordered::best(&BinarySplits::new(policy, rows.rating(), &scratch.buckets))
        };
        best.map_or(0.0, |cut| cut.gain)
    }
}
