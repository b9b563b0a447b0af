//! What a feature tells about the classes.

mod raw;

use smallvec::smallvec;

use super::figures::{
    RankCounts, best_rule, count_missing, feature_gain, gain_of, left_over,
    missing_gain_of_buckets, missing_gain_of_view, missing_policy,
};
use super::mdl;
use super::rule_text::ShownRule;
use super::signs::{FoundSide, PureScan, SignLimits};
use super::{ClassMeasures, FeatureGain, Measures};
use crate::data::column::{Column, ColumnInfo, EntryLayout};
use crate::data::dtype::Kind;
use crate::spec::{Criterion, Cuts, RankMissing};
use crate::split::{
    BinarySplits, Buckets, Candidate, ColumnView, PresortedView, RowLevels, Scratch, SplitPolicy,
    nominal, ordered, small_node,
};
use crate::stat::criterion::{quotient, symmetric_uncertainty};
use crate::stat::{ClassRating, ClassRows, Count, CountRows, Rating, RowPayloads, StatVec, add};

pub(super) struct ClassRanker<'a, N: Count> {
    rows: &'a ClassRows<'a, N>,
    /// By entropy and by Gini.
    ratings: [ClassRating<'a, N>; 2],
    missing: RankMissing,
    cuts: Cuts,
    /// What a rule that finds a rare class is pure by; `None` where none is looked for.
    limits: Option<SignLimits>,
}

struct Rated {
    best: Option<Candidate>,
    best_gini: Option<Candidate>,
    missing_gain: f64,
    pure: Option<FoundSide>,
    /// Without the text of the Gini rule.
    measures: ClassMeasures,
}

impl<'a, N: Count> ClassRanker<'a, N> {
    /// The rating of the rows is by entropy.
    pub(super) fn new(rows: &'a ClassRows<'a, N>, missing: RankMissing, cuts: Cuts) -> Self {
        ClassRanker { rows, ratings: entropy_and_gini(rows), missing, cuts, limits: None }
    }

    /// This ranker, which also looks for rules that find a rare class.
    pub(super) fn with_signs(self, limits: SignLimits) -> Self {
        ClassRanker { limits: Some(limits), ..self }
    }

    /// Rates some rows of an encoded feature.
    pub(super) fn gain(
        &self,
        column: &Column,
        view: ColumnView,
        scratch: &mut Scratch<N>,
    ) -> FeatureGain {
        if let (ColumnView::Presorted(view), Kind::Ordered, Cuts::Best) =
            (view, column.kind, self.cuts)
        {
            let (n, n_known) = (view.entries.len(), view.n_known());
            let layout = EntryLayout::new(column.len(), self.rows.payload_bits());
            let with_payload = |&row: &u32| layout.entry(row, self.rows.payload(row));
            let mut entries = std::mem::take(&mut scratch.entries);
            entries.clear();
            entries.extend(view.entries.iter().map(with_payload));
            let view = PresortedView { entries: &entries, layout, ..view };
            let rows = [n, n - n_known, view.n_levels()];
            let gain = self.best_cuts(view, rows[2], scratch).named(column, rows);
            scratch.entries = entries;
            return gain;
        }
        scratch.fill(self.rows, view);
        let n_levels = scratch.buckets.len() as u32;
        self.gain_of_buckets(column, &mut scratch.buckets, n_levels)
    }

    /// Rates a feature with `n_levels` levels by its buckets: one a level, or of several where no
    /// cut between them can be the best.
    pub(super) fn gain_of_buckets(
        &self,
        column: &ColumnInfo,
        buckets: &mut Buckets<N>,
        n_levels: u32,
    ) -> FeatureGain {
        let n_missing = buckets.missing_rows;
        let rows = [buckets.known_rows() + n_missing, n_missing, n_levels];
        let is_of_levels = n_levels as usize == buckets.len();
        let pure = if is_of_levels { self.pure_of_buckets(column.kind, buckets) } else { None };
        let rated = Rated { pure, ..self.rate_buckets(column, buckets) };
        rated.named(column, rows.map(|n| n as usize))
    }

    /// Rates the best cuts of entries of `n_levels` levels, whose payloads are their classes.
    fn best_cuts<L: RowLevels>(
        &self,
        view: PresortedView<L>,
        n_levels: usize,
        scratch: &mut Scratch<N>,
    ) -> Rated {
        let policy = SplitPolicy::unlimited(missing_policy(self.missing, Kind::Ordered), 0.0);
        let mut total: StatVec<N> = smallvec![N::default(); self.rows.rating().width()];
        self.rows.add_entries(view.entries, view.layout, &mut total);
        let missing_gain = missing_gain_of_view(self.rows, &policy, &total, view);
        let scan = self.pure_scan(view.entries.len(), &total);
        let pure = scan.and_then(|scan| scan.of_view(self.rows, view, n_levels));
        if small_node::applies(&policy, view) {
            let best =
                |rating, policy| small_node::best_cut(policy, self.rows, rating, &total, view);
            let by_gini = SplitPolicy { with_split_info: false, ..policy };
            let [entropy, gini] = &self.ratings;
            let (best, best_gini) = (best(entropy, &policy), best(gini, &by_gini));
            let (gain, gini_gain) = (best.as_ref(), gain_of(&best_gini));
            let measures = self.measures(&total, 1.0, gain, gini_gain, gini_gain);
            return Rated { best, best_gini, missing_gain, pure, measures };
        }
        scratch.fill_contenders(&policy, self.rows, &self.ratings.each_ref(), &total, view);
        let splits =
            self.ratings.each_ref().map(|r| BinarySplits::new(&policy, r, &scratch.buckets));
        let [best, best_gini] = splits.each_ref().map(|splits| {
            let best = ordered::best(splits)?;
            Some(Candidate { test: scratch.on_levels(best.test, view), ..best })
        });
        let BinarySplits { parent, share, .. } = &splits[0];
        let gini_gain = gain_of(&best_gini);
        let measures = self.measures(parent, *share, best.as_ref(), gini_gain, gini_gain);
        Rated { best, best_gini, missing_gain, pure, measures }
    }

    /// `n` rows of this stat, to look through for a rule that finds a rare class.
    fn pure_scan(&self, n: usize, total: &[N]) -> Option<PureScan<'_, ClassRating<'a, N>>> {
        PureScan::new(&self.ratings[0], self.limits?, n, total)
    }

    /// The rule that finds most of a rare class, if each bucket is a level.
    fn pure_of_buckets(&self, kind: Kind, buckets: &Buckets<N>) -> Option<FoundSide> {
        let mut total = buckets.known();
        add(&mut total, &buckets.missing);
        let n = buckets.known_rows() + buckets.missing_rows;
        self.pure_scan(n as usize, &total)?.of_buckets(kind, buckets)
    }

    fn rate_buckets(&self, column: &ColumnInfo, buckets: &mut Buckets<N>) -> Rated {
        let kind = column.kind;
        let policy = SplitPolicy::unlimited(missing_policy(self.missing, kind), 0.0);
        let missing_gain = missing_gain_of_buckets(&self.ratings[0], &policy, buckets);
        count_missing(self.missing, column, buckets);
        let splits = self.ratings.each_ref().map(|r| BinarySplits::new(&policy, r, buckets));
        let [mut best, best_gini] = splits.each_ref().map(|splits| best_rule(kind, splits));
        // A nominal feature is rated by the partition into all its levels.
        let (partition, gini_of_all) = match (kind, self.cuts) {
            (Kind::Ordered, Cuts::Best) => (best.clone(), gain_of(&best_gini)),
            (Kind::Ordered, Cuts::Mdl) => {
                let partition = self.intervals(&splits[0]);
                // A best cut that does not pay for itself is none.
                best = best.filter(|_| partition.is_some());
                (partition, gain_of(&best_gini))
            }
            (Kind::Nominal, _) => {
                (nominal::multiway(&splits[0]), gain_of(&nominal::multiway(&splits[1])))
            }
        };
        let BinarySplits { parent, share, .. } = &splits[0];
        let gini_gain = gain_of(&best_gini);
        let measures = self.measures(parent, *share, partition.as_ref(), gini_gain, gini_of_all);
        Rated { best, best_gini, missing_gain, pure: None, measures }
    }

    /// The information gain of an ordered feature's buckets.
    pub(super) fn ordered_gain(&self, splits: &BinarySplits<ClassRating<N>>) -> f64 {
        match self.cuts {
            Cuts::Best => gain_of(&ordered::best(splits)),
            Cuts::Mdl => gain_of(&self.intervals(splits)),
        }
    }

    /// The partition by the cuts that pay.
    fn intervals(&self, splits: &BinarySplits<ClassRating<N>>) -> Option<Candidate> {
        let intervals = mdl::intervals(splits.rating, splits.buckets)?;
        nominal::multiway(&BinarySplits::new(splits.policy, splits.rating, &intervals))
    }

    /// The figures of a partition by entropy, and of the best rule and the partition by Gini. They
    /// are rated over the parent, and gains are scaled to a share.
    fn measures(
        &self,
        parent: &[N],
        share: f64,
        partition: Option<&Candidate>,
        gini_gain: f64,
        gini_of_all: f64,
    ) -> ClassMeasures {
        let [entropy, gini] = self.ratings.each_ref().map(|rating| rating.impurity(parent));
        let info_gain = partition.map_or(0.0, |c| c.gain);
        let split_info = partition.and_then(|c| c.split_info).unwrap_or(0.0);
        ClassMeasures {
            entropy,
            conditional_entropy: left_over(entropy, info_gain, share),
            info_gain,
            split_info,
            gain_ratio: quotient(info_gain, split_info),
            symmetric_uncertainty: symmetric_uncertainty(info_gain, entropy, split_info),
            gini,
            gini_split: left_over(gini, gini_gain, share),
            gini_gain,
            gini_multiway: left_over(gini, gini_of_all, share),
            gini_rule: String::new(),
        }
    }
}

fn entropy_and_gini<'a, N: Count>(rows: &ClassRows<'a, N>) -> [ClassRating<'a, N>; 2] {
    let entropy = *rows.rating();
    [entropy, entropy.by(Criterion::Gini)]
}

impl<'a, N: Count> RankCounts for ClassRows<'a, N> {
    fn ratings(&self) -> Vec<ClassRating<'a, N>> {
        entropy_and_gini(self).to_vec()
    }

    fn gain_of_buckets(
        &self,
        column: &ColumnInfo,
        buckets: &mut Buckets<N>,
        n_levels: u32,
        missing: RankMissing,
        _: f64,
    ) -> FeatureGain {
        let ranker = ClassRanker::new(self, missing, Cuts::Best).with_signs(SignLimits::default());
        ranker.gain_of_buckets(column, buckets, n_levels)
    }
}

impl Rated {
    /// Adds the rules' texts, and the numbers of rows, missing rows and levels.
    fn named(self, column: &ColumnInfo, [n, n_missing, n_levels]: [usize; 3]) -> FeatureGain {
        let Rated { best, best_gini, missing_gain, pure, mut measures } = self;
        let [test, gini_test] = [&best, &best_gini].map(|c| c.as_ref().map(|c| &c.test));
        let rule = ShownRule::of_best(column, best.as_ref());
        // Often the same, and a number takes long to write.
        measures.gini_rule = match test == gini_test {
            true => rule.text.clone(),
            false => ShownRule::of_best(column, best_gini.as_ref()).text,
        };
        let rows = [n as u32, n_missing as u32, n_levels as u32];
        let mut gain = feature_gain(rows, best, rule, missing_gain, Measures::Classes(measures));
        gain.signs.pure = pure.map(|found| Box::new(found.named(column)));
        gain
    }
}
