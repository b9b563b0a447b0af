//! One test for each of four rows, with AVX2: [`FlatTest::child`] four at a time.
//!
//! A test is one load of 16 bytes, and the four are transposed in registers; compiled code loads
//! the fields of each test one by one.

use std::arch::x86_64::*;

use crate::score::kernel::block::{GROUP, Lane};
use crate::score::kernel::flat_test::FlatTest;

/// The next tests of four rows that are at the tests `at`; `row` is the first of them.
///
/// # Safety
/// All of `at` are indices of tests, whose lanes exist, and each lane has four rows from `row`.
#[inline]
#[target_feature(enable = "avx2")]
#[expect(unsafe_code)]
pub(crate) unsafe fn four_children(
    tests: &[FlatTest],
    lanes: &[Lane],
    row: usize,
    at: [u32; GROUP],
) -> [u32; GROUP] {
    let test = |i: usize| {
        // SAFETY: a test exists there; it has the size and alignment of two `f64`.
        unsafe { _mm_load_pd(tests.as_ptr().add(at[i] as usize).cast()) }
    };
    let number = |i: usize| {
        // SAFETY: the test exists, its lane too, and in it the row.
        unsafe {
            let test = tests.get_unchecked(at[i] as usize);
            lanes.get_unchecked(test.lane as usize).as_ptr().add(row + i)
        }
    };
    // SAFETY: these are numbers of their lanes.
    let (x_01, x_23) = unsafe {
        let two = |i: usize| _mm_loadh_pd(_mm_load_sd(number(i)), number(i + 1));
        (two(0), two(2))
    };
    let [a, b, c, d] = [test(0), test(1), test(2), test(3)];
    let cuts = _mm256_set_m128d(_mm_unpacklo_pd(c, d), _mm_unpacklo_pd(a, b));
    // The other halves: lane and children, whose highest bit is `MISSING_SECOND`.
    let (rest_01, rest_23) = (_mm_unpackhi_pd(a, b), _mm_unpackhi_pd(c, d));
    let missing_second = _mm256_set_m128d(rest_23, rest_01);

    let x = _mm256_set_m128d(x_23, x_01);
    let at_least = _mm256_cmp_pd::<_CMP_GE_OQ>(x, cuts);
    let not_less = _mm256_cmp_pd::<_CMP_NLT_UQ>(x, cuts);
    let second = _mm256_castpd_si256(_mm256_blendv_pd(at_least, not_less, missing_second));
    // -1 for the second child.
    let second =
        _mm_packs_epi32(_mm256_castsi256_si128(second), _mm256_extracti128_si256::<1>(second));
    let children = _mm_shuffle_ps::<0b11_01_11_01>(_mm_castpd_ps(rest_01), _mm_castpd_ps(rest_23));
    let first = _mm_and_si128(_mm_castps_si128(children), _mm_set1_epi32(i32::MAX));
    let mut next = [0; GROUP];
    // SAFETY: four numbers of 32 bits are the size of the vector.
    unsafe { _mm_storeu_si128(next.as_mut_ptr().cast(), _mm_sub_epi32(first, second)) };
    next
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::score::kernel::block::BLOCK;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Any number, and special ones.
    pub(in crate::score) fn number() -> impl Strategy<Value = f64> {
        let special = [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0];
        prop_oneof![select(special.to_vec()), any::<f64>()]
    }

    proptest! {
        /// Four rows go where each of them goes alone.
        #[test]
        fn agrees_with_one_row(
            tests in prop::collection::vec((number(), 0u32..3, 0usize..1000, any::<bool>()), 1..9),
            numbers in prop::collection::vec(number(), 3 * BLOCK),
            row in 0..=BLOCK - GROUP,
            at in any::<[prop::sample::Index; GROUP]>(),
        ) {
            if !is_x86_feature_detected!("avx2") {
                return Ok(());
            }
            let test = |&(cut, lane, first, second): &(f64, _, _, bool)| {
                FlatTest::new(lane, cut, first, second && !cut.is_nan())
            };
            let tests: Vec<FlatTest> = tests.iter().map(test).collect();
            let (lanes, _) = numbers.as_chunks::<BLOCK>();
            let lanes: Vec<Lane> = lanes.iter().collect();
            let at = at.map(|at| at.index(tests.len()) as u32);
            // SAFETY: the processor has AVX2; tests, lanes and rows all exist.
            #[expect(unsafe_code)]
            let children = unsafe { four_children(&tests, &lanes, row, at) };
            let alone = |i: usize| {
                let test = tests[at[i] as usize];
                test.child(lanes[test.lane as usize][row + i])
            };
            prop_assert_eq!(children, std::array::from_fn(alone));
        }
    }
}
