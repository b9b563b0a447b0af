//! One counting pass over a bucket of words, within the cache.

use super::msd_partition::prefix_sum;
use super::payload_keys::{WordLayout, bits};

/// The bits that one pass sorts by: their counters stay in the L1 cache.
const DIGIT: u32 = 12;

/// The most words of equal digits that are left to the insertion sort.
const LONG_RUN: usize = 24;

/// A longer bucket, usually of nearly one key only, is sorted by the standard library, which
/// detects runs and needs no copy.
const LONG_BUCKET: usize = 1 << 16;

/// The scratch memory of a pass, reused between buckets.
#[derive(Debug, Default)]
pub(super) struct RadixPass {
    words: Vec<u64>,
    counts: Vec<u32>,
}

impl RadixPass {
    /// Sorts a bucket by its highest key bits that differ, so that few words remain out of order.
    /// `rank` orders long runs of equal digits. It is not inlined, because together with the passes
    /// before and after it the loops run out of registers.
    #[inline(never)]
    pub(super) fn sort_by_digit(
        &mut self,
        bucket: &mut [u64],
        layout: WordLayout,
        rank: impl Fn(u64) -> u64,
    ) {
        let n = bucket.len();
        if n > LONG_BUCKET {
            bucket.sort_unstable_by_key(|&word| rank(word));
            return;
        }
        let (min, max) = bucket.iter().fold((u64::MAX, 0), |(lo, hi), &w| (lo.min(w), hi.max(w)));
        let min = layout.key(min);
        let key_bits = if n > 1 { bits(layout.key(max) - min) } else { 0 };
        let digit_bits = key_bits.min(bits(n as u64)).min(DIGIT);
        if digit_bits == 0 {
            return;
        }
        let shift = key_bits - digit_bits;
        // The mask lets the compiler drop bounds checks.
        let digit = |word: u64| ((layout.key(word) - min) >> shift) as usize & ((1 << DIGIT) - 1);
        self.counts.resize(1 << DIGIT, 0);
        let counts = &mut self.counts[..1 << DIGIT];
        counts[..1 << digit_bits].fill(0);
        bucket.iter().for_each(|&word| counts[digit(word)] += 1);
        let longest = prefix_sum(&mut counts[..1 << digit_bits]);
        self.words.resize(n.max(self.words.len()), 0);
        let sorted = &mut self.words[..n];
        for &word in bucket.iter() {
            let slot = &mut counts[digit(word)];
            sorted[*slot as usize] = word;
            *slot += 1;
        }
        if shift > 0 && longest as usize > LONG_RUN {
            for run in sorted.chunk_by_mut(|&a, &b| digit(a) == digit(b)) {
                if run.len() > LONG_RUN {
                    run.sort_unstable_by_key(|&word| rank(word));
                }
            }
        }
        bucket.copy_from_slice(sorted);
    }
}
