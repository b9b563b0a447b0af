//! Pessimistic pruning (Quinlan 1993, "C4.5: Programs for machine learning", section 4.2).

use hashbrown::HashMap;

use super::binomial_limit::upper_error_rate;
use crate::error::{Error, Result};
use crate::tree::TreeData;

/// Predicted errors a subtree must save to be worth keeping. C4.5's own program keeps to the
/// same tenth of an error.
pub(super) const LEAST_SAVING: f64 = 0.1;

pub(super) fn check_confidence(confidence: f64) -> Result<()> {
    if confidence > 0.0 && confidence <= 1.0 {
        return Ok(());
    }
    Err(Error::spec(format!(
        "pruning confidence is {confidence}; it must be above 0 and at most 1: Quinlan's is 0.25, \
         and a lower one prunes more"
    )))
}

/// The errors that leaves are predicted to make on new rows.
pub(super) struct PredictedErrors {
    confidence: f64,
    /// By wrong weight and weight: most leaves are small, and many have the same counts.
    known: HashMap<(u64, u64), f64>,
}

impl PredictedErrors {
    pub(super) fn new(confidence: f64) -> Self {
        PredictedErrors { confidence, known: HashMap::new() }
    }

    /// The errors predicted for a leaf with these class weights.
    pub(super) fn of(&mut self, counts: impl Iterator<Item = f64> + Clone) -> f64 {
        let weight: f64 = counts.clone().sum();
        let most = counts.fold(0.0, f64::max);
        let wrong = (weight - most).max(0.0);
        let rate = || upper_error_rate(wrong, weight, self.confidence);
        let key = (wrong.to_bits(), weight.to_bits());
        if weight > 0.0 { weight * *self.known.entry(key).or_insert_with(rate) } else { 0.0 }
    }
}

impl TreeData {
    /// [`Tree::prune_pessimistic`](crate::Tree::prune_pessimistic).
    pub(crate) fn prune_pessimistic(&self, confidence: f64) -> Result<TreeData> {
        self.check_pessimistic(confidence)?;
        let mut predicted = PredictedErrors::new(confidence);
        let mut is_leaf = self.leaves();
        let mut errors = vec![0.0; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let leaf = predicted.of(self.class_counts(id as u32).iter().copied());
            let branches = node.split.as_ref().map(|split| &split.branches);
            let grown = branches.map(|b| b.iter().map(|&b| errors[b as usize]).sum::<f64>());
            is_leaf[id] = grown.is_none_or(|grown| leaf <= grown + LEAST_SAVING);
            errors[id] = grown.filter(|_| !is_leaf[id]).unwrap_or(leaf);
        }
        Ok(self.collapsed(&is_leaf))
    }

    /// Checks that errors can be predicted.
    pub(super) fn check_pessimistic(&self, confidence: f64) -> Result<()> {
        check_confidence(confidence)?;
        if self.is_regression() {
            return Err(Error::spec(format!(
                "pessimistic pruning counts wrong classes, and target `{}` is a number: prune by \
                 cost-complexity or reduced error",
                self.schema.target
            )));
        }
        Ok(())
    }
}
