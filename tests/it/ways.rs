//! How candidates are rated and chosen.

use gaintree::{Criterion, Grouping, LogBase, Missing, Selection, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

pub const CRITERIA: [Criterion; 2] = [Criterion::Entropy, Criterion::Gini];
pub const GROUPINGS: [Grouping; 3] = [Grouping::Multiway, Grouping::OneVsRest, Grouping::Subset];
pub const SELECTIONS: [Selection; 3] =
    [Selection::BestScore, Selection::BestRatio, Selection::RatioAboveMeanGain];

/// How candidates are rated and chosen; nothing is forbidden.
pub fn ways() -> impl Strategy<Value = TreeSpec> {
    (
        select(&CRITERIA[..]),
        select(&SELECTIONS[..]),
        select(&GROUPINGS[..]),
        prop::option::weighted(0.3, 0..=6u32),
        select(vec![Missing::Learn, Missing::Learn, Missing::Majority, Missing::Fractional]),
        select(&[LogBase::Two, LogBase::E][..]),
        any::<bool>(),
    )
        .prop_map(
            |(criterion, selection, grouping, subset_levels, missing, base, zero_gain_splits)| {
                let mut spec = TreeSpec::cart()
                    .criterion(criterion)
                    .selection(selection)
                    .grouping(grouping)
                    .missing(missing)
                    .log_base(base)
                    .zero_gain_splits(zero_gain_splits);
                spec.max_subset_levels = subset_levels;
                spec
            },
        )
}
