//! A tree that knows the training rows of its leaves, and sends rows down again.

use rayon::prelude::*;

use super::training_rows::{MISSING, TrainingRows};
use crate::spec::Missing;
use crate::stat::{ClassRating, Rating, add};
use crate::tree::TreeData;
use crate::tree::rule::{Rule, Test};

/// A row, or the part of it that is in a node, in weight units.
#[derive(Clone, Copy)]
pub(super) struct Share {
    pub(super) row: u32,
    pub(super) units: u64,
}

pub(super) struct RoutedNode {
    pub(super) split: Option<RoutedSplit>,
    /// Rows, whole or in part.
    pub(super) n_rows: usize,
    /// Weight units by class.
    pub(super) counts: Vec<u64>,
    /// The rows of a leaf.
    pub(super) rows: Vec<Share>,
}

#[derive(Clone)]
pub(super) struct RoutedSplit {
    pub(super) rule: Rule,
    /// The least cell right of the cut.
    cut: u64,
    /// The feature's [index](TrainingRows::index).
    pub(super) index: usize,
    pub(super) gain: f64,
    pub(super) approximate: bool,
    pub(super) branches: Vec<u32>,
}

/// A node as walking rows see it: what most of them need in little memory.
#[derive(Clone, Copy)]
enum WalkNode {
    Leaf,
    /// To the second branch from this cell on.
    Cut {
        cell: u64,
        index: u32,
        branches: [u32; 2],
    },
    Other,
}

/// Where a rule sends a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Destination {
    Branch(u32),
    /// Down every branch.
    Every,
    /// To a leaf of its own, as no other row of the node has this level (or [`MISSING`]).
    NewLeaf(u64),
    /// Along with the rows of a branch, for the same reason.
    Join(u64, u32),
}

pub(super) struct RoutedTree<'a> {
    pub(super) nodes: Vec<RoutedNode>,
    pub(super) rating: ClassRating<'a, u64>,
    pub(super) rows: TrainingRows,
    /// Of each node.
    walk: Vec<WalkNode>,
}

impl<'a> RoutedTree<'a> {
    /// Sends all rows down a tree that was grown on them.
    pub(super) fn new(
        tree: &TreeData,
        rows: TrainingRows,
        cuts: &[u64],
        rating: ClassRating<'a, u64>,
    ) -> Self {
        let node = |node: &crate::tree::Node| RoutedNode {
            split: None,
            n_rows: node.n as usize,
            counts: vec![0; rating.width()],
            rows: Vec::new(),
        };
        let nodes: Vec<RoutedNode> = tree.nodes.iter().map(node).collect();
        let walk = vec![WalkNode::Leaf; nodes.len()];
        let mut routed = RoutedTree { nodes, rating, rows, walk };
        for (id, (node, &cut)) in tree.nodes.iter().zip(cuts).enumerate() {
            let split = node.split.as_ref().map(|split| RoutedSplit {
                rule: split.rule.clone(),
                cut,
                index: routed.rows.index(split.rule.feature),
                gain: split.gain,
                approximate: split.approximate,
                branches: split.branches.clone(),
            });
            routed.set_split(id as u32, split);
        }
        routed.fill();
        routed
    }

    /// Gives leaves their rows and all nodes their counts.
    fn fill(&mut self) {
        let rows = 0..self.rows.n_rows() as u32;
        let share = |row| Share { row, units: self.rows.units(row) };
        if self.rows.are_shared {
            for mut visit in self.send(0, rows.map(share).collect()) {
                // Growth rated the splits already.
                let split = self.nodes[visit.node as usize].split.as_ref();
                visit.gain = split.map_or(0.0, |split| split.gain);
                self.settle(visit);
            }
            return;
        }
        let leaves: Vec<u32> =
            rows.clone().into_par_iter().map(|row| self.leaf_of(0, share(row)).0).collect();
        for (row, leaf) in rows.zip(leaves) {
            let share = Share { row, units: self.rows.units(row) };
            let class = self.class(share);
            let leaf = &mut self.nodes[leaf as usize];
            if leaf.rows.is_empty() {
                leaf.rows.reserve_exact(leaf.n_rows);
            }
            leaf.rows.push(share);
            leaf.counts[class] += share.units;
        }
        // They are visited leaf by leaf.
        let mut order = Vec::with_capacity(self.rows.n_rows());
        for share in self.nodes.iter_mut().flat_map(|node| &mut node.rows) {
            order.push(share.row);
            share.row = order.len() as u32 - 1;
        }
        self.rows.reorder(&order);
        // Branches come after their node.
        for node in (0..self.nodes.len()).rev() {
            if let Some(split) = &self.nodes[node].split {
                let mut counts = vec![0; self.rating.width()];
                let branches = split.branches.iter().map(|&branch| &self.nodes[branch as usize]);
                branches.for_each(|branch| add(&mut counts, &branch.counts));
                self.nodes[node].counts = counts;
            }
        }
    }

    /// Adds a leaf of some rows. Returns its number.
    pub(super) fn add_leaf(&mut self, rows: Vec<Share>) -> u32 {
        let (n_rows, counts) = (rows.len(), self.count(&rows));
        self.nodes.push(RoutedNode { split: None, n_rows, counts, rows });
        self.walk.push(WalkNode::Leaf);
        self.nodes.len() as u32 - 1
    }

    /// Gives a node another split, or makes it a leaf.
    pub(super) fn set_split(&mut self, node: u32, split: Option<RoutedSplit>) {
        self.walk[node as usize] = match &split {
            None => WalkNode::Leaf,
            Some(split) => match (&split.rule.test, &split.branches[..]) {
                (Test::AtLeast(_), &[left, right]) => WalkNode::Cut {
                    cell: split.cut,
                    index: split.index as u32,
                    branches: [left, right],
                },
                _ => WalkNode::Other,
            },
        };
        self.nodes[node as usize].split = split;
    }

    /// Where a node's rule sends a cell.
    #[inline]
    pub(super) fn destination(&self, split: &RoutedSplit, cell: u64) -> Destination {
        let RoutedSplit { rule: Rule { test, missing_to, .. }, .. } = split;
        if cell == MISSING {
            return match (test, missing_to, self.rows.missing) {
                (Test::IsMissing, ..) => Destination::Branch(1),
                (_, &Some(branch), _) => Destination::Branch(branch),
                (_, None, Missing::Fractional) => Destination::Every,
                (_, None, Missing::Majority) => Destination::Join(cell, self.heaviest(split)),
                (_, None, Missing::Learn | Missing::Error) => Destination::NewLeaf(cell),
            };
        }
        let level = cell as u32;
        match test {
            Test::AtLeast(_) => Destination::Branch((cell >= split.cut).into()),
            Test::Equals(of_right) => Destination::Branch((level == *of_right).into()),
            Test::In { right, .. } if right.binary_search(&level).is_ok() => Destination::Branch(1),
            Test::In { left, .. } if left.binary_search(&level).is_ok() => Destination::Branch(0),
            Test::In { .. } => Destination::Join(cell, self.heaviest(split)),
            Test::Each(levels) => match levels.binary_search(&level) {
                Ok(branch) => Destination::Branch(branch as u32),
                Err(_) => Destination::NewLeaf(cell),
            },
            Test::IsMissing => Destination::Branch(0),
        }
    }

    pub(super) fn units(&self, node: u32) -> u64 {
        self.nodes[node as usize].counts.iter().sum()
    }

    /// The branch of missing values where a node saw none: the heavier one, right on ties; of a
    /// branch per level the earlier.
    fn heaviest(&self, split: &RoutedSplit) -> u32 {
        let units = |branch: &usize| self.units(split.branches[*branch]);
        let branches = 0..split.branches.len();
        let heaviest = match split.rule.test {
            Test::Each(_) => branches.rev().max_by_key(units),
            _ => branches.max_by_key(units),
        };
        heaviest.unwrap_or(0) as u32
    }

    /// The leaf that a whole row comes to from a node on, and its level if that leaf is new.
    pub(super) fn leaf_of(&self, mut node: u32, share: Share) -> (u32, Option<u64>) {
        loop {
            match self.walk[node as usize] {
                WalkNode::Leaf => return (node, None),
                WalkNode::Cut { cell, index, branches } => {
                    let of_row = self.rows.cell(share.row, index as usize);
                    if of_row != MISSING {
                        node = branches[usize::from(of_row >= cell)];
                        continue;
                    }
                }
                WalkNode::Other => (),
            }
            let Some(split) = &self.nodes[node as usize].split else { return (node, None) };
            let branch = match self.destination(split, self.rows.cell(share.row, split.index)) {
                Destination::Branch(branch) | Destination::Join(_, branch) => branch,
                Destination::NewLeaf(level) => return (node, Some(level)),
                // No row is whole then.
                Destination::Every => 0,
            };
            node = split.branches[branch as usize];
        }
    }

    /// The leaves below a node, except those of one branch.
    pub(super) fn leaves(&self, node: u32, except: Option<u32>) -> Vec<u32> {
        let (mut leaves, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            match &self.nodes[node as usize].split {
                Some(split) => {
                    open.extend(split.branches.iter().rev().filter(|&&b| Some(b) != except));
                }
                None => leaves.push(node),
            }
        }
        leaves
    }

    /// The rows of a node, the parts of each put together.
    pub(super) fn rows_below(&self, node: u32) -> Vec<Share> {
        let leaves = self.leaves(node, None);
        let rows = leaves.into_iter().flat_map(|leaf| &self.nodes[leaf as usize].rows);
        let mut rows: Vec<Share> = rows.copied().collect();
        if self.rows.are_shared {
            rows.sort_unstable_by_key(|share| share.row);
            rows.dedup_by(|next, kept| {
                let is_same = next.row == kept.row;
                kept.units += if is_same { next.units } else { 0 };
                is_same
            });
        }
        rows
    }

    #[inline]
    pub(super) fn class(&self, share: Share) -> usize {
        self.rows.classes[share.row as usize].into()
    }

    pub(super) fn count(&self, rows: &[Share]) -> Vec<u64> {
        let mut counts = vec![0; self.rating.width()];
        rows.iter().for_each(|&share| counts[self.class(share)] += share.units);
        counts
    }

    pub(super) fn weights(&self, counts: &[u64]) -> impl Iterator<Item = f64> + Clone {
        counts.iter().map(|&units| self.rating.weight(units))
    }
}
