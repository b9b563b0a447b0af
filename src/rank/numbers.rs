//! What a feature tells about a numeric target.

use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::rank::{
    FeatureGain, Measures, NumberMeasures, best_rule, count_missing, feature_gain, gain_of,
    left_over, policy,
};
use crate::spec::RankMissing;
use crate::split::binary_splits::BinarySplits;
use crate::split::{Buckets, Search, View, nominal};
use crate::stat::NumberStat;

pub(super) fn number_gain(
    column: &Column,
    view: View,
    buckets: &mut Buckets<i128>,
    stat: &NumberStat,
    missing: RankMissing,
) -> FeatureGain {
    let (n_missing, n_levels) = (buckets.missing_rows, buckets.len());
    count_missing(missing, column, buckets);
    let search = Search::unlimited(policy(missing, column.kind));
    let two_way = BinarySplits::new(&search, stat, buckets);
    let best = best_rule(column.kind, &two_way);
    let reduction = match column.kind {
        Kind::Ordered => gain_of(&best),
        Kind::Nominal => gain_of(&nominal::multiway(&two_way)),
    };
    let rated = if missing == RankMissing::Known { view.known_rows() } else { view.rows() };
    let variance = stat.variance_of(&rated);
    let measures = NumberMeasures {
        variance,
        variance_left_over: left_over(variance, reduction, &two_way),
        variance_reduction: reduction,
    };
    let n = buckets.known_rows() + buckets.missing_rows;
    feature_gain(column, [n, n_missing, n_levels as u32], best, Measures::Numbers(measures))
}
