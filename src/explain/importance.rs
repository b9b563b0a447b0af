//! Feature importance.

use crate::tree::TreeData;
use crate::tree::forest_data::ForestData;
use crate::util::means::MeanOfNumbers;

/// How much a tree uses a feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Importance {
    /// The feature's index in the schema.
    pub feature: u32,
    /// Its share of the total gain of all features; 0 for a tree of one leaf.
    pub importance: f64,
    /// The gains of its rules, each times its node's share of the weight.
    pub total_gain: f64,
    /// Number of rules on it.
    pub n_splits: u64,
    /// Depth of the first of them.
    pub min_depth: Option<u32>,
    /// The share of the weight that reaches a rule on it, each row counted once.
    pub coverage: f64,
}

impl TreeData {
    /// The importance of each feature, highest first, ties in column order (mean decrease in
    /// impurity, Breiman et al. 1984, section 5.3.4, without surrogates).
    pub fn feature_importance(&self) -> Vec<Importance> {
        let gains = (0..).zip(self.gains_by_feature());
        let mut all: Vec<Importance> = gains
            .map(|(feature, total_gain)| Importance {
                feature,
                total_gain,
                ..Importance::default()
            })
            .collect();
        let whole = self.weight(0);
        // The depth and feature of the current node's ancestors, and how many test each feature.
        let mut above: Vec<(u32, u32)> = Vec::new();
        let mut tests_above = vec![0u32; all.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            while let Some((_, feature)) = above.pop_if(|(depth, _)| *depth >= node.depth) {
                tests_above[feature as usize] -= 1;
            }
            let Some(split) = &node.split else { continue };
            let share = self.weight(id as u32) / whole;
            let one = &mut all[split.rule.feature as usize];
            one.n_splits += 1;
            one.min_depth = Some(one.min_depth.map_or(node.depth, |d| d.min(node.depth)));
            if tests_above[split.rule.feature as usize] == 0 {
                one.coverage += share;
            }
            tests_above[split.rule.feature as usize] += 1;
            above.push((node.depth, split.rule.feature));
        }
        let sum: f64 = all.iter().map(|i| i.total_gain).sum();
        if sum > 0.0 {
            all.iter_mut().for_each(|i| i.importance = i.total_gain / sum);
        }
        all.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        all
    }
}

/// How much a forest uses a feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestImportance {
    /// The feature's index in the schema.
    pub feature: u32,
    /// Its share of the total gain of all features; 0 for trees of one leaf.
    pub importance: f64,
    /// The standard error of the share over the trees; `None` for one tree.
    pub standard_error: Option<f64>,
    /// The mean over the trees of the gains of its rules, each times its node's share of the weight.
    pub total_gain: f64,
    /// Number of rules on it.
    pub n_splits: u64,
    /// Number of trees with a rule on it.
    pub n_trees: u32,
}

impl ForestData {
    /// The importance of each feature, highest first, ties in column order: the mean decrease in
    /// impurity over the trees (Breiman 2001, section 10).
    pub fn feature_importance(&self) -> Vec<ForestImportance> {
        let n_features = self.schema.features.len();
        let mut all: Vec<ForestImportance> = (0..n_features as u32)
            .map(|feature| ForestImportance { feature, ..ForestImportance::default() })
            .collect();
        let of_trees: Vec<Vec<f64>> = self
            .trees
            .iter()
            .map(|tree| {
                let mut gains = vec![0.0; n_features];
                for of in tree.feature_importance() {
                    let one = &mut all[of.feature as usize];
                    one.n_splits += of.n_splits;
                    one.n_trees += u32::from(of.n_splits > 0);
                    gains[of.feature as usize] = of.total_gain;
                }
                gains
            })
            .collect();
        let of_features: Vec<MeanOfNumbers> = (0..n_features)
            .map(|at| MeanOfNumbers::new(of_trees.iter().map(move |gains| gains[at])))
            .collect();
        let sum: f64 = of_features.iter().map(|of| of.mean).sum();
        let whole = if sum > 0.0 { sum } else { 1.0 };
        for (one, MeanOfNumbers { mean, standard_error }) in all.iter_mut().zip(of_features) {
            one.total_gain = mean;
            one.importance = mean / whole;
            one.standard_error = standard_error.map(|error| error / whole);
        }
        all.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        all
    }
}
