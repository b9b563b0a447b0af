//! The rows of a node that share a level, reduced to a stat.

use std::ops::Range;

use smallvec::smallvec;

use crate::stat::{Num, Rating, StatVec, add};

/// The buckets of the levels present, in level order, and the missing rows apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets<N> {
    /// Numbers in a stat.
    pub(crate) width: usize,
    /// The code of each bucket.
    pub(crate) codes: Vec<u32>,
    /// The rows of each bucket.
    pub(crate) rows: Vec<u32>,
    /// The stats, bucket after bucket.
    pub(crate) stats: Vec<N>,
    pub(crate) missing: Vec<N>,
    pub(crate) missing_rows: u32,
}

impl<N: Num> Buckets<N> {
    /// Levels present.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether the rows do not all share one code.
    pub(crate) fn varies(&self) -> bool {
        self.len() + usize::from(self.missing_rows > 0) > 1
    }

    pub(crate) fn stat(&self, bucket: usize) -> &[N] {
        &self.stats[bucket * self.width..(bucket + 1) * self.width]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[N]> {
        self.stats.chunks_exact(self.width)
    }

    /// The stat of all rows whose value is known.
    pub(crate) fn known(&self) -> StatVec<N> {
        let mut stats = self.iter();
        match stats.next() {
            None => smallvec![N::default(); self.width],
            Some(first) => {
                let mut known = StatVec::from_slice(first);
                stats.for_each(|stat| add(&mut known, stat));
                known
            }
        }
    }

    pub(crate) fn known_rows(&self) -> u32 {
        self.rows.iter().sum()
    }

    /// The bucket of a code. Codes need not ascend.
    pub(crate) fn index_of(&self, code: u32) -> usize {
        self.codes.iter().take_while(|&&c| c != code).count()
    }

    /// These buckets in another order.
    pub(crate) fn permuted(&self, order: &[usize]) -> Buckets<N> {
        let mut stats = Vec::new();
        gather(&self.stats, self.width, order.iter().copied(), &mut stats);
        Buckets {
            width: self.width,
            codes: order.iter().map(|&b| self.codes[b]).collect(),
            rows: order.iter().map(|&b| self.rows[b]).collect(),
            stats,
            missing: self.missing.clone(),
            missing_rows: self.missing_rows,
        }
    }

    /// Some neighbouring buckets, without the missing rows.
    pub(crate) fn part(&self, buckets: Range<usize>) -> Buckets<N> {
        Buckets {
            width: self.width,
            codes: self.codes[buckets.clone()].to_vec(),
            rows: self.rows[buckets.clone()].to_vec(),
            stats: self.stats[buckets.start * self.width..buckets.end * self.width].to_vec(),
            missing: vec![N::default(); self.width],
            missing_rows: 0,
        }
    }

    /// These buckets without the numbers that are 0 in all of them, but for the first such number, if
    /// half of them are and `fewest` are not. There are no missing rows.
    pub(crate) fn of_present(self, fewest: usize) -> Buckets<N> {
        let known = self.known();
        let is_present = |at: usize| known[at] != N::default();
        let absent = (0..self.width).find(|&at| !is_present(at));
        let kept = |&at: &usize| is_present(at) || Some(at) == absent;
        let kept: Vec<usize> = (0..self.width).filter(kept).collect();
        if kept.len() <= fewest || kept.len() > self.width / 2 {
            return self;
        }
        let stats = self.iter().flat_map(|stat| kept.iter().map(|&at| stat[at])).collect();
        let missing = vec![N::default(); kept.len()];
        Buckets { width: kept.len(), stats, missing, ..self }
    }

    /// No bucket, but the missing rows.
    pub(crate) fn emptied(&self) -> Buckets<N> {
        Buckets {
            width: self.width,
            missing: self.missing.clone(),
            missing_rows: self.missing_rows,
            ..Buckets::default()
        }
    }

    /// Neighbours merged: a bucket begins at each of `starts`, which ascend, and has the code of
    /// its lowest level.
    pub(crate) fn merged(&self, starts: &[usize]) -> Buckets<N> {
        let mut merged = self.emptied();
        for (at, stat) in self.iter().enumerate() {
            if at == 0 || starts.binary_search(&at).is_ok() {
                merged.push(self.codes[at], 0);
            }
            let last = merged.len() - 1;
            merged.rows[last] += self.rows[at];
            add(&mut merged.stats[last * self.width..], stat);
        }
        merged
    }

    /// Makes missing one more level, after the others.
    pub(crate) fn make_missing_a_level(&mut self, code: u32) {
        if self.missing_rows > 0 {
            self.codes.push(code);
            self.rows.push(std::mem::take(&mut self.missing_rows));
            self.stats.append(&mut self.missing);
            self.missing.resize(self.width, N::default());
        }
    }

    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        self.codes.clear();
        self.rows.clear();
        self.stats.clear();
        self.missing.clear();
        self.missing.resize(width, N::default());
        self.missing_rows = 0;
    }

    /// Appends a bucket, and gives out its stat, which is 0.
    #[inline]
    pub(crate) fn push(&mut self, code: u32, rows: u32) -> &mut [N] {
        self.codes.push(code);
        self.rows.push(rows);
        let start = self.stats.len();
        self.stats.resize(start + self.width, N::default());
        &mut self.stats[start..]
    }

    /// Fills the buckets from a histogram: a stat per code, the missing one's last. `rows` are the
    /// rows of each code; empty where stats count rows.
    pub(crate) fn fill_from(
        &mut self,
        rating: &impl Rating<Num = N>,
        histogram: &[N],
        rows: &[u32],
    ) {
        self.clear(rating.width());
        let Some(missing) = (histogram.len() / self.width).checked_sub(1) else { return };
        let n_rows = |code: usize, stat: &[N]| match rows {
            [] => rating.weight(rating.units(stat)) as u32,
            rows => rows[code],
        };
        self.codes.resize(missing, 0);
        self.rows.resize(missing, 0);
        // Branchless: which levels are present is unpredictable.
        let mut n_levels = 0;
        for (code, stat) in histogram.chunks_exact(self.width).take(missing).enumerate() {
            let n_rows = n_rows(code, stat);
            self.codes[n_levels] = code as u32;
            self.rows[n_levels] = n_rows;
            n_levels += usize::from(n_rows > 0);
        }
        self.codes.truncate(n_levels);
        self.rows.truncate(n_levels);
        let present = self.codes.iter().map(|&code| code as usize);
        gather(histogram, self.width, present, &mut self.stats);
        let of_missing = &histogram[missing * self.width..];
        self.missing.copy_from_slice(of_missing);
        self.missing_rows = n_rows(missing, of_missing);
    }
}

/// Appends some stats of a table.
fn gather<N: Num>(
    table: &[N],
    width: usize,
    which: impl ExactSizeIterator<Item = usize>,
    to: &mut Vec<N>,
) {
    to.reserve(width * which.len());
    if width == 2 {
        // The most frequent width: copied as a whole, not with a length known only at run time.
        let (stats, _) = table.as_chunks::<2>();
        to.extend(which.flat_map(|at| stats[at]));
    } else {
        which.for_each(|at| to.extend_from_slice(&table[at * width..(at + 1) * width]));
    }
}
