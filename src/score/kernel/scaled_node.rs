//! An inner node with its rule on its feature's scale.

use crate::tree::missing::NextNode;
use crate::tree::rule::Test;

/// An inner node whose test compares numbers of a lane.
pub(crate) struct ScaledNode<'t> {
    /// The index of its feature among the used ones.
    pub(crate) lane: u32,
    pub(crate) test: Test<f64>,
    pub(crate) branches: &'t [u32],
    /// Where a missing value goes.
    pub(crate) missing: NextNode,
    /// Levels of the feature, which is also the number of a level that training did not have.
    pub(crate) n_levels: u32,
}
