//! What a tree's answer loses on a row whose target is known.

use crate::data::target::TargetValues;
use crate::error::{Error, Result};
use crate::score::Part;
use crate::spec::PruneBy;
use crate::stat::log_loss;
use crate::tree::TreeData;

impl PruneBy {
    /// # Errors
    /// A loss of probabilities for a tree of numbers.
    pub(super) fn check(self, tree: &TreeData) -> Result<()> {
        if !tree.is_regression() || self == PruneBy::ErrorRate {
            return Ok(());
        }
        Err(Error::spec(format!(
            "prune_by = {} is of probabilities, and target `{}` is a number, which is pruned by its \
             squared error: leave it out",
            self.name(),
            tree.schema.target
        )))
    }
}

pub(super) struct Loss<'t> {
    pub(super) tree: &'t TreeData,
    by: PruneBy,
    /// The sum of each node's squared probabilities, where they count.
    squares: Vec<f64>,
}

impl<'t> Loss<'t> {
    pub(super) fn new(tree: &'t TreeData, by: PruneBy) -> Loss<'t> {
        let squares = match by {
            PruneBy::Gini => (0..tree.nodes.len() as u32)
                .map(|node| {
                    let weight = tree.weight(node);
                    tree.class_counts(node).iter().map(|n| (n / weight) * (n / weight)).sum()
                })
                .collect(),
            PruneBy::ErrorRate | PruneBy::LogLoss => Vec::new(),
        };
        Loss { tree, by, squares }
    }

    /// On a row of the tree's own target that ends in some nodes: for a class as
    /// [`of_class`](Self::of_class) says, for a number the squared distance from the mean.
    pub(super) fn of_row(&self, actual: &TargetValues, row: u32, parts: &[Part]) -> f64 {
        match actual {
            TargetValues::Classes { codes, .. } => {
                self.of_mixture(codes[row as usize].into(), parts)
            }
            TargetValues::Numbers { numbers, .. } => {
                let error = numbers[row as usize] - self.tree.mixed_mean(parts).unwrap_or(f64::NAN);
                error * error
            }
        }
    }

    /// On a row of a class (`None` is one that was never trained) that ends in a node: 0 or 1, `-ln
    /// p`, or `Σ (p_c - y_c)²` with y 1 for the actual class and 0 otherwise.
    pub(super) fn of_class(&self, class: Option<usize>, node: u32) -> f64 {
        let p = || class.map_or(0.0, |class| self.tree.probability(node, class));
        match self.by {
            PruneBy::ErrorRate => f64::from(u8::from(class != Some(self.tree.majority(node)))),
            PruneBy::LogLoss => log_loss(p()),
            PruneBy::Gini => 1.0 - 2.0 * p() + self.squares[node as usize],
        }
    }

    /// [`of_class`](Self::of_class) for a row that ends in several nodes.
    fn of_mixture(&self, class: usize, parts: &[Part]) -> f64 {
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
