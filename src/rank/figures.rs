//! What the rankings of classes and of numbers share.

use smallvec::smallvec;

use super::rule_text::ShownRule;
use super::signs::Signs;
use super::{FeatureGain, Measures};
use crate::data::column::ColumnInfo;
use crate::data::dtype::Kind;
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::spec::Criterion;
use crate::spec::{LogBase, Missing, RankMissing};
use crate::split::{
    BinarySplits, Buckets, Candidate, PresortedView, RowLevels, SplitPolicy, nominal, ordered,
};
use crate::stat::criterion::quotient;
use crate::stat::{CountRows, Num, Rating, StatVec, add, difference};
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::tree::TreeData;

/// How the engine's searches treat missing values in a ranking. Missing that is a level of a
/// nominal feature is among the feature's buckets.
pub(super) fn missing_policy(missing: RankMissing, kind: Kind) -> Missing {
    match (missing, kind) {
        (RankMissing::OwnLevel, Kind::Ordered) => Missing::Learn,
        (RankMissing::OwnLevel, Kind::Nominal) | (RankMissing::Known, _) => Missing::Majority,
    }
}

/// Makes missing a level, if the ranking takes it as one.
pub(super) fn count_missing<N: Num>(
    missing: RankMissing,
    column: &ColumnInfo,
    buckets: &mut Buckets<N>,
) {
    if missing == RankMissing::OwnLevel && column.kind == Kind::Nominal {
        buckets.make_missing_a_level(column.missing_code());
    }
}

/// What a ranking asks of a kind of target, whoever counted its rows.
pub(crate) trait RankCounts: CountRows {
    /// The ratings that cuts are chosen by: each has a best cut of its own.
    fn ratings(&self) -> Vec<Self::Rating>;

    /// How a feature's cuts are rated. `variance` is over the rows that are rated; 0 for classes.
    fn policy(&self, kind: Kind, missing: RankMissing, variance: f64) -> SplitPolicy {
        let zero_below = self.rating().zero_below(variance);
        SplitPolicy::unlimited(missing_policy(missing, kind), zero_below)
    }

    /// Rates a feature with `n_levels` levels by its best cut, or by all its levels. A bucket is
    /// one level, or several if no cut between them can be the best by any rating. `variance` is as
    /// in [`policy`](Self::policy).
    fn gain_of_buckets(
        &self,
        column: &ColumnInfo,
        buckets: &mut Buckets<Self::Num>,
        n_levels: u32,
        missing: RankMissing,
        variance: f64,
    ) -> FeatureGain;
}

pub(super) fn best_rule<R: Rating>(kind: Kind, splits: &BinarySplits<R>) -> Option<Candidate> {
    match kind {
        Kind::Ordered => ordered::best(splits),
        Kind::Nominal => nominal::best_level(splits),
    }
}

/// The impurity that a split leaves over the known rows; gains are scaled by the known share.
pub(super) fn left_over(impurity: f64, gain: f64, share: f64) -> f64 {
    (impurity - quotient(gain, share)).max(0.0)
}

/// [`missing_gain`] of buckets where missing is no level yet.
pub(super) fn missing_gain_of_buckets<R: Rating>(
    rating: &R,
    policy: &SplitPolicy,
    buckets: &Buckets<R::Num>,
) -> f64 {
    match buckets.missing_rows {
        0 => 0.0,
        _ => missing_gain(rating, policy, &buckets.known(), &buckets.missing),
    }
}

/// What it tells alone whether a value is missing: the gain, over all rows, of the known ones against
/// the others.
fn missing_gain<R: Rating>(
    rating: &R,
    policy: &SplitPolicy,
    known: &[R::Num],
    missing: &[R::Num],
) -> f64 {
    let none = R::Num::default();
    if rating.units(known) == none || rating.units(missing) == none {
        return 0.0;
    }
    let mut total = StatVec::from_slice(known);
    add(&mut total, missing);
    policy.denoised(rating.gain(&total, &[known, missing]))
}

/// [`missing_gain`] of entries, whose stat is `total`.
pub(super) fn missing_gain_of_view<S: CountRows, L: RowLevels>(
    rows: &S,
    policy: &SplitPolicy,
    total: &[S::Num],
    view: PresortedView<L>,
) -> f64 {
    let missing_entries = &view.entries[view.n_known()..];
    if missing_entries.is_empty() {
        return 0.0;
    }
    let mut missing: StatVec<S::Num> = smallvec![S::Num::default(); rows.rating().width()];
    rows.add_entries(missing_entries, view.layout, &mut missing);
    missing_gain(rows.rating(), policy, &difference(total, &missing), &missing)
}

pub(super) fn gain_of(candidate: &Option<Candidate>) -> f64 {
    candidate.as_ref().map_or(0.0, |c| c.gain)
}

pub(super) fn feature_gain(
    [n, n_missing, n_levels]: [u32; 3],
    best: Option<Candidate>,
    rule: ShownRule,
    missing_gain: f64,
    measures: Measures,
) -> FeatureGain {
    FeatureGain {
        n: n.into(),
        n_missing: n_missing.into(),
        n_levels: n_levels.into(),
        missing_gain,
        measures,
        rule_gain: best.map(|c| c.gain),
        rule: rule.text,
        cut: rule.cut,
        information_value: None,
        chance: None,
        given: None,
        signs: Signs::default(),
    }
}

/// What a partition of a node's rows by `n_levels` random levels gains on average, in the criterion's
/// units: the impurity times `(L - 1) / n` for Gini and variance.
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) fn chance_of_node(tree: &TreeData, node: u32, n_levels: u64) -> f64 {
    let (spec, of) = (&tree.spec, &tree.nodes[node as usize]);
    match spec.criterion {
        Criterion::Gini | Criterion::Variance => {
            of.impurity * n_levels.saturating_sub(1) as f64 / of.n as f64
        }
        Criterion::Entropy => {
            let present = tree.class_counts(node).iter().filter(|&&count| count > 0.0).count();
            chance_of_levels(n_levels, present, of.n, spec.log_base)
        }
    }
}

/// What `n_levels` random levels gain on average about `n_classes` classes, over the rows that have
/// a level: `(k - 1)(c - 1) / 2n` nats (Miller 1955).
pub(super) fn chance_of_levels(
    n_levels: u64,
    n_classes: usize,
    n_known: u64,
    base: LogBase,
) -> f64 {
    let degrees = n_levels.saturating_sub(1) as f64 * n_classes.saturating_sub(1) as f64;
    let nats = if degrees == 0.0 { 0.0 } else { degrees / (2.0 * n_known as f64) };
    nats / if base == LogBase::Two { std::f64::consts::LN_2 } else { 1.0 }
}
