//! What a feature tells about a numeric target.

use super::figures::{
    RankCounts, best_rule, count_missing, feature_gain, gain_of, left_over,
    missing_gain_of_buckets, missing_gain_of_view,
};
use super::rule_text::ShownRule;
use super::{FeatureGain, Measures, NumberMeasures};
use crate::data::column::{Column, ColumnInfo, EntryLayout};
use crate::data::dtype::Kind;
use crate::spec::RankMissing;
use crate::split::{
    BinarySplits, Buckets, Candidate, ColumnView, PresortedView, Scratch, SplitPolicy, nominal,
    ordered,
};
use crate::stat::{CountRows, NumberRating, NumberRows, Rating, StatVec};

/// The stat and the variance of the rows that a feature is rated over.
#[derive(Clone)]
pub(super) struct RatedRows {
    stat: StatVec<i128>,
    variance: f64,
}

impl RatedRows {
    pub(super) fn of(rows: &NumberRows, rated: &[u32]) -> RatedRows {
        let stat = rows.total(rated, EntryLayout::ROWS);
        let variance = rows.variance(rated, &stat);
        RatedRows { stat, variance }
    }
}

/// Rates some rows of a feature. `all` stands for them where no row is left out.
pub(super) fn number_gain(
    column: &Column,
    view: ColumnView,
    rows: &NumberRows,
    all: &RatedRows,
    missing: RankMissing,
    scratch: &mut Scratch<i128>,
) -> FeatureGain {
    let rated = match missing {
        RankMissing::Known => view.known_rows(),
        RankMissing::OwnLevel => view.rows(),
    };
    let RatedRows { stat, variance } = match rated.len() == rows.n_rows() {
        true => all.clone(),
        false => RatedRows::of(rows, &rated),
    };
    let policy = rows.policy(column.kind, missing, variance);
    if let (ColumnView::Presorted(view), Kind::Ordered) = (view, column.kind) {
        let mut total = stat;
        if missing == RankMissing::Known {
            rows.add_entries(&view.entries[view.n_known()..], view.layout, &mut total);
        }
        return best_cut(column, view, rows, &total, &policy, variance, scratch);
    }
    scratch.fill(rows, view);
    let buckets = &mut scratch.buckets;
    let n_levels = buckets.len() as u32;
    rows.gain_of_buckets(column, buckets, n_levels, missing, variance)
}

impl RankCounts for NumberRows<'_> {
    fn ratings(&self) -> Vec<NumberRating> {
        vec![*self.rating()]
    }

    fn gain_of_buckets(
        &self,
        column: &ColumnInfo,
        buckets: &mut Buckets<i128>,
        n_levels: u32,
        missing: RankMissing,
        variance: f64,
    ) -> FeatureGain {
        let policy = self.policy(column.kind, missing, variance);
        let n_missing = buckets.missing_rows;
        let n = buckets.known_rows() + n_missing;
        let of_missing = missing_gain_of_buckets(self.rating(), &policy, buckets);
        count_missing(missing, column, buckets);
        let splits = BinarySplits::new(&policy, self.rating(), buckets);
        let best = best_rule(column.kind, &splits);
        let reduction = match column.kind {
            Kind::Ordered => gain_of(&best),
            Kind::Nominal => gain_of(&nominal::multiway(&splits)),
        };
        let measures = measures(variance, reduction, &splits);
        let rule = ShownRule::of_best(column, best.as_ref());
        feature_gain([n, n_missing, n_levels], best, rule, of_missing, measures)
    }
}

/// The ranking of the best cut of presorted entries, whose stat is `total`, without a bucket for each
/// level.
fn best_cut(
    column: &Column,
    view: PresortedView,
    rows: &NumberRows,
    total: &[i128],
    policy: &SplitPolicy,
    variance: f64,
    scratch: &mut Scratch<i128>,
) -> FeatureGain {
    scratch.fill_contenders(policy, rows, &[rows.rating()], total, view);
    let splits = BinarySplits::new(policy, rows.rating(), &scratch.buckets);
    let best = ordered::best(&splits)
        .map(|best| Candidate { test: scratch.on_levels(best.test, view), ..best });
    let measures = measures(variance, gain_of(&best), &splits);
    let n = view.entries.len();
    let counts = [n, n - view.n_known(), view.n_levels()];
    let rule = ShownRule::of_best(column, best.as_ref());
    let of_missing = missing_gain_of_view(rows, policy, total, view);
    feature_gain(counts.map(|n| n as u32), best, rule, of_missing, measures)
}

fn measures(
    variance: f64,
    variance_reduction: f64,
    splits: &BinarySplits<impl Rating>,
) -> Measures {
    Measures::Numbers(NumberMeasures {
        variance,
        variance_left_over: left_over(variance, variance_reduction, splits.share),
        variance_reduction,
    })
}
