//! The bins of a column: intervals of keys, from a sample of its values.

use std::sync::Arc;

use super::key_range::KeyRange;
use super::row_store::{Binning, Bins};
use super::steps::Steps;
use crate::data::dtype::{DType, Value, key_after, key_of_value};

/// The bins of a column: many for nodes of many rows, fewer for small nodes.
pub(super) struct ColumnBins {
    /// The finest first; each has about half as many bins as the one before.
    sets: Vec<BinSet>,
    /// The sample that the bins were made of, ascending, or all values.
    sample: Vec<i128>,
    /// Whether these are all values.
    is_all: bool,
    /// Whether bins are [`Steps`].
    in_steps: bool,
}

/// The bins that a node's rows are counted in. Some of them hold only one value.
pub(super) struct BinSet {
    pub(super) bins: Arc<Bins>,
    /// For each bin of keys the only key that it can hold, if there is only one.
    single: Vec<Option<i128>>,
}

/// Finer bins within some bins of a column.
pub(super) struct FineBins {
    pub(super) bins: Arc<Bins>,
    /// The bins that they are within.
    pub(super) coarse: Vec<KeyRange>,
    /// The keys of each fine bin; `None` for a bin that lies outside of the coarse bins.
    pub(super) ranges: Vec<Option<KeyRange>>,
}

/// No set has fewer bins: they would save nothing.
const FEWEST_BINS: usize = 16;

/// Bins of at most this many values are found as fast by comparisons as by steps.
const FEW_VALUES: usize = 16;

const ALL_KEYS: KeyRange = KeyRange { first: i128::MIN, last: i128::MAX };

/// A node of n rows gets about this number times the square root of n bins. The share of rows in alive
/// bins is about the square root of n over the number of bins.
const BINS_PER_ROOT: f64 = 2.0;

impl ColumnBins {
    pub(super) fn of_levels(n_levels: u32) -> ColumnBins {
        let bins = BinSet { bins: Arc::new(Bins::Levels(n_levels)), single: Vec::new() };
        ColumnBins { sets: vec![bins], sample: Vec::new(), is_all: true, in_steps: false }
    }

    /// About `n_bins` bins of about the same number of rows each, from values of a column. A value
    /// that fills a bin has a bin of its own. If the values are all values and few, each has one.
    pub(super) fn of_values(
        dtype: &DType,
        values: &[Value],
        is_all: bool,
        n_bins: usize,
        binning: Binning,
    ) -> ColumnBins {
        let mut keys: Vec<i128> = values.iter().filter_map(|v| key_of_value(dtype, v)).collect();
        keys.sort_unstable();
        if is_all {
            keys.dedup();
        }
        let in_steps = binning.in_steps && (!is_all || keys.len() > FEW_VALUES);
        let set = |n_bins: usize| {
            if in_steps {
                return BinSet::of_steps(
                    Steps::new(dtype, &keys, &[ALL_KEYS], n_bins),
                    &keys,
                    is_all,
                );
            }
            let (starts, single) = match is_all && n_bins >= keys.len() {
                true => (keys.iter().skip(1).copied().collect(), single_keys(&keys)),
                false => starts_of(dtype, &keys, n_bins),
            };
            BinSet { bins: Arc::new(Bins::Starts(starts)), single }
        };
        let finest = if is_all { n_bins.max(keys.len()) } else { n_bins };
        let mut sets = vec![set(finest)];
        let mut n_bins = sets[0].len() / 2;
        while n_bins >= FEWEST_BINS {
            sets.push(set(n_bins));
            n_bins /= 2;
        }
        ColumnBins { sets, sample: keys, is_all, in_steps }
    }

    pub(super) fn for_rows(&self, rows: u64) -> &BinSet {
        let wanted = (BINS_PER_ROOT * (rows as f64).sqrt()) as usize;
        let enough = self.sets.partition_point(|set| set.len() >= wanted);
        &self.sets[enough.saturating_sub(1)]
    }

    /// The most values that a bin of `rows` rows may have.
    pub(super) fn most_values(&self, KeyRange { first, last }: KeyRange, rows: u64) -> u64 {
        if !self.is_all {
            return rows;
        }
        let from = self.sample.partition_point(|&key| key < first);
        let to = self.sample.partition_point(|&key| key <= last);
        rows.min((to - from) as u64)
    }

    /// About `n_bins` bins in each of some bins, by the values of the sample; `None` if the sample
    /// does not have two values in any of them. The coarse bins ascend.
    pub(super) fn within(
        &self,
        dtype: &DType,
        coarse: impl Iterator<Item = KeyRange>,
        n_bins: usize,
    ) -> Option<FineBins> {
        let coarse: Vec<KeyRange> = coarse.collect();
        if self.in_steps {
            return self.steps_within(dtype, coarse, n_bins);
        }
        let (mut starts, mut ranges) = (Vec::new(), Vec::new());
        let mut is_finer = false;
        for &KeyRange { first, last } in &coarse {
            // The keys between the bin before and this one are not looked at.
            if first > starts.last().copied().unwrap_or(i128::MIN) {
                starts.push(first);
                ranges.push(None);
            }
            let from = self.sample.partition_point(|&key| key < first);
            let to = self.sample.partition_point(|&key| key <= last);
            let (inner, _) = starts_of(dtype, &self.sample[from..to], n_bins);
            let mut at = first;
            for start in inner.into_iter().filter(|&start| start > first && start <= last) {
                starts.push(start);
                ranges.push(Some(KeyRange { first: at, last: start - 1 }));
                (at, is_finer) = (start, true);
            }
            ranges.push(Some(KeyRange { first: at, last }));
            if let Some(next) = last.checked_add(1) {
                starts.push(next);
            }
        }
        // The keys after the last bin, if there are any.
        ranges.resize(starts.len() + 1, None);
        is_finer.then(|| FineBins { bins: Arc::new(Bins::Starts(starts)), coarse, ranges })
    }

    fn steps_within(
        &self,
        dtype: &DType,
        coarse: Vec<KeyRange>,
        n_bins: usize,
    ) -> Option<FineBins> {
        let steps = Steps::new(dtype, &self.sample, &coarse, n_bins);
        let bins = BinSet::of_steps(steps, &[], false);
        let ranges = (0..bins.len()).map(|bin| bins.range(bin));
        let ranges: Vec<Option<KeyRange>> =
            ranges.map(|range| KeyRange::any_has(&coarse, range.first).then_some(range)).collect();
        let is_finer = ranges.iter().flatten().count() > coarse.len();
        is_finer.then_some(FineBins { bins: bins.bins, coarse, ranges })
    }
}

impl BinSet {
    /// Steps. `keys` are the ascending keys of some rows, or all distinct keys.
    fn of_steps(steps: Steps, keys: &[i128], is_all: bool) -> BinSet {
        let mut set = BinSet { bins: Arc::new(Bins::Steps(steps)), single: Vec::new() };
        if is_all {
            let only = |KeyRange { first, last }| {
                let from = keys.partition_point(|&key| key < first);
                let next = keys.get(from + 1).is_none_or(|&next| next > last);
                keys.get(from).copied().filter(|&key| key <= last && next)
            };
            set.single = (0..set.len()).map(|bin| only(set.range(bin))).collect();
        }
        set
    }

    /// The number of bins, without the bin of missing values.
    pub(super) fn len(&self) -> usize {
        self.bins.len()
    }

    /// The only key that a bin can hold, if there is only one.
    pub(super) fn single(&self, bin: usize) -> Option<i128> {
        self.single.get(bin).copied().flatten()
    }

    pub(super) fn range(&self, bin: usize) -> KeyRange {
        let Some(starts) = self.bins.starts() else {
            return KeyRange { first: bin as i128, last: bin as i128 };
        };
        let first = bin.checked_sub(1).map_or(i128::MIN, |before| starts[before]);
        let last = starts.get(bin).map_or(i128::MAX, |next| next - 1);
        KeyRange { first, last }
    }
}

fn single_keys(keys: &[i128]) -> Vec<Option<i128>> {
    match keys {
        [] => vec![None],
        keys => keys.iter().copied().map(Some).collect(),
    }
}

/// The starts of about `n_bins` bins that hold about the same number of keys each, and for each bin
/// the only key that it can hold, if there is only one. A key that fills a bin has a bin of its own.
/// The keys ascend.
fn starts_of(dtype: &DType, keys: &[i128], n_bins: usize) -> (Vec<i128>, Vec<Option<i128>>) {
    let full = keys.len().div_ceil(n_bins).max(1);
    let (mut starts, mut single) = (Vec::new(), Vec::new());
    let (mut in_bin, mut last) = (0, None);
    for of_key in keys.chunk_by(|a, b| a == b) {
        let key = of_key[0];
        in_bin += of_key.len();
        let is_heavy = of_key.len() >= full;
        if !is_heavy && in_bin < full {
            continue;
        }
        in_bin = 0;
        // A start closes the bin before it.
        if is_heavy && starts.last() != Some(&key) {
            starts.push(key);
            single.push(None);
        }
        match key_after(dtype, key) {
            Some(next) => {
                starts.push(next);
                single.push(is_heavy.then_some(key));
            }
            None => last = is_heavy.then_some(key),
        }
    }
    single.push(last);
    (starts, single)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Each key is in one bin. A bin of a single value holds no other value, and a bin of
        /// several values is not far too full.
        #[test]
        fn bins_part_the_keys(
            values in prop::collection::vec(prop_oneof![Just(0.0), Just(-0.0), -1.0..1.0f64, Just(f64::INFINITY), Just(-f64::MIN_POSITIVE), Just(-5e-324)], 0..200),
            n_bins in 2usize..20,
        ) {
            let of: Vec<Value> = values.iter().map(|&x| Value::Float(x)).collect();
            let bins = ColumnBins::of_values(&DType::F64, &of, false, n_bins, Binning::default());
            let bins = &bins.sets[0];
            prop_assert_eq!(bins.len(), bins.single.len());
            let mut keys: Vec<i128> =
                of.iter().filter_map(|v| key_of_value(&DType::F64, v)).collect();
            keys.sort_unstable();
            let Bins::Starts(starts) = &*bins.bins else { unreachable!() };
            prop_assert!(starts.windows(2).all(|pair| pair[0] < pair[1]));
            for bin in 0..bins.len() {
                let KeyRange { first, last } = bins.range(bin);
                let inside: Vec<i128> =
                    keys.iter().copied().filter(|key| (first..=last).contains(key)).collect();
                if let Some(single) = bins.single(bin) {
                    prop_assert!(inside.iter().all(|&key| key == single));
                }
                let distinct = inside.windows(2).any(|pair| pair[0] != pair[1]);
                prop_assert!(!distinct || inside.len() <= 2 * keys.len().div_ceil(n_bins));
            }
        }
    }
}
