//! The nodes of the tree that grows, in any order, and their final preorder.

use std::collections::{HashMap, HashSet};

use super::prepare::{Prepared, PreparedColumn};
use crate::data::dtype::value_of_key;
use crate::data::dtype::{Kind, Value};
use crate::grow::SplitQueue;
use crate::spec::TreeSpec;
use crate::stat::Summary;
use crate::tree::preorder::{in_preorder, values_in_order};
use crate::tree::rule::{Rule, Test};
use crate::tree::{Feature, Node, Schema, TreeData};

/// Nodes; a node's branches come after it.
pub(super) struct GrownNodes {
    pub(super) nodes: Vec<Node>,
    pub(super) weights: Vec<f64>,
    width: usize,
    values: Vec<f64>,
}

impl GrownNodes {
    pub(super) fn new(width: usize) -> GrownNodes {
        GrownNodes { nodes: Vec::new(), weights: Vec::new(), width, values: Vec::new() }
    }

    /// Adds a node without a rule.
    pub(super) fn push(&mut self, parent: Option<u32>, depth: u32, rows: u64) -> u32 {
        self.nodes.push(Node { parent, depth, n: rows, impurity: 0.0, split: None });
        self.weights.push(0.0);
        self.values.resize(self.values.len() + self.width, 0.0);
        self.nodes.len() as u32 - 1
    }

    /// Says what a node predicts.
    pub(super) fn summarize(&mut self, node: u32, summary: Summary, values: &[f64]) {
        let at = node as usize;
        self.nodes[at].impurity = summary.impurity;
        self.weights[at] = summary.weight;
        self.values[at * self.width..(at + 1) * self.width].copy_from_slice(values);
    }

    /// Replaces a node by a subtree, whose rules name levels by the subtree's own features.
    pub(super) fn graft(
        &mut self,
        at: u32,
        subtree: TreeData,
        weights: &[f64],
        levels: &mut LevelIndices,
        columns: &[PreparedColumn],
    ) {
        // The subtree's root is the node; its other nodes follow ours.
        let base = self.nodes.len() as u32 - 1;
        let index = |id: u32| if id == 0 { at } else { base + id };
        let (depth, parent) = (self.nodes[at as usize].depth, self.nodes[at as usize].parent);
        let TreeData { schema, nodes, values, .. } = subtree;
        for (id, mut node) in (0u32..).zip(nodes) {
            node.depth += depth;
            node.parent = if id == 0 { parent } else { node.parent.map(index) };
            if let Some(split) = &mut node.split {
                split.branches.iter_mut().for_each(|branch| *branch = index(*branch));
                let column = split.rule.feature as usize;
                let own = &schema.features[column].levels;
                let code = |level: u32| levels.code(column, &columns[column], &own[level as usize]);
                split.rule.test = split.rule.test.map(Value::clone, code);
            }
            let own = match id {
                0 => at,
                _ => self.push(node.parent, node.depth, node.n),
            } as usize;
            let of_node = &values[id as usize * self.width..][..self.width];
            self.values[own * self.width..][..self.width].copy_from_slice(of_node);
            (self.nodes[own], self.weights[own]) = (node, weights[id as usize]);
        }
    }

    /// Best-first growth of nodes that are found in any order, as far as they are known: in the order
    /// of memory.
    pub(super) fn best_first(
        &self,
        max_leaves: u32,
        is_waiting: impl Fn(u32) -> bool,
    ) -> BestFirst {
        let branches = |at: u32| self.nodes[at as usize].split.iter().flat_map(|s| &s.branches);
        let mut kept = vec![false; self.nodes.len()];
        let mut wanted = HashSet::new();
        let mut queue = SplitQueue::new(max_leaves);
        let mut open = vec![0];
        loop {
            for at in open.drain(..) {
                if is_waiting(at) {
                    wanted.insert(at);
                } else if let Some(split) = &self.nodes[at as usize].split {
                    queue.push(split.gain, self.weights[at as usize], split.branches.len(), at);
                }
            }
            if !wanted.is_empty() {
                // What waits below the splits that are next is asked for in the same pass.
                wanted.extend(queue.into_next().flat_map(branches).filter(|&&at| is_waiting(at)));
                return BestFirst { kept, wanted };
            }
            let Some(at) = queue.pop() else { return BestFirst { kept, wanted } };
            kept[at as usize] = true;
            open.extend(branches(at));
            if queue.is_full() {
                return BestFirst { kept, wanted };
            }
        }
    }

    /// The nodes in preorder. A node whose split is not `kept` is a leaf.
    pub(super) fn into_tree(
        self,
        spec: TreeSpec,
        prepared: &Prepared,
        kept: impl Fn(u32) -> bool,
    ) -> TreeData {
        let n_nodes = self.nodes.len();
        let (nodes, order) = in_preorder(self.nodes, kept);
        let values = values_in_order(&self.values, n_nodes, &order);
        let mut used = vec![false; prepared.columns.len()];
        let splits = nodes.iter().filter_map(|node| node.split.as_ref());
        splits.for_each(|split| used[split.rule.feature as usize] = true);
        let features = prepared.columns.iter().zip(used).map(|(column, used)| Feature {
            name: column.name.clone(),
            dtype: column.dtype.clone(),
            kind: column.kind,
            has_missing: column.has_missing,
            // As in memory: a feature that no rule uses lists no levels.
            levels: match &column.levels {
                Some(levels) if used && column.kind == Kind::Nominal => levels.clone(),
                _ => Vec::new(),
            },
        });
        let target = &prepared.target;
        let schema = Schema {
            target: target.name.clone(),
            target_dtype: target.dtype.clone(),
            classes: target.labels().to_vec(),
            class_weights: prepared.class_weights.clone(),
            class_totals: Vec::new(),
            features: features.collect(),
        };
        TreeData { spec: spec.into(), schema: schema.into(), nodes, values }
    }
}

/// How far best-first growth comes.
pub(super) struct BestFirst {
    /// Whether the split of each node of the arena is made.
    pub(super) kept: Vec<bool>,
    /// Nodes that wait and must be found before it goes on; or soon after.
    pub(super) wanted: HashSet<u32>,
}

/// The codes of the levels of columns, by text; made for a column when it is needed.
#[derive(Default)]
pub(super) struct LevelIndices(HashMap<usize, HashMap<String, u32>>);

impl LevelIndices {
    fn code(&mut self, at: usize, column: &PreparedColumn, level: &str) -> u32 {
        let of_column = self
            .0
            .entry(at)
            .or_insert_with(|| column.levels.iter().flatten().cloned().zip(0..).collect());
        of_column.get(level).copied().unwrap_or(0)
    }
}

/// A rule in values from one in keys and codes.
pub(super) fn rule_of(
    feature: u32,
    column: &PreparedColumn,
    test: &Test<i128>,
    missing_to: Option<u32>,
) -> Rule {
    let value = |cut: &i128| match &column.levels {
        Some(levels) => Value::Text(levels[*cut as usize].clone()),
        None => value_of_key(&column.dtype, *cut),
    };
    Rule { feature, test: test.map(value, |level| level), missing_to }
}
