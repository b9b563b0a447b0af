//! The ranking of features whose rows somebody else counted.

use super::FeatureGain;
use super::figures::missing_policy;
use crate::data::column::ColumnInfo;
use crate::data::dtype::Kind;
use crate::spec::RankMissing;
use crate::split::{Buckets, SplitPolicy};
use crate::stat::{CountRows, Rating};

/// What a ranking asks of a kind of target.
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
