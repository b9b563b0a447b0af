//! The questions that only rankings put to a store.

use super::growing_tree::GrowingTree;
use super::key_range::KeyRange;
use super::row_store::{Moments, RowStore};
use crate::error::Result;

/// A [`RowStore`] whose features can be ranked. Each method reads the rows once. The tree says which
/// rows are in which node: there is one node, or one for each group.
pub trait RankStore: RowStore {
    /// The bytes of the budget that counting distinct values takes for each row that is asked about:
    /// a key of 8 bytes, or of 16 if it is wide. 0 if they are counted elsewhere.
    fn level_bytes(&self, is_wide: bool) -> u64 {
        if is_wide { 16 } else { 8 }
    }

    /// Counts distinct values. The answers are in the order of the requests.
    ///
    /// # Errors
    /// As [`count`](RowStore::count).
    fn count_levels(
        &mut self,
        tree: &GrowingTree,
        requests: &[LevelRequest],
    ) -> Result<Vec<LevelCount>>;

    /// Sums the squares of a numeric target. The answers are in the order of the requests. The answer
    /// to a request without rows does not matter.
    ///
    /// # Errors
    /// As [`count`](RowStore::count).
    fn rated_moments(
        &mut self,
        tree: &GrowingTree,
        requests: &[RatedMomentRequest],
    ) -> Result<Vec<Moments>>;
}

/// Distinct values to count, of one node and column of keys.
#[derive(Clone, Debug)]
pub struct LevelRequest {
    /// A node without a rule.
    pub node: u32,
    /// The feature's index.
    pub column: u32,
    /// Ascending and disjoint.
    pub ranges: Vec<KeyRange>,
    /// The rows whose keys are in the ranges, as an earlier pass counted them.
    pub rows: u64,
}

/// Distinct values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelCount {
    /// The rows whose keys are in the ranges.
    pub rows: u64,
    /// Their distinct values.
    pub levels: u64,
}

/// Moments to count, of the rows of a node that a feature is rated on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RatedMomentRequest {
    /// A node without a rule.
    pub node: u32,
    /// The feature whose value must be known; `None` is all the node's rows.
    pub known_in: Option<u32>,
    /// A whole distance.
    pub centre: i128,
}
