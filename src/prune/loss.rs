//! What a tree's answer loses on a row whose target is known.

use crate::error::{Error, Result};
use crate::score::{LEAST_PROBABILITY, Part};
use crate::spec::PruneBy;
use crate::tree::TreeData;

/// The loss of a tree's answers.
pub(super) struct Loss<'t> {
    tree: &'t TreeData,
    by: PruneBy,
    /// Of each node the sum of its squared probabilities, where they count.
    squares: Vec<f64>,
}

impl<'t> Loss<'t> {
    /// # Errors
    /// A loss of probabilities for a tree of numbers.
    pub(super) fn new(tree: &'t TreeData, by: PruneBy) -> Result<Loss<'t>> {
        if tree.is_regression() && by != PruneBy::ErrorRate {
            return Err(Error::spec(format!(
                "prune_by = {} is of probabilities, and target `{}` is a number, which is pruned by \
                 its squared error: leave it out",
                by.name(),
                tree.schema.target
            )));
        }
        let squares = match by {
            PruneBy::Gini => (0..tree.nodes.len() as u32)
                .map(|node| {
                    let weight = tree.weight(node);
                    tree.class_counts(node).iter().map(|n| (n / weight) * (n / weight)).sum()
                })
                .collect(),
            PruneBy::ErrorRate | PruneBy::LogLoss => Vec::new(),
        };
        Ok(Loss { tree, by, squares })
    }

    /// On a row of a class (`None` is one that was never trained), which ends in a node: 0 or 1,
    /// `-ln p`, or `Σ (p_c - y_c)²` with y the class as zeros and a one.
    pub(super) fn of_class(&self, class: Option<usize>, node: u32) -> f64 {
        let p = || class.map_or(0.0, |class| self.tree.probability(node, class));
        match self.by {
            PruneBy::ErrorRate => f64::from(u8::from(class != Some(self.tree.majority(node)))),
            PruneBy::LogLoss => log_loss(p()),
            PruneBy::Gini => 1.0 - 2.0 * p() + self.squares[node as usize],
        }
    }

    /// [`of_class`](Self::of_class) for a row that ends in several nodes.
    pub(super) fn of_mixture(&self, class: usize, parts: &[Part]) -> f64 {
        if let [one] = parts {
            return self.of_class(Some(class), one.node);
        }
        let p = |class| self.tree.mixed_probability(parts, class);
        match self.by {
            PruneBy::ErrorRate => f64::from(u8::from(class != self.tree.mixed_majority(parts))),
            PruneBy::LogLoss => log_loss(p(class)),
            PruneBy::Gini => {
                let all = 0..self.tree.schema.classes.len();
                1.0 - 2.0 * p(class) + all.map(|class| p(class) * p(class)).sum::<f64>()
            }
        }
    }
}

fn log_loss(p: f64) -> f64 {
    -p.clamp(LEAST_PROBABILITY, 1.0).ln()
}
