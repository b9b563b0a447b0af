//! The bins of a counted column taken apart: into finer bins, or into their values.

use super::bins::FineBins;
use super::counted_column::{AliveBins, BucketKeys, CountedColumn, check_bins};
use super::key_range::KeyRange;
use super::passes::changed;
use super::prepare::PreparedColumn;
use super::row_store::{BinCounts, BinRequest, ValueCounts, ValueRequest};
use super::stats::CountedStats;
use crate::error::Result;
use crate::stat::{Num, add};

struct BinPart<'a> {
    keys: BucketKeys,
    rows: u64,
    stat: &'a [i128],
    spread: f64,
}

impl<N: Num> CountedColumn<N> {
    /// Takes bins apart into the values that were fetched of them, which have to add up to them.
    pub(super) fn take_apart<S: CountedStats<Num = N>>(
        &mut self,
        alive: &[usize],
        values: &ValueCounts,
    ) -> Result<()> {
        let width = self.buckets.width;
        let n_values = values.keys.len();
        if values.rows.len() != n_values || values.stats.len() != n_values * width {
            return Err(changed("values have no counts"));
        }
        let parts = values.keys.iter().zip(&values.rows).zip(values.stats.chunks_exact(width));
        self.replace::<S>(
            alive,
            parts.map(|((&key, &rows), stat)| {
                let keys = BucketKeys::One(key);
                BinPart { keys, rows, stat, spread: 0.0 }
            }),
        )
    }

    pub(super) fn value_request(&self, bins: &AliveBins) -> ValueRequest {
        let ranges = bins.iter().map(|(bin, _)| self.range(*bin)).collect();
        ValueRequest { node: self.node, column: self.column, ranges }
    }

    /// About `n_bins` bins within each of some bins; `None` if the sample cannot divide them.
    pub(super) fn finer(
        &self,
        bins: &AliveBins,
        column: &PreparedColumn,
        n_bins: usize,
    ) -> Option<FineBins> {
        let coarse = bins.iter().map(|(bin, _)| self.range(*bin));
        column.bins.within(&column.dtype, coarse, n_bins)
    }

    pub(super) fn fine_request<S: CountedStats<Num = N>>(&self, fine: &FineBins) -> BinRequest {
        BinRequest {
            node: self.node,
            column: self.column,
            bins: fine.bins.clone(),
            within: fine.coarse.clone(),
            centre: S::centre(&self.total()).map_or(0, |centre| centre as i64),
        }
    }

    /// Takes bins apart into finer bins, counted about `centre`, which have to add up to them.
    pub(super) fn zoom<S: CountedStats<Num = N>>(
        &mut self,
        alive: &[usize],
        fine: &FineBins,
        counts: &BinCounts,
        centre: i64,
    ) -> Result<()> {
        let width = self.buckets.width;
        check_bins(counts, fine.ranges.len(), width, !self.spreads.is_empty())?;
        let moved = self.moved_spreads::<S>(centre);
        let parts = fine.ranges.iter().enumerate().filter(|(bin, _)| counts.rows[*bin] > 0);
        let part = |(bin, range): (usize, &Option<KeyRange>)| {
            let stat = &counts.stats[bin * width..(bin + 1) * width];
            let spread = counts.spreads.get(bin).zip(moved.as_ref());
            let spread = spread.map_or(0.0, |(&spread, moved)| moved(spread, stat[0]));
            let keys = BucketKeys::of_range((*range)?);
            Some(BinPart { keys, rows: counts.rows[bin], stat, spread })
        };
        self.replace::<S>(alive, parts.filter_map(part))
    }

    fn replace<'p, S: CountedStats<Num = N>>(
        &mut self,
        alive: &[usize],
        parts: impl Iterator<Item = BinPart<'p>>,
    ) -> Result<()> {
        let has_spreads = !self.spreads.is_empty();
        let mut whole = self.emptied();
        let (mut parts, mut last) = (parts.peekable(), None);
        for at in 0..self.keys.len() {
            let bin = match self.keys[at] {
                BucketKeys::Within(range) if alive.binary_search(&at).is_ok() => range,
                _ => {
                    whole.push_bucket(self, at);
                    continue;
                }
            };
            let mut found = (0u64, vec![N::default(); self.buckets.width]);
            while let Some(part) = parts.next_if(|part| part.keys.range().last <= bin.last) {
                let range = part.keys.range();
                if range.first < bin.first || last.is_some_and(|last| range.first <= last) {
                    return Err(changed("values are out of order"));
                }
                let stat = S::stat(part.stat);
                found.0 += part.rows;
                add(&mut found.1, &stat);
                whole.push(part.keys, part.rows as u32, &stat, has_spreads.then_some(part.spread));
                last = Some(range.last);
            }
            if found.0 != u64::from(self.buckets.rows[at]) || found.1[..] != *self.buckets.stat(at)
            {
                return Err(changed("the values of a bin do not add up to it"));
            }
        }
        if parts.next().is_some() {
            return Err(changed("values are out of their bins"));
        }
        *self = whole;
        Ok(())
    }

    /// Merges the values of bins that were taken apart, except beside the best cuts and beside other
    /// bins: no other cut between these values can win.
    pub(super) fn settle(&mut self, beside_best: &[usize], bins: &[KeyRange]) {
        let bin_of = |at: usize| {
            let KeyRange { first, last } = self.keys[at].range();
            let bin = bins.partition_point(|bin| bin.last < first);
            bins.get(bin).filter(|range| range.first <= first && last <= range.last).map(|_| bin)
        };
        let mut merged = self.emptied();
        // The bin of the bucket before, and the one whose values are merged at the end.
        let (mut before, mut open) = (None, None);
        for at in 0..self.keys.len() {
            let bin = bin_of(at);
            let is_inside = bin.is_some()
                && before == bin
                && at + 1 < self.keys.len()
                && bin_of(at + 1) == bin
                && !beside_best.contains(&at);
            before = bin;
            if is_inside && open == bin {
                merged.extend_last(self, at);
            } else {
                merged.push_bucket(self, at);
            }
            open = bin.filter(|_| is_inside);
        }
        *self = merged;
    }

    /// This column without buckets. The missing rows stay.
    fn emptied(&self) -> CountedColumn<N> {
        let buckets = self.buckets.emptied();
        let (keys, spreads) = (Vec::new(), Vec::new());
        CountedColumn { node: self.node, column: self.column, buckets, keys, spreads }
    }

    fn push(&mut self, keys: BucketKeys, rows: u32, stat: &[N], spread: Option<f64>) {
        self.buckets.push(self.keys.len() as u32, rows).copy_from_slice(stat);
        self.keys.push(keys);
        self.spreads.extend(spread);
    }

    fn push_bucket(&mut self, of: &CountedColumn<N>, at: usize) {
        let spread = of.spreads.get(at).copied();
        self.push(of.keys[at], of.buckets.rows[at], of.buckets.stat(at), spread);
    }

    /// Adds the rows of a bucket of another column to the last one.
    fn extend_last(&mut self, of: &CountedColumn<N>, at: usize) {
        let (last, width) = (self.keys.len() - 1, self.buckets.width);
        let (first, to) = (self.range(last).first, of.range(at).last);
        self.keys[last] = BucketKeys::Settled(KeyRange { first, last: to });
        self.buckets.rows[last] += of.buckets.rows[at];
        add(&mut self.buckets.stats[last * width..], of.buckets.stat(at));
    }
}
