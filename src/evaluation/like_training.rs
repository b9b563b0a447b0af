//! Whether rows look like the training rows of a tree, by what the tree keeps of them.

use crate::score::{Actual, Routes};
use crate::tree::TreeData;

/// Rounding, as a share of the rows of a leaf or of the size of its mean.
const ROUNDING: f64 = 1e-9;

impl TreeData {
    /// Whether as many rows of each class, or of the same mean, end in each leaf as in training. For a tree
    /// of weighted rows only the numbers of rows are compared.
    pub(crate) fn rows_look_like_training(&self, routes: &Routes, actual: &Actual) -> bool {
        let is_alike = || match actual {
            Actual::Classes(actual) => self.has_classes_of_training(routes, actual),
            Actual::Numbers(actual) => self.has_means_of_training(routes, actual),
        };
        self.has_leaves_of_training(routes) && (self.spec.weight.is_some() || is_alike())
    }

    fn has_leaves_of_training(&self, routes: &Routes) -> bool {
        if routes.nodes.len() as u64 != self.nodes[0].n {
            return false;
        }
        let mut rows = vec![0; self.nodes.len()];
        routes.parts().for_each(|(_, part)| rows[part.node as usize] += 1);
        self.leaf_ids().all(|leaf| rows[leaf as usize] == self.nodes[leaf as usize].n)
    }

    fn has_classes_of_training(&self, routes: &Routes, actual: &[Option<u32>]) -> bool {
        let k = self.schema.classes.len();
        let mut counts = vec![0.0; self.nodes.len() * k];
        for (row, part) in routes.parts() {
            let Some(class) = actual[row] else { return false };
            counts[part.node as usize * k + class as usize] += part.share;
        }
        self.leaf_ids().all(|leaf| {
            let trained = self.counts_before_class_weights(leaf);
            let here = &counts[leaf as usize * k..][..k];
            let n: f64 = here.iter().sum();
            here.iter().zip(trained).all(|(a, b)| (a - b).abs() <= ROUNDING * n)
        })
    }

    fn has_means_of_training(&self, routes: &Routes, actual: &[f64]) -> bool {
        // Distances from what the leaf answers: sums of large numbers lose too much.
        let mut sums = vec![[0.0; 2]; self.nodes.len()];
        for (row, part) in routes.parts() {
            let Some(mean) = self.mean(part.node) else { return false };
            let [weight, sum] = &mut sums[part.node as usize];
            *weight += part.share;
            *sum += part.share * (actual[row] - mean);
        }
        let deviation = self.nodes[0].impurity.sqrt();
        self.leaf_ids().all(|leaf| {
            let [weight, sum] = sums[leaf as usize];
            let size = deviation + self.mean(leaf).unwrap_or(0.0).abs();
            (sum / weight).abs() <= ROUNDING * size
        })
    }

    fn leaf_ids(&self) -> impl Iterator<Item = u32> {
        let nodes = (0u32..).zip(&self.nodes);
        nodes.filter(|(_, node)| node.split.is_none()).map(|(id, _)| id)
    }
}
