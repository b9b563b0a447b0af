//! Minimal cost-complexity pruning (Breiman, Friedman, Olshen & Stone 1984, chapter 3).
//!
//! `R(t)` is a node's impurity times its share of the root's weight, `R(T)` the sum of `R` over
//! the leaves of T, and `R(T) + alpha |leaves of T|` the cost of T. The link of an inner node t is
//! the smallest alpha at which the leaf t costs no more than the subtree below it:
//! `g(t) = (R(t) - R(T_t)) / (|leaves of T_t| - 1)`. Pruning cuts the weakest links first.
//!
//! Breiman et al. cut the weakest link and recompute the links of all its ancestors, again and
//! again. The same links come out of one pass from the leaves up, because what is cut below t does
//! not depend on what is above t. Links below t that are weaker than t's are cut before it, and the
//! others are cut together with it. So each node melds its branches' heaps of links, computes its
//! own link as if all of them were cut, and takes the strongest off the heap as long as that is
//! stronger than its own link would be. Each link is taken off at most once: `O(n log n)`, however
//! deep the tree is.

use super::leftist_heap::{LeftistHeaps, NONE};
use crate::error::{Error, Result};
use crate::spec::Missing;
use crate::tree::TreeData;
use crate::util::few_digits::few_digits;

/// The tolerance within which links are equal, and are cut together.
#[derive(Clone, Copy, Debug)]
struct Slack {
    relative: f64,
    absolute: f64,
}

impl Slack {
    const OF_ROWS: Slack = Slack { relative: 1e-12, absolute: 0.0 };
    /// Shares of rows are multiples of 2^-51 of the root's weight, so that the class counts of a small
    /// node are off by more than the rounding of its figures.
    const OF_SHARES: Slack = Slack { relative: 1e-9, absolute: 1e-13 };

    fn of(tree: &TreeData) -> Slack {
        match tree.spec.missing {
            Missing::Fractional => Slack::OF_SHARES,
            Missing::Learn | Missing::Majority | Missing::Error => Slack::OF_ROWS,
        }
    }

    /// Whether a link is cut at this alpha.
    fn is_cut(self, link: f64, alpha: f64) -> bool {
        link <= alpha * (1.0 + self.relative) + self.absolute
    }
}

/// One subtree of the cost-complexity sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PruneStep {
    /// The lowest cost per leaf, in the criterion's units, at which this subtree is the cheapest.
    pub alpha: f64,
    /// Number of leaves.
    pub leaves: u32,
    /// Depth of its deepest node.
    pub depth: u32,
    /// The sum of its leaves' impurities, each times the leaf's share of the root's weight.
    pub total_impurity: f64,
}

/// The links of all nodes, and the sequence of subtrees they give.
pub(crate) struct WeakestLinks {
    /// The alpha at which each node becomes a leaf; 0 for a leaf.
    own: Vec<f64>,
    /// The alpha at which each node is cut away: the least link among its ancestors.
    above: Vec<f64>,
    /// The alphas of the sequence, ascending from 0, with the impurity added at each.
    steps: Vec<(f64, f64)>,
    slack: Slack,
}

/// The alphas of a sequence as its tables show them: each prints whole, and is from its own
/// subtree's alpha to below the next one's, so that it chooses the same subtree.
pub(crate) fn printed_alphas(alphas: &[f64]) -> Vec<f64> {
    let Slack { relative, absolute } = Slack::OF_SHARES;
    let next = alphas.iter().skip(1).map(|next| (next - absolute) / (1.0 + relative));
    let printed = |(&alpha, next): (&f64, f64)| {
        // 0.1 + 0.2 is printed as 0.3.
        let least = alpha * (1.0 - Slack::OF_ROWS.relative / 2.0);
        few_digits(least..next).unwrap_or(alpha)
    };
    alphas.iter().zip(next.chain([f64::INFINITY])).map(printed).collect()
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
    /// Its first step, of alpha 0, is the smallest subtree of the same total impurity: the whole
    /// tree without the subtrees in which no split gains anything. A split that gains nothing
    /// above one that does (exclusive-or) stays. Equal links are cut at once; links are equal
    /// within a relative 1e-12 (in a tree of [`Missing::Fractional`], within a relative 1e-9 and
    /// an absolute 1e-13). A single leaf has a sequence of one step.
    ///
    /// `O(n log n)` for n nodes, of any depth.
    pub fn cost_complexity_steps(&self) -> Vec<PruneStep> {
        let links = WeakestLinks::of(self);
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
        // A node of one step is in all steps before it.
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
                // The nodes of a step are those cut away after it.
                depth: depths[step + 1],
                // Exact for the root; the sum has rounding errors.
                total_impurity: if n_leaves == 1 { self.nodes[0].impurity } else { impurity },
            });
        }
        steps
    }

    /// [`Tree::prune_cost_complexity`](crate::Tree::prune_cost_complexity).
    pub(crate) fn prune_cost_complexity(&self, alpha: f64) -> Result<TreeData> {
        check_alpha(alpha)?;
        let links = WeakestLinks::of(self);
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
}

impl WeakestLinks {
    pub(crate) fn of(tree: &TreeData) -> WeakestLinks {
        let (n, slack) = (tree.nodes.len(), Slack::of(tree));
        let mut own = vec![0.0; n];
        // For the subtree of each node at the alpha of its link: its impurity drop, and its leaves
        // minus 1.
        let mut gains = vec![0.0; n];
        let mut extra = vec![0u32; n];
        let mut heaps = LeftistHeaps::new(n);
        let mut heap_of = vec![NONE; n];
        for (id, split) in tree.bottom_up() {
            let mut heap = NONE;
            for &branch in &split.branches {
                heap = heaps.meld(heap, heap_of[branch as usize]);
            }
            let (mut gain, mut leaves) =
                (tree.impurity_drop(id, split), split.branches.len() as u32 - 1);
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

        // The links still in the root's heap are the steps, in ascending order.
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
        WeakestLinks { own, above, steps, slack }
    }

    /// The alphas of the sequence, ascending from 0.
    pub(crate) fn alphas(&self) -> Vec<f64> {
        self.steps.iter().map(|&(alpha, _)| alpha).collect()
    }

    /// The number of ascending alphas, from the first on, at which a node is not cut away.
    pub(crate) fn present(&self, alphas: &[f64], node: usize) -> usize {
        match node {
            0 => alphas.len(),
            _ => alphas.partition_point(|&alpha| !self.slack.is_cut(self.above[node], alpha)),
        }
    }

    /// The index of the first of ascending alphas at which a node is a leaf, if not cut away.
    pub(crate) fn leaf_from(&self, alphas: &[f64], node: usize) -> usize {
        alphas.partition_point(|&alpha| !self.slack.is_cut(self.own[node], alpha))
    }
}
