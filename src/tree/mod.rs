//! A fitted tree, as plain data.

pub(crate) mod forest_data;
pub(crate) mod missing;
pub(crate) mod preorder;
pub(crate) mod rule;
pub(crate) mod rule_text;
pub(crate) mod schema;

use std::sync::Arc;

use crate::data::dtype::{DType, Value};
use crate::spec::{ClassWeights, TreeSpec};
use crate::tree::rule::Rule;
pub use crate::tree::schema::{Feature, Schema};

/// The data of a fitted tree: its schema, and its nodes in preorder (a node's first branch
/// follows it).
///
/// Every node keeps its class counts (or its mean), so that each of them can predict for the rows
/// that reach it.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeData {
    /// The trees of a forest share it, and the schema.
    pub(crate) spec: Arc<TreeSpec>,
    pub(crate) schema: Arc<Schema>,
    pub(crate) nodes: Vec<Node>,
    /// [`width`](TreeData::width) numbers per node: its class counts (weights, if rows have
    /// weights), or its weight and its mean.
    pub(crate) values: Vec<f64>,
}

/// A node. Its id is its index in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `None` for the root.
    pub parent: Option<u32>,
    /// The root has depth 0.
    pub depth: u32,
    /// Training rows that reached it.
    pub n: u64,
    /// Impurity of its class counts (or variance), by the tree's criterion.
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
    /// Whether the search for this split was not exhaustive.
    pub approximate: bool,
}

impl TreeData {
    /// The spec it was grown by.
    pub fn spec(&self) -> &TreeSpec {
        &self.spec
    }

    /// The target and the features.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The nodes in preorder.
    pub fn node_slice(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.nodes.iter().filter(|n| n.split.is_none()).count()
    }

    /// Depth of the deepest node; 0 for a single leaf.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().map(|n| n.depth).max().unwrap_or(0)
    }

    /// Whether the target is a number, and the tree predicts means.
    pub fn is_regression(&self) -> bool {
        self.schema.classes.is_empty()
    }

    /// Values per node: one per class, or weight and mean.
    pub(crate) fn width(&self) -> usize {
        if self.is_regression() { 2 } else { self.schema.classes.len() }
    }

    pub(crate) fn values(&self, node: u32) -> &[f64] {
        let width = self.width();
        &self.values[node as usize * width..(node as usize + 1) * width]
    }

    /// A node's class counts, in class order; empty in regression.
    pub fn class_counts(&self, node: u32) -> &[f64] {
        if self.is_regression() { &[] } else { self.values(node) }
    }

    /// Makes balanced classes weigh exactly the same at the root. Their weights were rounded to
    /// units, which are too coarse for that where rows weigh fractions or classes are many.
    pub(crate) fn tie_balanced_classes(&mut self) {
        if self.spec.class_weights != ClassWeights::Balanced {
            return;
        }
        let root = self.class_counts(0).to_vec();
        let n_present = root.iter().filter(|&&count| count > 0.0).count();
        let share = root.iter().sum::<f64>() / n_present as f64;
        let differs = |class: &usize| root[*class] > 0.0 && root[*class] != share;
        let classes: Vec<usize> = (0..root.len()).filter(differs).collect();
        for counts in self.values.chunks_exact_mut(root.len()).filter(|_| !classes.is_empty()) {
            classes.iter().for_each(|&c| counts[c] = counts[c] / root[c] * share);
        }
    }

    /// A node's class counts by the rows' own weights, without the weights of the classes.
    pub(crate) fn counts_before_class_weights(&self, node: u32) -> Vec<f64> {
        let counts = self.class_counts(node).iter().copied();
        match self.schema.class_weights.is_empty() {
            true => counts.collect(),
            false => counts.zip(&self.schema.class_weights).map(|(n, weight)| n / weight).collect(),
        }
    }

    /// The weight of each class in the table the model was fitted on, by the rows' own weights.
    pub(crate) fn class_totals(&self) -> Vec<f64> {
        match self.schema.class_totals.as_slice() {
            [] => self.counts_before_class_weights(0),
            totals => totals.to_vec(),
        }
    }

    /// A node's mean; `None` in classification.
    pub fn mean(&self, node: u32) -> Option<f64> {
        self.is_regression().then(|| self.values(node)[1])
    }

    /// The weight of a node's rows: the sum of its class counts.
    pub fn weight(&self, node: u32) -> f64 {
        if self.is_regression() { self.values(node)[0] } else { self.values(node).iter().sum() }
    }

    /// The class a node predicts: its majority, the lower one of equals.
    pub fn majority(&self, node: u32) -> usize {
        highest(self.class_counts(node))
    }

    /// A class's share of a node's weight; 0 in regression.
    pub fn probability(&self, node: u32, class: usize) -> f64 {
        self.class_counts(node).get(class).map_or(0.0, |count| count / self.weight(node))
    }

    /// Each class's share of a node's weight, in class order; none in regression.
    pub(crate) fn shares(&self, node: u32) -> impl Iterator<Item = f64> {
        let weight = self.weight(node);
        self.class_counts(node).iter().map(move |count| count / weight)
    }

    /// A node's prediction as text: its class, or its mean.
    pub fn answer_text(&self, node: u32) -> String {
        match self.mean(node) {
            Some(mean) => DType::F64.write(&Value::Float(mean)),
            None => self.schema.class_text(self.majority(node)),
        }
    }

    /// The gains of each feature's rules, each times its node's share of the weight.
    pub(crate) fn gains_by_feature(&self) -> Vec<f64> {
        let mut gains = vec![0.0; self.schema.features.len()];
        let whole = self.weight(0);
        for (id, node) in (0..).zip(&self.nodes) {
            if let Some(split) = &node.split {
                gains[split.rule.feature as usize] += self.weight(id) / whole * split.gain;
            }
        }
        gains
    }

    pub(crate) fn splits(&self) -> impl Iterator<Item = &Split> {
        self.nodes.iter().filter_map(|node| node.split.as_ref())
    }

    /// The features some rule uses, ascending.
    pub fn used_features(&self) -> Vec<u32> {
        features_of(self.splits(), self.schema.features.len())
    }

    /// The end of the range of ids of a node's subtree, which preorder makes contiguous.
    pub(crate) fn end_of_subtree(&self, node: u32) -> u32 {
        let depth = self.nodes[node as usize].depth;
        let after = &self.nodes[node as usize + 1..];
        let below = after.iter().position(|n| n.depth <= depth).unwrap_or(after.len());
        node + 1 + below as u32
    }

    pub(crate) fn feature(&self, split: &Split) -> &Feature {
        &self.schema.features[split.rule.feature as usize]
    }

    /// The index of each node among its parent's branches; 0 for the root.
    pub(crate) fn branch_of_parent(&self) -> Vec<u32> {
        let mut branch_of = vec![0; self.n_nodes()];
        for split in self.splits() {
            (0..).zip(&split.branches).for_each(|(i, &child)| branch_of[child as usize] = i);
        }
        branch_of
    }
}

/// The index of the highest of some numbers, the lowest of equals; 0 if there are none.
pub(crate) fn highest(numbers: &[f64]) -> usize {
    (0..numbers.len()).rev().max_by(|&a, &b| numbers[a].total_cmp(&numbers[b])).unwrap_or(0)
}

fn features_of<'t>(splits: impl Iterator<Item = &'t Split>, n: usize) -> Vec<u32> {
    let mut used = vec![false; n];
    splits.for_each(|split| used[split.rule.feature as usize] = true);
    (0..n as u32).filter(|&feature| used[feature as usize]).collect()
}
