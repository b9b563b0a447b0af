//! Raw features, rated without being encoded: few keys are counted, many are sorted with the rows'
//! payloads, and texts are counted by their ids.

use super::{ClassRanker, FeatureGain, Rated};
use crate::data::column::{ColumnInfo, EntryLayout, Levels};
use crate::data::column_data::ColumnData;
use crate::data::dtype::{DType, Kind};
use crate::encode::dictionary::Dictionary;
use crate::encode::sort::hashed_keys::hash_codes;
use crate::encode::sort::msd_partition::MAX_PAYLOAD_BITS;
use crate::encode::sort::payload_keys::{Extent, PayloadKeys, RowNumbers};
use crate::encode::sort::sorted_keys::SortedKeys;
use crate::encode::{RawColumn, is_small_range};
use crate::rank::signs::Numbering;
use crate::spec::Cuts;
use crate::split::{CodeCut, CodeTest, PresortedView, Scratch, SortedKeyLevels};
use crate::stat::{Count, CountRows, Rating, RowPayloads};

/// A nominal feature is counted into a histogram of at most this many counts per row.
const MAX_COUNTS_PER_ROW: usize = 4;

/// An ordered feature is counted if there are at least this many rows per count: its cuts are rated
/// one by one, and each takes longer than a row.
const MIN_ROWS_PER_COUNT: usize = 4;

impl<N: Count> ClassRanker<'_, N> {
    /// Rates a feature without encoding it; its data may be taken. `None` if it has to be encoded.
    pub(in crate::rank) fn raw_gain(
        &self,
        raw: &mut RawColumn,
        sorted_keys: &mut SortedKeys,
        scratch: &mut Scratch<N>,
    ) -> Option<FeatureGain> {
        let levels = if let Some((column, extent)) = ordered_keys(raw) {
            match self.count_keys(column, extent, scratch) {
                Some(levels) => Levels::Keys(levels),
                None => return self.sort_keys(raw, extent, sorted_keys, scratch, |_, _| ()),
            }
        } else {
            Levels::Text(self.count_texts(raw, scratch)?)
        };
        let (n_levels, n_known) = (scratch.buckets.len(), scratch.buckets.known_rows() as usize);
        let numbering = match &levels {
            Levels::Keys(keys) => self.numbering(&raw.dtype, [n_levels, n_known], keys),
            Levels::Wide(_) | Levels::Text(_) => Numbering::None,
        };
        let column = column_info(raw, levels);
        let mut gain = self.gain_of_buckets(&column, &mut scratch.buckets, n_levels as u32);
        gain.signs.numbering = numbering;
        Some(gain)
    }

    /// Whether values of these keys, which ascend, number the rows.
    fn numbering(&self, dtype: &DType, counts: [usize; 2], keys: &[u64]) -> Numbering {
        let Some(limits) = self.limits else { return Numbering::None };
        let value = |at: usize| dtype.value_of_key(keys[at]);
        Numbering::of(dtype, counts.map(|n| n as u64), limits.id_share, keys.len(), value)
    }

    /// Rates a feature of many levels by its sorted keys, which are taken. `None` if more than the
    /// best cut is asked for, if the keys are few or wide, or if an entry has no room for the class.
    /// `look` sees the sorted keys.
    pub(in crate::rank) fn sorted_gain(
        &self,
        raw: &mut RawColumn,
        sorted_keys: &mut SortedKeys,
        scratch: &mut Scratch<N>,
        look: impl FnOnce(&SortedKeys, EntryLayout),
    ) -> Option<FeatureGain> {
        let (_, extent) = ordered_keys(raw)?;
        self.sort_keys(raw, extent, sorted_keys, scratch, look)
    }

    /// [`sorted_gain`](Self::sorted_gain) of keys of this extent.
    fn sort_keys(
        &self,
        raw: &mut RawColumn,
        extent: Extent,
        sorted_keys: &mut SortedKeys,
        scratch: &mut Scratch<N>,
        look: impl FnOnce(&SortedKeys, EntryLayout),
    ) -> Option<FeatureGain> {
        let ColumnData::Keys(keys, missing) = &mut raw.cells else { return None };
        let (missing, payloads) = (missing.as_deref(), self.rows.payloads());
        let payload_bits = self.rows.payload_bits();
        let layout = EntryLayout::new(keys.len(), payload_bits);
        if self.cuts != Cuts::Best || !layout.has_payloads() || payload_bits > MAX_PAYLOAD_BITS {
            return None;
        }
        if is_small_range(extent.max - extent.min, keys.len()) {
            return None;
        }
        sorted_keys.fill(std::mem::take(keys), missing, payloads, extent, payload_bits, layout);
        look(sorted_keys, layout);
        let SortedKeys { keys, entries, n_levels, .. } = sorted_keys;
        let view = PresortedView {
            entries,
            layout,
            levels: SortedKeyLevels(keys),
            missing: keys.len() as u32,
            is_distinct: *n_levels == keys.len(),
        };
        let mut rated = self.best_cuts(view, *n_levels, scratch);
        let numbering = self.numbering(&raw.dtype, [*n_levels, keys.len()], keys);
        let column = column_info(raw, Levels::Keys(rated.recode(keys)));
        let n = entries.len();
        // Freed before the next column is read.
        *entries = Vec::new();
        let mut gain = rated.named(&column, [n, n - keys.len(), *n_levels]);
        gain.signs.numbering = numbering;
        Some(gain)
    }

    /// Counts the rows of each key, and gives the keys in order; linear in the rows. `None` if the
    /// histogram would be long beside the rows.
    fn count_keys(
        &self,
        column: PayloadKeys<RowNumbers>,
        extent: Extent,
        scratch: &mut Scratch<N>,
    ) -> Option<Vec<u64>> {
        let n = column.keys.len();
        let max_levels = n / MIN_ROWS_PER_COUNT / self.rows.rating().width();
        let span = extent.max - extent.min;
        if span >= max_levels as u64 {
            let (levels, codes) = hash_codes(column, extent, max_levels)?;
            scratch.fill_counting(self.rows, (0..).zip(codes), levels.len() as u32);
            return Some(levels);
        }
        let of_missing = span as u32 + 1;
        let distance = |(row, key): (usize, &u64)| match column.is_missing(row) {
            true => of_missing,
            false => (key - extent.min) as u32,
        };
        let distances = (0..).zip(column.keys.iter().enumerate().map(distance));
        scratch.fill_counting(self.rows, distances, of_missing);
        // The buckets have distances for codes, of the keys that occur.
        let codes = &mut scratch.buckets.codes;
        let levels = codes.iter().map(|&distance| extent.min + u64::from(distance)).collect();
        (0..).zip(codes).for_each(|(code, distance)| *distance = code);
        Some(levels)
    }

    /// Counts the rows of each text of a nominal feature by their ids, and gives the texts in order; they
    /// are taken. `None` if it has none, or the histogram would be long beside the rows.
    fn count_texts(&self, raw: &mut RawColumn, scratch: &mut Scratch<N>) -> Option<Vec<String>> {
        let RawColumn { dtype, kind: Kind::Nominal, cells: ColumnData::Text(ids, texts), .. } = raw
        else {
            return None;
        };
        if texts.len() * self.rows.rating().width() > MAX_COUNTS_PER_ROW * ids.len() {
            return None;
        }
        let texts = Dictionary::new(ids, std::mem::take(texts), dtype);
        let coded = (0..).zip(ids.iter().map(|&id| texts.code(id)));
        scratch.fill_counting(self.rows, coded, texts.levels.len() as u32);
        Some(texts.levels)
    }
}

/// The keys of an ordered feature, and their extent; `None` if it has none.
fn ordered_keys(raw: &RawColumn) -> Option<(PayloadKeys<'_, RowNumbers>, Extent)> {
    let (Kind::Ordered, ColumnData::Keys(keys, missing)) = (raw.kind, &raw.cells) else {
        return None;
    };
    let column = PayloadKeys { keys, missing: missing.as_deref(), payloads: RowNumbers };
    Some((column, column.extent()?))
}

fn column_info(raw: &RawColumn, levels: Levels) -> ColumnInfo {
    let RawColumn { name, dtype, kind, .. } = raw;
    ColumnInfo { name: name.clone(), dtype: dtype.clone(), kind: *kind, levels }
}

impl Rated {
    /// Replaces codes, which are indices of keys, by ranks among the keys that the tests name.
    /// Returns the named keys.
    fn recode(&mut self, keys: &[u64]) -> Vec<u64> {
        let candidates = [&mut self.best, &mut self.best_gini].into_iter().flatten();
        let of_pure = self.pure.iter_mut().map(|found| &mut found.test);
        let mut tests: Vec<&mut CodeTest> =
            candidates.map(|candidate| &mut candidate.test).chain(of_pure).collect();
        let positions = tests.iter().flat_map(|test| match test {
            CodeTest::AtLeast(CodeCut { lo, hi, .. }) => vec![*lo, *hi],
            CodeTest::Equals(code) => vec![*code],
            CodeTest::In { .. } | CodeTest::Each(_) | CodeTest::IsMissing => Vec::new(),
        });
        let mut levels: Vec<u64> = positions.map(|position| keys[position as usize]).collect();
        levels.sort_unstable();
        levels.dedup();
        for test in &mut tests {
            let code = |position: u32| {
                levels.partition_point(|&level| level < keys[position as usize]) as u32
            };
            **test = test.map(|cut| cut.map(code), code);
        }
        levels
    }
}
