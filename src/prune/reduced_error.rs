//! Reduced-error pruning (Quinlan 1987, "Simplifying decision trees").

use super::loss::Loss;
use crate::error::{Error, Result};
use crate::score::{Part, Routes};
use crate::spec::PruneBy;
use crate::tree::TreeData;

/// The actual target of held-out rows, in the order of their routes.
#[derive(Clone, Copy, Debug)]
pub enum HeldOut<'a> {
    /// The class of each row; `None` is one the tree was never trained on, and counts as wrong.
    Classes(&'a [Option<u32>]),
    /// The number of each row.
    Numbers(&'a [f64]),
}

/// The held-out rows that reach each node.
struct HeldOutSums {
    /// `width` numbers per node: the weight of each class (last, of none of the tree's), or the
    /// weight of the rows, their mean, and the sum of squared distances from it.
    sums: Vec<f64>,
    width: usize,
    numeric: bool,
}

impl HeldOutSums {
    fn new(tree: &TreeData) -> Self {
        let width = if tree.is_regression() { 3 } else { tree.schema.classes.len() + 1 };
        let sums = vec![0.0; tree.nodes.len() * width];
        HeldOutSums { sums, width, numeric: tree.is_regression() }
    }

    fn of(&self, node: usize) -> &[f64] {
        &self.sums[node * self.width..(node + 1) * self.width]
    }

    fn add(&mut self, node: usize, rows: &[f64]) {
        let sums = &mut self.sums[node * self.width..(node + 1) * self.width];
        if !self.numeric {
            sums.iter_mut().zip(rows).for_each(|(sum, n)| *sum += n);
        } else if rows[0] > 0.0 {
            // Pairwise update of Chan, Golub & LeVeque 1979.
            let (n, delta) = (sums[0] + rows[0], rows[1] - sums[1]);
            sums[1] += delta * rows[0] / n;
            sums[2] += rows[2] + delta * delta * sums[0] * rows[0] / n;
            sums[0] = n;
        }
    }

    /// What all rows lose, wrong classes or log loss or Gini or squared errors, if the node were a
    /// leaf.
    fn errors(&self, tree: &TreeData, loss: &Loss, node: usize) -> f64 {
        let rows = self.of(node);
        if let Some(mean) = tree.mean(node as u32) {
            return rows[2] + rows[0] * (rows[1] - mean) * (rows[1] - mean);
        }
        let n_classes = rows.len() - 1;
        let here = rows.iter().enumerate().filter(|(_, rows)| **rows > 0.0);
        here.map(|(class, rows)| {
            rows * loss.of_class((class < n_classes).then_some(class), node as u32)
        })
        .sum()
    }
}

impl TreeData {
    /// [`Tree::prune_reduced_error_of`](crate::Tree::prune_reduced_error_of).
    pub(crate) fn prune_reduced_error_of(
        &self,
        routes: &Routes,
        rows: HeldOut,
        weights: Option<&[f64]>,
        by: PruneBy,
    ) -> Result<TreeData> {
        by.check(self)?;
        let loss = Loss::new(self, by);
        let mut reached = self.held_out(routes, rows, weights)?;
        // At first the errors of the rows that end at a node itself, leaf or not.
        let mut errors: Vec<f64> =
            (0..self.nodes.len()).map(|node| reached.errors(self, &loss, node)).collect();
        let mut is_leaf = self.leaves();
        for (id, split) in self.bottom_up() {
            for &branch in &split.branches {
                let rows = reached.of(branch as usize).to_vec();
                reached.add(id, &rows);
            }
            let below = split.branches.iter().map(|&b| errors[b as usize]).sum::<f64>();
            let (grown, leaf) = (errors[id] + below, reached.errors(self, &loss, id));
            // Shares of rows and sums of squares have rounding errors.
            is_leaf[id] = leaf <= grown * (1.0 + 1e-12);
            errors[id] = if is_leaf[id] { leaf } else { grown };
        }
        Ok(self.collapsed(&is_leaf))
    }

    /// The held-out rows that end in each node.
    fn held_out(
        &self,
        routes: &Routes,
        rows: HeldOut,
        weights: Option<&[f64]>,
    ) -> Result<HeldOutSums> {
        let (n, numeric) = match rows {
            HeldOut::Classes(classes) => (classes.len(), false),
            HeldOut::Numbers(numbers) => (numbers.len(), true),
        };
        let kind = |numeric| if numeric { "numbers" } else { "classes" };
        if numeric != self.is_regression() {
            return Err(Error::spec(format!(
                "the held-out rows are {}, but target `{}` is of {}: pass those",
                kind(numeric),
                self.schema.target,
                kind(!numeric)
            )));
        }
        if n != routes.nodes.len() {
            return Err(Error::spec(format!(
                "{n} held-out rows end in {} nodes; there is one node a row",
                routes.nodes.len()
            )));
        }
        if let Some(weights) = weights.filter(|weights| weights.len() != n) {
            return Err(Error::spec(format!(
                "{} weights of {n} held-out rows; there is one a row",
                weights.len()
            )));
        }
        let parts = routes.mixtures.iter().flat_map(|(_, parts)| parts);
        let mut ends = routes.nodes.iter().copied().chain(parts.map(|part| part.node));
        if let Some(node) = ends.find(|&node| node as usize >= self.nodes.len()) {
            let n = self.nodes.len();
            return Err(Error::spec(format!(
                "a held-out row ends in node {node}, but there are {n} nodes: route it by this tree"
            )));
        }
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let mut held_out = HeldOutSums::new(self);
        let width = held_out.width;
        match rows {
            HeldOut::Classes(classes) => {
                let n_classes = width - 1;
                if let Some(class) = classes.iter().flatten().find(|&&c| c as usize >= n_classes) {
                    return Err(Error::spec(format!(
                        "a held-out row is of class {class}, but there are {n_classes} classes"
                    )));
                }
                for (row, part) in routes.parts() {
                    let class = classes[row].map_or(n_classes, |class| class as usize);
                    // A class that was never trained is wrong whatever it weighs.
                    let factor = self.schema.class_weights.get(class).unwrap_or(&1.0);
                    held_out.sums[part.node as usize * width + class] +=
                        part.share * weight(row) * factor;
                }
            }
            HeldOut::Numbers(numbers) => {
                for (row, Part { node, share }) in routes.parts() {
                    held_out.add(node as usize, &[share * weight(row), numbers[row], 0.0]);
                }
            }
        }
        Ok(held_out)
    }
}
