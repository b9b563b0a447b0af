//! One column at one node, as it was counted: a sequence of bins. Some are taken apart into their
//! values.

use super::growing_tree::WaitingNode;
use super::key_range::KeyRange;
use super::passes::changed;
use super::prepare::PreparedColumn;
use super::row_store::{BinCounts, BinRequest};
use super::stats::CountedStats;
use crate::data::dtype::DType;
use crate::error::{Error, Result};
use crate::split::{Buckets, Candidate, CodeTest, SplitPolicy, best_of_buckets, buckets_reaching};
use crate::stat::{CountRows, Num, Rating, StatVec, add};
use crate::tree::rule::Test;

/// The bins that have rows, each a bucket whose code is its index.
pub(super) struct CountedColumn<N> {
    /// The node, by its index in the growing tree.
    pub(super) node: u32,
    pub(super) column: u32,
    pub(super) buckets: Buckets<N>,
    pub(super) keys: Vec<BucketKeys>,
    /// The spread of each bucket about the node's mean, or a larger number; empty for classes.
    pub(super) spreads: Vec<f64>,
}

/// Bins that are alive, by the indices of their buckets. Each comes with what looking into it takes:
/// the most values that it may have, or their bytes.
pub(super) type AliveBins = Vec<(usize, u64)>;

#[derive(Clone, Copy)]
pub(super) enum BucketKeys {
    /// One key, or the code of a level.
    One(i128),
    /// Some keys within the bin.
    Within(KeyRange),
    /// Some keys. No cut between them is better than the best cut that is known.
    Settled(KeyRange),
}

impl BucketKeys {
    pub(super) fn of_range(range: KeyRange) -> BucketKeys {
        match range.first == range.last {
            true => BucketKeys::One(range.first),
            false => BucketKeys::Within(range),
        }
    }

    pub(super) fn range(self) -> KeyRange {
        match self {
            BucketKeys::One(key) => KeyRange { first: key, last: key },
            BucketKeys::Within(range) | BucketKeys::Settled(range) => range,
        }
    }
}

impl<N: Num> CountedColumn<N> {
    /// From a store's counts of the node's rows. The first column of the root tells its stat.
    pub(super) fn new<S: CountedStats<Num = N>>(
        (request, counts): &(BinRequest, BinCounts),
        of: &PreparedColumn,
        node: &mut WaitingNode<N>,
    ) -> Result<CountedColumn<N>> {
        let bins = of.bins.for_rows(node.rows);
        let n_bins = bins.len();
        let has_spreads = !counts.spreads.is_empty();
        let width = counts.stats.len() / (n_bins + 1);
        check_bins(counts, n_bins, width, has_spreads)?;
        let stat = |bin: usize| S::stat(&counts.stats[bin * width..(bin + 1) * width]);
        let mut buckets = Buckets {
            width,
            missing: stat(n_bins).to_vec(),
            missing_rows: counts.rows[n_bins] as u32,
            ..Buckets::default()
        };
        let (mut keys, mut spread_in_bins) = (Vec::new(), Vec::new());
        for bin in (0..n_bins).filter(|&bin| counts.rows[bin] > 0) {
            buckets.push(keys.len() as u32, counts.rows[bin] as u32).copy_from_slice(&stat(bin));
            let range = bins.range(bin);
            keys.push(match bins.single(bin) {
                Some(key) => BucketKeys::One(key),
                None => BucketKeys::of_range(range),
            });
            if has_spreads {
                spread_in_bins.push(counts.spreads[bin]);
            }
        }
        let rows = u64::from(buckets.known_rows()) + u64::from(buckets.missing_rows);
        let (spreads, &BinRequest { node: at, column, centre, .. }) = (Vec::new(), request);
        let mut column = CountedColumn { node: at, column, buckets, keys, spreads };
        let total = column.total();
        if rows != node.rows || *node.total.get_or_insert_with(|| total.clone()) != total {
            return Err(changed("a column's rows are not those of its node"));
        }
        if let Some(moved) = column.moved_spreads::<S>(centre) {
            let units = column.buckets.iter().map(|stat| Into::<i128>::into(stat[0]));
            column.spreads =
                spread_in_bins.into_iter().zip(units).map(|(s, u)| moved(s, u)).collect();
        }
        Ok(column)
    }

    /// Makes a spread about the mean, or a larger number, of a spread about a centre and its units;
    /// `None` for classes.
    pub(super) fn moved_spreads<S: CountRows<Num = N> + CountedStats>(
        &self,
        centre: i64,
    ) -> Option<impl Fn(i128, i128) -> f64 + use<N, S>> {
        // About another point a spread is larger by at most the way to that point for each unit.
        // Splits are rated against all rows, or against the known rows.
        let way = |stat: &[N]| {
            let mean = S::centre(stat)?;
            Some((mean - i128::from(centre)).unsigned_abs() as f64 + 1.0)
        };
        let way = f64::max(way(&self.total())?, way(&self.buckets.known())?);
        Some(move |spread: i128, units: i128| {
            (spread as f64 + way * units as f64) * (1.0 + f64::EPSILON)
        })
    }

    pub(super) fn total(&self) -> StatVec<N> {
        let mut all = self.buckets.known();
        add(&mut all, &self.buckets.missing);
        all
    }

    /// Whether the node's rows have several values, or may have.
    pub(super) fn varies(&self) -> bool {
        self.buckets.varies() || matches!(self.keys[..], [BucketKeys::Within(_)])
    }

    /// The best candidate among the cuts that are known so far.
    pub(super) fn best<R: Rating<Num = N>>(
        &self,
        policy: &SplitPolicy,
        rating: &R,
        column: &PreparedColumn,
    ) -> Option<Candidate> {
        best_of_buckets(policy, rating, column.kind, &self.buckets)
    }

    /// The buckets on both sides of the best cut that is known so far.
    pub(super) fn beside_best<R: Rating<Num = N>>(
        &self,
        policy: &SplitPolicy,
        rating: &R,
        column: &PreparedColumn,
    ) -> Vec<usize> {
        match self.best(policy, rating, column).map(|candidate| candidate.test) {
            Some(CodeTest::AtLeast(cut)) => vec![cut.lo as usize, cut.hi as usize],
            _ => Vec::new(),
        }
    }

    /// The bins that may hold a cut of at least `gain`, and the values that they may have.
    pub(super) fn alive<R: Rating<Num = N>>(
        &self,
        policy: &SplitPolicy,
        rating: &R,
        column: &PreparedColumn,
        gain: f64,
    ) -> AliveBins {
        let is_open = |keys: &BucketKeys| matches!(keys, BucketKeys::Within(_));
        if !self.keys.iter().any(is_open) {
            return Vec::new();
        }
        let reach = buckets_reaching(policy, rating, &self.buckets, &self.spreads, gain);
        let is_alive = |&at: &usize| reach[at] && is_open(&self.keys[at]);
        let alive = (0..self.keys.len()).filter(is_alive);
        let values =
            |at: usize| column.bins.most_values(self.range(at), self.buckets.rows[at].into());
        alive.map(|at| (at, values(at))).collect()
    }

    pub(super) fn range(&self, bucket: usize) -> KeyRange {
        self.keys[bucket].range()
    }

    /// A candidate's test on keys and levels; `None` where a value beside the cut is not known. Such
    /// a cut cannot be the best.
    pub(super) fn test(&self, test: &CodeTest, column: &PreparedColumn) -> Option<Test<i128>> {
        let key = |code: u32| match self.keys[code as usize] {
            BucketKeys::One(key) => Some(key),
            BucketKeys::Within(_) | BucketKeys::Settled(_) => None,
        };
        let level = |code: u32| key(code).unwrap_or(0) as u32;
        if let CodeTest::AtLeast(cut) = test {
            let (lo, hi) = (key(cut.lo)?, key(cut.hi)?);
            // Two texts have no middle: the cut is the upper one.
            let cut = match column.texts() {
                Some(_) => hi,
                None => cut_between(&column.dtype, lo, hi),
            };
            return Some(Test::AtLeast(cut));
        }
        Some(test.map(|cut| i128::from(cut.hi), level))
    }

    pub(super) fn branches(&self, candidate: &Candidate) -> Vec<(u64, StatVec<N>)> {
        let width = self.buckets.width;
        let empty = (0, StatVec::from_elem(N::default(), width));
        let mut branches = vec![empty; candidate.arity()];
        let missing = self.keys.len() as u32;
        let mut put = |code: u32, rows: u32, stat: &[N]| {
            if rows > 0 {
                let branch = &mut branches[candidate.branch(code, missing) as usize];
                branch.0 += u64::from(rows);
                add(&mut branch.1, stat);
            }
        };
        for (code, stat) in self.buckets.iter().enumerate() {
            put(code as u32, self.buckets.rows[code], stat);
        }
        put(missing, self.buckets.missing_rows, &self.buckets.missing);
        branches
    }
}

/// Checks that counts are of `n_bins` bins, and of the missing values.
pub(super) fn check_bins(
    counts: &BinCounts,
    n_bins: usize,
    width: usize,
    has_spreads: bool,
) -> Result<()> {
    let is_whole = width > 0
        && counts.rows.len() == n_bins + 1
        && counts.stats.len() == width * (n_bins + 1)
        && (!has_spreads || counts.spreads.len() == n_bins + 1);
    match is_whole {
        true => Ok(()),
        false => Err(changed("a column has other bins than were asked for")),
    }
}

/// The error of a best cut beside values that were never looked at. It is a bug if it occurs.
pub(super) fn left_out(column: &PreparedColumn) -> Error {
    Error::data(format!(
        "the best cut of feature `{}` ({}) lies beside a bin that was left out: please report this, \
         and take more bins or more memory",
        column.name, column.dtype
    ))
}

/// The cut between two keys that are neighbours in a node, as a key.
fn cut_between(dtype: &DType, lo: i128, hi: i128) -> i128 {
    match dtype.is_wide() {
        true => DType::cut_wide(lo, hi),
        false => dtype.cut_key(lo as u64, hi as u64).into(),
    }
}
