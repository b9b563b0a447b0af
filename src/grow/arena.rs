//! The nodes of a growing tree, in any order, and their final preorder.

use std::ops::Range;

use rayon::prelude::*;

use crate::data::column::{ColumnInfo, Levels};
use crate::data::dtype::Kind;
use crate::data::target::Target;
use crate::spec::TreeSpec;
use crate::split::{Candidate, DrawnCut};
use crate::stat::Summary;
use crate::tree::preorder::values_in_order;
use crate::tree::rule::Rule;
use crate::tree::{Feature, Node, Schema, Split, TreeData};

/// Nodes; the branches of a node are neighbours.
#[derive(Default)]
pub(super) struct Arena {
    nodes: Vec<Grown>,
    /// Apart from the nodes: half of these are leaves, and rules are large.
    splits: Vec<GrownSplit>,
    /// The values of all nodes, the same number per node.
    pub(super) values: Vec<f64>,
}

struct Grown {
    rows: u32,
    /// The index of its split, or [`LEAF`].
    split: u32,
    weight: f64,
    impurity: f64,
}

/// The split of a leaf.
const LEAF: u32 = u32::MAX;

struct GrownSplit {
    column: u32,
    /// The node of the first branch.
    first: u32,
    /// In the table's codes.
    candidate: Candidate,
}

impl Arena {
    /// Adds a node, whose values were appended before. Returns its index.
    pub(super) fn push(&mut self, rows: usize, summary: Summary) -> u32 {
        self.nodes.push(Grown {
            rows: rows as u32,
            split: LEAF,
            weight: summary.weight,
            impurity: summary.impurity,
        });
        self.nodes.len() as u32 - 1
    }

    /// Gives a node its rule. Its branches are pushed next, in order.
    pub(super) fn split(&mut self, node: u32, (column, candidate): (u32, Candidate)) {
        self.nodes[node as usize].split = self.splits.len() as u32;
        self.splits.push(GrownSplit { column, first: self.nodes.len() as u32, candidate });
    }

    /// These nodes with each column's codes replaced.
    pub(super) fn recoded(mut self, code: impl Fn(u32, u32) -> u32) -> Arena {
        for GrownSplit { column, candidate, .. } in &mut self.splits {
            candidate.recode(|c| code(*column, c));
        }
        self
    }

    /// Replaces a leaf by a subtree in the same codes.
    pub(super) fn graft(&mut self, leaf: u32, subtree: Arena) {
        // The subtree's root is the leaf; its other nodes follow ours.
        let (base, base_of_splits) = (self.nodes.len() as u32 - 1, self.splits.len() as u32);
        let width = subtree.values.len() / subtree.nodes.len();
        self.values.extend_from_slice(&subtree.values[width..]);
        let mut nodes = subtree.nodes.into_iter().map(|node| match node.split {
            LEAF => node,
            split => Grown { split: base_of_splits + split, ..node },
        });
        nodes.next().into_iter().for_each(|root| self.nodes[leaf as usize] = root);
        self.nodes.extend(nodes);
        let moved = |split: GrownSplit| GrownSplit { first: base + split.first, ..split };
        self.splits.extend(subtree.splits.into_iter().map(moved));
    }

    fn split_of(&self, node: &Grown) -> Option<&GrownSplit> {
        self.splits.get(node.split as usize)
    }

    /// The nodes of a node's branches.
    fn branches(&self, node: &Grown) -> Range<usize> {
        self.split_of(node).map_or(0..0, |split| {
            let first = split.first as usize;
            first..first + split.candidate.arity()
        })
    }

    /// The weights of the nodes in preorder.
    pub(super) fn weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.nodes.len()];
        let positions = self.positions();
        self.nodes
            .iter()
            .zip(positions)
            .for_each(|(node, at)| weights[at.id as usize] = node.weight);
        weights
    }

    /// The nodes in preorder, their rules in values.
    pub(super) fn into_tree(
        self,
        spec: TreeSpec,
        columns: &[ColumnInfo],
        has_missing: &[bool],
        target: &Target,
    ) -> TreeData {
        let mut used = vec![false; columns.len()];
        self.splits.iter().for_each(|split| used[split.column as usize] = true);
        let schema = schema_of(target, columns, has_missing, &used);

        let positions = self.positions();
        let mut order = vec![0u32; self.nodes.len()];
        (0..).zip(&positions).for_each(|(grown, position)| order[position.id as usize] = grown);
        // Cuts and nodes are random accesses to memory: all threads share them.
        let node = |&grown: &u32| {
            let at = grown as usize;
            let (grown, position) = (&self.nodes[at], &positions[at]);
            let split = self.split_of(grown).map(|GrownSplit { column, candidate, .. }| Split {
                gain: candidate.gain,
                approximate: candidate.approximate,
                branches: self.branches(grown).map(|branch| positions[branch].id).collect(),
                rule: rule_of(*column, &columns[*column as usize], candidate),
            });
            Node {
                parent: position.parent,
                depth: position.depth,
                n: grown.rows.into(),
                impurity: grown.impurity,
                split,
            }
        };
        let nodes = order.par_iter().with_max_len(NODES_PER_TASK).map(node).collect();
        let values = values_in_order(&self.values, self.nodes.len(), &order);
        TreeData { spec: spec.into(), schema: schema.into(), nodes, values }
    }

    /// The position of each node in preorder. Branches have higher indices than their node.
    fn positions(&self) -> Vec<TreePosition> {
        let mut sizes = vec![1u32; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            sizes[at] += sizes[self.branches(node)].iter().sum::<u32>();
        }
        let mut positions = vec![TreePosition { id: 0, parent: None, depth: 0 }; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            let TreePosition { id, depth, .. } = positions[at];
            let mut next = id + 1;
            for branch in self.branches(node) {
                positions[branch] = TreePosition { id: next, parent: Some(id), depth: depth + 1 };
                next += sizes[branch];
            }
        }
        positions
    }
}

/// A node's id, parent and depth in the final tree.
#[derive(Clone, Copy)]
struct TreePosition {
    id: u32,
    parent: Option<u32>,
    depth: u32,
}

/// Nodes that are worth a task.
const NODES_PER_TASK: usize = 1 << 10;

/// The schema of a tree, or of a forest, whose rules use some columns.
pub(crate) fn schema_of(
    target: &Target,
    columns: &[ColumnInfo],
    has_missing: &[bool],
    used: &[bool],
) -> Schema {
    let columns = columns.iter().zip(has_missing).zip(used);
    Schema {
        target: target.name.clone(),
        target_dtype: target.dtype.clone(),
        classes: target.labels().to_vec(),
        class_weights: Vec::new(),
        class_totals: Vec::new(),
        features: columns.map(|((c, &missing), &used)| feature_of(c, missing, used)).collect(),
    }
}

/// A column's part of the schema. A nominal feature that no rule uses lists no levels, so that
/// an unused column of a million names costs a model nothing.
pub(crate) fn feature_of(column: &ColumnInfo, has_missing: bool, used: bool) -> Feature {
    let levels = match (&column.levels, column.kind) {
        (Levels::Text(levels), Kind::Nominal) if used => levels.clone(),
        _ => Vec::new(),
    };
    Feature {
        name: column.name.clone(),
        dtype: column.dtype.clone(),
        kind: column.kind,
        has_missing,
        levels,
    }
}

/// The rule of a candidate: its cut, drawn or in the middle, becomes a value of the column's type.
pub(crate) fn rule_of(feature: u32, column: &ColumnInfo, candidate: &Candidate) -> Rule {
    let test = candidate.test.map_cut(|cut| {
        let drawn = cut.drawn.and_then(|DrawnCut { least, greatest, number }| {
            column.drawn_cut(least, greatest, number)
        });
        drawn.unwrap_or_else(|| column.cut(cut.lo, cut.hi))
    });
    Rule { feature, test, missing_to: candidate.missing_to }
}
