//! What a tree predicts for rows, by the nodes they end in.

use std::convert::Infallible;
use std::mem::MaybeUninit;

#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::error::Result;
use crate::score::PreparedTree;
use crate::score::batch_writes::written;
use crate::score::routes::{Mixtures, Part, RouteStats, Routes};
use crate::tree::{TreeData, highest};

/// The output for every way a row can end.
pub(crate) struct Outputs<N, M> {
    /// For a row that ended in one node.
    of_node: N,
    /// For a row that ended in several.
    of_mixture: M,
}

impl<N, M> Outputs<N, M> {
    /// Writes the outputs of rows by their nodes.
    pub(super) fn write<T>(&self, nodes: &[u32], values: &mut [MaybeUninit<T>])
    where
        N: Fn(u32) -> T,
    {
        for (value, &node) in values.iter_mut().zip(nodes) {
            value.write((self.of_node)(node));
        }
    }

    /// Writes the outputs of the rows that ended in several nodes.
    pub(super) fn mix<T>(&self, values: &mut [T], mixtures: &Mixtures)
    where
        M: Fn(&[Part]) -> T,
    {
        for (row, parts) in mixtures.iter() {
            values[row as usize] = (self.of_mixture)(parts);
        }
    }
}

/// Rows that outputs can be made of, routed already or not.
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) trait Scorable: Sized {
    /// The output of each row, and how many rows met an absent level.
    ///
    /// # Errors
    /// If a row cannot be routed.
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync>,
    ) -> Result<(Vec<T>, u64)>;
}

#[cfg(any(feature = "polars", feature = "arrow"))]
impl Scorable for &Routes {
    fn score<T: Copy + Send + Sync>(
        self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync>,
    ) -> Result<(Vec<T>, u64)> {
        Ok((self.outputs(outputs), self.absent_levels))
    }
}

impl Routes {
    pub(crate) fn outputs<T: Copy + Send + Sync>(
        &self,
        outputs: &Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync>,
    ) -> Vec<T> {
        let Ok((mut values, _)) = written::<T, Infallible>(self.nodes.len(), &|rows, values| {
            outputs.write(&self.nodes[rows], values);
            Ok(RouteStats::default())
        });
        outputs.mix(&mut values, &self.mixtures);
        values
    }
}

impl<'t> PreparedTree<'t> {
    /// The label of the predicted class; `label` gives the label of each class.
    pub(crate) fn class_outputs<T>(
        self,
        label: impl Fn(usize) -> T + Copy + Sync,
    ) -> Outputs<impl Fn(u32) -> T + Sync, impl Fn(&[Part]) -> T + Sync> {
        let PreparedTree { data, scorer } = self;
        Outputs {
            of_node: move |node| label(scorer.classes[node as usize] as usize),
            of_mixture: move |parts: &[Part]| label(data.mixed_majority(parts)),
        }
    }

    /// The mean; NaN in classification.
    pub(crate) fn mean_outputs(
        self,
    ) -> Outputs<impl Fn(u32) -> f64 + Sync, impl Fn(&[Part]) -> f64 + Sync> {
        let data = self.data;
        Outputs {
            of_node: move |node| data.mean(node).unwrap_or(f64::NAN),
            of_mixture: move |parts: &[Part]| data.mixed_mean(parts).unwrap_or(f64::NAN),
        }
    }

    pub(crate) fn classes(self, routes: &Routes) -> Vec<u32> {
        routes.outputs(&self.class_outputs(|class| class as u32))
    }

    pub(crate) fn means(self, routes: &Routes) -> Vec<f64> {
        routes.outputs(&self.mean_outputs())
    }

    /// The probability of a class in each row; 0 in regression.
    pub(crate) fn probabilities(self, routes: &Routes, class: usize) -> Vec<f64> {
        let (data, of_nodes) = (self.data, self.node_probabilities(class));
        routes.outputs(&Outputs {
            of_node: |node: u32| of_nodes.get(node as usize).copied().unwrap_or(0.0),
            of_mixture: |parts: &[Part]| data.mixed_probability(parts, class),
        })
    }

    /// A class's [`probability`](TreeData::probability) in each node; empty in regression. The
    /// first call makes the probabilities of all classes, in `O(nodes x classes)`.
    fn node_probabilities(self, class: usize) -> &'t [f64] {
        let PreparedTree { data, scorer } = self;
        let (nodes, classes) = (data.nodes.len(), data.schema.classes.len());
        let of_classes = scorer.probabilities.get_or_init(|| {
            let mut table = vec![0.0; classes * nodes];
            for node in 0..nodes {
                let weight = data.weight(node as u32);
                for (class, count) in data.class_counts(node as u32).iter().enumerate() {
                    table[class * nodes + node] = count / weight;
                }
            }
            table
        });
        of_classes.chunks(nodes).nth(class).unwrap_or_default()
    }
}

impl TreeData {
    /// The class a mixture predicts: of the highest probability, the lower one of equals.
    pub(crate) fn mixed_majority(&self, parts: &[Part]) -> usize {
        highest(&self.mixed_shares(parts))
    }

    /// Each class's probability in a mixture, in class order.
    pub(super) fn mixed_shares(&self, parts: &[Part]) -> Vec<f64> {
        let mut shares = vec![0.0; self.schema.classes.len()];
        for part in parts {
            let (counts, weight) = (self.class_counts(part.node), self.weight(part.node));
            for (share, count) in shares.iter_mut().zip(counts) {
                *share += part.share * (count / weight);
            }
        }
        shares
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
