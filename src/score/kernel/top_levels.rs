//! The top levels of the flat tree, which all rows go through.
//!
//! There are so few tests in them that each is evaluated on every row, by vector instructions; a
//! row's path is then selected from the results without a branch.

use std::array::from_fn;

use crate::score::kernel::block::{BLOCK, Lane};
use crate::score::kernel::flat_test::{FlatTest, GOING};

/// Levels evaluated on all rows, even of a tree that is less deep.
pub(crate) const TOP_LEVELS: u32 = 3;

const TESTS: usize = (1 << TOP_LEVELS) - 1;

/// Rows whose results, a byte each, fill a vector.
const VECTOR: usize = 16;

/// The tests of the top levels: the children of the `i`-th are the `2 i + 1`-th and the one after.
/// Below a stop it is repeated.
#[derive(Debug)]
pub(crate) struct TopLevels {
    tests: [TopTest; TESTS],
    /// Where rows are after these levels: an index of the flat tree for each path.
    pub(crate) below: [u32; TESTS + 1],
}

/// A test by one comparison, which no NaN passes, wherever a missing value goes.
#[derive(Clone, Copy, Debug)]
struct TopTest {
    lane: u32,
    /// The bits a number is xored with: the sign bit, or none.
    sign: u64,
    /// The test holds if the number, its sign so changed, is at least this.
    cut: f64,
}

impl TopTest {
    /// If a missing value goes to the second child, the children are swapped and the test is
    /// `x < cut`: `-x` is at least the next number above `-cut`.
    fn new(test: &FlatTest) -> TopTest {
        let (sign, cut) = match test.missing_second() {
            false => (0, test.cut),
            true => ((-0f64).to_bits(), (-test.cut).next_up()),
        };
        TopTest { lane: test.lane, sign, cut }
    }

    /// For each row of a block, 255 if the test holds, else 0.
    #[inline(always)]
    fn holds(&self, numbers: Lane) -> [u8; BLOCK] {
        let mut holds = [0; BLOCK];
        let (numbers, _) = numbers.as_chunks::<VECTOR>();
        for (holds, numbers) in holds.as_chunks_mut::<VECTOR>().0.iter_mut().zip(numbers) {
            let signed = |row: usize| f64::from_bits(numbers[row].to_bits() ^ self.sign);
            // Narrowed step by step, as vector instructions do it; in one step the compiler emits
            // scalar code.
            let whole: [i32; VECTOR] = from_fn(|row| -i32::from(signed(row) >= self.cut));
            *holds = whole.map(|x| x as i16).map(|x| x as u8);
        }
        holds
    }
}

impl TopLevels {
    /// The root is the first of the tests.
    pub(crate) fn new(tests: &[FlatTest], node_of_stop: &[u32]) -> TopLevels {
        let mut indices = [0u32; 2 * TESTS + 1];
        for i in 0..TESTS {
            let index = indices[i] as usize;
            let first = tests[index].first();
            let second = first + u32::from(node_of_stop[index] == GOING);
            let swapped = usize::from(tests[index].missing_second());
            indices[2 * i + 1 + swapped] = first;
            indices[2 * i + 2 - swapped] = second;
        }
        TopLevels {
            tests: from_fn(|i| TopTest::new(&tests[indices[i] as usize])),
            below: from_fn(|i| indices[TESTS + i]),
        }
    }

    /// Where the rows of a block are after the top levels.
    #[inline(always)]
    pub(crate) fn below(&self, lanes: &[Lane]) -> [u32; BLOCK] {
        let holds = self.tests.map(|test| test.holds(lanes[test.lane as usize]));
        let [root, left, right, far_left, mid_left, mid_right, far_right] = &holds;
        let choose = |which: u8, no: u8, yes: u8| (no & !which) | (yes & which);
        let mut paths = [0u8; BLOCK];
        for (row, path) in paths.iter_mut().enumerate() {
            let first = root[row];
            let second = choose(first, left[row], right[row]);
            let no = choose(second, far_left[row], mid_left[row]);
            let yes = choose(second, mid_right[row], far_right[row]);
            *path = (first & 4) | (second & 2) | (choose(first, no, yes) & 1);
        }
        paths.map(|path| self.below[usize::from(path)])
    }

    /// [`below`](Self::below) with AVX2, four rows at a time.
    ///
    /// # Safety
    /// The lane of each test exists.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code)]
    pub(crate) unsafe fn below_avx2(&self, lanes: &[Lane]) -> [u32; BLOCK] {
        use std::arch::x86_64::*;

        // SAFETY: the lane exists.
        let numbers = self.tests.map(|test| unsafe { *lanes.get_unchecked(test.lane as usize) });
        let signs = self.tests.map(|test| _mm256_set1_pd(f64::from_bits(test.sign)));
        let cuts = self.tests.map(|test| _mm256_set1_pd(test.cut));
        // SAFETY: eight numbers of 32 bits are the size of the vector.
        let below = unsafe { _mm256_loadu_si256(self.below.as_ptr().cast()) };

        let [bit_0, bit_1, bit_2] = [1, 2, 4].map(|bit| _mm256_set1_epi32(bit));

        let mut at = [0; BLOCK];
        for (row, at) in (0..).step_by(4).zip(at.as_chunks_mut::<4>().0) {
            let mut holds = [_mm256_setzero_pd(); TESTS];
            for i in 0..TESTS {
                // SAFETY: a block has four rows from here.
                let x = unsafe { _mm256_loadu_pd(numbers[i].as_ptr().add(row)) };
                holds[i] = _mm256_cmp_pd::<_CMP_GE_OQ>(_mm256_xor_pd(x, signs[i]), cuts[i]);
            }
            let [first, left, right, far_left, mid_left, mid_right, far_right] = holds;
            let second = _mm256_blendv_pd(left, right, first);
            let no = _mm256_blendv_pd(far_left, mid_right, first);
            let yes = _mm256_blendv_pd(mid_left, far_right, first);
            let third = _mm256_blendv_pd(no, yes, second);
            // A result is 64 bits, all set or none: two numbers of 32 bits.
            let bit = |holds, bit| _mm256_and_si256(_mm256_castpd_si256(holds), bit);
            let path = _mm256_or_si256(bit(first, bit_2), bit(second, bit_1));
            let path = _mm256_or_si256(path, bit(third, bit_0));
            let found = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(below, path));
            let (rows_01, rows_23) =
                (_mm256_castps256_ps128(found), _mm256_extractf128_ps::<1>(found));
            // SAFETY: four numbers of 32 bits are the size of the vector.
            unsafe {
                let at = at.as_mut_ptr().cast();
                _mm_storeu_ps(at, _mm_shuffle_ps::<0b10_00_10_00>(rows_01, rows_23));
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::kernel::avx2::tests::number;
    use proptest::prelude::*;

    proptest! {
        /// Rows are where single tests lead them.
        #[test]
        fn agrees_with_single_tests(
            drawn in prop::collection::vec((number(), 0usize..3, any::<bool>(), 0..4), TESTS),
            numbers in prop::collection::vec(number(), 3 * BLOCK),
        ) {
            let (mut tests, mut node_of_stop) = (vec![FlatTest::stop(0)], vec![0]);
            let mut indices = vec![0];
            for (cut, lane, second, stop) in drawn {
                let Some(index) = indices.pop() else { break };
                if stop > 0 && tests.len() < 2 * TESTS {
                    let first = tests.len();
                    let second = second && cut > f64::NEG_INFINITY;
                    tests[index] = FlatTest::new(lane as u32, cut, first, second);
                    node_of_stop[index] = GOING;
                    tests.extend([FlatTest::stop(first), FlatTest::stop(first + 1)]);
                    node_of_stop.extend([0, 0]);
                    indices.splice(0..0, [first + 1, first]);
                }
            }
            let (lanes, _) = numbers.as_chunks::<BLOCK>();
            let lanes: Vec<Lane> = lanes.iter().collect();
            let down = |row: usize| (0..TOP_LEVELS).fold(0, |at, _| {
                let test = &tests[at as usize];
                test.child(lanes[test.lane as usize][row])
            });
            let expected: [u32; BLOCK] = from_fn(down);
            let top = TopLevels::new(&tests, &node_of_stop);
            prop_assert_eq!(top.below(&lanes), expected);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the vectors, and the lanes are there.
                #[expect(unsafe_code)]
                let avx2 = unsafe { top.below_avx2(&lanes) };
                prop_assert_eq!(avx2, expected);
            }
        }
    }
}
