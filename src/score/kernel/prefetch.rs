//! Bringing numbers near: from memory into cache before they are asked for.
//!
//! A walk hops between lanes, and would wait for memory at each: without these one of twelve
//! levels takes twice as long.

use std::hint::black_box;

use crate::score::kernel::walk::{AT_A_LEVEL, BLOCK, Lane};

/// Numbers in a line of cache.
const LINE: usize = 64 / size_of::<f64>();

/// Reads numbers in turn, a line of cache at a time; the processor foresees an even pace.
pub(crate) fn touch(numbers: &[f64]) {
    black_box(numbers.iter().step_by(LINE).fold(0, |bits, x| bits | x.to_bits()));
}

/// How many blocks ahead numbers are asked for: those of twenty lanes lie in the second-level cache
/// until their turn. From memory the next block alone came too late: eight take 15 % off the
/// scoring of a table, and so do sixteen.
const FAR: usize = 8;

/// The numbers of the blocks ahead, line by line of cache: asked for while a block is walked,
/// without waiting for them, as reading would. Memory brings only so many lines at once: asked for
/// evenly they come while the walk goes on, asked for together they keep it waiting (a walk of
/// twelve levels 22 % longer, one of four 30 %).
pub(crate) struct Ahead {
    /// Listed once for all blocks: it is much to find out which is next between two steps.
    lines: Vec<Lines>,
}

/// Where lines begin that are asked for on the way through one level.
type Lines = [*const f64; AT_A_LEVEL];

impl Ahead {
    /// Of each lane's first block; there is a lane.
    pub(crate) fn of<'a>(blocks: impl Iterator<Item = Lane<'a>>) -> Self {
        let lines_of = |block: Lane<'a>| block.iter().step_by(LINE).map(std::ptr::from_ref);
        let lines: Vec<*const f64> = blocks.flat_map(lines_of).collect();
        // The last level has some of them twice, which does no harm.
        let padded = |lines: &[*const f64]| std::array::from_fn(|i| lines[i % lines.len()]);
        Ahead { lines: lines.chunks(AT_A_LEVEL).map(padded).collect() }
    }

    /// What is to be asked for while a block of this number is walked.
    pub(crate) fn of_block(&self, block: usize) -> Asking<'_> {
        Asking { lines: &self.lines, past: (block + FAR) * BLOCK }
    }
}

/// What is asked for while one block is walked.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    lines: &'a [Lines],
    /// How far past the lines listed.
    past: usize,
}

impl<'a> Asking<'a> {
    /// The lines of a level; once all have been asked for they are again.
    #[inline(always)]
    pub(crate) fn level(self, level: usize) -> &'a Lines {
        &self.lines[level.min(self.lines.len() - 1)]
    }

    /// The lines that are left after so many levels.
    pub(crate) fn after(self, levels: usize) -> impl Iterator<Item = &'a *const f64> {
        self.lines.iter().skip(levels).flatten()
    }

    /// Asks for a line.
    #[inline(always)]
    pub(crate) fn ask(self, line: *const f64) {
        ask_for(line.wrapping_add(self.past));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[expect(unsafe_code)]
fn ask_for(number: *const f64) {
    use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
    // SAFETY: a hint that never fails, wherever it points, by an instruction that every
    // processor of the architecture has.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(number.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
fn ask_for(_: *const f64) {}
