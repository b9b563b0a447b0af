//! Bringing numbers near: from memory into cache before they are asked for.
//!
//! A walk hops between lanes, and would wait for memory at each: without these one of twelve
//! levels takes twice as long.

use std::hint::black_box;

use super::walk::{BLOCK, Lane};

/// Numbers in a line of cache.
const LINE: usize = 64 / size_of::<f64>();

/// Reads numbers in turn, a line of cache at a time; the processor foresees an even pace.
pub(super) fn touch(numbers: &[f64]) {
    black_box(numbers.iter().step_by(LINE).fold(0, |bits, x| bits | x.to_bits()));
}

/// What lies a block past the numbers of a walk, which most likely comes next: asked for a line of
/// cache at a time, without waiting for it, as reading would. Memory brings only so many lines at
/// once: asked for evenly they come while the walk goes on, asked for together they keep it
/// waiting (a walk of twelve levels 22 % longer, one of four 30 %).
pub(super) struct Ahead<'a> {
    lanes: &'a [Lane<'a>],
    n_asked: usize,
}

impl<'a> Ahead<'a> {
    pub(super) fn of(lanes: &'a [Lane<'a>]) -> Self {
        Ahead { lanes, n_asked: 0 }
    }

    /// Asks for the next line; whether there was one.
    #[inline(always)]
    pub(super) fn ask(&mut self) -> bool {
        const LINES: usize = BLOCK / LINE;
        // The second lane of a feature is of the same numbers.
        let Some(lane) = self.lanes.get(2 * (self.n_asked / LINES)) else { return false };
        ask_for(lane.numbers.as_ptr().wrapping_add(BLOCK + self.n_asked % LINES * LINE));
        self.n_asked += 1;
        true
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[expect(unsafe_code)]
fn ask_for(number: *const f64) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint that never fails, wherever it points, by an instruction that every
    // processor of the architecture has.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(number.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
fn ask_for(_: *const f64) {}
