//! The nodes of a model file, checked one by one.

use std::collections::HashMap;
use std::result::Result;

use super::layout::{Keyed, NodeObject};
use super::preorder::OpenBranches;
use super::values::{ValueReader, named};
use crate::data::dtype::{DType, Kind};
use crate::spec::Missing;
use crate::tree::rule::{Rule, Test};
use crate::tree::{Feature, Node, Schema, Split};

/// The nodes of the objects and their values, or what is wrong with one.
pub(super) fn read(
    objects: Vec<Keyed<NodeObject>>,
    schema: &Schema,
    missing: Missing,
) -> Result<(Vec<Node>, Vec<f64>), String> {
    if objects.is_empty() {
        return Err("no nodes; a tree has at least one".to_string());
    }
    let n_nodes = u32::try_from(objects.len())
        .map_err(|_| format!("{} nodes; at most {} can be numbered", objects.len(), u32::MAX))?;
    let reader = NodeReader::new(schema, n_nodes, missing)?;
    let mut open = OpenBranches::default();
    let (mut nodes, mut values) = (Vec::new(), Vec::new());
    for (id, Keyed(mut object)) in (0..n_nodes).zip(objects) {
        let at = |what: String| format!("node {id}: {what}");
        let mut stat = reader.stat(&mut object).map_err(at)?;
        let split = reader.split(&mut object).map_err(at)?;
        check_left_over(&object).map_err(at)?;

        let (parent, depth) = open.enter(id, split.as_ref())?;
        nodes.push(Node { parent, depth, n: object.n, impurity: object.impurity, split });
        values.append(&mut stat);
    }
    open.finish(n_nodes)?;
    Ok((nodes, values))
}

/// Reads single nodes.
struct NodeReader<'a> {
    n_nodes: u32,
    n_classes: usize,
    /// Whether missing values go down every branch.
    is_fractional: bool,
    features: HashMap<&'a str, RuleFeature<'a>>,
}

/// A feature that rules may test.
struct RuleFeature<'a> {
    index: u32,
    feature: &'a Feature,
    values: ValueReader<'a>,
}

impl<'a> NodeReader<'a> {
    fn new(schema: &'a Schema, n_nodes: u32, missing: Missing) -> Result<Self, String> {
        let mut features = HashMap::new();
        for (index, feature) in (0..u32::MAX).zip(&schema.features) {
            let values = ValueReader::new(&feature.dtype)?;
            features.insert(feature.name.as_str(), RuleFeature { index, feature, values });
        }
        let is_fractional = missing.shares_rows();
        Ok(NodeReader { n_nodes, n_classes: schema.classes.len(), is_fractional, features })
    }

    /// Takes a node's class counts, or its weight and mean.
    fn stat(&self, node: &mut NodeObject) -> Result<Vec<f64>, String> {
        if node.n == 0 {
            return Err("`n` is 0; a node has rows".to_string());
        }
        check_amount("impurity", node.impurity)?;
        if self.n_classes == 0 {
            let weight = needed("weight", node.weight.take())?;
            let mean = needed("mean", node.mean.take())?;
            check_weight("`weight` is", weight)?;
            return Ok(vec![weight, mean]); // JSON has no number that is not finite
        }
        let counts = needed("counts", node.counts.take())?;
        if counts.len() != self.n_classes {
            return Err(format!(
                "`counts` has length {}, but there are {} classes",
                counts.len(),
                self.n_classes
            ));
        }
        counts.iter().try_for_each(|&count| check_amount("counts", count))?;
        check_weight("`counts` add up to", counts.iter().sum())?;
        Ok(counts)
    }

    /// Takes a node's split; `None` if it has no `op`, as a leaf.
    fn split(&self, node: &mut NodeObject) -> Result<Option<Split>, String> {
        let Some(op) = node.op.take() else { return Ok(None) };
        let name = needed("feature", node.feature.take())?;
        let tested = self
            .features
            .get(name.as_str())
            .ok_or_else(|| format!("the schema has no feature {}", named(&name)))?;
        let test = tested.test(&op, node)?;
        let missing_to = needed("missing_to", node.missing_to.take())?;
        let rule = Rule { feature: tested.index, test, missing_to };
        let gain = needed("gain", node.gain.take())?;
        check_amount("gain", gain)?;
        let branches = needed("branches", node.branches.take())?;
        self.check_branches(&rule, &branches)?;
        let approximate = node.approximate.take().unwrap_or(false);
        Ok(Some(Split { rule, branches, gain, approximate }))
    }

    fn check_branches(&self, rule: &Rule, branches: &[u32]) -> Result<(), String> {
        let (op, arity) = (rule.op(), rule.arity());
        if arity < 2 {
            return Err(format!("`{op}` has {arity} branch; a rule has at least two"));
        }
        if rule.missing_to.is_some() && self.is_fractional {
            return Err("`missing_to` is null where the spec's `missing` is `fractional`: such a \
                        row goes down every branch"
                .to_string());
        }
        if let Some(branch) = rule.missing_to.filter(|&branch| branch as usize >= arity) {
            return Err(format!("`missing_to` is {branch}, but there are {arity} branches"));
        }
        if rule.test == Test::IsMissing && rule.missing_to != Some(1) {
            return Err("`is missing` has `missing_to` 1".to_string());
        }
        if branches.len() != arity {
            return Err(format!(
                "`branches` has length {}, but `{op}` has {arity} branches here",
                branches.len()
            ));
        }
        for (branch, &to) in branches.iter().enumerate() {
            if to >= self.n_nodes {
                return Err(format!(
                    "branch {branch} leads to node {to}, but there are {} nodes",
                    self.n_nodes
                ));
            }
        }
        Ok(())
    }
}

impl RuleFeature<'_> {
    fn test(&self, op: &str, node: &mut NodeObject) -> Result<Test, String> {
        let Feature { name, dtype, kind, .. } = self.feature;
        if *dtype == DType::Null {
            return Err(format!("feature {} is null throughout; no rule asks it", named(name)));
        }
        match (op, kind) {
            (">=", Kind::Ordered) => {
                Ok(Test::AtLeast(self.values.read_cut(&needed("cut", node.cut.take())?)?))
            }
            ("==", Kind::Nominal) => {
                let level = needed("level", node.level.take())?;
                self.check_levels("level", &[level])?;
                Ok(Test::Equals(level))
            }
            ("in", Kind::Nominal) => {
                let right = needed("right", node.right.take())?;
                let left = needed("left", node.left.take())?;
                self.check_levels("right", &right)?;
                self.check_levels("left", &left)?;
                match left.iter().find(|level| right.binary_search(level).is_ok()) {
                    Some(both) => Err(format!("level {both} is both in `right` and in `left`")),
                    None => Ok(Test::In { right, left }),
                }
            }
            ("each", Kind::Nominal) => {
                let levels = needed("levels", node.levels.take())?;
                self.check_levels("levels", &levels)?;
                Ok(Test::Each(levels))
            }
            ("is missing", _) => Ok(Test::IsMissing),
            (">=" | "==" | "in" | "each", _) => {
                Err(format!("feature {} is {kind}; `{op}` cannot ask it", named(name)))
            }
            _ => Err(format!(
                "op {} is not one of `>=`, `==`, `in`, `each`, `is missing`",
                named(op)
            )),
        }
    }

    fn check_levels(&self, key: &str, levels: &[u32]) -> Result<(), String> {
        if levels.is_empty() {
            return Err(format!("`{key}` is empty"));
        }
        if !levels.is_sorted_by(|a, b| a < b) {
            return Err(format!("`{key}` is not ascending"));
        }
        let n_levels = self.feature.levels.len();
        match levels.last() {
            Some(&last) if last as usize >= n_levels => Err(format!(
                "`{key}` names level {last}, but feature {} has {n_levels} levels",
                named(&self.feature.name)
            )),
            _ => Ok(()),
        }
    }
}

fn needed<T>(key: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("missing key `{key}`"))
}

fn check_amount(key: &str, x: f64) -> Result<(), String> {
    if x >= 0.0 && x.is_finite() {
        return Ok(());
    }
    Err(format!("`{key}` holds {x}; it is finite and not negative"))
}

fn check_weight(what: &str, weight: f64) -> Result<(), String> {
    if weight > 0.0 && weight.is_finite() {
        return Ok(());
    }
    Err(format!("{what} {weight}; a node has a finite weight above 0"))
}

/// The keys that belong to a node have been taken: one that is left does not belong.
fn check_left_over(node: &NodeObject) -> Result<(), String> {
    let of_target = [
        ("counts", node.counts.is_some()),
        ("weight", node.weight.is_some()),
        ("mean", node.mean.is_some()),
    ];
    if let Some((key, _)) = of_target.iter().find(|(_, is_left)| *is_left) {
        return Err(format!("key `{key}` does not belong to this sort of target"));
    }
    let keys = [
        ("feature", node.feature.is_some()),
        ("cut", node.cut.is_some()),
        ("level", node.level.is_some()),
        ("right", node.right.is_some()),
        ("left", node.left.is_some()),
        ("levels", node.levels.is_some()),
        ("missing_to", node.missing_to.is_some()),
        ("gain", node.gain.is_some()),
        ("approximate", node.approximate.is_some()),
        ("branches", node.branches.is_some()),
    ];
    match keys.iter().find(|(_, is_left)| *is_left) {
        Some((key, _)) => Err(format!("key `{key}` does not belong to its `op`, or to a leaf")),
        None => Ok(()),
    }
}
