//! The first levels of the [flat](super::flat) tree, which all rows go through side by side.
//!
//! There are so few tests in them that each is asked of every row, which vectors do at once, and
//! the answers on a row's way are chosen: 10 % off a walk of twelve levels, and 8 % more
//! [by fours](Top::below_by_fours). A fourth level of it takes as much as it gives.

use std::array::from_fn;

use crate::score::kernel::flat_tree::{GOING, Test};
use crate::score::kernel::walk::{BLOCK, Lane};

/// Levels that all rows go through, whether or not the tree is as deep.
pub(crate) const TOP_LEVELS: u32 = 3;

const TESTS: usize = (1 << TOP_LEVELS) - 1;

/// Rows whose answers to a test fill a vector of bytes.
const VECTOR: usize = 16;

/// The first levels, level by level: the ways of the `i`-th test are the `2 i + 1`-th and the one
/// after. Below a stop it is repeated.
#[derive(Debug)]
pub(crate) struct Top {
    tests: [Asked; TESTS],
    /// Where rows are after these levels.
    pub(crate) below: [u32; TESTS + 1],
}

/// A test by one comparison, whichever way a missing value goes: for no NaN it holds.
#[derive(Clone, Copy, Debug)]
struct Asked {
    lane: u32,
    /// Turns a number's sign, or does not.
    sign: u64,
    /// The second way is taken where the number, so turned, is at least this.
    cut: f64,
}

impl Asked {
    /// Where a missing value takes the test's second way, that is the first here: `x < cut` is
    /// asked, which is as much as that `-x` is at least the next number above `-cut`.
    fn of(test: &Test) -> Asked {
        let (sign, cut) = match test.missing_second() {
            false => (0, test.cut),
            true => ((-0f64).to_bits(), (-test.cut).next_up()),
        };
        Asked { lane: test.lane, sign, cut }
    }

    /// Of each row of a block: 255 where it holds.
    #[inline(always)]
    fn holds(&self, numbers: Lane) -> [u8; BLOCK] {
        let mut holds = [0; BLOCK];
        let (numbers, _) = numbers.as_chunks::<VECTOR>();
        for (holds, numbers) in holds.as_chunks_mut::<VECTOR>().0.iter_mut().zip(numbers) {
            let turned = |row: usize| f64::from_bits(numbers[row].to_bits() ^ self.sign);
            // Narrowed step by step, as vectors are; at once it takes 2.7 times as long.
            let whole: [i32; VECTOR] = from_fn(|row| -i32::from(turned(row) >= self.cut));
            *holds = whole.map(|x| x as i16).map(|x| x as u8);
        }
        holds
    }
}

impl Top {
    /// The root is the first of the tests.
    pub(crate) fn of(tests: &[Test], ends: &[u32]) -> Top {
        let mut places = [0u32; 2 * TESTS + 1];
        for i in 0..TESTS {
            let place = places[i] as usize;
            let first = tests[place].first();
            let second = first + u32::from(ends[place] == GOING);
            let turned = usize::from(tests[place].missing_second());
            places[2 * i + 1 + turned] = first;
            places[2 * i + 2 - turned] = second;
        }
        Top {
            tests: from_fn(|i| Asked::of(&tests[places[i] as usize])),
            below: from_fn(|i| places[TESTS + i]),
        }
    }

    /// Where the rows of a block are after the first levels.
    #[inline(always)]
    pub(crate) fn below(&self, lanes: &[Lane]) -> [u32; BLOCK] {
        let holds = self.tests.map(|test| test.holds(lanes[test.lane as usize]));
        let [root, left, right, far_left, mid_left, mid_right, far_right] = &holds;
        let choose = |which: u8, no: u8, yes: u8| (no & !which) | (yes & which);
        let mut ways = [0u8; BLOCK];
        for (row, way) in ways.iter_mut().enumerate() {
            let first = root[row];
            let second = choose(first, left[row], right[row]);
            let no = choose(second, far_left[row], mid_left[row]);
            let yes = choose(second, mid_right[row], far_right[row]);
            *way = (first & 4) | (second & 2) | (choose(first, no, yes) & 1);
        }
        ways.map(|way| self.below[usize::from(way)])
    }

    /// The same by vectors of four numbers, in which the places are looked up too.
    ///
    /// # Safety
    /// There is each of the tests' lanes.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code)]
    pub(crate) unsafe fn below_by_fours(&self, lanes: &[Lane]) -> [u32; BLOCK] {
        use std::arch::x86_64::*;

        // SAFETY: the lane is there.
        let numbers = self.tests.map(|test| unsafe { *lanes.get_unchecked(test.lane as usize) });
        let signs = self.tests.map(|test| _mm256_set1_pd(f64::from_bits(test.sign)));
        let cuts = self.tests.map(|test| _mm256_set1_pd(test.cut));
        // SAFETY: eight numbers of 32 bits are the size of the vector.
        let below = unsafe { _mm256_loadu_si256(self.below.as_ptr().cast()) };

        let [ones, twos, fours] = [1, 2, 4].map(|bit| _mm256_set1_epi32(bit));

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
            // An answer has all bits set or none, as many as two numbers of 32 bits have.
            let bit = |answer, bit| _mm256_and_si256(_mm256_castpd_si256(answer), bit);
            let way = _mm256_or_si256(bit(first, fours), bit(second, twos));
            let way = _mm256_or_si256(way, bit(third, ones));
            let found = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(below, way));
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
        /// Rows are where they come to test by test.
        #[test]
        fn goes_as_test_by_test(
            drawn in prop::collection::vec((number(), 0usize..3, any::<bool>(), 0..4), TESTS),
            numbers in prop::collection::vec(number(), 3 * BLOCK),
        ) {
            let (mut tests, mut ends) = (vec![Test::stop(0)], vec![0]);
            let mut places = vec![0];
            for (cut, lane, second, stop) in drawn {
                let Some(place) = places.pop() else { break };
                if stop > 0 && tests.len() < 2 * TESTS {
                    let first = tests.len();
                    let second = second && cut > f64::NEG_INFINITY;
                    tests[place] = Test::new(lane as u32, cut, first, second);
                    ends[place] = GOING;
                    tests.extend([Test::stop(first), Test::stop(first + 1)]);
                    ends.extend([0, 0]);
                    places.splice(0..0, [first + 1, first]);
                }
            }
            let (lanes, _) = numbers.as_chunks::<BLOCK>();
            let lanes: Vec<Lane> = lanes.iter().collect();
            let down = |row: usize| (0..TOP_LEVELS).fold(0, |at, _| {
                let test = &tests[at as usize];
                test.way(lanes[test.lane as usize][row])
            });
            let expected: [u32; BLOCK] = from_fn(down);
            let top = Top::of(&tests, &ends);
            prop_assert_eq!(top.below(&lanes), expected);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the vectors, and the lanes are there.
                #[expect(unsafe_code)]
                let by_fours = unsafe { top.below_by_fours(&lanes) };
                prop_assert_eq!(by_fours, expected);
            }
        }
    }
}
