//! The rule of each leaf: the conditions on its path, as text.

use std::fmt;

use crate::data::dtype::Value;
use crate::error::{Error, Result};
use crate::tree::rule::{Rule, Test};
use crate::tree::{Feature, TreeData};

/// The most conditions that the rules of a tree may have together.
pub const MAX_CONDITIONS: u64 = 10_000_000;

/// The rule of one leaf, or of the rows a multiway rule has no branch for.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafRule {
    /// The node where these rows end.
    pub leaf: u32,
    /// The conditions on the path, with tests on one ordered feature merged into an interval.
    /// `or missing` is only written for features that had missing values in training.
    pub rule: String,
    /// Whether it is the *otherwise* of an inner node: for levels the node never saw.
    pub otherwise: bool,
}

impl TreeData {
    /// The rules of all leaves in node order; before the leaves of a multiway node, the rule for
    /// levels it never saw.
    ///
    /// # Errors
    /// A tree whose rules have more than [`MAX_CONDITIONS`] conditions together, which would fill
    /// gigabytes.
    pub fn leaf_rules(&self) -> Result<Vec<LeafRule>> {
        let conditions: u64 =
            self.nodes.iter().filter(|n| n.split.is_none()).map(|n| u64::from(n.depth)).sum();
        if conditions > MAX_CONDITIONS {
            return Err(Error::spec(format!(
                "the rules of this tree have {conditions} conditions, of at most {MAX_CONDITIONS}: \
                 prune it, fit it with a max_depth, or take the table of its nodes"
            )));
        }
        let branch_of = self.branch_of_parent();
        let mut rules = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            let id = id as u32;
            let otherwise = match &node.split {
                None => false,
                Some(split) if matches!(split.rule.test, Test::Each(_)) => true,
                Some(_) => continue,
            };
            let mut rule = self.conditions(id, &branch_of);
            if otherwise && let Some(split) = &node.split {
                let name = &self.feature(split).name;
                rule = match rule.as_str() {
                    "" => format!("{name} otherwise"),
                    _ => format!("{rule} and {name} otherwise"),
                };
            }
            let rule = if rule.is_empty() { "always".to_string() } else { rule };
            rules.push(LeafRule { leaf: id, rule, otherwise });
        }
        Ok(rules)
    }

    /// The conditions of the rows that reach a node.
    fn conditions(&self, node: u32, branch_of: &[u32]) -> String {
        let mut path = Vec::new();
        let mut below = node;
        while let Some(above) = self.nodes[below as usize].parent {
            if let Some(split) = &self.nodes[above as usize].split {
                path.push((&split.rule, branch_of[below as usize]));
            }
            below = above;
        }
        path.reverse();
        let mut conditions: Vec<Condition> = Vec::new();
        for (rule, branch) in path {
            let feature = &self.schema.features[rule.feature as usize];
            let merged = conditions.iter_mut().find_map(|c| c.merge(rule, branch));
            if merged.is_none() {
                conditions.push(Condition::new(feature, rule, branch));
            }
        }
        conditions.iter().map(Condition::to_string).collect::<Vec<_>>().join(" and ")
    }
}

/// One condition of a rule.
enum Condition<'t> {
    /// Bounds of an ordered feature, which the path only narrows.
    Interval {
        feature: &'t Feature,
        place: u32,
        at_least: Option<&'t Value>,
        below: Option<&'t Value>,
        /// Whether missing values pass every test so far.
        or_missing: bool,
    },
    Other(String),
}

impl<'t> Condition<'t> {
    fn new(feature: &'t Feature, rule: &'t Rule, branch: u32) -> Self {
        match &rule.test {
            Test::AtLeast(_) => {
                let mut interval = Condition::Interval {
                    feature,
                    place: rule.feature,
                    at_least: None,
                    below: None,
                    or_missing: feature.has_missing,
                };
                interval.merge(rule, branch);
                interval
            }
            Test::Equals(_) | Test::In { .. } | Test::Each(_) | Test::IsMissing => {
                let text = rule.describe_branch(feature, branch);
                Condition::Other(text + rule.or_missing(feature, branch))
            }
        }
    }

    /// Narrows an interval of the same feature; `None` if the rule is about another.
    fn merge(&mut self, rule: &'t Rule, branch: u32) -> Option<()> {
        let Condition::Interval { place, at_least, below, or_missing, .. } = self else {
            return None;
        };
        let Test::AtLeast(cut) = &rule.test else { return None };
        if *place != rule.feature {
            return None;
        }
        *(if branch == 1 { at_least } else { below }) = Some(cut);
        *or_missing &= rule.missing_to == Some(branch);
        Some(())
    }
}

impl fmt::Display for Condition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Other(text) => f.write_str(text),
            Condition::Interval { feature, at_least, below, or_missing: joins, .. } => {
                let x = &feature.name;
                let show = |cut: &Value| feature.dtype.show(cut);
                match (at_least, below) {
                    (Some(lo), Some(hi)) => write!(f, "{} <= {x} < {}", show(lo), show(hi))?,
                    (Some(lo), None) => write!(f, "{x} >= {}", show(lo))?,
                    (None, Some(hi)) => write!(f, "{x} < {}", show(hi))?,
                    (None, None) => f.write_str(x)?,
                }
                f.write_str(if *joins { " or missing" } else { "" })
            }
        }
    }
}
