//! Pessimistic pruning (Quinlan 1993, "C4.5: Programs for machine learning", section 4.2).

use std::collections::HashMap;

use super::binomial_limit::upper_error_rate;
use crate::error::{Error, Result};
use crate::tree::TreeData;

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

impl TreeData {
    /// [`Tree::prune_pessimistic`](crate::Tree::prune_pessimistic).
    pub(crate) fn prune_pessimistic(&self, confidence: f64) -> Result<TreeData> {
        check_confidence(confidence)?;
        if self.is_regression() {
            return Err(Error::spec(format!(
                "pessimistic pruning counts wrong classes, and target `{}` is a number: prune by \
                 cost-complexity or reduced error",
                self.schema.target
            )));
        }
        // Most nodes are small, and many of them have the same counts.
        let mut known = HashMap::new();
        let mut as_leaf = |node: usize| {
            let (id, weight) = (node as u32, self.weight(node as u32));
            let wrong = (weight - self.class_counts(id)[self.majority(id)]).max(0.0);
            let rate = || upper_error_rate(wrong, weight, confidence);
            weight * *known.entry((wrong.to_bits(), weight.to_bits())).or_insert_with(rate)
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
