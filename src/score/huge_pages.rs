//! Memory for as many numbers as there are rows.
//!
//! The system maps memory page by page as it is first written, and by pages of 4 KB that takes
//! longer than the writing. Where Linux leaves the choice to programs (`madvise`, the default of
//! most), it has pages of 2 MB for those that ask, as NumPy does too: with the answers on such
//! pages five million rows are scored in 12 % less time.

use rayon::iter::{ParallelExtend, repeat_n};

use crate::score::inline::alone;

/// From so many bytes on there are large pages within.
#[cfg(target_os = "linux")]
const LARGE: usize = 2 << 20;

/// An empty vector with room for so many, on large pages where there are that many.
pub(super) fn room<T>(n: usize) -> Vec<T> {
    let mut numbers = Vec::with_capacity(n);
    #[cfg(target_os = "linux")]
    ask_for_large_pages(numbers.spare_capacity_mut());
    numbers
}

/// So many zeros.
pub(super) fn zeros(n: usize) -> Vec<u32> {
    let mut numbers = room(n);
    match alone(n) {
        true => numbers.resize(n, 0),
        false => numbers.par_extend(repeat_n(0, n)),
    }
    numbers
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code)]
fn ask_for_large_pages<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    const PAGE: usize = 4096;
    if size_of_val(memory) < LARGE {
        return;
    }
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.addr().next_multiple_of(PAGE) - start.addr();
    let length = (size_of_val(memory) - skipped) / PAGE * PAGE;
    // SAFETY: a hint on memory that is ours, which leaves what is in it. Where it is refused (a
    // system of larger pages, one without huge pages), small ones do.
    unsafe { libc::madvise(start.wrapping_add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
}
