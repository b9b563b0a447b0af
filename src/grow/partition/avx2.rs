//! Stable partition of entries with AVX2, eight at a time.
//!
//! One gather looks up eight rows, and a permutation moves the entries of each side together
//! within a register; a scalar loop takes them one by one.

use std::arch::x86_64::*;

/// Entries of a vector.
pub(super) const LANES: usize = 8;

/// For each mask of eight lanes, the chosen lanes first: the permutation that compacts them.
static COMPACTED: [[u8; LANES]; 1 << LANES] = compacted();

const fn compacted() -> [[u8; LANES]; 1 << LANES] {
    let mut all = [[0; LANES]; 1 << LANES];
    let mut mask = 0;
    while mask < all.len() {
        let (mut n, mut lane) = (0, 0);
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                all[mask][n] = lane as u8;
                n += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    all
}

/// Moves entries whose row has its bit set in `right` to `spill`, and the others to the front of
/// `entries`, in order, as far as full vectors go. Returns how many entries were taken, and how
/// many of them are in `spill`. The row of an entry is its bits in `row_mask`; a row beyond the
/// bits goes either way.
///
/// # Panics
/// Where `right` is empty, or `spill` shorter than `entries`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
#[expect(unsafe_code)]
pub(super) fn partition_avx2(
    entries: &mut [u32],
    spill: &mut [u32],
    right: &[u64],
    row_mask: u32,
) -> (usize, usize) {
    assert!(!right.is_empty() && spill.len() >= entries.len());
    let row_mask = _mm256_set1_epi32(row_mask as i32);
    // Words of 64 bits read as words of 32: x86 is little endian.
    let last_word = (2 * right.len() - 1).min(i32::MAX as usize);
    let (last_word, low_bits) = (_mm256_set1_epi32(last_word as i32), _mm256_set1_epi32(31));
    let (mut to_left, mut to_right) = (0, 0);
    let taken = entries.len() / LANES * LANES;
    let (from, spill) = (entries.as_mut_ptr(), spill.as_mut_ptr());
    for i in (0..taken).step_by(LANES) {
        // SAFETY: eight entries from `i` on are there.
        let eight = unsafe { _mm256_loadu_si256(from.add(i).cast()) };
        let row = _mm256_and_si256(eight, row_mask);
        let word = _mm256_min_epu32(_mm256_srli_epi32::<5>(row), last_word);
        // SAFETY: none is beyond the last word.
        let words = unsafe { _mm256_i32gather_epi32::<4>(right.as_ptr().cast(), word) };
        // Moves each row's bit to the sign.
        let sides = _mm256_sllv_epi32(words, _mm256_andnot_si256(row, low_bits));
        let sides = _mm256_movemask_ps(_mm256_castsi256_ps(sides)) as usize;
        let compact = |mask: usize| compacted_lanes(eight, mask);
        // SAFETY: either side has at most `i` entries so far, and `i + 8` are in both slices; of
        // `entries` no more is written over than was read.
        unsafe {
            _mm256_storeu_si256(from.add(to_left).cast(), compact(!sides & 0xFF));
            _mm256_storeu_si256(spill.add(to_right).cast(), compact(sides));
        }
        let n_right = sides.count_ones() as usize;
        to_right += n_right;
        to_left += LANES - n_right;
    }
    (taken, to_right)
}

/// The lanes of a mask moved to the front, in order.
#[inline]
#[target_feature(enable = "avx2")]
fn compacted_lanes(eight: __m256i, mask: usize) -> __m256i {
    let lanes = i64::from_le_bytes(COMPACTED[mask]);
    _mm256_permutevar8x32_epi32(eight, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(lanes)))
}

/// Appends to `present`, from its front, what `entry_of` has for the rows of `entries`, unless that
/// is `u32::MAX`; as far as full vectors go. Returns how many entries were taken, and how many of
/// them are in `present`. The row of an entry is its bits in `row_mask`.
///
/// # Panics
/// Where `entry_of` is empty.
#[target_feature(enable = "avx2,popcnt")]
#[expect(unsafe_code)]
pub(super) fn present_avx2(
    entries: &[u32],
    row_mask: u32,
    entry_of: &[u32],
    present: &mut [u32],
) -> (usize, usize) {
    let last = (entry_of.len() - 1).min(i32::MAX as usize);
    let (last, row_mask) = (_mm256_set1_epi32(last as i32), _mm256_set1_epi32(row_mask as i32));
    let (mut taken, mut n) = (0, 0);
    for eight in entries.chunks_exact(LANES) {
        if n + LANES > present.len() {
            break;
        }
        // SAFETY: eight entries are there.
        let eight = unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) };
        let row = _mm256_min_epu32(_mm256_and_si256(eight, row_mask), last);
        // SAFETY: no row is beyond the last one.
        let found = unsafe { _mm256_i32gather_epi32::<4>(entry_of.as_ptr().cast(), row) };
        let absent = _mm256_cmpeq_epi32(found, _mm256_set1_epi32(-1));
        let mask = !_mm256_movemask_ps(_mm256_castsi256_ps(absent)) as usize & 0xFF;
        // SAFETY: eight from `n` on are there.
        unsafe {
            let to = present.as_mut_ptr().add(n);
            _mm256_storeu_si256(to.cast(), compacted_lanes(found, mask));
        }
        n += mask.count_ones() as usize;
        taken += LANES;
    }
    (taken, n)
}
