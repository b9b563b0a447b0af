//! Numbers rounded to a few bits, which fit beside a row number in an entry.
//!
//! They rule columns out: a bound of a column's gain needs no look-up of its rows' numbers, which
//! lie in memory in another order.

use super::ROWS_IN_CACHE;
use crate::data::column::EntryLayout;

/// More bits would make no bound sharper that matters.
const MAX_BITS: u32 = 16;

/// Fewer bits would rule no column out.
const MIN_BITS: u32 = 4;

/// Entries that are bounded together.
const BLOCK: usize = 32;

/// Rounds numbers down to multiples of a power of two, counted from the least number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantizer {
    least: i64,
    shift: u32,
    bits: u32,
}

impl Quantizer {
    /// For these numbers, in as many bits as an entry has left.
    pub(super) fn new(numbers: &[i64]) -> Quantizer {
        let row_bits = numbers.len().max(1).ilog2() + 1;
        let bits = u32::BITS.saturating_sub(row_bits).min(MAX_BITS);
        if numbers.len() <= ROWS_IN_CACHE || bits < MIN_BITS {
            return Quantizer { least: 0, shift: 0, bits: 0 };
        }
        let extremes = |(lo, hi): (i64, i64), &y: &i64| (lo.min(y), hi.max(y));
        let (least, greatest) = numbers.iter().fold((i64::MAX, i64::MIN), extremes);
        let range_bits = u64::BITS - greatest.abs_diff(least).leading_zeros();
        Quantizer { least, shift: range_bits.saturating_sub(bits), bits }
    }

    /// The bits of a rounded number; 0 if numbers are not rounded.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    #[inline]
    pub(super) fn round(&self, number: i64) -> u32 {
        (number.abs_diff(self.least) >> self.shift) as u32
    }

    /// An upper bound of the variance that any cut of these rows takes away, from their rounded
    /// numbers. The first `n_known` entries are in order of level, the others are missing and may
    /// be on either side.
    ///
    /// As in [`proxy_bounds`](crate::stat::Rating::proxy_bounds), blocks are bounded. Rounding
    /// moves the mean of either side by less than a step, and so the root of the variance by less
    /// than one.
    pub(super) fn highest_gain(&self, entries: &[u32], layout: EntryLayout, n_known: usize) -> f64 {
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
                let farthest = ((above + next_above) / 2.0 + above_more).abs() + spread / 2.0;
                let product = |left: f64| {
                    let left = (left + n_more).min(n - 1.0).max(1.0);
                    left * (n - left)
                };
                let bound = farthest * farthest / product(left).min(product(next_left));
                highest = highest.max(bound);
            }
            (left, above) = (next_left, next_above);
        }
        let root = (highest.sqrt() + 1.0) * (1u64 << self.shift) as f64;
        root * root
    }
}
