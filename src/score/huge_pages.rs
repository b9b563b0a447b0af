//! Memory for one number per row, on huge pages where the system has them.
//!
//! Memory is mapped page by page as it is first written; with pages of 4 KB that takes longer than
//! the writing. Linux uses pages of 2 MB for programs that ask for them (`madvise`, the default of
//! most distributions).

use rayon::iter::{ParallelExtend, repeat_n};

use crate::score::inline::runs_inline;

/// The size of a huge page, in bytes; smaller allocations cannot contain one.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

/// An empty vector of a capacity, on huge pages if it is large enough.
pub(super) fn with_capacity<T>(n: usize) -> Vec<T> {
    let mut numbers = Vec::with_capacity(n);
    #[cfg(target_os = "linux")]
    advise_huge_pages(numbers.spare_capacity_mut());
    numbers
}

/// `n` zeros, written by all threads.
pub(super) fn zeros(n: usize) -> Vec<u32> {
    let mut numbers = with_capacity(n);
    match runs_inline(n) {
        true => numbers.resize(n, 0),
        false => numbers.par_extend(repeat_n(0, n)),
    }
    numbers
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code)]
fn advise_huge_pages<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    const PAGE: usize = 4096;
    if size_of_val(memory) < HUGE_PAGE {
        return;
    }
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.addr().next_multiple_of(PAGE) - start.addr();
    let length = (size_of_val(memory) - skipped) / PAGE * PAGE;
    // SAFETY: a hint on memory that we own, which does not change its contents. If it is refused
    // (a system with larger pages, or without huge pages), small pages are used.
    unsafe { libc::madvise(start.wrapping_add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
}
