//! Numbers rounded to a few bits, which fit beside a row number in an entry.
//!
//! They bound a column's gain without a look-up of its rows' numbers, which lie in memory in
//! another order.
//!
//! A cut into sides of weights `w` and `n - w` with means `m` and `m'` takes away a variance whose
//! root is `√(w (n - w)) / n · |m - m'|`. The first factor is at most a half. Rounding moves each
//! mean down by less than a step, so it moves the root by less than half a step. Blocks of the
//! rounded numbers are bounded as [numbers](super::number_blocks) are, and a whole step is added to
//! the root of the highest bound: half for the rounding here, half for the rounding of floats.

use super::BLOCK;
use super::number_blocks::highest_between;
use crate::data::column::EntryLayout;
use crate::stat::ROWS_IN_CACHE;

/// More bits would make no bound sharper that matters.
const MAX_BITS: u32 = 16;

/// Fewer bits would rule no column out.
const MIN_BITS: u32 = 4;

/// Rounds numbers down to multiples of a power of two, counted from the least number.
#[derive(Clone, Copy, Debug)]
pub(in crate::stat) struct RoundedNumbers {
    least: i64,
    shift: u32,
    /// The bits of a rounded number; 0 if numbers are not rounded.
    pub(in crate::stat) bits: u32,
}

impl RoundedNumbers {
    /// For these numbers, in as many bits as an entry has left.
    pub(in crate::stat) fn new(numbers: &[i64]) -> RoundedNumbers {
        let row_bits = numbers.len().max(1).ilog2() + 1;
        let bits = u32::BITS.saturating_sub(row_bits).min(MAX_BITS);
        if numbers.len() <= ROWS_IN_CACHE || bits < MIN_BITS {
            return RoundedNumbers { least: 0, shift: 0, bits: 0 };
        }
        let extremes = |(lo, hi): (i64, i64), &y: &i64| (lo.min(y), hi.max(y));
        let (least, greatest) = numbers.iter().fold((i64::MAX, i64::MIN), extremes);
        let range_bits = u64::BITS - greatest.abs_diff(least).leading_zeros();
        RoundedNumbers { least, shift: range_bits.saturating_sub(bits), bits }
    }

    #[inline]
    pub(in crate::stat) fn round(&self, number: i64) -> u32 {
        (number.abs_diff(self.least) >> self.shift) as u32
    }

    /// An upper bound of the variance that any cut of these rows takes away, from their rounded
    /// numbers. The first `n_known` entries are in order of level, the others are missing and may
    /// be on either side.
    pub(in crate::stat) fn variance_bound(
        &self,
        entries: &[u32],
        layout: EntryLayout,
        n_known: usize,
    ) -> f64 {
        let sum = |entries: &[u32]| -> u64 {
            entries.iter().map(|&entry| u64::from(layout.payload(entry))).sum()
        };
        let (known, missing) = entries.split_at(n_known);
        let (sum_missing, n) = (sum(missing), entries.len() as f64);
        let mean = (sum(known) + sum_missing) as f64 / n;
        let rounded_mean = mean.round() as u32;
        // The weight and the sum about the mean that missing values add to the left side.
        let n_missing = missing.len() as f64;
        let sides = [[0.0, 0.0], [n_missing, sum_missing as f64 - n_missing * mean]];
        let sides = if missing.is_empty() { &sides[..1] } else { &sides[..] };
        let (mut highest, mut left, mut above) = (0.0f64, 0.0, 0.0);
        for block in known.chunks(BLOCK) {
            let payloads = block.iter().map(|&entry| layout.payload(entry));
            let (sum, spread) = payloads.fold((0, 0), |(sum, spread), payload| {
                (sum + payload, spread + payload.abs_diff(rounded_mean))
            });
            let n_block = block.len() as f64;
            let spread = f64::from(spread) + n_block;
            let (next_left, next_above) = (left + n_block, above + f64::from(sum) - n_block * mean);
            for [n_more, above_more] in sides {
                let from = [left + n_more, above + above_more];
                let to = [next_left + n_more, next_above + above_more];
                highest = highest.max(highest_between(from, to, spread, n));
            }
            (left, above) = (next_left, next_above);
        }
        let root = (highest.sqrt() + 1.0) * (1u64 << self.shift) as f64;
        root * root
    }
}
