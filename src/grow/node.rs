//! Nodes on their way through growth.

use std::ops::Range;
use std::sync::Arc;

use super::histogram::Histogram;
use crate::split::Candidate;
use crate::stat::StatVec;
use crate::util::random::mix;

/// The histograms of some packs at a node, each with the pack's number.
pub(crate) type NodeHistograms<N> = Vec<(usize, Histogram<N>)>;

/// Rows times columns from which a node's columns are searched in parallel.
const PARALLEL_CELLS: usize = 20_000;

/// The way from the root to a node. It does not depend on the order in which nodes are grown, nor
/// on threads.
#[derive(Clone, Copy, Debug)]
pub struct NodePath {
    depth: u32,
    key: u64,
}

impl NodePath {
    /// The way to the root, of depth 0.
    pub const ROOT: NodePath = NodePath { depth: 0, key: 0 };

    /// The number of branches taken.
    pub fn depth(self) -> u32 {
        self.depth
    }

    /// A number made of the branches taken, to seed draws with: two nodes of a tree have equal
    /// numbers as seldom as two random numbers are equal.
    pub fn key(self) -> u64 {
        self.key
    }

    /// The way to a branch of the node, counted from 0.
    pub fn branch(self, branch: usize) -> NodePath {
        NodePath { depth: self.depth + 1, key: mix(self.key ^ (branch as u64 + 1)) }
    }
}

/// A node that waits for its rule. Its rows are a range of the partition's.
pub(crate) struct OpenNode<N> {
    pub(crate) node: u32,
    pub(crate) path: NodePath,
    pub(crate) range: Range<usize>,
    /// Columns that may still vary among its rows.
    pub(crate) columns: Arc<[u32]>,
    pub(crate) weight: f64,
    pub(crate) impurity: f64,
    pub(crate) total: StatVec<N>,
    pub(crate) histograms: NodeHistograms<N>,
}

impl<N> OpenNode<N> {
    /// Whether its columns are worth searching in parallel.
    pub(crate) fn is_large(&self) -> bool {
        self.range.len() * self.columns.len() >= PARALLEL_CELLS
    }
}

pub(crate) struct ChosenSplit<N> {
    pub(crate) node: OpenNode<N>,
    pub(crate) column: u32,
    /// In the partition's codes.
    pub(crate) candidate: Candidate,
    pub(crate) varying: Arc<[u32]>,
    pub(crate) histograms: NodeHistograms<N>,
}
