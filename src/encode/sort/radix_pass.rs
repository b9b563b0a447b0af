//! A bucket of words put nearly in order, within the cache: what is left is for an insertion pass.

use crate::encode::sort::msd_partition::starts_of;
use crate::encode::sort::tagged_keys::{WordLayout, bits};

/// Bits that a bucket is put in order by: their counters stay in the first-level cache.
const DIGIT: u32 = 12;

/// A run of more equal digits is not left to the insertion pass.
const LONG_RUN: usize = 24;

/// A longer bucket (nearly all of one key, as a rule) is left to the library's sort, which takes
/// runs as they come and needs no copy.
const LONG_BUCKET: usize = 1 << 16;

/// The memory it takes, reused between buckets.
#[derive(Debug, Default)]
pub(crate) struct RadixPass {
    room: Vec<u64>,
    counts: Vec<u32>,
}

impl RadixPass {
    /// Sorts a bucket's words by the bits of their keys that tell most of them apart; `rank` is
    /// what they are to be ordered by, their keys first. It and the passes before and after it
    /// stay apart: in one function their loops ran short of registers, and took half as long
    /// again.
    #[inline(never)]
    pub(crate) fn put_in_order(
        &mut self,
        bucket: &mut [u64],
        words: WordLayout,
        rank: impl Fn(u64) -> u64,
    ) {
        let n = bucket.len();
        if n > LONG_BUCKET {
            bucket.sort_unstable_by_key(|&word| rank(word));
            return;
        }
        let (min, max) = bucket.iter().fold((u64::MAX, 0), |(lo, hi), &w| (lo.min(w), hi.max(w)));
        let min = words.key(min);
        let key_bits = if n > 1 { bits(words.key(max) - min) } else { 0 };
        let digit_bits = key_bits.min(bits(n as u64)).min(DIGIT);
        if digit_bits == 0 {
            return;
        }
        let shift = key_bits - digit_bits;
        // The mask is for the compiler, which then knows every digit to be in bounds.
        let digit = |word: u64| ((words.key(word) - min) >> shift) as usize & ((1 << DIGIT) - 1);
        self.counts.resize(1 << DIGIT, 0);
        let counts = &mut self.counts[..1 << DIGIT];
        counts[..1 << digit_bits].fill(0);
        bucket.iter().for_each(|&word| counts[digit(word)] += 1);
        let longest = starts_of(&mut counts[..1 << digit_bits]);
        self.room.resize(n.max(self.room.len()), 0);
        let room = &mut self.room[..n];
        for &word in bucket.iter() {
            let slot = &mut counts[digit(word)];
            room[*slot as usize] = word;
            *slot += 1;
        }
        if shift > 0 && longest as usize > LONG_RUN {
            for run in room.chunk_by_mut(|&a, &b| digit(a) == digit(b)) {
                if run.len() > LONG_RUN {
                    run.sort_unstable_by_key(|&word| rank(word));
                }
            }
        }
        bucket.copy_from_slice(room);
    }
}
