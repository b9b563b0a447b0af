//! Two frames in the sorted keys of a column, where the payload of each key is its frame.

use crate::data::column::EntryLayout;
use crate::encode::sort::sorted_keys::SortedKeys;
use crate::rank::bins::{QuantileLevel, Quantiles, quantile};

pub(super) struct SortedFrames<'a> {
    /// Ascending.
    keys: &'a [u64],
    /// The rows of the keys, then the rows of missing values. The payload of the current frame is
    /// 1.
    entries: &'a [u32],
    layout: EntryLayout,
}

impl<'a> SortedFrames<'a> {
    pub(super) fn new(sorted: &'a SortedKeys, layout: EntryLayout) -> Self {
        SortedFrames { keys: &sorted.keys, entries: &sorted.entries, layout }
    }

    /// The quantiles of the reference.
    pub(super) fn quantiles(&self, n: usize) -> Quantiles<u64> {
        let total = self.count(0..self.keys.len())[0];
        let (mut levels, mut position, mut below, mut at) = (Vec::new(), 0, 0, 1);
        while at < n && below < total {
            let rest = quantile(total, at, n) - below;
            let Some(reached) = self.reference_row(position, rest) else { break };
            let level = self.keys[reached];
            let first = position + self.keys[position..reached].partition_point(|&key| key < level);
            position = reached + self.keys[reached..].partition_point(|&key| key == level);
            below += rest + self.count(reached + 1..position)[0];
            while at < n && quantile(total, at, n) <= below {
                at += 1;
            }
            let units = self.count(first..position)[0];
            let next = self.reference_row(position, 1).map(|next| self.keys[next]);
            levels.push(QuantileLevel { level, units, next });
        }
        Quantiles { n, units: total, levels }
    }

    /// The quantiles of both frames together.
    pub(super) fn quantiles_of_both(&self, n: usize) -> Quantiles<u64> {
        let (total, mut levels, mut below) = (self.keys.len() as u64, Vec::new(), 0);
        for at in 1..n {
            let reached = quantile(total, at, n) as usize;
            if reached <= below {
                continue;
            }
            let level = self.keys[reached - 1];
            let first = below + self.keys[below..reached].partition_point(|&key| key < level);
            below = reached + self.keys[reached..].partition_point(|&key| key == level);
            let (units, next) = ((below - first) as u64, self.keys.get(below).copied());
            levels.push(QuantileLevel { level, units, next });
        }
        Quantiles { n, units: total, levels }
    }

    /// The position of the `nth` row of the reference from a position on, counted from 1. Rows are
    /// skipped in blocks, whose sums need no branches.
    fn reference_row(&self, from: usize, mut nth: u64) -> Option<usize> {
        const BLOCK: usize = 1 << 8;
        let n_known = self.keys.len();
        for start in (from..n_known).step_by(BLOCK) {
            let block = start..n_known.min(start + BLOCK);
            let n = self.count(block.clone())[0];
            if nth <= n {
                let mut rows =
                    block.filter(|&position| self.layout.payload(self.entries[position]) == 0);
                return rows.nth(nth as usize - 1);
            }
            nth -= n;
        }
        None
    }

    /// The rows of both frames between cuts, then the rows of missing values.
    pub(super) fn counts(&self, cuts: &[u64]) -> Vec<[u64; 2]> {
        let n_known = self.keys.len();
        let starts = cuts.iter().map(|cut| self.keys.partition_point(|key| key < cut));
        let mut ends: Vec<usize> = starts.collect();
        ends.extend([n_known, self.entries.len()]);
        let mut start = 0;
        let count = |end| {
            let count = self.count(start..end);
            start = end;
            count
        };
        ends.into_iter().map(count).collect()
    }

    fn count(&self, positions: std::ops::Range<usize>) -> [u64; 2] {
        let n = positions.len() as u32;
        let current: u32 =
            self.entries[positions].iter().map(|&entry| self.layout.payload(entry)).sum();
        [n - current, current].map(u64::from)
    }
}
