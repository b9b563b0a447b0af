//! A tree that knows the training rows of its leaves, and sends rows down again.

use super::training_rows::{MISSING, TrainingRows};
use crate::grow::KnownUnits;
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
    /// The feature's [place](TrainingRows::place).
    pub(super) place: usize,
    pub(super) gain: f64,
    pub(super) approximate: bool,
    pub(super) branches: Vec<u32>,
}

/// Where a rule sends a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    Branch(u32),
    /// Down every branch.
    Every,
    /// To a leaf of its own, as no other row of the node has this level (or [`MISSING`]).
    NewLeaf(u64),
    /// Along with the rows of a branch, for the same reason.
    Join(u64, u32),
}

/// The rows of a node that rows were sent through.
pub(super) struct Visit {
    node: u32,
    rows: Vec<Share>,
    /// Rows of levels that the node's rule had no branch for.
    new_leaves: Vec<(u64, Vec<Share>)>,
    joined: Vec<(u64, u32)>,
    gain: f64,
}

pub(super) struct RoutedTree<'a> {
    pub(super) nodes: Vec<RoutedNode>,
    pub(super) rating: ClassRating<'a, u64>,
    pub(super) rows: TrainingRows<'a>,
}

impl<'a> RoutedTree<'a> {
    /// Sends all rows down a tree that was grown on them.
    pub(super) fn new(
        tree: &TreeData,
        rows: TrainingRows<'a>,
        cuts: &[u64],
        rating: ClassRating<'a, u64>,
    ) -> Self {
        let node = |(node, &cut): (&crate::tree::Node, &u64)| RoutedNode {
            split: node.split.as_ref().map(|split| RoutedSplit {
                rule: split.rule.clone(),
                cut,
                place: rows.place(split.rule.feature),
                gain: split.gain,
                approximate: split.approximate,
                branches: split.branches.clone(),
            }),
            n_rows: 0,
            counts: Vec::new(),
            rows: Vec::new(),
        };
        let nodes = tree.nodes.iter().zip(cuts).map(node).collect();
        let all = (0..rows.n_rows() as u32).map(|row| Share { row, units: rows.units(row) });
        let all = all.collect();
        let mut tree = RoutedTree { nodes, rating, rows };
        for visit in tree.send(0, all) {
            // Growth rated the splits already.
            let gain = tree.nodes[visit.node as usize].split.as_ref().map(|split| split.gain);
            tree.settle(Visit { gain: gain.unwrap_or(0.0), ..visit });
        }
        tree
    }

    /// Where a node's rule sends a cell.
    #[inline]
    pub(super) fn way(&self, split: &RoutedSplit, cell: u64) -> Way {
        let RoutedSplit { rule: Rule { test, missing_to, .. }, .. } = split;
        if cell == MISSING {
            return match (test, missing_to, self.rows.missing) {
                (Test::IsMissing, ..) => Way::Branch(1),
                (_, &Some(branch), _) => Way::Branch(branch),
                (_, None, Missing::Fractional) => Way::Every,
                (_, None, Missing::Majority) => Way::Join(cell, self.heaviest(split)),
                (_, None, Missing::Learn | Missing::Error) => Way::NewLeaf(cell),
            };
        }
        let level = cell as u32;
        match test {
            Test::AtLeast(_) => Way::Branch((cell >= split.cut).into()),
            Test::Equals(of_right) => Way::Branch((level == *of_right).into()),
            Test::In { right, .. } if right.binary_search(&level).is_ok() => Way::Branch(1),
            Test::In { left, .. } if left.binary_search(&level).is_ok() => Way::Branch(0),
            Test::In { .. } => Way::Join(cell, self.heaviest(split)),
            Test::Each(levels) => match levels.binary_search(&level) {
                Ok(branch) => Way::Branch(branch as u32),
                Err(_) => Way::NewLeaf(cell),
            },
            Test::IsMissing => Way::Branch(0),
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
            let cell = self.rows.cell(share.row, split.place);
            let branch = match self.way(split, cell) {
                Way::Branch(branch) => branch as usize,
                Way::Every => {
                    unrated += share.units;
                    of_every.push(share);
                    continue;
                }
                Way::NewLeaf(level) => {
                    match visit.new_leaves.binary_search_by_key(&level, |(level, _)| *level) {
                        Ok(at) => visit.new_leaves[at].1.push(share),
                        Err(at) => visit.new_leaves.insert(at, (level, vec![share])),
                    }
                    continue;
                }
                Way::Join(level, branch) => {
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
        for (level, rows) in new_leaves {
            split.insert(level, self.nodes.len() as u32);
            let (n_rows, counts) = (rows.len(), self.count(&rows));
            self.nodes.push(RoutedNode { split: None, n_rows, counts, rows });
        }
        joined.into_iter().for_each(|(level, branch)| split.rule.join(level, branch));
        split.gain = gain;
        self.nodes[at] = RoutedNode { split: Some(split), n_rows, counts, rows: Vec::new() };
    }

    /// The leaf that a whole row comes to from a node on, and its level if that leaf is new.
    pub(super) fn leaf_of(&self, mut node: u32, share: Share) -> (u32, Option<u64>) {
        while let Some(split) = &self.nodes[node as usize].split {
            let branch = match self.way(split, self.rows.cell(share.row, split.place)) {
                Way::Branch(branch) | Way::Join(_, branch) => branch,
                Way::NewLeaf(level) => return (node, Some(level)),
                // No row is whole then.
                Way::Every => 0,
            };
            node = split.branches[branch as usize];
        }
        (node, None)
    }

    /// The counts of a branch's leaves, new ones included, if these were its rows.
    pub(super) fn counts_of_leaves(&self, branch: u32, rows: Vec<Share>) -> Vec<Vec<u64>> {
        let visits = self.send(branch, rows);
        let leaves = visits.iter().filter(|v| self.nodes[v.node as usize].split.is_none());
        let new_leaves = visits.iter().flat_map(|v| v.new_leaves.iter().map(|(_, rows)| rows));
        leaves.map(|v| &v.rows).chain(new_leaves).map(|rows| self.count(rows)).collect()
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

    pub(super) fn weights(&self, counts: &[u64]) -> Vec<f64> {
        counts.iter().map(|&units| self.rating.weight(units)).collect()
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
