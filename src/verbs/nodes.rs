//! The nodes and the rules of a tree.

use super::table::{FaceTable, ResultTable};
use crate::error::Result;
use crate::fitted::Tree;
use crate::tree::Split;
use crate::tree::rule::Test;

impl Tree {
    /// Every node in preorder: `node_id u32, parent_id u32?, depth u32, is_leaf bool, feature
    /// str?, op str?, cut str?, threshold f64?, levels list[str]?, branches list[u32]?,
    /// missing_to u32?, n u64, weight f64, impurity f64, gain f64?, prediction str,
    /// class_counts list[f64], approximate bool`.
    ///
    /// `branches` are node ids: false then true of a two-way rule; in `levels` order, then
    /// missing, of a multiway one. `missing_to` is the node a missing value goes to, null where
    /// it stops, or goes down every branch
    /// ([`Missing::Fractional`](crate::Missing::Fractional)).
    ///
    /// # Errors
    /// Whatever the library of the table says on building it.
    pub fn nodes(&self) -> Result<FaceTable> {
        let nodes = self.node_slice();
        let ids = 0..nodes.len() as u32;
        let splits = || nodes.iter().map(|node| node.split.as_ref());
        let cuts = || {
            splits().map(|split| {
                let split = split?;
                let Test::AtLeast(cut) = &split.rule.test else { return None };
                Some((&self.feature(split).dtype, cut))
            })
        };
        let missing_to = |s: &Split| s.rule.missing_to.map(|branch| s.branches[branch as usize]);
        ResultTable::default()
            .add("node_id", ids.clone())
            .add("parent_id", nodes.iter().map(|node| node.parent))
            .add("depth", nodes.iter().map(|node| node.depth))
            .add("is_leaf", splits().map(|split| split.is_none()))
            .add("feature", splits().map(|split| Some(self.feature(split?).name.as_str())))
            .add("op", splits().map(|split| Some(split?.rule.op())))
            .add("cut", cuts().map(|cut| cut.map(|(dtype, cut)| dtype.show(cut))))
            .add("threshold", cuts().map(|cut| cut.and_then(|(dtype, cut)| dtype.threshold(cut))))
            .add_lists("levels", splits().map(|split| self.levels(split?)))
            .add_lists("branches", splits().map(|split| Some(split?.branches.iter().copied())))
            .add("missing_to", splits().map(|split| split.and_then(missing_to)))
            .add("n", nodes.iter().map(|node| node.n))
            .add("weight", ids.clone().map(|id| self.weight(id)))
            .add("impurity", nodes.iter().map(|node| node.impurity))
            .add("gain", splits().map(|split| Some(split?.gain)))
            .add("prediction", ids.clone().map(|id| self.answer_text(id)))
            .add_lists("class_counts", ids.map(|id| Some(self.class_counts(id).iter().copied())))
            .add("approximate", splits().map(|split| split.is_some_and(|s| s.approximate)))
            .into_table()
    }

    /// The levels that a rule names: the ones that go right, or one per branch.
    fn levels(&self, split: &Split) -> Option<impl Iterator<Item = &str>> {
        let levels = match &split.rule.test {
            Test::Equals(level) => std::slice::from_ref(level),
            Test::In { right, .. } => right,
            Test::Each(levels) => levels,
            Test::AtLeast(_) | Test::IsMissing => return None,
        };
        let names = &self.feature(split).levels;
        Some(levels.iter().map(|&level| names[level as usize].as_str()))
    }

    /// The way to every leaf: `leaf_id u32, rule str, prediction str, probability f64 (null of
    /// numbers), n u64, weight f64`. Tests on one feature are merged into an interval or a set of
    /// levels. All levels are named ([`shorten_sets`](crate::engine::shorten_sets) is for screens). A
    /// multiway node has a line of its own for the levels it never saw (*otherwise*), which
    /// stop there.
    ///
    /// # Errors
    /// A tree of more than [`MAX_CONDITIONS`](crate::engine::MAX_CONDITIONS) conditions, and whatever
    /// the library of the table says on building it.
    pub fn rules(&self) -> Result<FaceTable> {
        let rules = self.leaf_rules()?;
        let nodes = self.node_slice();
        let probability =
            |id: u32| (!self.is_regression()).then(|| self.probability(id, self.majority(id)));
        let lines: Vec<(u32, bool)> =
            rules.iter().map(|rule| (rule.leaf, rule.otherwise)).collect();
        // An otherwise line has the node's prediction, but no training row takes it.
        let n = |&(leaf, otherwise)| if otherwise { 0 } else { nodes[leaf as usize].n };
        let weight = |&(leaf, otherwise)| if otherwise { 0.0 } else { self.weight(leaf) };
        ResultTable::default()
            .add("leaf_id", lines.iter().map(|(leaf, _)| *leaf))
            .add("rule", rules.into_iter().map(|rule| rule.rule))
            .add("prediction", lines.iter().map(|(leaf, _)| self.answer_text(*leaf)))
            .add("probability", lines.iter().map(|(leaf, _)| probability(*leaf)))
            .add("n", lines.iter().map(n))
            .add("weight", lines.iter().map(weight))
            .into_table()
    }
}
