//! The nodes of a growing tree, in any order, and their final preorder.

use std::ops::Range;

use rayon::prelude::*;

use crate::data::column::{ColumnInfo, Levels};
use crate::data::dtype::{Kind, Value};
use crate::data::target::Target;
use crate::spec::TreeSpec;
use crate::split::{Candidate, CodeCut, DrawnCut};
use crate::stat::Summary;
use crate::tree::preorder::values_in_order;
use crate::tree::rule::Rule;
use crate::tree::{Feature, Node, Schema, Split, TreeData};

/// Nodes; a node's branches are neighbours, and come after it. Cuts are codes of the table, or values.
pub(crate) struct Arena<C = CodeCut> {
    nodes: Vec<Grown>,
    /// Apart from the nodes: half of these are leaves, and rules are large.
    splits: Vec<GrownSplit<C>>,
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

const LEAF: u32 = u32::MAX;

struct GrownSplit<C> {
    column: u32,
    first: u32,
    candidate: Candidate<C>,
}

impl<C> Default for Arena<C> {
    fn default() -> Self {
        Arena { nodes: Vec::new(), splits: Vec::new(), values: Vec::new() }
    }
}

impl<C> Arena<C> {
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

    /// Adds a node that predicts nothing yet. Each node has `width` values.
    pub(crate) fn push_rows(&mut self, rows: u64, width: usize) -> u32 {
        self.values.resize(self.values.len() + width, 0.0);
        self.push(rows as usize, Summary { weight: 0.0, impurity: 0.0, is_pure: false })
    }

    pub(crate) fn summarize(&mut self, node: u32, summary: Summary, values: &[f64]) {
        let at = node as usize;
        (self.nodes[at].weight, self.nodes[at].impurity) = (summary.weight, summary.impurity);
        self.values[at * values.len()..][..values.len()].copy_from_slice(values);
    }

    /// Gives a node its rule. Its branches are pushed next, in order.
    pub(crate) fn split(&mut self, node: u32, (column, candidate): (u32, Candidate<C>)) {
        self.nodes[node as usize].split = self.splits.len() as u32;
        self.splits.push(GrownSplit { column, first: self.nodes.len() as u32, candidate });
    }

    /// Replaces a leaf by a subtree in the same codes.
    pub(crate) fn graft(&mut self, leaf: u32, subtree: Arena<C>) {
        // The subtree's root is the leaf; its other nodes follow ours.
        let (base, base_of_splits) = (self.nodes.len() as u32 - 1, self.splits.len() as u32);
        let width = subtree.values.len() / subtree.nodes.len();
        let (of_root, of_others) = subtree.values.split_at(width);
        self.values[leaf as usize * width..][..width].copy_from_slice(of_root);
        self.values.extend_from_slice(of_others);
        let mut nodes = subtree.nodes.into_iter().map(|node| match node.split {
            LEAF => node,
            split => Grown { split: base_of_splits + split, ..node },
        });
        nodes.next().into_iter().for_each(|root| self.nodes[leaf as usize] = root);
        self.nodes.extend(nodes);
        let moved = |split: GrownSplit<C>| GrownSplit { first: base + split.first, ..split };
        self.splits.extend(subtree.splits.into_iter().map(moved));
    }

    /// Makes a leaf of each node whose split is not `kept`. No branch leads to the nodes below.
    pub(crate) fn keep(&mut self, kept: &[bool]) {
        let others = self.nodes.iter_mut().zip(kept).filter(|(_, kept)| !**kept);
        others.for_each(|(node, _)| node.split = LEAF);
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn weight(&self, node: u32) -> f64 {
        self.nodes[node as usize].weight
    }

    pub(crate) fn candidate(&self, node: u32) -> Option<&Candidate<C>> {
        self.split_of(&self.nodes[node as usize]).map(|split| &split.candidate)
    }

    pub(crate) fn branches(&self, node: u32) -> Range<u32> {
        self.split_of(&self.nodes[node as usize]).map_or(0..0, GrownSplit::branches)
    }

    fn split_of(&self, node: &Grown) -> Option<&GrownSplit<C>> {
        self.splits.get(node.split as usize)
    }

    /// The nodes in preorder. `schema` is the schema of `n_columns` columns, told which of them rules
    /// use; `rule` makes the rule of a candidate on a column.
    pub(crate) fn into_tree(
        self,
        spec: TreeSpec,
        n_columns: usize,
        schema: impl FnOnce(&[bool]) -> Schema,
        rule: impl Fn(u32, &Candidate<C>) -> Rule + Sync,
    ) -> TreeData
    where
        C: Sync,
    {
        let positions = self.positions();
        let (mut used, mut order) = (vec![false; n_columns], vec![0u32; self.nodes.len()]);
        let mut n_nodes = 0;
        let reached = (0..).zip(&self.nodes).zip(&positions);
        for ((at, node), position) in reached.filter(|(_, position)| position.id != UNREACHED) {
            order[position.id as usize] = at;
            self.split_of(node).into_iter().for_each(|split| used[split.column as usize] = true);
            n_nodes += 1;
        }
        order.truncate(n_nodes);
        // Cuts and nodes are random accesses to memory: all threads share them.
        let node = |&grown: &u32| {
            let at = grown as usize;
            let (grown, position) = (&self.nodes[at], &positions[at]);
            let split = self.split_of(grown).map(|split| Split {
                gain: split.candidate.gain,
                approximate: split.candidate.approximate,
                branches: split.branches().map(|branch| positions[branch as usize].id).collect(),
                rule: rule(split.column, &split.candidate),
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
        TreeData { spec: spec.into(), schema: schema(&used).into(), nodes, values }
    }

    fn positions(&self) -> Vec<TreePosition> {
        let branches = |node| {
            let branches = self.split_of(node).map_or(0..0, GrownSplit::branches);
            branches.start as usize..branches.end as usize
        };
        let mut sizes = vec![1u32; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            sizes[at] += sizes[branches(node)].iter().sum::<u32>();
        }
        let unreached = TreePosition { id: UNREACHED, parent: None, depth: 0 };
        let mut positions = vec![unreached; self.nodes.len()];
        positions.iter_mut().take(1).for_each(|root| root.id = 0);
        for (at, node) in self.nodes.iter().enumerate() {
            let TreePosition { id, depth, .. } = positions[at];
            if id == UNREACHED {
                continue;
            }
            let mut next = id + 1;
            for branch in branches(node) {
                positions[branch] = TreePosition { id: next, parent: Some(id), depth: depth + 1 };
                next += sizes[branch];
            }
        }
        positions
    }
}

impl<C> GrownSplit<C> {
    fn branches(&self) -> Range<u32> {
        self.first..self.first + self.candidate.arity() as u32
    }
}

impl Arena {
    /// These nodes with each column's codes replaced.
    pub(super) fn recoded(mut self, code: impl Fn(u32, u32) -> u32) -> Arena {
        for GrownSplit { column, candidate, .. } in &mut self.splits {
            candidate.recode(|c| code(*column, c));
        }
        self
    }

    /// These nodes with cuts that are values. Levels of text get the codes that `code` has for them.
    pub(super) fn in_values(
        self,
        columns: &[ColumnInfo],
        code: impl Fn(u32, &str) -> u32,
    ) -> Arena<Value> {
        let in_values = |GrownSplit { column, first, candidate }: GrownSplit<CodeCut>| {
            let of = &columns[column as usize];
            let mut test = rule_of(column, of, &candidate).test;
            if let Levels::Text(texts) = &of.levels {
                test = test.map(Value::clone, |level| code(column, &texts[level as usize]));
            }
            GrownSplit { column, first, candidate: candidate.with_test(test) }
        };
        let splits = self.splits.into_iter().map(in_values).collect();
        Arena { nodes: self.nodes, splits, values: self.values }
    }
}

/// A node's id, parent and depth in the final tree.
#[derive(Clone, Copy)]
struct TreePosition {
    id: u32,
    parent: Option<u32>,
    depth: u32,
}

/// The id of a node that no branch leads to.
const UNREACHED: u32 = u32::MAX;

const NODES_PER_TASK: usize = 1 << 10;

/// The schema of a tree or forest that uses some columns, each with whether it has missing values.
pub(crate) fn schema_of<'a>(
    target: &Target,
    columns: impl Iterator<Item = (&'a ColumnInfo, bool)>,
    used: &[bool],
) -> Schema {
    let features = columns.zip(used).map(|((c, missing), &used)| feature_of(c, missing, used));
    Schema {
        target: target.name.clone(),
        target_dtype: target.dtype.clone(),
        classes: target.labels().to_vec(),
        class_weights: Vec::new(),
        class_totals: Vec::new(),
        features: features.collect(),
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
