//! What a tree answers, by where a row ends.

use crate::score::routes::{Mixtures, Part};
use crate::tree::Tree;

/// What is answered wherever a row can end.
pub(crate) struct Answers<N, M> {
    /// To a row that ended in one node.
    pub(super) of_node: N,
    /// To a row that ended in several.
    of_mixture: M,
}

impl<N, M> Answers<N, M> {
    /// Gives the rows that ended in several nodes their answers.
    pub(super) fn mix<T>(&self, answered: &mut [T], mixtures: &Mixtures)
    where
        M: Fn(&[Part]) -> T,
    {
        for (row, parts) in mixtures.iter() {
            answered[row as usize] = (self.of_mixture)(parts);
        }
    }
}

impl Tree {
    /// The labels, given the class's.
    pub(crate) fn class_answers<T>(
        &self,
        label: impl Fn(usize) -> T + Copy + Sync,
    ) -> Answers<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T> {
        let classes = &self.router().classes;
        Answers {
            of_node: move |node| label(classes[node as usize] as usize),
            of_mixture: move |parts: &[Part]| label(self.mixed_majority(parts)),
        }
    }

    /// The means; NaN in classification.
    pub(crate) fn mean_answers(
        &self,
    ) -> Answers<impl Fn(u32) -> f64 + Sync, impl Fn(&[Part]) -> f64> {
        Answers {
            of_node: |node| self.mean(node).unwrap_or(f64::NAN),
            of_mixture: |parts: &[Part]| self.mixed_mean(parts).unwrap_or(f64::NAN),
        }
    }

    /// The probabilities of a class; 0 in regression.
    pub(super) fn probability_answers(
        &self,
        class: usize,
    ) -> Answers<impl Fn(u32) -> f64 + Sync, impl Fn(&[Part]) -> f64> {
        let of_nodes = self.probabilities(class);
        Answers {
            of_node: move |node| of_nodes.get(node as usize).copied().unwrap_or(0.0),
            of_mixture: move |parts: &[Part]| self.mixed_probability(parts, class),
        }
    }

    /// A class's [`probability`](Tree::probability) in each node; none in regression. The first
    /// time all classes' are made, `O(nodes x classes)`.
    pub(super) fn probabilities(&self, class: usize) -> &[f64] {
        let (nodes, classes) = (self.nodes.len(), self.schema.classes.len());
        let of_classes = self.router().probabilities.get_or_init(|| {
            let mut table = vec![0.0; classes * nodes];
            for node in 0..nodes {
                let weight = self.weight(node as u32);
                for (class, count) in self.class_counts(node as u32).iter().enumerate() {
                    table[class * nodes + node] = count / weight;
                }
            }
            table
        });
        of_classes.chunks(nodes).nth(class).unwrap_or_default()
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
