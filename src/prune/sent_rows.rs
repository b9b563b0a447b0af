//! Sending rows down a tree from a node on.

use std::collections::BTreeSet;

use super::routed_tree::{RoutedNode, RoutedTree, WalkedNode};
use super::training_rows::Share;
use crate::grow::KnownUnits;
use crate::stat::{Rating, add};
use crate::tree::rule::Test;

impl RoutedTree<'_> {
    /// Gives a node some rows, and sends them down. Where a rule has no branch for a row, the rule
    /// is extended.
    pub(super) fn send(&mut self, root: u32, rows: Vec<Share>) {
        let mut open = vec![(root, rows)];
        while let Some((node, rows)) = open.pop() {
            let branches = self.divide(node, &rows).or_else(|| {
                self.extend_rule(node, &rows);
                self.divide(node, &rows)
            });
            let (branches, counts) = (branches.unwrap_or_default(), self.count(&rows));
            let here = &mut self.nodes[node as usize];
            (here.n_rows, here.counts) = (rows.len() as u64, counts);
            match &here.split {
                Some(split) => open.extend(split.branches.iter().copied().zip(branches)),
                None => here.rows = rows,
            }
        }
    }

    /// Extends a node's rule to the levels, or missing values, of some rows that it has no branch
    /// for: by a leaf of their own, or along with the rows of the heaviest branch.
    fn extend_rule(&mut self, node: u32, rows: &[Share]) {
        let Some(split) = &self.nodes[node as usize].split else { return };
        let lane = self.lane(split);
        let numbers = rows.iter().map(|share| self.rows.number(share.row, lane));
        let unnamed = numbers.filter(|&number| self.branch(node, split, number).is_none());
        let level = |number: f64| (!number.is_nan()).then_some(number as u32);
        let mut unnamed: BTreeSet<Option<u32>> = unnamed.map(level).collect();
        let is_missing = unnamed.remove(&None) && !self.missing.shares_rows();
        let heaviest = self.heaviest(split);
        let missing_joins = self.missing.joins_heaviest(&split.rule.test, true);
        let mut split = split.clone();
        if is_missing && missing_joins {
            split.rule.missing_to = Some(heaviest);
        }
        for level in unnamed.into_iter().flatten() {
            match &mut split.rule.test {
                Test::Each(levels) => {
                    let at = levels.partition_point(|&l| l < level);
                    levels.insert(at, level);
                    split.branches.insert(at, self.push(RoutedNode::default()));
                    if let Some(to) = &mut split.rule.missing_to {
                        *to += u32::from(*to as usize >= at);
                    }
                }
                Test::In { right, left } => {
                    let set = if heaviest == 1 { right } else { left };
                    set.insert(set.partition_point(|&l| l < level), level);
                }
                Test::AtLeast(_) | Test::Equals(_) | Test::IsMissing => {}
            }
        }
        if is_missing && !missing_joins {
            split.rule.missing_to = Some(split.branches.len() as u32);
            split.branches.push(self.push(RoutedNode::default()));
        }
        self.nodes[node as usize].split = Some(split);
    }

    /// The rows of each branch of a node, whose split is rated by them; `None` if its rule has no
    /// branch for one of them, or it has no rule.
    fn divide(&mut self, node: u32, rows: &[Share]) -> Option<Vec<Vec<Share>>> {
        let split = self.nodes[node as usize].split.as_ref()?;
        let (arity, width, lane) = (split.branches.len(), self.rating.width(), self.lane(split));
        let mut branches = vec![Vec::new(); arity];
        let mut stats = vec![0; arity * width];
        let (mut of_every, mut unrated) = (Vec::new(), 0);
        for &share in rows {
            let number = self.rows.number(share.row, lane);
            let branch = self.branch(node, split, number);
            match branch {
                Some(branch) => branches[branch as usize].push(share),
                None if number.is_nan() && self.missing.shares_rows() => of_every.push(share),
                None => return None,
            }
            match branch.filter(|_| !number.is_nan() || self.missing.rates_all_rows()) {
                Some(branch) => {
                    stats[branch as usize * width + self.rows.class(share.row)] += share.units;
                }
                None => unrated += share.units,
            }
        }
        let stats: Vec<&[u64]> = stats.chunks(width).collect();
        if !of_every.is_empty() {
            let units = stats.iter().map(|stat| stat.iter().sum());
            let known = KnownUnits::of(arity, units.enumerate());
            for Share { row, units } in of_every {
                let shares = branches.iter_mut().zip(known.share_out(units, self.rows.copies(row)));
                for (branch, units) in shares.filter(|(_, units)| *units > 0) {
                    branch.push(Share { row, units });
                }
            }
        }
        // New branches last: the gains of branches are summed in the order in which they came.
        let is_new = |&at: &usize| self.nodes[split.branches[at] as usize].counts.is_empty();
        let mut order: Vec<usize> = (0..arity).collect();
        order.sort_by_key(is_new);
        let stats: Vec<&[u64]> = order.into_iter().map(|at| stats[at]).collect();
        let gain = self.gain(&stats, unrated);
        self.nodes[node as usize].split.iter_mut().for_each(|split| split.gain = gain);
        Some(branches)
    }

    /// The gain of a split, as growth rates it: over the rows of `stats`, times their share.
    fn gain(&self, stats: &[&[u64]], unrated: u64) -> f64 {
        let mut parent = vec![0; self.rating.width()];
        stats.iter().for_each(|stat| add(&mut parent, stat));
        let (gain, rated) = (self.rating.gain(&parent, stats), self.rating.units(&parent));
        match unrated {
            0 => gain,
            _ => gain * (self.rating.weight(rated) / self.rating.weight(rated + unrated)),
        }
    }

    /// Copies the subtree of a node, without its rows, to the end of the nodes. Returns its root.
    pub(super) fn copy(&mut self, root: u32) -> u32 {
        let first = self.push_copy(root);
        for copy in first.. {
            let Some(node) = self.nodes.get_mut(copy as usize) else { break };
            let Some(mut split) = node.split.take() else { continue };
            for branch in &mut split.branches {
                *branch = self.push_copy(*branch);
            }
            self.nodes[copy as usize].split = Some(split);
        }
        first
    }

    /// Copies a node for [`copy`](Self::copy). A cut keeps the branches of the original:
    /// [`leaf_of`](Self::leaf_of) alone follows them, and it is not asked of copies.
    fn push_copy(&mut self, node: u32) -> u32 {
        let RoutedNode { split, counts, .. } = &self.nodes[node as usize];
        let (split, counts) = (split.clone(), counts.clone());
        let copy = self.push(RoutedNode { split, counts, ..Default::default() });
        self.walked[copy as usize] = self.walked[node as usize];
        copy
    }

    fn push(&mut self, node: RoutedNode) -> u32 {
        self.nodes.push(node);
        self.walked.push(WalkedNode::Other);
        self.nodes.len() as u32 - 1
    }
}
