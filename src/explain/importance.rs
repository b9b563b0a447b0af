//! What each feature did.

use crate::tree::Tree;

/// What a feature did in a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Importance {
    /// The feature's place in the schema.
    pub feature: u32,
    /// Its share of all features' total gain; all are 0 for a single leaf.
    pub importance: f64,
    /// The gains of its rules, each weighted by its node's share of the rows' weight.
    pub total_gain: f64,
    /// Rules on it.
    pub n_splits: u64,
    /// Depth of the first of them.
    pub min_depth: Option<u32>,
    /// The share of the rows' weight that meets a rule on it, counted once a row.
    pub coverage: f64,
}

impl Tree {
    /// What each feature did, most important first, ties in column order (mean decrease in
    /// impurity, Breiman et al. 1984, section 5.3.4, without surrogates).
    pub fn feature_importance(&self) -> Vec<Importance> {
        let mut all: Vec<Importance> = (0..self.schema.features.len() as u32)
            .map(|feature| Importance { feature, ..Importance::default() })
            .collect();
        let whole = self.weight(0);
        for (id, node) in self.nodes.iter().enumerate() {
            let Some(split) = &node.split else { continue };
            let share = self.weight(id as u32) / whole;
            let one = &mut all[split.rule.feature as usize];
            one.total_gain += share * split.gain;
            one.n_splits += 1;
            one.min_depth = Some(one.min_depth.map_or(node.depth, |d| d.min(node.depth)));
            if !self.is_tested_above(id as u32, split.rule.feature) {
                one.coverage += share;
            }
        }
        let sum: f64 = all.iter().map(|i| i.total_gain).sum();
        if sum > 0.0 {
            all.iter_mut().for_each(|i| i.importance = i.total_gain / sum);
        }
        all.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        all
    }

    fn is_tested_above(&self, node: u32, feature: u32) -> bool {
        let mut above = self.nodes[node as usize].parent;
        while let Some(id) = above {
            let node = &self.nodes[id as usize];
            if node.split.as_ref().is_some_and(|s| s.rule.feature == feature) {
                return true;
            }
            above = node.parent;
        }
        false
    }
}
