//! Blocks of rows sent down the [flat](super::flat) tree together.
//!
//! Level by level the rows do not wait for each other, and the processor has many of them under
//! way at once; row by row each test would wait for the one before.

use std::array::from_fn;

#[cfg(target_arch = "x86_64")]
use crate::score::kernel::avx2::four_ways;
use crate::score::kernel::flat_tree::{FlatTree, GOING, UNUSUAL};
use crate::score::kernel::prefetch::Asking;

/// Rows that are walked together: few enough that their numbers, of some twenty lanes, stay in
/// the nearest cache beside the tests.
pub(crate) const BLOCK: usize = 64;

/// Rows whose tests are written out one after the other in the loop over a level.
pub(crate) const ABREAST: usize = 4;

/// Lines of numbers that are asked for on the way through a level: one for the rows abreast.
pub(crate) const AT_A_LEVEL: usize = BLOCK / ABREAST;

/// The numbers of a feature in a block.
pub(crate) type Lane<'a> = &'a [f64; BLOCK];

impl FlatTree {
    /// Sends a block of rows down, a lane for each of the used features; numbers of blocks ahead
    /// are asked for meanwhile. Whether a row ends [`UNUSUAL`] is said.
    pub(crate) fn walk(&self, lanes: &[Lane], ahead: Asking, ends: &mut [u32; BLOCK]) -> bool {
        assert!(lanes.len() >= self.n_lanes, "a lane for each feature");
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what it is compiled for, and there is a lane a feature.
            #[expect(unsafe_code)]
            return unsafe { self.walk_by_fours(lanes, ahead, ends) };
        }
        self.walk_by_one(lanes, ahead, ends)
    }

    /// The walk as any processor takes it.
    fn walk_by_one(&self, lanes: &[Lane], ahead: Asking, ends: &mut [u32; BLOCK]) -> bool {
        let ways = |row, at: [u32; ABREAST]| from_fn(|i| self.way(at[i], lanes, row + i));
        self.walk_with(lanes, ahead, ends, self.top.below(lanes), ways)
    }

    /// The same by vectors of four numbers: the [first levels](super::top), and the
    /// [ways on](super::fours).
    ///
    /// # Safety
    /// There are `n_lanes`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code)]
    unsafe fn walk_by_fours(&self, lanes: &[Lane], ahead: Asking, ends: &mut [u32; BLOCK]) -> bool {
        // SAFETY: the tests ask for lanes below `n_lanes`.
        let at = unsafe { self.top.below_by_fours(lanes) };
        self.walk_with(lanes, ahead, ends, at, |row, at| {
            // SAFETY: `FlatTree::of` has seen that the top and each test lead to places there are and
            // ask for lanes below `n_lanes`; `walk_with` takes rows of a block.
            unsafe { four_ways(&self.tests, lanes, row, at) }
        })
    }

    /// The walk from where rows are after the first levels, by the ways on of rows abreast, the
    /// first of which is given, from where they are.
    #[inline(always)]
    fn walk_with(
        &self,
        lanes: &[Lane],
        ahead: Asking,
        ends: &mut [u32; BLOCK],
        mut at: [u32; BLOCK],
        ways: impl Fn(usize, [u32; ABREAST]) -> [u32; ABREAST],
    ) -> bool {
        for level in 0..self.common_levels as usize {
            let (rows, _) = at.as_chunks_mut::<ABREAST>();
            for ((i, at), &line) in rows.iter_mut().enumerate().zip(ahead.level(level)) {
                ahead.ask(line);
                *at = ways(i * ABREAST, *at);
            }
        }
        ahead.after(self.common_levels as usize).for_each(|&line| ahead.ask(line));
        // Looked through at hand: numbers just written one by one cannot be read several at once
        // until they are out: 4 % off the scoring of a table.
        let mut highest = 0;
        for (end, &at) in ends.iter_mut().zip(&at) {
            *end = self.ends[at as usize];
            highest = highest.max(*end);
        }
        if highest < GOING {
            return false;
        }
        // Where some branches are much deeper than most, only the rows in them go on.
        let mut open = [0u8; BLOCK];
        let mut n_open = 0;
        for (row, &end) in (0..).zip(ends.iter()) {
            open[n_open] = row;
            n_open += usize::from(end == GOING);
        }
        while n_open > 0 {
            let mut n_left = 0;
            for i in 0..n_open {
                let row = usize::from(open[i]);
                at[row] = self.way(at[row], lanes, row);
                ends[row] = self.ends[at[row] as usize];
                open[n_left] = row as u8;
                n_left += usize::from(ends[row] == GOING);
            }
            n_open = n_left;
        }
        ends.contains(&UNUSUAL)
    }

    /// The way on of a row from a place.
    #[inline(always)]
    fn way(&self, at: u32, lanes: &[Lane], row: usize) -> u32 {
        let test = &self.tests[at as usize];
        test.way(lanes[test.lane as usize][row])
    }
}
