//! Pessimistic pruning (Quinlan 1993, "C4.5: Programs for machine learning", section 4.2).

use super::binomial::upper_error_rate;
use crate::error::{Error, Result};
use crate::tree::Tree;

/// Predicted errors a subtree must save to be worth keeping. C4.5's own program keeps to the
/// same tenth of an error.
const LEAST_SAVING: f64 = 0.1;

pub(super) fn check_confidence(confidence: f64) -> Result<()> {
    if confidence > 0.0 && confidence <= 1.0 {
        return Ok(());
    }
    Err(Error::spec(format!(
        "pruning confidence is {confidence}; it must be above 0 and at most 1: Quinlan's is 0.25, \
         and a lower one prunes more"
    )))
}

impl Tree {
    /// The tree pruned by what its leaves' errors would be on new rows, without any new rows
    /// (Quinlan 1993). C4.5's confidence is 0.25; a lower one prunes more.
    ///
    /// A leaf with E of N training rows wrong is predicted to make `N *`
    /// [`upper_error_rate`]`(E, N, confidence)` errors. From the bottom up a subtree becomes a
    /// leaf where that leaf's predicted errors are at most 0.1 above the sum of its branches'.
    /// Rows count by weight. A subtree is replaced by a leaf only, never by its largest branch
    /// (C4.5's subtree raising). `O(nodes * classes)`.
    ///
    /// # Errors
    /// A confidence that is not above 0 and at most 1, or a numeric target.
    pub fn prune_pessimistic(&self, confidence: f64) -> Result<Tree> {
        check_confidence(confidence)?;
        if self.is_regression() {
            return Err(Error::spec(format!(
                "pessimistic pruning counts wrong classes, and target `{}` is a number: prune by \
                 cost-complexity or reduced error",
                self.schema.target
            )));
        }
        let as_leaf = |node: usize| {
            let (id, weight) = (node as u32, self.weight(node as u32));
            let wrong = weight - self.class_counts(id)[self.majority(id)];
            weight * upper_error_rate(wrong.max(0.0), weight, confidence)
        };
        let mut is_leaf = self.leaves();
        let mut errors = vec![0.0; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let leaf = as_leaf(id);
            let branches = node.split.as_ref().map(|split| &split.branches);
            let grown = branches.map(|b| b.iter().map(|&b| errors[b as usize]).sum::<f64>());
            is_leaf[id] = grown.is_none_or(|grown| leaf <= grown + LEAST_SAVING);
            errors[id] = grown.filter(|_| !is_leaf[id]).unwrap_or(leaf);
        }
        Ok(self.collapsed(&is_leaf))
    }
}
