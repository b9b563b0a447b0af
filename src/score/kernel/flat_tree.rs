//! The flat tree: an array of tests `x >= cut` (drawn in the [module's page](super)).

use crate::score::kernel::flat_test::{FlatTest, MISSING_SECOND};
use crate::score::kernel::top_levels::TopLevels;

#[derive(Debug)]
pub(crate) struct FlatTree {
    pub(crate) tests: Vec<FlatTest>,
    /// The node each stop stands for; [`GOING`](super::flat_test::GOING) for tests.
    pub(crate) node_of_stop: Vec<u32>,
    pub(crate) top: TopLevels,
    /// Levels below the top that most rows go through.
    pub(crate) common_levels: u32,
    /// All lanes are below this.
    pub(crate) n_lanes: usize,
}

impl FlatTree {
    /// Whether no row can leave the array: the walk does not check.
    pub(super) fn is_closed(&self) -> bool {
        let n = self.tests.len();
        let stays = |test: &FlatTest| {
            let first = test.first() as usize;
            // No number is at least NaN.
            let is_stop = test.cut.is_nan() && !test.missing_second();
            first < n && (first + 1 < n || is_stop)
        };
        self.node_of_stop.len() == n
            && n < MISSING_SECOND as usize
            && self.tests.iter().all(stays)
            && self.top.below.iter().all(|&at| (at as usize) < n)
    }
}
