//! Prefetching lanes into cache while earlier blocks are walked.
//!
//! A walk jumps between lanes, which the hardware prefetcher does not follow.

use std::hint::black_box;

use crate::score::kernel::block::{BLOCK, GROUP, Lane};

/// Numbers in a cache line.
const LINE: usize = 64 / size_of::<f64>();

/// Cache lines prefetched per level: one for each group of rows.
const LINES_PER_LEVEL: usize = BLOCK / GROUP;

/// Reads numbers in order, one per cache line: an even pace that the hardware prefetches.
pub(crate) fn warm(numbers: &[f64]) {
    black_box(numbers.iter().step_by(LINE).fold(0, |bits, x| bits | x.to_bits()));
}

/// How many blocks ahead lanes are prefetched: memory is slower than one block's walk, and the
/// blocks between fit the second-level cache with twenty lanes.
const DISTANCE: usize = 8;

/// The cache lines of a block, spread evenly over the levels of a walk: memory serves only so many
/// at once, and asked for together they would stall it.
pub(crate) struct PrefetchPlan {
    /// The lines of the first block, listed once: the other blocks' lines are at a constant offset.
    lines: Vec<LevelLines>,
}

/// The starts of the cache lines prefetched at one level.
type LevelLines = [*const f64; LINES_PER_LEVEL];

impl PrefetchPlan {
    /// From the first block of each lane; there is at least one lane.
    pub(crate) fn new<'a>(blocks: impl Iterator<Item = Lane<'a>>) -> Self {
        let lines_of = |block: Lane<'a>| block.iter().step_by(LINE).map(std::ptr::from_ref);
        let lines: Vec<*const f64> = blocks.flat_map(lines_of).collect();
        // The last level repeats some of its lines, which is harmless.
        let padded = |lines: &[*const f64]| std::array::from_fn(|i| lines[i % lines.len()]);
        PrefetchPlan { lines: lines.chunks(LINES_PER_LEVEL).map(padded).collect() }
    }

    /// What to prefetch while block number `block` is walked.
    pub(crate) fn of_block(&self, block: usize) -> BlockPrefetch<'_> {
        BlockPrefetch { lines: &self.lines, offset: (block + DISTANCE) * BLOCK }
    }
}

/// What is prefetched while one block is walked.
#[derive(Clone, Copy)]
pub(crate) struct BlockPrefetch<'a> {
    lines: &'a [LevelLines],
    /// Numbers between the lines listed and the lines to prefetch.
    offset: usize,
}

impl<'a> BlockPrefetch<'a> {
    /// The lines of a level; levels past the last one repeat it.
    #[inline(always)]
    pub(crate) fn level(self, level: usize) -> &'a LevelLines {
        &self.lines[level.min(self.lines.len() - 1)]
    }

    /// The lines left after this many levels.
    pub(crate) fn after(self, levels: usize) -> impl Iterator<Item = &'a *const f64> {
        self.lines.iter().skip(levels).flatten()
    }

    /// Prefetches a line.
    #[inline(always)]
    pub(crate) fn line(self, line: *const f64) {
        prefetch(line.wrapping_add(self.offset));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[expect(unsafe_code)]
fn prefetch(number: *const f64) {
    use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
    // SAFETY: a hint that never faults, wherever it points; every x86-64 processor has it.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(number.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
fn prefetch(_: *const f64) {}
