//! One node, one column: from rows or stats to the column's best candidate.
//!
//! ```text
//! rows of a node ── ColumnView ──> Buckets (level, rows, stat) ──> scan ──> Candidate
//!                                      ^
//!                  a histogram of (level, stat), whoever counted it
//! ```
//!
//! A scan compares cheap proxies and rates the few splits near the best one by the pure score,
//! so what wins never depends on a proxy. Scans of [`Buckets`] know only a
//! [`Rating`](crate::stat::Rating); [`presorted`] columns are scanned without buckets for all
//! their levels. A [`drawn_split`] is one candidate, and needs no scan.

mod bin_bounds;
mod binary_splits;
mod buckets;
mod candidate;
mod contenders;
mod drawn_split;
mod fill;
pub(crate) mod nominal;
pub(crate) mod ordered;
pub(crate) mod partitions;
mod policy;
mod presorted;
pub(crate) mod small_node;
mod subset;
mod tiny_node;
mod view;

pub(crate) use bin_bounds::buckets_reaching;
pub(crate) use binary_splits::BinarySplits;
pub(crate) use buckets::Buckets;
pub(crate) use candidate::{Candidate, CodeCut, CodeTest, DrawnCut};
pub(crate) use drawn_split::DrawnSplit;
pub(crate) use fill::Scratch;
pub(crate) use policy::{Limits, SplitPolicy};
pub(crate) use tiny_node::{TinyScratch, TinyView};
pub(crate) use view::{ColumnView, PresortedView, RowLevels, SortedKeyLevels};

use crate::data::dtype::Kind;
use crate::spec::Grouping;
use crate::stat::{Rating, RowStats};

/// The best candidate of one column at one node, by gain; the first of equal gains. `None` where
/// the limits allow none, or where no gain reaches the policy's floor. `total` is the stat of the
/// view's rows. The scratch keeps the column's buckets: all of them, or those between the
/// contenders for its best cut.
pub(crate) fn best_candidate<S: RowStats>(
    policy: &SplitPolicy,
    rows: &S,
    total: &[S::Num],
    kind: Kind,
    view: ColumnView,
    scratch: &mut Scratch<S::Num>,
) -> Option<Candidate> {
    if let ColumnView::Presorted(view) = view {
        return best_of_presorted(policy, rows, total, kind, view, scratch);
    }
    scratch.fill(rows, view);
    best_of_buckets(policy, rows.rating(), kind, &scratch.buckets)
}

/// The [`best_candidate`] of entries in order of level.
pub(crate) fn best_of_presorted<S: RowStats, L: RowLevels>(
    policy: &SplitPolicy,
    rows: &S,
    total: &[S::Num],
    kind: Kind,
    view: PresortedView<L>,
    scratch: &mut Scratch<S::Num>,
) -> Option<Candidate> {
    if kind == Kind::Ordered {
        return presorted::best(policy, rows, total, view, scratch);
    }
    scratch.fill_presorted(rows, view);
    best_of_buckets(policy, rows.rating(), kind, &scratch.buckets)
}

/// The [`best_candidate`] of buckets, whoever counted them.
pub(crate) fn best_of_buckets<R: Rating>(
    policy: &SplitPolicy,
    rating: &R,
    kind: Kind,
    buckets: &Buckets<R::Num>,
) -> Option<Candidate> {
    if !buckets.varies() {
        return None;
    }
    let splits = BinarySplits::new(policy, rating, buckets);
    match (kind, policy.grouping) {
        (Kind::Ordered, _) => ordered::best(&splits),
        (Kind::Nominal, Grouping::Multiway) => nominal::multiway(&splits),
        (Kind::Nominal, Grouping::OneVsRest) => nominal::one_vs_rest(&splits),
        (Kind::Nominal, Grouping::Subset) => subset::best(&splits),
    }
}
