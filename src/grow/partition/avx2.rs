//! Eight entries parted at a time, in vectors of eight numbers.
//!
//! A compiler takes them one by one; here eight sides are looked up by one instruction, and each
//! side's entries are moved together within a register. It took a fifth off the growth to depth
//! 12, of one thread and of two.

use std::arch::x86_64::*;

/// Entries of a vector.
pub(crate) const ABREAST: usize = 8;

/// For each choice of eight entries the places of those chosen, which come first.
static CHOSEN: [[u8; ABREAST]; 1 << ABREAST] = chosen();

const fn chosen() -> [[u8; ABREAST]; 1 << ABREAST] {
    let mut all = [[0; ABREAST]; 1 << ABREAST];
    let mut choice = 0;
    while choice < all.len() {
        let (mut n, mut place) = (0, 0);
        while place < ABREAST {
            if choice >> place & 1 == 1 {
                all[choice][n] = place as u8;
                n += 1;
            }
            place += 1;
        }
        choice += 1;
    }
    all
}

/// Writes the entries of rows whose bit is set in `right` to `spill`, the others to the front of
/// `entries`, both in their order, as far as there are eight together; how many were taken, and
/// how many of them are in `spill`. A row is what `row_mask` leaves of an entry; one that has no
/// bit goes either way.
///
/// # Panics
/// Where `right` is empty, or `spill` shorter than `entries`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
#[expect(unsafe_code)]
pub(crate) fn part_by_eights(
    entries: &mut [u32],
    spill: &mut [u32],
    right: &[u64],
    row_mask: u32,
) -> (usize, usize) {
    assert!(!right.is_empty() && spill.len() >= entries.len());
    let row_mask = _mm256_set1_epi32(row_mask as i32);
    // The words of 64 bits as twice as many of 32: on this processor the low half comes first.
    let last_word = (2 * right.len() - 1).min(i32::MAX as usize);
    let (last_word, low_bits) = (_mm256_set1_epi32(last_word as i32), _mm256_set1_epi32(31));
    let (mut to_left, mut to_right) = (0, 0);
    let taken = entries.len() / ABREAST * ABREAST;
    let (from, spill) = (entries.as_mut_ptr(), spill.as_mut_ptr());
    for i in (0..taken).step_by(ABREAST) {
        // SAFETY: eight entries from `i` on are there.
        let eight = unsafe { _mm256_loadu_si256(from.add(i).cast()) };
        let row = _mm256_and_si256(eight, row_mask);
        let word = _mm256_min_epu32(_mm256_srli_epi32::<5>(row), last_word);
        // SAFETY: none is beyond the last word.
        let words = unsafe { _mm256_i32gather_epi32::<4>(right.as_ptr().cast(), word) };
        // Each row's bit as the highest.
        let sides = _mm256_sllv_epi32(words, _mm256_andnot_si256(row, low_bits));
        let sides = _mm256_movemask_ps(_mm256_castsi256_ps(sides)) as usize;
        let first = |choice: usize| {
            // SAFETY: a choice of eight entries has eight bits, and a place for each of them.
            let places = unsafe { _mm_loadl_epi64(CHOSEN.as_ptr().add(choice).cast()) };
            _mm256_permutevar8x32_epi32(eight, _mm256_cvtepu8_epi32(places))
        };
        // SAFETY: either side has at most `i` entries so far, and `i + 8` are in both slices; of
        // `entries` no more is written over than was read.
        unsafe {
            _mm256_storeu_si256(from.add(to_left).cast(), first(!sides & 0xFF));
            _mm256_storeu_si256(spill.add(to_right).cast(), first(sides));
        }
        let n_right = sides.count_ones() as usize;
        to_right += n_right;
        to_left += ABREAST - n_right;
    }
    (taken, to_right)
}
