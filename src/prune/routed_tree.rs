//! A tree that knows the training rows of its leaves.

use super::training_rows::{Share, TrainingRows};
use crate::error::Result;
use crate::grow::GrownRows;
use crate::score::Scale;
use crate::spec::Missing;
use crate::stat::{ClassRating, Rating, add};
use crate::tree::missing::{heavier_branch, heaviest_level};
use crate::tree::preorder::in_preorder;
use crate::tree::rule::Test;
use crate::tree::{Node, Split, TreeData};
use crate::util::parallel::{self, PART};

#[derive(Default)]
pub(super) struct RoutedNode {
    pub(super) split: Option<Split>,
    /// Rows, whole or in part.
    pub(super) n_rows: u64,
    /// Weight units by class.
    pub(super) counts: Vec<u64>,
    /// The rows of a leaf.
    pub(super) rows: Vec<Share>,
    /// The errors that its subtree is predicted to make.
    pub(super) errors: f64,
}

/// A node as walking rows see it: what most of them need, in little memory.
#[derive(Clone, Copy)]
pub(super) enum WalkedNode {
    /// From the `least` number on to the second branch.
    Cut { least: f64, lane: u32, branches: [u32; 2] },
    /// A leaf, or a rule without a cut.
    Other,
}

pub(super) struct RoutedTree<'a> {
    /// The root is the first. Some are in the tree no longer.
    pub(super) nodes: Vec<RoutedNode>,
    pub(super) walked: Vec<WalkedNode>,
    pub(super) rows: TrainingRows,
    /// Of each feature.
    lanes: Vec<u32>,
    pub(super) rating: ClassRating<'a, u64>,
    pub(super) missing: Missing,
}

impl<'a> RoutedTree<'a> {
    /// Sends all rows down a tree that was grown on them.
    pub(super) fn new(
        tree: &TreeData,
        rows: GrownRows,
        rating: ClassRating<'a, u64>,
    ) -> Result<Self> {
        let used = tree.used_features();
        let scales = Scale::of_used(&tree.schema, tree.splits(), &used);
        let mut lanes = vec![0; tree.schema.features.len()];
        used.iter().zip(0..).for_each(|(&feature, lane)| lanes[feature as usize] = lane);
        let walked = |node: &Node| {
            let Some(split) = &node.split else { return WalkedNode::Other };
            let (Test::AtLeast(cut), &[left, right]) = (&split.rule.test, &split.branches[..])
            else {
                return WalkedNode::Other;
            };
            let lane = lanes[split.rule.feature as usize];
            let least = scales[lane as usize].cut(&tree.feature(split).dtype, cut);
            WalkedNode::Cut { least, lane, branches: [left, right] }
        };
        let walked = tree.nodes.iter().map(walked).collect();
        let node = |node: &Node| RoutedNode {
            split: node.split.clone(),
            n_rows: node.n,
            ..Default::default()
        };
        let nodes = tree.nodes.iter().map(node).collect();
        let (rows, units) = TrainingRows::new(tree, &scales, rows)?;
        let missing = tree.spec.missing;
        let mut routed = RoutedTree { nodes, walked, rows, lanes, rating, missing };
        routed.fill(&units);
        // Growth rated the splits already.
        for (node, grown) in routed.nodes.iter_mut().zip(&tree.nodes) {
            if let (Some(split), Some(grown)) = (&mut node.split, &grown.split) {
                split.gain = grown.gain;
            }
        }
        Ok(routed)
    }

    /// Gives leaves their rows and all nodes their counts.
    fn fill(&mut self, units: &[u64]) {
        let rows = 0..self.rows.n_rows();
        let mut leaves = vec![0; units.len()];
        parallel::for_each((0..).step_by(PART).zip(leaves.chunks_mut(PART)), |(first, leaves)| {
            (first..).zip(leaves).for_each(|(row, leaf)| *leaf = self.leaf_of(0, row).0);
        });
        for (row, leaf) in rows.zip(leaves) {
            let units = units[row as usize];
            let RoutedNode { rows, n_rows, .. } = &mut self.nodes[leaf as usize];
            if rows.is_empty() {
                rows.reserve_exact(*n_rows as usize);
            }
            rows.push(Share { row, units });
        }
        // They are visited leaf by leaf.
        let mut order = Vec::with_capacity(units.len());
        for share in self.nodes.iter_mut().flat_map(|node| &mut node.rows) {
            order.push(share.row);
            share.row = order.len() as u32 - 1;
        }
        self.rows.reorder(&order);
        if self.rows.are_shared {
            let rows = self.nodes.iter_mut().flat_map(|node| std::mem::take(&mut node.rows));
            let rows = rows.collect();
            return self.send(0, rows);
        }
        // Branches come after their node.
        for at in (0..self.nodes.len()).rev() {
            let (mut n_rows, mut counts) = (0, self.count(&self.nodes[at].rows));
            for &branch in self.nodes[at].split.iter().flat_map(|split| &split.branches) {
                let branch = &self.nodes[branch as usize];
                n_rows += branch.n_rows;
                add(&mut counts, &branch.counts);
            }
            let here = &mut self.nodes[at];
            (here.n_rows, here.counts) = (n_rows + here.rows.len() as u64, counts);
        }
    }

    pub(super) fn count(&self, rows: &[Share]) -> Vec<u64> {
        let mut counts = vec![0; self.rating.width()];
        rows.iter().for_each(|share| counts[self.rows.class(share.row)] += share.units);
        counts
    }

    pub(super) fn lane(&self, split: &Split) -> u32 {
        self.lanes[split.rule.feature as usize]
    }

    /// The branch of a node's rule for a number; `None` if none is for it.
    #[inline]
    pub(super) fn branch(&self, node: u32, split: &Split, number: f64) -> Option<u32> {
        let is_right = || match self.walked[node as usize] {
            WalkedNode::Cut { least, .. } => number >= least,
            WalkedNode::Other => false,
        };
        match number.is_nan() {
            true => split.rule.missing_to,
            false => split.rule.test.branch(number as u32, |_| is_right()),
        }
    }

    /// The leaf that a whole row comes to from a node on, and its level (or [`MISSING`]) if that
    /// is to be a new leaf below the node.
    #[inline]
    pub(super) fn leaf_of(&self, mut node: u32, row: u32) -> (u32, Option<u32>) {
        loop {
            if let WalkedNode::Cut { least, lane, branches } = self.walked[node as usize] {
                let number = self.rows.number(row, lane);
                if !number.is_nan() {
                    node = branches[usize::from(number >= least)];
                    continue;
                }
            }
            let Some(split) = &self.nodes[node as usize].split else { return (node, None) };
            let number = self.rows.number(row, self.lane(split));
            let branch = match self.branch(node, split, number) {
                Some(branch) => branch,
                None if self.missing.joins_heaviest(&split.rule.test, number.is_nan()) => {
                    self.heaviest(split)
                }
                None if number.is_nan() => return (node, Some(MISSING)),
                None => return (node, Some(number as u32)),
            };
            node = split.branches[branch as usize];
        }
    }

    pub(super) fn units(&self, node: u32) -> u64 {
        self.nodes[node as usize].counts.iter().sum()
    }

    pub(super) fn heaviest(&self, split: &Split) -> u32 {
        let units: Vec<u64> = split.branches.iter().map(|&branch| self.units(branch)).collect();
        match (&split.rule.test, &units[..]) {
            (Test::Each(_), units) => heaviest_level(units).unwrap_or(0),
            (_, &[left, right]) => heavier_branch(left, right),
            _ => 0,
        }
    }

    /// The leaves below a node, except the leaves of one branch.
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

    pub(super) fn weights(&self, counts: &[u64]) -> impl Iterator<Item = f64> + Clone {
        counts.iter().map(|&units| self.rating.weight(units))
    }

    /// The nodes of the tree in preorder, and their values.
    pub(super) fn into_nodes(mut self) -> (Vec<Node>, Vec<f64>) {
        let node = |node: &mut RoutedNode| {
            let split = node.split.take();
            Node { parent: None, depth: 0, n: node.n_rows, impurity: 0.0, split }
        };
        let (mut ordered, order) = in_preorder(self.nodes.iter_mut().map(node).collect(), |_| true);
        let mut values = Vec::with_capacity(order.len() * self.rating.width());
        for (node, at) in ordered.iter_mut().zip(order) {
            let counts = &self.nodes[at as usize].counts;
            node.impurity = self.rating.impurity(counts);
            values.extend(self.weights(counts));
        }
        (ordered, values)
    }
}

/// The level of a missing value.
const MISSING: u32 = u32::MAX;
