//! The errors of a tree on held-out rows at many alphas, in one pass over the rows.

use std::ops::Range;

use super::cost_complexity::WeakestLinks;
use super::loss::Loss;
use crate::data::target::TargetValues;
use crate::score::{Part, Routes};
use crate::tree::TreeData;

pub(super) struct HeldOutErrors {
    /// Σ w over all rows.
    weight: f64,
    /// Σ w² over all rows.
    squares: f64,
    /// At each alpha Σ w e, Σ w² e and Σ w² e², as changes from one alpha to the next.
    changes: Vec<[f64; 3]>,
}

impl HeldOutErrors {
    pub(super) fn new(n_alphas: usize) -> Self {
        HeldOutErrors { weight: 0.0, squares: 0.0, changes: vec![[0.0; 3]; n_alphas + 1] }
    }

    /// Adds the errors of a tree, pruned to every alpha, on some rows of a target, which `routes`
    /// has routed. Each node above the one a row ends in predicts for a run of alphas: from where
    /// it becomes a leaf to where it is cut away.
    pub(super) fn add(
        &mut self,
        loss: &Loss,
        actual: &TargetValues,
        (rows, routes): (&[u32], &Routes),
        weight_of: impl Fn(u32) -> f64,
        alphas: &[f64],
    ) {
        let predictors = Predictors::new(loss.tree, alphas);
        let mut mixed = routes.mixtures.iter().peekable();
        for (at, (&row, &end)) in rows.iter().zip(&routes.nodes).enumerate() {
            let weight = weight_of(row);
            self.weight += weight;
            self.squares += weight * weight;
            let Some((_, parts)) = mixed.next_if(|(mixed, _)| *mixed as usize == at) else {
                for (node, alphas) in predictors.above(end) {
                    let error = loss.of_row(actual, row, &[Part { node, share: 1.0 }]);
                    self.charge(alphas, error, weight);
                }
                continue;
            };
            // The prediction changes where the prediction of some part does.
            let runs: Vec<(Part, Range<usize>)> = parts
                .iter()
                .flat_map(|&Part { node, share }| {
                    predictors.above(node).map(move |(node, run)| (Part { node, share }, run))
                })
                .collect();
            let mut starts: Vec<usize> = runs.iter().map(|(_, run)| run.start).collect();
            starts.sort_unstable();
            starts.dedup();
            for (i, &start) in starts.iter().enumerate() {
                let end = starts.get(i + 1).copied().unwrap_or(alphas.len());
                let here = runs.iter().filter(|(_, run)| run.contains(&start));
                let here: Vec<Part> = here.map(|(part, _)| *part).collect();
                self.charge(start..end, loss.of_row(actual, row, &here), weight);
            }
        }
    }

    /// Adds the error of one row at a run of alphas.
    fn charge(&mut self, alphas: Range<usize>, error: f64, weight: f64) {
        let squared = weight * weight;
        let sums = [weight * error, squared * error, squared * error * error];
        for (i, sum) in sums.iter().enumerate() {
            self.changes[alphas.start][i] += sum;
            self.changes[alphas.end][i] -= sum;
        }
    }

    /// The weighted mean error at each alpha, and its standard error:
    /// `sqrt(Σ w² (e - mean)²) / Σ w`.
    pub(super) fn means(&self) -> (Vec<f64>, Vec<f64>) {
        let mut sums = [0.0; 3];
        let n_alphas = self.changes.len() - 1;
        let at = self.changes[..n_alphas].iter().map(|change| {
            sums.iter_mut().zip(change).for_each(|(sum, change)| *sum += change);
            let mean = sums[0] / self.weight;
            let about_mean = sums[2] - 2.0 * mean * sums[1] + mean * mean * self.squares;
            // Sums of rounded numbers may end a little below 0.
            (mean.max(0.0), about_mean.max(0.0).sqrt() / self.weight)
        });
        at.unzip()
    }
}

/// For each node of a tree the runs of alphas it predicts for.
struct Predictors {
    /// The index of the first alpha at which the node is gone.
    present: Vec<usize>,
    /// The index of the first alpha at which the node is a leaf.
    leaf_from: Vec<usize>,
    /// The nearest node above that predicts for some alpha.
    above: Vec<Option<u32>>,
}

impl Predictors {
    fn new(tree: &TreeData, alphas: &[f64]) -> Predictors {
        let links = WeakestLinks::of(tree);
        let ids = 0..tree.n_nodes();
        let present: Vec<usize> = ids.clone().map(|id| links.present(alphas, id)).collect();
        let leaf_from: Vec<usize> = ids.map(|id| links.leaf_from(alphas, id)).collect();
        let mut above: Vec<Option<u32>> = vec![None; tree.n_nodes()];
        for (id, node) in tree.node_slice().iter().enumerate() {
            above[id] = node.parent.and_then(|parent| {
                let p = parent as usize;
                if leaf_from[p] < present[p] { Some(parent) } else { above[p] }
            });
        }
        Predictors { present, leaf_from, above }
    }

    /// The nodes that predict for a row that ends in `end`, with their runs of alphas. The node
    /// it ends in predicts from the first alpha on, leaf or not.
    fn above(&self, end: u32) -> impl Iterator<Item = (u32, Range<usize>)> {
        let (mut node, mut from) = (Some(end), 0);
        std::iter::from_fn(move || {
            let (id, start) = (node?, from);
            let to = self.present[id as usize];
            node = self.above[id as usize];
            from = node.map_or(to, |id| self.leaf_from[id as usize]);
            Some((id, start..to))
        })
    }
}
