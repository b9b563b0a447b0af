//! The walk of a block of rows down the flat tree.
//!
//! Level by level, the rows of a block do not depend on each other, so that the processor overlaps
//! their loads; row by row each test would wait for the one before.

use std::array::from_fn;

#[cfg(target_arch = "x86_64")]
use crate::score::kernel::avx2::four_children;
use crate::score::kernel::block::{BLOCK, GROUP, Lane};
use crate::score::kernel::flat_test::{GOING, SLOW_PATH};
use crate::score::kernel::flat_tree::FlatTree;
use crate::score::kernel::prefetch::BlockPrefetch;

impl FlatTree {
    /// Writes the node each row of a block ends in, and prefetches a later block. There is a lane
    /// for each used feature. Returns whether some row ends [`SLOW_PATH`].
    pub(crate) fn walk(
        &self,
        lanes: &[Lane],
        prefetch: BlockPrefetch,
        ended_in: &mut [u32; BLOCK],
    ) -> bool {
        assert!(lanes.len() >= self.n_lanes, "a lane for each feature");
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, and there are `n_lanes` lanes.
            #[expect(unsafe_code)]
            return unsafe { self.walk_avx2(lanes, prefetch, ended_in) };
        }
        let children = |row, at: [u32; GROUP]| from_fn(|i| self.child(at[i], lanes, row + i));
        self.walk_with(lanes, prefetch, ended_in, self.top.below(lanes), children)
    }

    /// # Safety
    /// There are `n_lanes` lanes.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code)]
    unsafe fn walk_avx2(
        &self,
        lanes: &[Lane],
        prefetch: BlockPrefetch,
        ended_in: &mut [u32; BLOCK],
    ) -> bool {
        // SAFETY: the lanes of the tests are below `n_lanes`.
        let at = unsafe { self.top.below_avx2(lanes) };
        self.walk_with(lanes, prefetch, ended_in, at, |row, at| {
            // SAFETY: `FlatTree::new` has checked that the top levels and each test lead to tests
            // that exist; their lanes are below `n_lanes`; `walk_with` passes rows of a block.
            unsafe { four_children(&self.tests, lanes, row, at) }
        })
    }

    /// The walk from where the rows are (`at`) after the top levels. `children` gives the next
    /// tests of a group, from its first row and where its rows are.
    #[inline(always)]
    fn walk_with(
        &self,
        lanes: &[Lane],
        prefetch: BlockPrefetch,
        ended_in: &mut [u32; BLOCK],
        mut at: [u32; BLOCK],
        children: impl Fn(usize, [u32; GROUP]) -> [u32; GROUP],
    ) -> bool {
        for level in 0..self.common_levels as usize {
            let (rows, _) = at.as_chunks_mut::<GROUP>();
            for ((i, at), &line) in rows.iter_mut().enumerate().zip(prefetch.level(level)) {
                prefetch.line(line);
                *at = children(i * GROUP, *at);
            }
        }
        prefetch.after(self.common_levels as usize).for_each(|&line| prefetch.line(line));
        // In the same loop: a vector load of numbers just stored one by one would stall (no store
        // forwarding).
        let mut highest = 0;
        for (end, &at) in ended_in.iter_mut().zip(&at) {
            *end = self.node_of_stop[at as usize];
            highest = highest.max(*end);
        }
        if highest < GOING {
            return false;
        }
        // Branches deeper than most: only the rows in them go on.
        let mut open = [0u8; BLOCK];
        let mut n_open = 0;
        for (row, &end) in (0..).zip(ended_in.iter()) {
            open[n_open] = row;
            n_open += usize::from(end == GOING);
        }
        while n_open > 0 {
            let mut n_left = 0;
            for i in 0..n_open {
                let row = usize::from(open[i]);
                at[row] = self.child(at[row], lanes, row);
                ended_in[row] = self.node_of_stop[at[row] as usize];
                open[n_left] = row as u8;
                n_left += usize::from(ended_in[row] == GOING);
            }
            n_open = n_left;
        }
        ended_in.contains(&SLOW_PATH)
    }

    /// The next test of a row.
    #[inline(always)]
    fn child(&self, at: u32, lanes: &[Lane], row: usize) -> u32 {
        let test = &self.tests[at as usize];
        test.child(lanes[test.lane as usize][row])
    }
}
