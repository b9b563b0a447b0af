//! Minimal cost-complexity pruning (Breiman, Friedman, Olshen & Stone 1984, chapter 3).
//!
//! `R(t)` is a node's impurity times its share of the root's weight, `R(T)` the sum of that over
//! the leaves of T, and `R(T) + alpha |leaves of T|` what a subtree costs. The link of an inner
//! node t is the alpha from which on t alone costs no more than all that is left below it:
//! `g(t) = (R(t) - R(T_t)) / (|leaves of T_t| - 1)`.
//!
//! Breiman et al. cut the weakest link, rate the links above it anew, and go on: as many steps
//! up as the tree is deep, each time. The same links come out of one pass from the leaves up,
//! because what is cut below t first does not depend on what is above t. Of the links below t
//! those weaker than t's own are cut before it; the others are never reached. So each node
//! takes its branches' links as a heap, begins with all of them cut, and puts the strongest
//! back for as long as it is stronger than t's own link would be. A link put back is gone for
//! good, so that all takes `O(n log n)`, however deep the tree is.

use super::heap::{Heaps, NONE};
use crate::error::{Error, Result};
use crate::spec::{Criterion, Missing};
use crate::tree::{Split, TreeData};

/// How near to each other links are equal, and are cut together.
#[derive(Clone, Copy, Debug)]
struct Slack {
    /// A part of the link.
    part: f64,
    /// A link below this is none.
    least: f64,
}

impl Slack {
    const OF_COUNTS: Slack = Slack { part: 1e-12, least: 0.0 };

    /// Where rows go down a split in shares, a share is a whole number of 2^-51ths of the root's
    /// weight, and a node's class counts are off by some of them: of a small node that is more
    /// than the rounding of its figures.
    const OF_SHARES: Slack = Slack { part: 1e-9, least: 1e-13 };

    fn of(tree: &TreeData) -> Slack {
        match tree.spec.missing {
            Missing::Fractional => Slack::OF_SHARES,
            _ => Slack::OF_COUNTS,
        }
    }

    /// Whether a link is cut at this alpha.
    fn is_cut(self, link: f64, alpha: f64) -> bool {
        link <= alpha * (1.0 + self.part) + self.least
    }
}

/// One subtree of the cost-complexity sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PruneStep {
    /// The price of a leaf, in the criterion's units, from which on this subtree is the
    /// cheapest.
    pub alpha: f64,
    /// Its leaves.
    pub leaves: u32,
    /// Depth of its deepest node.
    pub depth: u32,
    /// The impurities of its leaves, each times the leaf's share of the root's weight.
    pub total_impurity: f64,
}

/// The links of all nodes, and the sequence they make.
pub(crate) struct Links {
    /// Each node's own link: the alpha at which it becomes a leaf. A leaf is one at any alpha.
    own: Vec<f64>,
    /// The least link among the nodes above: the alpha at which a node is cut away.
    above: Vec<f64>,
    /// The alphas of the sequence, from 0, with what is lost at each.
    steps: Vec<(f64, f64)>,
    slack: Slack,
}

pub(super) fn check_alpha(alpha: f64) -> Result<()> {
    // Not `alpha < 0.0`, which NaN is not.
    if alpha >= 0.0 {
        return Ok(());
    }
    Err(Error::spec(format!(
        "pruning alpha is {alpha}; it must be 0 or more: 0 cuts only what gains nothing"
    )))
}

pub(super) fn check_leaves(n: u32) -> Result<()> {
    if n > 0 {
        return Ok(());
    }
    Err(Error::spec("0 leaves to prune to; the smallest tree has 1"))
}

impl TreeData {
    /// The sequence of cheapest subtrees, from the whole tree to the root, alphas strictly
    /// rising from 0 (Breiman et al. 1984, section 3.3).
    ///
    /// Its first, of alpha 0, is the smallest subtree of the same total impurity: the whole
    /// tree, less what is below a node where no split gains anything. A split that gains nothing
    /// above one that does (exclusive-or) stays. All links of the least alpha are cut at once;
    /// links are equal within 1e-12 of themselves (of a tree of [`Missing::Fractional`], within
    /// 1e-9 and 1e-13 in all). A single leaf has a sequence of one step.
    ///
    /// `O(n log n)` for n nodes, of any depth.
    pub fn cost_complexity_steps(&self) -> Vec<PruneStep> {
        let links = Links::of(self);
        let alphas = links.alphas();
        let mut leaves = vec![0i64; alphas.len() + 1];
        let mut depths = vec![0u32; alphas.len() + 1];
        for (id, node) in self.nodes.iter().enumerate() {
            let here = links.present(&alphas, id);
            depths[here] = depths[here].max(node.depth);
            let leaf = links.leaf_from(&alphas, id);
            if leaf < here {
                leaves[leaf] += 1;
                leaves[here] -= 1;
            }
        }
        // A node that is there at a step was there at those before.
        for step in (0..alphas.len()).rev() {
            depths[step] = depths[step].max(depths[step + 1]);
        }
        let ends = self.nodes.iter().enumerate().filter(|(_, node)| node.split.is_none());
        let mut impurity: f64 = ends.map(|(id, _)| self.share(id) * self.nodes[id].impurity).sum();
        let mut n_leaves = 0;
        let mut steps = Vec::with_capacity(alphas.len());
        for (step, &(alpha, lost)) in links.steps.iter().enumerate() {
            n_leaves += leaves[step];
            impurity += lost;
            steps.push(PruneStep {
                alpha,
                leaves: n_leaves as u32,
                // What is left at a step are the nodes cut away after it.
                depth: depths[step + 1],
                // The sum has seen some rounding on its way to what is known exactly.
                total_impurity: if n_leaves == 1 { self.nodes[0].impurity } else { impurity },
            });
        }
        steps
    }

    /// [`Tree::prune_cost_complexity`](crate::Tree::prune_cost_complexity).
    pub(crate) fn prune_cost_complexity(&self, alpha: f64) -> Result<TreeData> {
        check_alpha(alpha)?;
        let links = Links::of(self);
        let is_leaf: Vec<bool> =
            links.own.iter().map(|&link| links.slack.is_cut(link, alpha)).collect();
        Ok(self.collapsed(&is_leaf))
    }

    /// [`Tree::prune_to_leaves`](crate::Tree::prune_to_leaves).
    pub(crate) fn prune_to_leaves(&self, n: u32) -> Result<TreeData> {
        check_leaves(n)?;
        let steps = self.cost_complexity_steps();
        let alpha = steps.iter().find(|step| step.leaves <= n).map_or(f64::INFINITY, |s| s.alpha);
        self.prune_cost_complexity(alpha)
    }

    /// A node's share of the root's weight.
    fn share(&self, node: usize) -> f64 {
        self.weight(node as u32) / self.weight(0)
    }

    /// `R(t)` less the `R` of t's branches.
    ///
    /// As a sum of what each branch is apart from its parent it loses no digits where the two
    /// are near each other, and is 0 if and only if a split changes nothing (of counts: all
    /// branches are exactly proportional to the parent; the same majorities go with that).
    fn drop(&self, node: usize, split: &Split) -> f64 {
        let branches = || split.branches.iter().map(|&b| (b, self.share(b as usize)));
        if let Some(mean) = self.mean(node as u32) {
            let apart = |b: u32| self.mean(b).unwrap_or(mean) - mean;
            let drop: f64 = branches().map(|(b, share)| share * apart(b) * apart(b)).sum();
            // Below this a gain of numbers is rounding.
            let least = 1e-12 * self.share(node) * self.nodes[node].impurity;
            return if drop < least { 0.0 } else { drop };
        }
        let drop: f64 = branches().map(|(b, share)| share * self.apart(node as u32, b)).sum();
        let majority = self.majority(node as u32);
        let same = split.branches.iter().all(|&b| self.majority(b) == majority);
        // However little a split gains, it gains something if its answers differ.
        if drop > 0.0 || same { drop } else { f64::MIN_POSITIVE }
    }

    /// How far a branch's class shares are from its parent's: the impurity that is lost on the
    /// branch's rows (relative entropy, or the squared distance for Gini).
    fn apart(&self, parent: u32, branch: u32) -> f64 {
        let (whole, part) = (self.weight(parent), self.weight(branch));
        let log_unit = self.spec.log_base.log(std::f64::consts::E);
        let shares = self.class_counts(parent).iter().zip(self.class_counts(branch));
        shares
            .filter(|&(&p, _)| p > 0.0)
            .map(|(&p, &b)| {
                let (over, expected) = (cross(b, whole, p, part), p * part);
                match self.spec.criterion {
                    Criterion::Entropy => p / whole * log_unit * divergence(over / expected),
                    Criterion::Gini | Criterion::Variance => {
                        let apart = over / whole / part;
                        apart * apart
                    }
                }
            })
            .sum()
    }
}

/// `b * whole - p * part`, which is 0 where the branch's share of a class is the parent's:
/// exactly so of counts, to 1e-12 of weights that are no whole numbers.
fn cross(b: f64, whole: f64, p: f64, part: f64) -> f64 {
    const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    if [b, whole, p, part].iter().all(|x| x.fract() == 0.0 && *x <= EXACT) {
        let product = |x: f64, y: f64| x as i128 * y as i128;
        return (product(b, whole) - product(p, part)) as f64;
    }
    let over = b * whole - p * part;
    if over.abs() <= 1e-12 * p * part { 0.0 } else { over }
}

/// `(1 + r) ln(1 + r) - r`, for r from -1: what a class whose share is `1 + r` times its
/// parent's adds to the relative entropy. Never negative, and 0 only at 0.
fn divergence(r: f64) -> f64 {
    if r.abs() < 1e-3 {
        // The closed form would subtract neighbours; the next term is below 1e-13 of the sum.
        let series = 1.0 / 2.0 - r * (1.0 / 6.0 - r * (1.0 / 12.0 - r * (1.0 / 20.0 - r / 30.0)));
        r * r * series
    } else if r <= -1.0 {
        1.0
    } else {
        (1.0 + r) * r.ln_1p() - r
    }
}

impl Links {
    pub(crate) fn of(tree: &TreeData) -> Links {
        let (n, slack) = (tree.nodes.len(), Slack::of(tree));
        let mut own = vec![0.0; n];
        // What the subtree of a node gains, and its leaves less 1, when its link comes to be cut.
        let mut gains = vec![0.0; n];
        let mut extra = vec![0u32; n];
        let mut heaps = Heaps::new(n);
        let mut heap_of = vec![NONE; n];
        for (id, split) in tree.bottom_up() {
            let mut heap = NONE;
            for &branch in &split.branches {
                heap = heaps.meld(heap, heap_of[branch as usize]);
            }
            let (mut gain, mut leaves) = (tree.drop(id, split), split.branches.len() as u32 - 1);
            let mut link = gain / f64::from(leaves);
            while heap != NONE && own[heap as usize] > link {
                gain += gains[heap as usize];
                leaves += extra[heap as usize];
                link = gain / f64::from(leaves);
                heap = heaps.pop(heap);
            }
            (own[id], gains[id], extra[id]) = (link, gain, leaves);
            heap_of[id] = heaps.push(heap, id, link);
        }

        // What was never put back is cut in the order of its links.
        let mut cuts: Vec<(f64, f64)> = heaps
            .nodes(heap_of[0])
            .into_iter()
            .map(|id| (own[id as usize], gains[id as usize]))
            .collect();
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut steps = vec![(0.0, 0.0)];
        for (link, gain) in cuts {
            match steps.last_mut() {
                Some((alpha, lost)) if slack.is_cut(link, *alpha) => *lost += gain,
                _ => steps.push((link, gain)),
            }
        }

        let mut above = vec![f64::INFINITY; n];
        for (id, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                above[id] = above[parent as usize].min(own[parent as usize]);
            }
        }
        Links { own, above, steps, slack }
    }

    /// The alphas of the sequence, rising from 0.
    pub(crate) fn alphas(&self) -> Vec<f64> {
        self.steps.iter().map(|&(alpha, _)| alpha).collect()
    }

    /// At how many of some rising alphas, from the first on, a node has not been cut away.
    pub(crate) fn present(&self, alphas: &[f64], node: usize) -> usize {
        match node {
            0 => alphas.len(),
            _ => alphas.partition_point(|&alpha| !self.slack.is_cut(self.above[node], alpha)),
        }
    }

    /// The first of some rising alphas at which a node is a leaf, if it is there at all.
    pub(crate) fn leaf_from(&self, alphas: &[f64], node: usize) -> usize {
        alphas.partition_point(|&alpha| !self.slack.is_cut(self.own[node], alpha))
    }
}
