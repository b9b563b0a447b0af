//! Nodes as they are grown, in any order, and their final order.

use crate::column::{Column, Levels};
use crate::dtype::Kind;
use crate::rule::{Rule, Test};
use crate::spec::TreeSpec;
use crate::split::{Candidate, CodeTest};
use crate::stat::{Count, Rating};
use crate::target::Target;
use crate::tree::{Feature, Node, Schema, Split, Tree};

/// Grown nodes; a node's branches are next to each other.
pub(super) struct Arena<N> {
    n_classes: usize,
    nodes: Vec<Grown>,
    stats: Vec<N>,
}

struct Grown {
    rows: usize,
    /// The column, its candidate in the table's codes, and the first branch's node.
    split: Option<(u32, Candidate, u32)>,
}

impl<N: Count> Arena<N> {
    pub(super) fn new(root: Vec<N>, rows: usize) -> Self {
        Arena { n_classes: root.len(), nodes: vec![Grown { rows, split: None }], stats: root }
    }

    pub(super) fn stat(&self, node: u32) -> &[N] {
        let k = self.n_classes;
        &self.stats[node as usize * k..(node as usize + 1) * k]
    }

    /// Gives a node its rule and its branches (rows and stat of each); the first one's id.
    pub(super) fn split(
        &mut self,
        node: u32,
        (column, candidate): (u32, Candidate),
        branches: &[(usize, Vec<N>)],
    ) -> u32 {
        let first = self.nodes.len() as u32;
        self.nodes[node as usize].split = Some((column, candidate, first));
        for (rows, stat) in branches {
            self.nodes.push(Grown { rows: *rows, split: None });
            self.stats.extend_from_slice(stat);
        }
        first
    }

    /// Puts a subtree in the place of a leaf.
    pub(super) fn graft(&mut self, leaf: u32, subtree: Arena<N>) {
        // The subtree's root is the leaf; its other nodes follow ours.
        let base = self.nodes.len() as u32 - 1;
        self.stats.extend_from_slice(&subtree.stats[self.n_classes..]);
        for (i, mut node) in subtree.nodes.into_iter().enumerate() {
            if let Some((_, _, first)) = &mut node.split {
                *first += base;
            }
            match i {
                0 => self.nodes[leaf as usize] = node,
                _ => self.nodes.push(node),
            }
        }
    }

    /// Counts become weights.
    pub(super) fn weigh(self, rating: &Rating) -> Weighed {
        let impurities = self.stats.chunks_exact(self.n_classes).map(|s| rating.impurity(s));
        Weighed {
            n_classes: self.n_classes,
            impurities: impurities.collect(),
            counts: rating.weights(&self.stats),
            nodes: self.nodes,
        }
    }
}

/// An arena that no longer says what it was counted in.
pub(super) struct Weighed {
    n_classes: usize,
    nodes: Vec<Grown>,
    impurities: Vec<f64>,
    counts: Vec<f64>,
}

impl Weighed {
    /// The nodes in preorder, their rules in values.
    pub(super) fn into_tree(
        mut self,
        spec: &TreeSpec,
        columns: &[Column],
        target: &Target,
    ) -> Tree {
        let k = self.n_classes;
        let mut tree = Tree {
            spec: spec.clone(),
            schema: Schema {
                target: target.name.clone(),
                target_dtype: target.dtype.clone(),
                classes: target.labels.clone(),
                features: Vec::new(),
            },
            nodes: Vec::with_capacity(self.nodes.len()),
            counts: Vec::with_capacity(self.counts.len()),
        };
        let levels = UsedLevels::of(&self.nodes, columns);
        tree.schema.features =
            columns.iter().enumerate().map(|(c, col)| levels.feature(c, col)).collect();

        // (grown node, parent, which of its branches, depth)
        let mut open = vec![(0u32, None::<(u32, usize)>, 0u32)];
        while let Some((grown, parent, depth)) = open.pop() {
            let id = tree.nodes.len() as u32;
            if let Some((parent, branch)) = parent
                && let Some(split) = &mut tree.nodes[parent as usize].split
            {
                split.branches[branch] = id;
            }
            let at = grown as usize;
            tree.counts.extend_from_slice(&self.counts[at * k..(at + 1) * k]);
            let split = self.nodes[at].split.take().map(|(column, candidate, first)| {
                let arity = candidate.arity();
                let branches =
                    (0..arity).rev().map(|b| (first + b as u32, Some((id, b)), depth + 1));
                open.extend(branches);
                Split {
                    gain: candidate.gain,
                    approximate: candidate.approximate,
                    branches: vec![0; arity],
                    rule: levels.rule(column, &columns[column as usize], &candidate),
                }
            });
            tree.nodes.push(Node {
                parent: parent.map(|(p, _)| p),
                depth,
                n: self.nodes[at].rows as u64,
                impurity: self.impurities[at],
                split,
            });
        }
        tree
    }
}

/// The levels that rules are about: a model keeps no others, so that an unused column of a
/// million names costs nothing.
struct UsedLevels {
    /// Per column and code, the level's place in the schema.
    places: Vec<Vec<u32>>,
}

const UNUSED: u32 = u32::MAX;

impl UsedLevels {
    fn of(nodes: &[Grown], columns: &[Column]) -> Self {
        let mut places: Vec<Vec<u32>> = columns
            .iter()
            .map(|c| if c.kind == Kind::Nominal { vec![UNUSED; c.n_levels()] } else { Vec::new() })
            .collect();
        for (column, candidate, _) in nodes.iter().filter_map(|n| n.split.as_ref()) {
            let places = &mut places[*column as usize];
            let mut mark = |codes: &[u32]| codes.iter().for_each(|&c| places[c as usize] = 0);
            match &candidate.test {
                CodeTest::Equals(level) => mark(&[*level]),
                CodeTest::In { right, left } => {
                    mark(right);
                    mark(left);
                }
                CodeTest::Each(levels) => mark(levels),
                CodeTest::AtLeast { .. } | CodeTest::IsMissing => {}
            }
        }
        for places in &mut places {
            for (place, used) in places.iter_mut().filter(|p| **p != UNUSED).enumerate() {
                *used = place as u32;
            }
        }
        UsedLevels { places }
    }

    fn feature(&self, column: usize, data: &Column) -> Feature {
        let places = self.places[column].iter().enumerate();
        let levels = match (&data.levels, data.kind) {
            (Levels::Text(levels), Kind::Nominal) => {
                places.filter(|(_, p)| **p != UNUSED).map(|(c, _)| levels[c].clone()).collect()
            }
            _ => Vec::new(),
        };
        Feature { name: data.name.clone(), dtype: data.dtype.clone(), kind: data.kind, levels }
    }

    fn rule(&self, column: u32, data: &Column, candidate: &Candidate) -> Rule {
        let place = |code: &u32| self.places[column as usize][*code as usize];
        let all = |codes: &[u32]| codes.iter().map(place).collect();
        let test = match &candidate.test {
            CodeTest::AtLeast { lo, hi } => Test::AtLeast(data.cut(*lo, *hi)),
            CodeTest::Equals(level) => Test::Equals(place(level)),
            CodeTest::In { right, left } => Test::In { right: all(right), left: all(left) },
            CodeTest::Each(levels) => Test::Each(all(levels)),
            CodeTest::IsMissing => Test::IsMissing,
        };
        Rule { feature: column, test, missing_to: candidate.missing_to }
    }
}
