//! A test of the flat tree (drawn in the [module's page](super)).
//!
//! A missing value is NaN, for which no comparison holds: it goes to a test's first child, unless
//! the test says that it goes to the second. A row that needs more than going on (an absent level,
//! a mixture) ends [`SLOW_PATH`] and is left to the slow path.

/// The end of a row that takes the slow path.
pub(crate) const SLOW_PATH: u32 = u32::MAX;

/// The end of a row that has not arrived yet.
pub(crate) const GOING: u32 = u32::MAX - 1;

/// A test, or a stop: one whose child is itself. Four fill a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct FlatTest {
    /// Numbers from here on go to the second child.
    pub(crate) cut: f64,
    pub(crate) lane: u32,
    /// The index of the first child (the second follows it), and the [`MISSING_SECOND`] bit.
    children: u32,
}

/// Set if a missing value goes to the second child; indices are below it.
pub(super) const MISSING_SECOND: u32 = 1 << 31;

impl FlatTest {
    /// If a missing value goes to the second child, the cut is a number.
    pub(crate) fn new(lane: u32, cut: f64, first: usize, missing_second: bool) -> FlatTest {
        debug_assert!(!(missing_second && cut.is_nan()));
        let missing = if missing_second { MISSING_SECOND } else { 0 };
        FlatTest { cut, lane, children: first as u32 | missing }
    }

    /// The stop at an index.
    pub(crate) fn stop(at: usize) -> FlatTest {
        FlatTest::new(0, f64::NAN, at, false)
    }

    pub(crate) fn first(&self) -> u32 {
        self.children & !MISSING_SECOND
    }

    pub(crate) fn missing_second(&self) -> bool {
        self.children & MISSING_SECOND != 0
    }

    /// The child a number goes to; branchless, as it cannot be predicted.
    #[inline(always)]
    pub(crate) fn child(&self, x: f64) -> u32 {
        self.first() + u32::from((x >= self.cut) | (x.is_nan() & self.missing_second()))
    }
}
