//! The nodes of a tree that grows, with rules in keys and codes: they tell which rows are in which
//! node.

use crate::stat::StatVec;
use crate::tree::rule::Test;

/// The nodes so far. A node keeps its index while the tree grows, so a store may remember where
/// each row was at the last pass and go on from there.
#[derive(Clone, Debug, Default)]
pub struct GrowingTree {
    /// The root is the first; a node's branches come after it.
    pub nodes: Vec<GrowingNode>,
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct GrowingNode {
    /// The node above and which of its branches this is; `None` for the root.
    pub parent: Option<(u32, u32)>,
    /// Its rule; `None` for a leaf and a node that waits.
    pub rule: Option<NodeRule>,
    /// The node of the rule's first branch; the others follow it in order.
    pub first_branch: u32,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeRule {
    /// The feature's index.
    pub column: u32,
    /// The test. A cut is a key ([`value_of_key`](crate::engine::value_of_key) makes it a value), or the
    /// code of a level in a column that has levels: the row goes right if its own key or code is
    /// at least the cut. Levels are codes.
    pub test: Test<i128>,
    /// The branch of missing values. `None` where there are none at this node.
    pub missing_to: Option<u32>,
}

/// What a row has in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Null or NaN.
    Missing,
    /// The code of a level, or the key of a value.
    Known(i128),
}

impl NodeRule {
    /// The branch of a row of the node.
    pub fn branch(&self, cell: Cell) -> u32 {
        let key = match cell {
            Cell::Missing if self.test == Test::IsMissing => return 1,
            Cell::Missing => return self.missing_to.unwrap_or(0),
            Cell::Known(key) => key,
        };
        self.test.branch_in_node(key as u32, |cut| key >= *cut)
    }
}

impl GrowingTree {
    /// The node that a row is in, from a node above it on; `cell` tells what the row has in a
    /// column.
    pub fn node_of(&self, mut node: u32, cell: impl Fn(u32) -> Cell) -> u32 {
        while let Some(rule) = &self.nodes[node as usize].rule {
            node = self.nodes[node as usize].first_branch + rule.branch(cell(rule.column));
        }
        node
    }

    /// The rules above a node, from the root down, each with the branch taken.
    pub fn path(&self, node: u32) -> Vec<(&NodeRule, u32)> {
        let mut path = Vec::new();
        let mut at = &self.nodes[node as usize];
        while let Some((parent, branch)) = at.parent {
            at = &self.nodes[parent as usize];
            path.extend(at.rule.as_ref().map(|rule| (rule, branch)));
        }
        path.reverse();
        path
    }
}

/// A node that waits to be counted, or to be gathered.
pub(super) struct WaitingNode<N> {
    /// Its index among the grown nodes.
    pub(super) at: u32,
    /// Its index in the growing tree.
    pub(super) node: u32,
    pub(super) depth: u32,
    pub(super) rows: u64,
    /// `None` for the root before its first count.
    pub(super) total: Option<StatVec<N>>,
    /// Columns that may vary among its rows.
    pub(super) columns: Vec<u32>,
}

impl<N> WaitingNode<N> {
    pub(super) fn root(at: u32, rows: u64, n_columns: usize) -> WaitingNode<N> {
        let columns = (0..n_columns as u32).collect();
        WaitingNode { at, node: 0, depth: 0, rows, total: None, columns }
    }
}
