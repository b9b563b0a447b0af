//! The partition of keys into buckets of similar size that fit the cache.

use std::ops::Range;

use super::payload_keys::{Extent, PayloadKeys, Payloads, WordLayout, bits};

/// The high bits of a distance by which the sample is counted. For floats they hold sign and
/// exponent, where keys crowd; a crowded prefix is partitioned by more bits.
const PREFIX: u32 = 12;

/// The most bits of a payload: high bits that a word does not hold must be part of its prefix.
pub(crate) const MAX_PAYLOAD_BITS: u32 = PREFIX;

/// The number of keys in the sample.
const SAMPLE: usize = 1 << 12;

/// The intended keys per bucket: a bucket and its copy fit the L2 cache, and there are few enough
/// buckets for the TLB to hold the page that each is written to.
const BUCKET: usize = 1 << 11;

pub(super) struct MsdPartition {
    min: u64,
    /// Bits below the prefix.
    below: u32,
    prefixes: Vec<PrefixBuckets>,
    n_buckets: usize,
}

/// The buckets of one prefix: a distance shifted right by `shift`, plus `offset`, is its bucket.
#[derive(Clone, Copy)]
struct PrefixBuckets {
    offset: u32,
    shift: u32,
}

impl MsdPartition {
    pub(super) fn new<T: Payloads>(
        column: PayloadKeys<T>,
        extent: Extent,
        words: WordLayout,
    ) -> MsdPartition {
        let Extent { n_known, min, max, .. } = extent;
        let key_bits = bits(max - min);
        // The table of prefixes should be much shorter than the column.
        let worth = bits(n_known as u64 / 16).min(PREFIX);
        // A shift by all 64 bits would overflow.
        let least = words.n_high_bits(key_bits).max(key_bits.saturating_sub(u64::BITS - 1));
        let prefix = worth.max(least).min(key_bits);
        let below = key_bits - prefix;

        let n = column.keys.len();
        let step = (n / SAMPLE).max(1);
        let mut counts = vec![0; 1 << prefix];
        for row in (0..n).step_by(step) {
            if !column.is_missing(row) {
                counts[((column.keys[row] - min) >> below) as usize] += 1;
            }
        }
        // Columns of many millions of rows get larger buckets rather than more of them.
        let size = BUCKET.max(n_known >> 12);
        let mut n_buckets = 0u32;
        let buckets = |(prefix, count)| {
            let own_bits = bits((count * step / size) as u64).min(below);
            let first = n_buckets;
            n_buckets += 1 << own_bits;
            PrefixBuckets {
                offset: first.wrapping_sub((prefix as u32) << own_bits),
                shift: below - own_bits,
            }
        };
        let prefixes = counts.into_iter().enumerate().map(buckets).collect();
        MsdPartition { min, below, prefixes, n_buckets: n_buckets as usize }
    }

    #[inline(always)]
    fn bucket(&self, distance: u64) -> usize {
        let PrefixBuckets { offset, shift } = self.prefixes[(distance >> self.below) as usize];
        offset.wrapping_add((distance >> shift) as u32) as usize
    }

    /// Writes the known keys' words bucket by bucket, and returns where each bucket ends.
    #[inline(never)]
    pub(super) fn scatter<T: Payloads>(
        &self,
        column: PayloadKeys<T>,
        words: WordLayout,
        to: &mut [u64],
    ) -> Vec<u32> {
        let mut next = vec![0; self.n_buckets];
        column.each_known(|key, _| next[self.bucket(key - self.min)] += 1);
        prefix_sum(&mut next);
        column.each_known(|key, payload| {
            let distance = key - self.min;
            let index = &mut next[self.bucket(distance)];
            to[*index as usize] = words.word(distance, payload);
            *index += 1;
        });
        next
    }

    /// The index of each bucket in [`scatter`](Self::scatter)'s output, and the high bits of its
    /// distances that its words do not hold.
    pub(super) fn buckets(
        &self,
        ends: Vec<u32>,
        words: WordLayout,
    ) -> impl Iterator<Item = (Range<usize>, u64)> {
        let high_bits = self.prefixes.iter().enumerate().flat_map(move |(prefix, buckets)| {
            let high = words.high_bits((prefix as u64) << self.below);
            std::iter::repeat_n(high, 1 << (self.below - buckets.shift))
        });
        let mut start = 0;
        ends.into_iter().zip(high_bits).map(move |(end, high)| {
            let bucket = start..end as usize;
            start = bucket.end;
            (bucket, high)
        })
    }
}

/// Replaces each count by the sum of the counts before it, and returns the largest count.
pub(super) fn prefix_sum(counts: &mut [u32]) -> u32 {
    let (mut next, mut largest) = (0, 0);
    for count in counts {
        largest = largest.max(*count);
        next += std::mem::replace(count, next);
    }
    largest
}
