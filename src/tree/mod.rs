//! A fitted tree, as plain data.

pub(crate) mod rule;
pub(crate) mod schema;

use crate::data::dtype::{DType, Value};
use crate::spec::TreeSpec;
use crate::tree::rule::Rule;
pub use crate::tree::schema::{Feature, Schema};

/// The data of a fitted tree: its schema, and its nodes in preorder (a node's first branch
/// follows it).
///
/// Every node keeps its class counts (or its mean), so each of them can answer for the rows that
/// reach it.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeData {
    pub(crate) spec: TreeSpec,
    pub(crate) schema: Schema,
    pub(crate) nodes: Vec<Node>,
    /// [`width`](TreeData::width) numbers per node: its class counts (weights, if there were
    /// weights), or its weight and its mean.
    pub(crate) values: Vec<f64>,
}

/// A node; its place in the tree is its id.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `None` for the root.
    pub parent: Option<u32>,
    /// The root is at 0.
    pub depth: u32,
    /// Training rows that reached it.
    pub n: u64,
    /// Impurity of its class counts by the tree's criterion.
    pub impurity: f64,
    /// `None` for a leaf.
    pub split: Option<Split>,
}

/// The split of an inner node.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The test.
    pub rule: Rule,
    /// The node each branch leads to.
    pub branches: Vec<u32>,
    /// The rule's gain at this node, in the criterion's units.
    pub gain: f64,
    /// Not every split of this shape was looked at.
    pub approximate: bool,
}

impl TreeData {
    /// The spec it was grown by.
    pub fn spec(&self) -> &TreeSpec {
        &self.spec
    }

    /// What it was fitted on.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The nodes in preorder.
    pub fn node_slice(&self) -> &[Node] {
        &self.nodes
    }

    /// Nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Leaves.
    pub fn n_leaves(&self) -> usize {
        self.nodes.iter().filter(|n| n.split.is_none()).count()
    }

    /// Depth of the deepest node; 0 for a single leaf.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().map(|n| n.depth).max().unwrap_or(0)
    }

    /// Whether the target is a number, and the tree's answers are means.
    pub fn is_regression(&self) -> bool {
        self.schema.classes.is_empty()
    }

    /// Values a node: one a class, or weight and mean.
    pub(crate) fn width(&self) -> usize {
        if self.is_regression() { 2 } else { self.schema.classes.len() }
    }

    pub(crate) fn values(&self, node: u32) -> &[f64] {
        let width = self.width();
        &self.values[node as usize * width..(node as usize + 1) * width]
    }

    /// A node's class counts, in class order; none in regression.
    pub fn class_counts(&self, node: u32) -> &[f64] {
        if self.is_regression() { &[] } else { self.values(node) }
    }

    /// A node's mean; `None` in classification.
    pub fn mean(&self, node: u32) -> Option<f64> {
        self.is_regression().then(|| self.values(node)[1])
    }

    /// The weight of a node's rows: the sum of its class counts.
    pub fn weight(&self, node: u32) -> f64 {
        if self.is_regression() { self.values(node)[0] } else { self.values(node).iter().sum() }
    }

    /// The class a node answers with: its majority, the lower one of equals.
    pub fn majority(&self, node: u32) -> usize {
        let counts = self.class_counts(node);
        (0..counts.len()).rev().max_by(|&a, &b| counts[a].total_cmp(&counts[b])).unwrap_or(0)
    }

    /// A class's share of a node's weight; 0 in regression.
    pub fn probability(&self, node: u32, class: usize) -> f64 {
        self.class_counts(node).get(class).map_or(0.0, |count| count / self.weight(node))
    }

    /// A node's answer as text: its class, or its mean.
    pub fn answer_text(&self, node: u32) -> String {
        match self.mean(node) {
            Some(mean) => DType::F64.write(&Value::Float(mean)),
            None => self.schema.class_text(self.majority(node)),
        }
    }

    /// The features some rule uses, ascending.
    pub fn used_features(&self) -> Vec<u32> {
        let mut used: Vec<u32> =
            self.nodes.iter().filter_map(|n| n.split.as_ref()).map(|s| s.rule.feature).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The node after the last one below a node: in preorder these are the nodes of a subtree.
    pub(crate) fn end_of_subtree(&self, node: u32) -> u32 {
        let depth = self.nodes[node as usize].depth;
        let after = &self.nodes[node as usize + 1..];
        let below = after.iter().position(|n| n.depth <= depth).unwrap_or(after.len());
        node + 1 + below as u32
    }

    /// The feature a split tests.
    pub(crate) fn feature(&self, split: &Split) -> &Feature {
        &self.schema.features[split.rule.feature as usize]
    }
}
