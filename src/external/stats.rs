//! What growth needs of a kind of target whose rows a store counts.

use super::coding::TargetCoding;
use super::row_store::{MomentRequest, Moments};
use crate::stat::{ClassRows, Count, CountRows, NumberRows, StatVec, Summary};

/// Stats that arrive as plain integers.
pub(super) trait CountedStats: CountRows {
    /// The distance about which a node's squares are summed; `None` where no moments are needed.
    fn centre(total: &[Self::Num]) -> Option<i128>;

    /// Asks for the moments of a node; `None` where none are needed.
    fn moment_request(node: u32, total: &[Self::Num]) -> Option<MomentRequest> {
        Some(MomentRequest { node, centre: Self::centre(total)? })
    }

    /// [`CountRows::summarize`] of rows that were counted; `None` if moments are needed and missing.
    fn summarize_counted(
        &self,
        total: &[Self::Num],
        moments: Option<&Moments>,
        values: &mut Vec<f64>,
    ) -> Option<Summary>;

    fn stat(counts: &[i128]) -> StatVec<Self::Num> {
        // A number that is too large is no count of these rows. It is found when counts are compared.
        counts.iter().map(|&count| Self::Num::try_from(count).unwrap_or_default()).collect()
    }
}

impl<N: Count> CountedStats for ClassRows<'_, N> {
    fn centre(_: &[N]) -> Option<i128> {
        None
    }

    fn summarize_counted(
        &self,
        total: &[N],
        _: Option<&Moments>,
        values: &mut Vec<f64>,
    ) -> Option<Summary> {
        Some(self.summarize(&[], total, values))
    }
}

impl CountedStats for NumberRows<'_> {
    fn centre(total: &[i128]) -> Option<i128> {
        Some(NumberRows::centre(total))
    }

    fn summarize_counted(
        &self,
        total: &[i128],
        moments: Option<&Moments>,
        values: &mut Vec<f64>,
    ) -> Option<Summary> {
        let Moments { squares_high, squares_low, extremes: (least, greatest), least: number } =
            *moments?;
        let common = (least == greatest).then_some(number);
        Some(self.summarize_squares(total, (squares_high, squares_low), common, values))
    }
}

/// An upper bound of the impurity of all nodes; classes need none, as their zero gains are exact.
pub(super) fn most_impure(target: &TargetCoding) -> f64 {
    let TargetCoding::Numbers(scale) = target else { return 0.0 };
    // All distances are below 2^62 units.
    let farthest = scale.unit() * 2f64.powi(62);
    farthest * farthest
}
