//! Keys parted into buckets that fit the cache, as even as a sample of them can tell.

use crate::encode::sort::tagged_keys::{Extent, Tagged, Tags, WordLayout, bits};

/// Bits of a key's distance from the least one by which a column is looked over. Keys of floats
/// are crowded: these tell sign and exponent, and a crowded part is parted further.
const PREFIX: u32 = 12;

/// The most bits of a tag: what a word has no room for are high bits of its key, which its
/// prefix tells.
pub(crate) const MAX_TAG_BITS: u32 = PREFIX;

/// Keys that are looked at to see how crowded the parts are.
const SAMPLE: usize = 1 << 12;

/// Keys a bucket is to hold: with its copy it fits the second-level cache, and there are few
/// enough for each to have a page of its own to write to.
const BUCKET: usize = 1 << 11;

/// Keys parted by a prefix, and by more bits where there are many.
pub(crate) struct MsdPartition {
    min: u64,
    /// Bits below the prefix.
    below: u32,
    parts: Vec<Part>,
    n_buckets: usize,
}

/// The buckets of one prefix.
#[derive(Clone, Copy)]
struct Part {
    /// What a distance, shifted, is from the number of its bucket.
    offset: u32,
    /// Bits below those that part.
    shift: u32,
}

impl MsdPartition {
    pub(crate) fn new<T: Tags>(
        column: Tagged<T>,
        extent: Extent,
        words: WordLayout,
    ) -> MsdPartition {
        let Extent { n_known, min, max, .. } = extent;
        let key_bits = bits(max - min);
        // A table of as many parts is made good by as many keys.
        let worth = bits(n_known as u64 / 16).min(PREFIX);
        // A distance cannot be shifted by all its bits.
        let least = words.lost(key_bits).max(key_bits.saturating_sub(u64::BITS - 1));
        let prefix = worth.max(least).min(key_bits);
        let below = key_bits - prefix;

        let n = column.keys.len();
        let step = (n / SAMPLE).max(1);
        let mut seen = vec![0; 1 << prefix];
        for row in (0..n).step_by(step) {
            if column.missing.is_none_or(|missing| !missing[row]) {
                seen[((column.keys[row] - min) >> below) as usize] += 1;
            }
        }
        // Above some millions of rows, more buckets would cost more than larger ones.
        let size = BUCKET.max(n_known >> 12);
        let mut n_buckets = 0u32;
        let part = |(prefix, seen)| {
            let own_bits = bits((seen * step / size) as u64).min(below);
            let first = n_buckets;
            n_buckets += 1 << own_bits;
            Part {
                offset: first.wrapping_sub((prefix as u32) << own_bits),
                shift: below - own_bits,
            }
        };
        let parts = seen.into_iter().enumerate().map(part).collect();
        MsdPartition { min, below, parts, n_buckets: n_buckets as usize }
    }

    #[inline(always)]
    fn bucket(&self, distance: u64) -> usize {
        let part = self.parts[(distance >> self.below) as usize];
        part.offset.wrapping_add((distance >> part.shift) as u32) as usize
    }

    /// Writes the known keys' words bucket by bucket; where each bucket ends.
    #[inline(never)]
    pub(crate) fn scatter<T: Tags>(
        &self,
        column: Tagged<T>,
        words: WordLayout,
        to: &mut [u64],
    ) -> Vec<u32> {
        let mut places = vec![0; self.n_buckets];
        column.each_known(|key, _| places[self.bucket(key - self.min)] += 1);
        starts_of(&mut places);
        column.each_known(|key, tag| {
            let distance = key - self.min;
            let place = &mut places[self.bucket(distance)];
            to[*place as usize] = words.word(distance, tag);
            *place += 1;
        });
        places
    }

    /// For each bucket, what its keys have above their words' bits.
    pub(crate) fn high_bits(&self, words: WordLayout) -> impl Iterator<Item = u64> {
        self.parts.iter().enumerate().flat_map(move |(prefix, part)| {
            let high = words.high_bits((prefix as u64) << self.below);
            std::iter::repeat_n(high, 1 << (self.below - part.shift))
        })
    }
}

/// Counts to where each begins; the largest of them.
pub(crate) fn starts_of(counts: &mut [u32]) -> u32 {
    let (mut next, mut largest) = (0, 0);
    for count in counts {
        largest = largest.max(*count);
        next += std::mem::replace(count, next);
    }
    largest
}
