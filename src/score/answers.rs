//! What a tree answers, by where a row ends.

use super::routes::{Mixtures, Part};
use crate::tree::Tree;

/// An answer for each place a row can end.
pub(crate) struct Answers<T, M> {
    /// That of each node.
    pub(super) of_node: Vec<T>,
    /// That of a row that ended in several.
    of_mixture: M,
}

impl<T, M: Fn(&[Part]) -> T> Answers<T, M> {
    /// Gives the rows that ended in several nodes their answers.
    pub(super) fn mix(&self, answered: &mut [T], mixtures: &Mixtures) {
        for (row, parts) in mixtures.iter() {
            answered[row as usize] = (self.of_mixture)(parts);
        }
    }
}

impl Tree {
    /// The labels, given the class's.
    pub(crate) fn class_answers<T>(
        &self,
        label: impl Fn(usize) -> T,
    ) -> Answers<T, impl Fn(&[Part]) -> T> {
        let of_node = self.of_each_node(|node| label(self.majority(node)));
        Answers { of_node, of_mixture: move |parts: &[Part]| label(self.mixed_majority(parts)) }
    }

    /// The means; NaN in classification.
    pub(crate) fn mean_answers(&self) -> Answers<f64, impl Fn(&[Part]) -> f64> {
        let of_node = self.of_each_node(|node| self.mean(node).unwrap_or(f64::NAN));
        Answers { of_node, of_mixture: |parts: &[Part]| self.mixed_mean(parts).unwrap_or(f64::NAN) }
    }

    /// The probabilities of a class; 0 in regression.
    pub(super) fn probability_answers(
        &self,
        class: usize,
    ) -> Answers<f64, impl Fn(&[Part]) -> f64> {
        let of_node = self.of_each_node(|node| self.probability(node, class));
        Answers { of_node, of_mixture: move |parts: &[Part]| self.mixed_probability(parts, class) }
    }

    pub(super) fn of_each_node<T>(&self, figure: impl Fn(u32) -> T) -> Vec<T> {
        (0..self.nodes.len() as u32).map(figure).collect()
    }

    /// The class a mixture answers with: of the highest probability, the lower one of equals.
    pub(crate) fn mixed_majority(&self, parts: &[Part]) -> usize {
        let mut shares = vec![0.0; self.schema.classes.len()];
        for part in parts {
            let (counts, weight) = (self.class_counts(part.node), self.weight(part.node));
            for (share, count) in shares.iter_mut().zip(counts) {
                *share += part.share * (count / weight);
            }
        }
        (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0)
    }

    /// A class's probability in a mixture; 0 in regression.
    pub(crate) fn mixed_probability(&self, parts: &[Part], class: usize) -> f64 {
        parts.iter().map(|part| part.share * self.probability(part.node, class)).sum()
    }

    /// The mean of a mixture; `None` in classification.
    pub(crate) fn mixed_mean(&self, parts: &[Part]) -> Option<f64> {
        parts.iter().map(|part| Some(part.share * self.mean(part.node)?)).sum()
    }
}
