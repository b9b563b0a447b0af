//! What a feature tells about a numeric target.

use super::figures::{best_rule, count_missing, feature_gain, gain_of, left_over, missing_policy};
use super::{FeatureGain, Measures, NumberMeasures};
use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::spec::RankMissing;
use crate::split::{BinarySplits, Buckets, ColumnView, Search, nominal};
use crate::stat::{NumberRows, Rating, RowStats, add};

pub(super) fn number_gain(
    column: &Column,
    view: ColumnView,
    buckets: &mut Buckets<i128>,
    rows: &NumberRows,
    missing: RankMissing,
) -> FeatureGain {
    let mut stat = buckets.known();
    let rated = match missing {
        RankMissing::Known => view.known_rows(),
        RankMissing::OwnLevel => {
            add(&mut stat, &buckets.missing);
            view.rows()
        }
    };
    let variance = rows.variance(&rated, &stat);
    let (n_missing, n_levels) = (buckets.missing_rows, buckets.len());
    count_missing(missing, column, buckets);
    let policy = missing_policy(missing, column.kind);
    let search = Search::unlimited(policy, rows.rating().zero_below(variance));
    let splits = BinarySplits::new(&search, rows.rating(), buckets);
    let best = best_rule(column.kind, &splits);
    let reduction = match column.kind {
        Kind::Ordered => gain_of(&best),
        Kind::Nominal => gain_of(&nominal::multiway(&splits)),
    };
    let measures = NumberMeasures {
        variance,
        variance_left_over: left_over(variance, reduction, &splits),
        variance_reduction: reduction,
    };
    let n = buckets.known_rows() + buckets.missing_rows;
    feature_gain(column, [n, n_missing, n_levels as u32], best, Measures::Numbers(measures))
}
