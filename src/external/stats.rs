//! What growth asks of a kind of target whose rows somebody else counts.

use super::coding::TargetCoding;
use super::prepare::Prepared;
use super::row_store::Moments;
use crate::stat::{ClassRows, Count, NumberRows, RowStats, StatVec, Summary};

/// Stats that arrive as plain integers.
pub(super) trait CountedStats: RowStats {
    /// An integer of a stat.
    fn number(count: i128) -> Self::Num;

    /// The plain integer of a number of a stat.
    fn count(number: Self::Num) -> i128;

    /// The distance about which a node's squares are summed; `None` where no moments are needed.
    fn centre(total: &[Self::Num]) -> Option<i128>;

    /// [`RowStats::summarize`] of rows that were counted. `None` where moments are needed and not
    /// there.
    fn summarize_counted(
        &self,
        total: &[Self::Num],
        moments: Option<&Moments>,
        values: &mut Vec<f64>,
    ) -> Option<Summary>;

    /// No impurity of any node is above this; of no use where the zero of a gain is exact.
    fn most_impure(prepared: &Prepared) -> f64;

    fn stat(counts: &[i128]) -> StatVec<Self::Num> {
        counts.iter().map(|&count| Self::number(count)).collect()
    }
}

impl<N: Count> CountedStats for ClassRows<'_, N> {
    fn number(count: i128) -> N {
        N::of_units(count as u64)
    }

    fn count(number: N) -> i128 {
        number.wide() as i128
    }

    fn centre(_: &[N]) -> Option<i128> {
        None
    }

    fn most_impure(_: &Prepared) -> f64 {
        0.0
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
    fn number(count: i128) -> i128 {
        count
    }

    fn count(number: i128) -> i128 {
        number
    }

    fn centre(total: &[i128]) -> Option<i128> {
        Some(NumberRows::centre(total))
    }

    fn most_impure(prepared: &Prepared) -> f64 {
        let TargetCoding::Numbers(scale) = &prepared.coding.target else { return 0.0 };
        // All distances are below 2^62 units.
        let farthest = scale.unit() * 2f64.powi(62);
        farthest * farthest
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
