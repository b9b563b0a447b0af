//! The bins of a column: intervals of keys, from a sample of its values.

use std::sync::Arc;

use super::row_store::{Bins, KeyRange};
use crate::data::dtype::{DType, Value};
use crate::data::dtype::{key_of_value, value_of_key};

/// The bins of a column: many for nodes of many rows, fewer for smaller nodes.
pub(super) struct ColumnBins {
    /// The finest first; each has about half as many bins as the one before.
    sets: Vec<BinSet>,
    /// The sample that the bins were made of, ascending, or all values.
    sample: Vec<i128>,
    /// Whether these are all values.
    is_all: bool,
}

/// The bins that a node's rows are counted in, and which of them hold one value alone.
pub(super) struct BinSet {
    pub(super) bins: Arc<Bins>,
    /// For each bin of keys the one key that it can hold, if it is one.
    single: Vec<Option<i128>>,
}

/// Bins within some bins of a column, to look closer at these.
pub(super) struct FineBins {
    pub(super) bins: Arc<Bins>,
    /// The keys of each fine bin; `None` of what lies outside.
    pub(super) ranges: Vec<Option<KeyRange>>,
}

/// No set has fewer bins than these: they would spare nothing.
const FEWEST_BINS: usize = 16;

/// A node of n rows gets about so many times the root of n bins: the share of rows in bins that are
/// alive goes by the root of n over the bins.
const BINS_PER_ROOT: f64 = 2.0;

impl ColumnBins {
    /// A bin for each level.
    pub(super) fn of_levels(n_levels: u32) -> ColumnBins {
        let bins = BinSet { bins: Arc::new(Bins::Levels(n_levels)), single: Vec::new() };
        ColumnBins { sets: vec![bins], sample: Vec::new(), is_all: true }
    }

    /// About `n_bins` bins of about as many rows each, from values of a column. A value that fills
    /// a bin has one of its own; so has each value if these are all and few.
    pub(super) fn of_values(
        dtype: &DType,
        values: &[Value],
        is_all: bool,
        n_bins: usize,
    ) -> ColumnBins {
        let mut keys: Vec<i128> = values.iter().filter_map(|v| key_of_value(dtype, v)).collect();
        keys.sort_unstable();
        if is_all {
            keys.dedup();
        }
        let set = |n_bins: usize| {
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
        ColumnBins { sets, sample: keys, is_all }
    }

    /// The bins for a node of so many rows.
    pub(super) fn for_rows(&self, rows: u64) -> &BinSet {
        let wanted = (BINS_PER_ROOT * (rows as f64).sqrt()) as usize;
        let enough = self.sets.partition_point(|set| set.len() >= wanted);
        &self.sets[enough.saturating_sub(1)]
    }

    /// The most values in a bin of so many rows.
    pub(super) fn most_values(&self, KeyRange { first, last }: KeyRange, rows: u64) -> u64 {
        if !self.is_all {
            return rows;
        }
        let from = self.sample.partition_point(|&key| key < first);
        let to = self.sample.partition_point(|&key| key <= last);
        rows.min((to - from) as u64)
    }

    /// About `n_bins` bins in each of some bins, which ascend, by the values of the sample;
    /// `None` if the sample has no two values in any of them.
    pub(super) fn within(
        &self,
        dtype: &DType,
        coarse: impl Iterator<Item = KeyRange>,
        n_bins: usize,
    ) -> Option<FineBins> {
        let (mut starts, mut ranges) = (Vec::new(), Vec::new());
        let mut is_finer = false;
        for KeyRange { first, last } in coarse {
            // What lies between the bin before and this one is not looked at.
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
        // What lies after the last one, if anything does.
        ranges.resize(starts.len() + 1, None);
        is_finer.then(|| FineBins { bins: Arc::new(Bins::Starts(starts)), ranges })
    }
}

impl BinSet {
    /// Bins, without that of missing values.
    pub(super) fn len(&self) -> usize {
        match &*self.bins {
            Bins::Levels(n) => *n as usize,
            Bins::Starts(starts) => starts.len() + 1,
        }
    }

    /// The only key of a bin, if it can hold but one.
    pub(super) fn single(&self, bin: usize) -> Option<i128> {
        self.single.get(bin).copied().flatten()
    }

    /// The keys of a bin.
    pub(super) fn range(&self, bin: usize) -> KeyRange {
        let Bins::Starts(starts) = &*self.bins else {
            return KeyRange { first: bin as i128, last: bin as i128 };
        };
        let first = bin.checked_sub(1).map_or(i128::MIN, |before| starts[before]);
        let last = starts.get(bin).map_or(i128::MAX, |next| next - 1);
        KeyRange { first, last }
    }
}

/// Where each of some keys has a bin.
fn single_keys(keys: &[i128]) -> Vec<Option<i128>> {
    match keys {
        [] => vec![None],
        keys => keys.iter().copied().map(Some).collect(),
    }
}

/// The starts of about `n_bins` bins of as many of some ascending keys each, and for each bin the one
/// key that it can hold, if it is one. A key that fills a bin has one of its own.
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

/// The lowest key above another that a value has.
fn key_after(dtype: &DType, key: i128) -> Option<i128> {
    let next = key.checked_add(1)?;
    // The key below that of 0.0 is of -0.0, which has the key of 0.0.
    key_of_value(dtype, &value_of_key(dtype, next)).filter(|&of_value| of_value > key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Bins part the keys, a bin said to hold one value holds no other, and none is far too
        /// full but for one value.
        #[test]
        fn bins_part_the_keys(
            values in prop::collection::vec(prop_oneof![Just(0.0), Just(-0.0), -1.0..1.0f64, Just(f64::INFINITY), Just(-f64::MIN_POSITIVE), Just(-5e-324)], 0..200),
            n_bins in 2usize..20,
        ) {
            let of: Vec<Value> = values.iter().map(|&x| Value::Float(x)).collect();
            let bins = ColumnBins::of_values(&DType::F64, &of, false, n_bins);
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
