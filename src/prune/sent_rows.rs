//! Sending rows down a tree from a node on, and what becomes of the nodes they come to.

use super::routed_tree::{Destination, RoutedNode, RoutedSplit, RoutedTree, Share};
use super::training_rows::MISSING;
use crate::grow::KnownUnits;
use crate::spec::Missing;
use crate::stat::{Rating, add};
use crate::tree::rule::{Rule, Test};

/// The rows of a node that rows were sent through.
pub(super) struct Visit {
    pub(super) node: u32,
    rows: Vec<Share>,
    /// Rows of levels that the node's rule had no branch for.
    new_leaves: Vec<(u64, Vec<Share>)>,
    joined: Vec<(u64, u32)>,
    pub(super) gain: f64,
}

impl RoutedTree<'_> {
    /// Sends rows down from a node. What it finds for each node is to be [settled](Self::settle).
    pub(super) fn send(&self, root: u32, rows: Vec<Share>) -> Vec<Visit> {
        let mut visits = Vec::new();
        let mut open = vec![(root, rows)];
        while let Some((node, rows)) = open.pop() {
            let mut visit =
                Visit { node, rows, new_leaves: Vec::new(), joined: Vec::new(), gain: 0.0 };
            if let Some(split) = &self.nodes[node as usize].split {
                let branches = self.divide(split, &mut visit);
                open.extend(split.branches.iter().copied().zip(branches));
            }
            visits.push(visit);
        }
        visits
    }

    /// The rows of each branch of a node. Notes in `visit` what is new.
    fn divide(&self, split: &RoutedSplit, visit: &mut Visit) -> Vec<Vec<Share>> {
        let arity = split.branches.len();
        let mut branches = vec![Vec::new(); arity];
        let mut stats = vec![vec![0; self.rating.width()]; arity];
        let (mut of_every, mut unrated) = (Vec::new(), 0);
        for &share in &visit.rows {
            let cell = self.rows.cell(share.row, split.index);
            let branch = match self.destination(split, cell) {
                Destination::Branch(branch) => branch as usize,
                Destination::Every => {
                    unrated += share.units;
                    of_every.push(share);
                    continue;
                }
                Destination::NewLeaf(level) => {
                    match visit.new_leaves.binary_search_by_key(&level, |(level, _)| *level) {
                        Ok(at) => visit.new_leaves[at].1.push(share),
                        Err(at) => visit.new_leaves.insert(at, (level, vec![share])),
                    }
                    continue;
                }
                Destination::Join(level, branch) => {
                    visit.joined.push((level, branch));
                    branch as usize
                }
            };
            branches[branch].push(share);
            match cell == MISSING && self.rows.missing != Missing::Learn {
                true => unrated += share.units,
                false => stats[branch][self.class(share)] += share.units,
            }
        }
        visit.joined.sort_unstable();
        visit.joined.dedup();
        stats.extend(visit.new_leaves.iter().map(|(_, rows)| self.count(rows)));
        visit.gain = self.gain(&stats, unrated);
        let units: Vec<u64> = stats.iter().map(|stat| stat.iter().sum()).collect();
        // In the order of levels, as branches are.
        let levels: &[u32] = if let Test::Each(levels) = &split.rule.test { levels } else { &[] };
        let level = |branch: usize| levels.get(branch).map_or(MISSING, |&level| level.into());
        let of_branches = branches.iter_mut().enumerate().map(|(b, rows)| (level(b), rows));
        let of_leaves = visit.new_leaves.iter_mut().map(|(level, rows)| (*level, rows));
        let mut to: Vec<_> = of_branches.chain(of_leaves).zip(units).collect();
        to.sort_by_key(|((level, _), _)| *level);
        let known = to.iter().enumerate().map(|(branch, &(_, units))| (branch, units));
        let known = KnownUnits::of(to.len(), known);
        for Share { row, units } in of_every {
            let shares = known.share_out(units, self.rows.copies(row));
            for (((_, to), _), units) in to.iter_mut().zip(shares).filter(|(_, units)| *units > 0) {
                to.push(Share { row, units });
            }
        }
        branches
    }

    /// The gain of a split, as growth rates it: over the rows of `stats`, times their share.
    fn gain(&self, stats: &[Vec<u64>], unrated: u64) -> f64 {
        let mut parent = vec![0; self.rating.width()];
        stats.iter().for_each(|stat| add(&mut parent, stat));
        let branches: Vec<&[u64]> = stats.iter().map(Vec::as_slice).collect();
        let (gain, rated) = (self.rating.gain(&parent, &branches), self.rating.units(&parent));
        match unrated {
            0 => gain,
            _ => gain * (self.rating.weight(rated) / self.rating.weight(rated + unrated)),
        }
    }

    /// Takes what rows sent down found at a node to be the node's rows.
    pub(super) fn settle(&mut self, visit: Visit) {
        let Visit { node, rows, new_leaves, joined, gain } = visit;
        let (n_rows, counts) = (rows.len(), self.count(&rows));
        let at = node as usize;
        let Some(mut split) = self.nodes[at].split.take() else {
            self.nodes[at] = RoutedNode { split: None, n_rows, counts, rows };
            return;
        };
        // Before leaves are inserted, which move the branches after them.
        joined.into_iter().for_each(|(level, branch)| split.rule.join(level, branch));
        for (level, rows) in new_leaves {
            split.insert(level, self.add_leaf(rows));
        }
        split.gain = gain;
        self.nodes[at] = RoutedNode { split: Some(split), n_rows, counts, rows: Vec::new() };
    }

    /// The counts of a branch's leaves, new ones included, if these were its rows.
    pub(super) fn counts_of_leaves(&self, branch: u32, rows: Vec<Share>) -> Vec<Vec<u64>> {
        let visits = self.send(branch, rows);
        let leaves = visits.iter().filter(|v| self.nodes[v.node as usize].split.is_none());
        let new_leaves = visits.iter().flat_map(|v| v.new_leaves.iter().map(|(_, rows)| rows));
        leaves.map(|v| &v.rows).chain(new_leaves).map(|rows| self.count(rows)).collect()
    }
}

impl RoutedSplit {
    /// Adds a branch for a level, or for missing values.
    fn insert(&mut self, level: u64, node: u32) {
        let Rule { test: Test::Each(levels), missing_to, .. } = &mut self.rule else { return };
        let own_branch = *missing_to == Some(levels.len() as u32);
        match u32::try_from(level) {
            Ok(level) => {
                let at = levels.partition_point(|&l| l < level);
                levels.insert(at, level);
                self.branches.insert(at, node);
                if own_branch {
                    *missing_to = Some(levels.len() as u32);
                } else if let Some(to) = missing_to {
                    *to += u32::from(*to as usize >= at);
                }
            }
            Err(_) => {
                *missing_to = Some(levels.len() as u32);
                self.branches.push(node);
            }
        }
    }
}

impl Rule {
    /// Sends a level the node never saw, or missing values, down a branch.
    fn join(&mut self, level: u64, branch: u32) {
        let Ok(level) = u32::try_from(level) else {
            self.missing_to = Some(branch);
            return;
        };
        if let Test::In { right, left } = &mut self.test {
            let set = if branch == 1 { right } else { left };
            set.insert(set.partition_point(|&l| l < level), level);
        }
    }
}
