//! Bringing numbers near: from memory into cache before they are asked for.
//!
//! A walk hops between lanes, and would wait for memory at each.

use std::hint::black_box;

/// Numbers in a line of cache.
const LINE: usize = 64 / size_of::<f64>();

/// Reads numbers in turn, a line of cache at a time; the processor foresees an even pace.
pub(super) fn touch(numbers: &[f64]) {
    black_box(numbers.iter().step_by(LINE).fold(0, |bits, x| bits | x.to_bits()));
}

/// Asks for numbers that will be needed soon, and does not wait for them.
#[cfg(target_arch = "x86_64")]
pub(super) fn ask_for(numbers: &[f64]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    for line in numbers.chunks(LINE) {
        // SAFETY: a hint that never fails, of memory that is there, by an instruction that every
        // processor of the architecture has.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn ask_for(_: &[f64]) {}
