//! The nodes of a growing tree, in any order, and their final preorder.

use std::ops::Range;

use rayon::prelude::*;

use crate::data::column::{Column, Levels};
use crate::data::dtype::Kind;
use crate::data::target::Target;
use crate::spec::TreeSpec;
use crate::split::Candidate;
use crate::stat::Summary;
use crate::tree::rule::Rule;
use crate::tree::{Feature, Node, Schema, Split, TreeData};

/// Nodes; the branches of a node are neighbours.
#[derive(Default)]
pub(super) struct Arena {
    nodes: Vec<Grown>,
    /// The values of all nodes, the same number per node.
    pub(super) values: Vec<f64>,
}

struct Grown {
    rows: usize,
    impurity: f64,
    /// The column, the candidate in the table's codes, and the index of the first branch.
    split: Option<(u32, Candidate, u32)>,
}

impl Arena {
    /// Adds a node, whose values were appended before. Returns its index.
    pub(super) fn push(&mut self, rows: usize, summary: Summary) -> u32 {
        self.nodes.push(Grown { rows, impurity: summary.impurity, split: None });
        self.nodes.len() as u32 - 1
    }

    /// Gives a node its rule. Its branches are pushed next, in order.
    pub(super) fn split(&mut self, node: u32, (column, candidate): (u32, Candidate)) {
        self.nodes[node as usize].split = Some((column, candidate, self.nodes.len() as u32));
    }

    /// The same nodes with each column's codes replaced.
    pub(super) fn recoded(mut self, code: impl Fn(u32, u32) -> u32) -> Arena {
        for node in &mut self.nodes {
            let recoded = |(column, candidate, first): (u32, Candidate, u32)| {
                (column, candidate.recoded(|c| code(column, c)), first)
            };
            node.split = node.split.take().map(recoded);
        }
        self
    }

    /// Replaces a leaf by a subtree in the same codes.
    pub(super) fn graft(&mut self, leaf: u32, subtree: Arena) {
        // The subtree's root is the leaf; its other nodes follow ours.
        let base = self.nodes.len() as u32 - 1;
        let width = subtree.values.len() / subtree.nodes.len();
        self.values.extend_from_slice(&subtree.values[width..]);
        for (i, mut node) in subtree.nodes.into_iter().enumerate() {
            if let Some((.., first)) = &mut node.split {
                *first += base;
            }
            match i {
                0 => self.nodes[leaf as usize] = node,
                _ => self.nodes.push(node),
            }
        }
    }

    /// The nodes in preorder, their rules in values.
    pub(super) fn into_tree(
        self,
        spec: TreeSpec,
        columns: &[Column],
        has_missing: &[bool],
        target: &Target,
    ) -> TreeData {
        let mut used = vec![false; columns.len()];
        let splits = self.nodes.iter().filter_map(|n| n.split.as_ref());
        splits.for_each(|(column, ..)| used[*column as usize] = true);
        let columns_used = columns.iter().zip(has_missing).zip(used);
        let schema = Schema {
            target: target.name.clone(),
            target_dtype: target.dtype.clone(),
            classes: target.labels().to_vec(),
            features: columns_used
                .map(|((c, &missing), used)| feature_of(c, missing, used))
                .collect(),
        };

        let places = self.places();
        let mut order = vec![0u32; self.nodes.len()];
        (0..).zip(&places).for_each(|(grown, place)| order[place.id as usize] = grown);
        // Cuts and nodes are random accesses to memory: all threads share them.
        let node = |&grown: &u32| {
            let at = grown as usize;
            let (grown, place) = (&self.nodes[at], &places[at]);
            let split = grown.split.as_ref().map(|(column, candidate, _)| Split {
                gain: candidate.gain,
                approximate: candidate.approximate,
                branches: grown.branches().map(|branch| places[branch].id).collect(),
                rule: rule_of(*column, &columns[*column as usize], candidate),
            });
            Node {
                parent: place.parent,
                depth: place.depth,
                n: grown.rows as u64,
                impurity: grown.impurity,
                split,
            }
        };
        let nodes = order.par_iter().with_max_len(NODES_PER_TASK).map(node).collect();
        let k = self.values.len() / self.nodes.len();
        let mut values = Vec::with_capacity(self.values.len());
        order.iter().for_each(|&at| values.extend_from_slice(&self.values[at as usize * k..][..k]));
        TreeData { spec, schema, nodes, values }
    }

    /// The place of each node in preorder. Branches have higher indices than their node.
    fn places(&self) -> Vec<Place> {
        let mut sizes = vec![1u32; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            sizes[at] += sizes[node.branches()].iter().sum::<u32>();
        }
        let mut places = vec![Place { id: 0, parent: None, depth: 0 }; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            let Place { id, depth, .. } = places[at];
            let mut next = id + 1;
            for branch in node.branches() {
                places[branch] = Place { id: next, parent: Some(id), depth: depth + 1 };
                next += sizes[branch];
            }
        }
        places
    }
}

impl Grown {
    fn branches(&self) -> Range<usize> {
        let of_split = |(_, candidate, first): &(u32, Candidate, u32)| {
            let first = *first as usize;
            first..first + candidate.arity()
        };
        self.split.as_ref().map_or(0..0, of_split)
    }
}

/// A node's id, parent and depth in the final tree.
#[derive(Clone, Copy)]
struct Place {
    id: u32,
    parent: Option<u32>,
    depth: u32,
}

/// Nodes that are worth a task.
const NODES_PER_TASK: usize = 1 << 10;

/// A column's part of the schema. A nominal feature that no rule uses lists no levels, so that
/// an unused column of a million names costs a model nothing.
pub(crate) fn feature_of(column: &Column, has_missing: bool, used: bool) -> Feature {
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

/// The rule of a candidate: its cut becomes a value of the column's type.
pub(crate) fn rule_of(place: u32, column: &Column, candidate: &Candidate) -> Rule {
    let test = candidate.test.map_cut(|cut| column.cut(cut.lo, cut.hi));
    Rule { feature: place, test, missing_to: candidate.missing_to }
}
