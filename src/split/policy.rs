//! How the columns of a node are searched.

use crate::spec::{Grouping, Missing};
use crate::stat::Rating;

/// What is the same for every column of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitPolicy {
    pub(crate) limits: Limits,
    pub(crate) missing: Missing,
    pub(crate) grouping: Grouping,
    /// The best gain of the node's columns so far: candidates of lower gain may be skipped.
    pub(crate) gain_floor: f64,
    /// Gains below this are rounding and count as zero: [`Rating::zero_below`] at the node.
    pub(crate) zero_below: f64,
    /// Whether candidates come with their split info, which gain ratios need.
    pub(crate) with_split_info: bool,
}

impl SplitPolicy {
    /// A search without limits, as a ranking makes it.
    pub(crate) fn unlimited(missing: Missing, zero_below: f64) -> SplitPolicy {
        let limits = Limits { min_rows: 1, min_weight: 0.0, row_weight: None };
        let grouping = Grouping::OneVsRest;
        SplitPolicy {
            limits,
            missing,
            grouping,
            gain_floor: 0.0,
            zero_below,
            with_split_info: true,
        }
    }

    /// A gain, or 0 if it is only rounding.
    pub(crate) fn denoised(&self, gain: f64) -> f64 {
        if gain < self.zero_below { 0.0 } else { gain }
    }

    /// A candidate's split info, if it comes with it.
    pub(super) fn split_info(&self, split_info: impl FnOnce() -> f64) -> Option<f64> {
        self.with_split_info.then(split_info)
    }

    /// The lowest proxy of a split that may win, where `best` is the highest proxy. Splits whose
    /// gain counts as zero are equal, whatever their proxies: the first of them wins.
    pub(super) fn contender_floor<R: Rating>(
        &self,
        rating: &R,
        best: f64,
        parent: &[R::Num],
    ) -> f64 {
        // Below this a proxy may be off by as much as the gain.
        const ROUNDING: f64 = 4.0;
        let is_zero =
            self.zero_below > 0.0 && best <= rating.proxy_of(ROUNDING * self.zero_below, parent);
        if is_zero { f64::MIN } else { rating.proxy_floor(best, parent) }
    }
}

/// What a branch must hold for a candidate to be allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) min_rows: u64,
    pub(crate) min_weight: f64,
    /// The weight that counts as one row, where rows may be shared out among branches.
    pub(crate) row_weight: Option<f64>,
}

/// Shares of rows that add up to a limit may fall short of it by their rounding.
const SHARE_SLACK: f64 = 1e-9;

impl Limits {
    /// Whether these limits can forbid a split that has a row in each branch.
    pub(super) fn bind(&self) -> bool {
        self.min_rows > 1 || self.min_weight > 0.0
    }

    /// The rows that each branch needs, where nothing else is asked of it.
    pub(super) fn rows_alone(&self) -> Option<usize> {
        let is_alone = self.min_weight <= 0.0 && (self.row_weight.is_none() || self.min_rows <= 1);
        usize::try_from(self.min_rows.max(1)).ok().filter(|_| is_alone)
    }

    pub(super) fn allow<R: Rating>(&self, rating: &R, rows: u32, units: R::Num) -> bool {
        self.reach(self.min_rows.max(1), u64::from(rows), || rating.weight(units))
            && (self.min_weight <= 0.0 || rating.weight(units) >= self.with_slack(self.min_weight))
    }

    /// A limit of weight, which shares of rows may miss by their rounding.
    fn with_slack(&self, limit: f64) -> f64 {
        if self.row_weight.is_some() { limit * (1.0 - SHARE_SLACK) } else { limit }
    }

    /// The least weight of an allowed branch, so far as the limits say; `counts_rows` tells that
    /// each row weighs 1.
    pub(super) fn least_weight(&self, counts_rows: bool) -> f64 {
        let of_rows = match self.row_weight {
            Some(row) if self.min_rows > 1 => self.with_slack(self.min_rows as f64 * row),
            None if counts_rows => self.min_rows as f64,
            Some(_) | None => 0.0,
        };
        of_rows.max(self.with_slack(self.min_weight))
    }

    /// Whether there are as many rows as a limit asks. Rows that are shared out count by weight;
    /// any part of a row reaches a limit of 1.
    pub(crate) fn reach(&self, limit: u64, rows: u64, weight: impl Fn() -> f64) -> bool {
        match self.row_weight {
            Some(row) if limit > 1 => weight() >= self.with_slack(limit as f64 * row),
            Some(_) | None => rows >= limit,
        }
    }
}
