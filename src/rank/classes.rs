//! What a feature tells about the classes.

use crate::data::column::{Codes, Column, EntryLayout, Levels};
use crate::data::column_data::ColumnData;
use crate::data::dtype::Kind;
use crate::encode::dictionary::Dictionary;
use crate::encode::sort::msd_partition::MAX_TAG_BITS;
use crate::encode::sort::sorted_keys::SortedKeys;
use crate::encode::sort::tagged_keys::TaggedKeys;
use crate::encode::{RawColumn, is_small_range};
use crate::rank::mdl;
use crate::rank::{
    ClassMeasures, FeatureGain, Measures, best_rule, count_missing, feature_gain, gain_of,
    left_over, policy, rule_text,
};
use crate::spec::{Cuts, RankMissing};
use crate::split::binary_splits::BinarySplits;
use crate::split::{
    Candidate, CodeTest, KeysInOrder, RowLevels, Scratch, Search, SortedView, View, nominal,
    ordered,
};
use crate::stat::criterion::{quotient, symmetric_uncertainty};
use crate::stat::{ClassStat, Count, Stat};

/// How features are rated by classes.
#[derive(Clone, Copy)]
pub(super) struct Classes<'a, N: Count> {
    /// The same rows by entropy and by Gini.
    pub(super) stats: [&'a ClassStat<'a, N>; 2],
    pub(super) missing: RankMissing,
    pub(super) cuts: Cuts,
}

/// The counts that a nominal feature is counted into are at most so many times its rows.
const TABLE_SHARE: usize = 4;

/// A feature's figures and the rules they are of.
struct Rated {
    best: Option<Candidate>,
    best_gini: Option<Candidate>,
    /// But for the rule's text.
    measures: ClassMeasures,
}

impl<N: Count> Classes<'_, N> {
    /// Rates some rows of an encoded feature.
    pub(super) fn gain(
        &self,
        column: &Column,
        view: View,
        scratch: &mut Scratch<N>,
    ) -> FeatureGain {
        if let (View::Sorted(view), Kind::Ordered, Cuts::Best) = (view, column.kind, self.cuts) {
            let (n, n_known) = (view.entries.len(), view.n_known());
            let packing = EntryLayout::new(column.len(), self.stats[0].tag_bits());
            let tagged = |&row: &u32| packing.entry(row, self.stats[0].tag(row));
            let entries: Vec<u32> = view.entries.iter().map(tagged).collect();
            let view = SortedView { entries: &entries, packing, ..view };
            let rows = [n, n - n_known, view.n_levels()];
            return self.best_cuts(view, scratch).named(column, rows);
        }
        scratch.fill(self.stats[0], view);
        self.filled_gain(column, scratch)
    }

    /// Rates a feature of many levels that is not encoded, without encoding it: in a third of
    /// the time. Its keys are taken. `None` where its best cut is not all that is asked for, its
    /// keys are few or wide, or rows are more than their class.
    pub(super) fn in_order_gain(
        &self,
        feature: &mut RawColumn,
        in_order: &mut SortedKeys,
        scratch: &mut Scratch<N>,
    ) -> Option<FeatureGain> {
        let RawColumn { name, dtype, kind: Kind::Ordered, cells: ColumnData::Keys(keys, missing) } =
            feature
        else {
            return None;
        };
        let (missing, tags) = (missing.as_deref(), &self.stats[0].classes[..]);
        let tag_bits = self.stats[0].tag_bits();
        let packing = EntryLayout::new(keys.len(), tag_bits);
        if self.cuts != Cuts::Best || !packing.has_tags() || tag_bits > MAX_TAG_BITS {
            return None;
        }
        let extent = TaggedKeys { keys, missing, tags }.extent()?;
        if is_small_range(extent.max - extent.min, keys.len()) {
            return None;
        }
        in_order.fill(std::mem::take(keys), missing, tags, extent, tag_bits, packing);
        let SortedKeys { keys, entries, n_levels, .. } = in_order;
        let view = SortedView {
            entries,
            packing,
            levels: KeysInOrder(keys),
            missing: keys.len() as u32,
            distinct: *n_levels == keys.len(),
        };
        let mut rated = self.best_cuts(view, scratch);
        let column = Column {
            name: name.clone(),
            dtype: dtype.clone(),
            kind: Kind::Ordered,
            levels: Levels::Keys(rated.code_by_levels_of(keys)),
            codes: Codes::ByRow(Vec::new()),
        };
        let n = entries.len();
        // Not held while the next column is read.
        *entries = Vec::new();
        Some(rated.named(&column, [n, n - keys.len(), *n_levels]))
    }

    /// Rates a nominal feature of texts that is not encoded: its rows are counted by their
    /// numbers, and no code by row is kept or put in order. Its texts are taken. `None` where
    /// that table would be long beside the rows.
    pub(super) fn counted_gain(
        &self,
        feature: &mut RawColumn,
        scratch: &mut Scratch<N>,
    ) -> Option<FeatureGain> {
        let RawColumn { name, dtype, kind: Kind::Nominal, cells: ColumnData::Text(ids, texts) } =
            feature
        else {
            return None;
        };
        if texts.len() * self.stats[0].width() > TABLE_SHARE * ids.len() {
            return None;
        }
        let texts = Dictionary::new(ids, std::mem::take(texts), dtype);
        let coded = (0..).zip(ids.iter().map(|&id| texts.code(id)));
        scratch.fill_counting(self.stats[0], coded, texts.levels.len() as u32);
        let column = Column {
            name: name.clone(),
            dtype: dtype.clone(),
            kind: Kind::Nominal,
            levels: Levels::Text(texts.levels),
            codes: Codes::ByRow(Vec::new()),
        };
        Some(self.filled_gain(&column, scratch))
    }

    /// Rates a feature whose buckets are filled, one a level.
    fn filled_gain(&self, column: &Column, scratch: &mut Scratch<N>) -> FeatureGain {
        let buckets = &mut scratch.buckets;
        let n_missing = buckets.missing_rows;
        let rows = [buckets.known_rows() + n_missing, n_missing, buckets.len() as u32];
        count_missing(self.missing, column, buckets);
        self.of_buckets(column.kind, scratch).named(column, rows.map(|n| n as usize))
    }

    /// Rates the best cuts of entries that are tagged with their classes.
    fn best_cuts<L: RowLevels>(&self, view: SortedView<L>, scratch: &mut Scratch<N>) -> Rated {
        let search = Search::unlimited(policy(self.missing, Kind::Ordered));
        let mut total = vec![N::default(); self.stats[0].width()];
        self.stats[0].take(view.entries, view.packing, &mut total);
        scratch.fill_contenders(&search, &self.stats, &total, view);
        let ways = self.stats.map(|stat| BinarySplits::new(&search, stat, &scratch.buckets));
        let [best, best_gini] = ways.each_ref().map(|two_way| {
            let best = ordered::best_cut(two_way)?;
            Some(Candidate { test: scratch.exact(best.test, view), ..best })
        });
        let measures = measures(&ways, best.as_ref(), gain_of(&best_gini), gain_of(&best_gini));
        Rated { best, best_gini, measures }
    }

    /// Rates buckets, one a level.
    fn of_buckets(&self, kind: Kind, scratch: &Scratch<N>) -> Rated {
        let buckets = &scratch.buckets;
        let search = Search::unlimited(policy(self.missing, kind));
        let ways = self.stats.map(|stat| BinarySplits::new(&search, stat, buckets));
        let [mut best, best_gini] = ways.each_ref().map(|two_way| best_rule(kind, two_way));
        // A nominal feature is rated by the partition into all its levels.
        let (partition, gini_of_all) = match (kind, self.cuts) {
            (Kind::Ordered, Cuts::Best) => (best.clone(), gain_of(&best_gini)),
            (Kind::Ordered, Cuts::Mdl) => {
                let intervals = mdl::intervals(self.stats[0], buckets);
                // A best cut that does not pay for itself is none.
                best = best.filter(|_| intervals.is_some());
                let partition = intervals.and_then(|intervals| {
                    nominal::multiway(&BinarySplits::new(&search, self.stats[0], &intervals))
                });
                (partition, gain_of(&best_gini))
            }
            (Kind::Nominal, _) => {
                (nominal::multiway(&ways[0]), gain_of(&nominal::multiway(&ways[1])))
            }
        };
        let measures = measures(&ways, partition.as_ref(), gain_of(&best_gini), gini_of_all);
        Rated { best, best_gini, measures }
    }
}

/// The figures of a partition by entropy, and of the best rule and the partition by Gini.
fn measures<N: Count>(
    [by_entropy, by_gini]: &[BinarySplits<ClassStat<N>>; 2],
    partition: Option<&Candidate>,
    gini_gain: f64,
    gini_of_all: f64,
) -> ClassMeasures {
    let entropy = by_entropy.stat.impurity(&by_entropy.parent);
    let gini = by_gini.stat.impurity(&by_gini.parent);
    let info_gain = partition.map_or(0.0, |c| c.gain);
    let split_info = partition.map_or(0.0, |c| c.split_info);
    ClassMeasures {
        entropy,
        conditional_entropy: left_over(entropy, info_gain, by_entropy),
        info_gain,
        split_info,
        gain_ratio: quotient(info_gain, split_info),
        symmetric_uncertainty: symmetric_uncertainty(info_gain, entropy, split_info),
        gini,
        gini_split: left_over(gini, gini_gain, by_gini),
        gini_gain,
        gini_multiway: left_over(gini, gini_of_all, by_gini),
        gini_rule: String::new(),
    }
}

impl Rated {
    /// Names the rules; of how many rows, of them missing, and levels.
    fn named(self, column: &Column, [n, n_missing, n_levels]: [usize; 3]) -> FeatureGain {
        let Rated { best, best_gini, mut measures } = self;
        measures.gini_rule = best_gini.map_or(String::new(), |c| rule_text(column, &c.test));
        let rows = [n as u32, n_missing as u32, n_levels as u32];
        feature_gain(column, rows, best, Measures::Classes(measures))
    }

    /// Codes the tests afresh, which are in places of keys, by the levels they name; those.
    fn code_by_levels_of(&mut self, keys: &[u64]) -> Vec<u64> {
        let mut tests: Vec<&mut CodeTest> = [&mut self.best, &mut self.best_gini]
            .into_iter()
            .flatten()
            .map(|c| &mut c.test)
            .collect();
        let places = tests.iter().flat_map(|test| match test {
            CodeTest::AtLeast { lo, hi } => vec![*lo, *hi],
            _ => Vec::new(),
        });
        let mut levels: Vec<u64> = places.map(|place| keys[place as usize]).collect();
        levels.sort_unstable();
        levels.dedup();
        for test in &mut tests {
            let code = |place: u32| levels.partition_point(|&level| level < keys[place as usize]);
            **test = test.map(|place| code(place) as u32);
        }
        levels
    }
}
