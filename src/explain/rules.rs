//! The rule of each leaf: the conditions on its path, as text.

use std::fmt;

use crate::data::dtype::Value;
use crate::error::{Error, Result};
use crate::tree::rule::{Rule, Test};
use crate::tree::rule_text::{level_set, quote};
use crate::tree::{Feature, TreeData};

/// The most conditions that the rules of a tree may have together, and the most levels they may
/// name.
pub const MAX_CONDITIONS: u64 = 10_000_000;

/// The rule of one leaf, or of the rows a multiway rule has no branch for.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafRule {
    /// The node where these rows end.
    pub leaf: u32,
    /// The conditions on the path. Conditions on one feature are merged, into an interval or a set
    /// with all its levels named. `or missing` is only written for features that had missing values
    /// in training; beside other conditions it stands in brackets with its own.
    pub rule: String,
    /// Whether it is the *otherwise* of an inner node: for levels the node never saw.
    pub otherwise: bool,
}

impl TreeData {
    /// The rules of all leaves in node order; before the leaves of a multiway node, the rule for
    /// levels it never saw.
    ///
    /// # Errors
    /// A tree whose rules have more than [`MAX_CONDITIONS`] conditions together, or name more
    /// levels than that, which would fill gigabytes.
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
        let (mut rules, mut path, mut named) = (Vec::new(), Vec::new(), 0);
        for (id, node) in self.nodes.iter().enumerate() {
            let above = node.parent.and_then(|above| self.nodes[above as usize].split.as_ref());
            if let Some(split) = above {
                go(&mut path, node.depth, self.feature(split), &split.rule, branch_of[id]);
            }
            let otherwise = match &node.split {
                None => None,
                Some(split) if matches!(split.rule.test, Test::Each(_)) => {
                    Some(format!("{} otherwise", self.feature(split).name))
                }
                Some(_) => continue,
            };
            let conditions = conditions_of(&path);
            named += conditions.iter().map(|condition| condition.n_named()).sum::<u64>();
            if named > MAX_CONDITIONS {
                return Err(Error::spec(format!(
                    "the rules of this tree name more than {MAX_CONDITIONS} levels: prune it, fit \
                     it with a max_depth, or take the table of its nodes"
                )));
            }
            let is_otherwise = otherwise.is_some();
            let rule = conjunction(&conditions, otherwise);
            let rule = if rule.is_empty() { "always".to_string() } else { rule };
            rules.push(LeafRule { leaf: id as u32, rule, otherwise: is_otherwise });
        }
        Ok(rules)
    }
}

/// A step on the path to a node, while nodes are visited in preorder. Tests of one feature are merged:
/// each step holds what they say together.
struct Step<'t> {
    /// The first step about the same feature, which gives the condition its place.
    first: usize,
    condition: Condition<'t>,
}

/// Goes to a node of this depth, by a branch of its parent's rule.
fn go<'t>(path: &mut Vec<Step<'t>>, depth: u32, feature: &'t Feature, rule: &'t Rule, branch: u32) {
    path.truncate(depth as usize - 1);
    let above = path.iter().rfind(|step| std::ptr::eq(step.condition.feature, feature));
    let step = match above {
        None => {
            Step { first: path.len(), condition: Condition::any(feature).narrowed(rule, branch) }
        }
        Some(step) => Step { first: step.first, condition: step.condition.narrowed(rule, branch) },
    };
    path.push(step);
}

/// The last condition on each feature, in the order of the first ones.
fn conditions_of<'p, 't>(path: &'p [Step<'t>]) -> Vec<&'p Condition<'t>> {
    let mut last = vec![None; path.len()];
    for step in path {
        last[step.first] = Some(&step.condition);
    }
    last.into_iter().flatten().collect()
}

/// What the tests on a path say of one feature.
#[derive(Clone)]
pub(super) struct Condition<'t> {
    feature: &'t Feature,
    known: Known<'t>,
    /// Whether missing values pass every test so far.
    missing: bool,
}

/// The known values that pass.
#[derive(Clone)]
enum Known<'t> {
    All,
    None,
    Interval {
        at_least: Option<&'t Value>,
        below: Option<&'t Value>,
    },
    /// One of these levels, ascending.
    In(Vec<u32>),
    /// None of these levels, ascending.
    NotIn(Vec<u32>),
}

impl<'t> Condition<'t> {
    /// That any value is.
    pub(super) fn any(feature: &'t Feature) -> Self {
        Condition { feature, known: Known::All, missing: feature.has_missing }
    }

    /// This and what a branch of a rule says.
    pub(super) fn narrowed(&self, rule: &'t Rule, branch: u32) -> Self {
        let holds = branch == 1;
        let known = match &rule.test {
            // The path only narrows an interval.
            Test::AtLeast(cut) => {
                let (at_least, below) = match self.known {
                    Known::Interval { at_least, below } => (at_least, below),
                    Known::All | Known::None | Known::In(_) | Known::NotIn(_) => (None, None),
                };
                match holds {
                    true => Known::Interval { at_least: Some(cut), below },
                    false => Known::Interval { at_least, below: Some(cut) },
                }
            }
            Test::Equals(level) if holds => self.known.among(&[*level]),
            Test::Equals(level) => self.known.without(*level),
            Test::In { right, left } => self.known.among(if holds { right } else { left }),
            Test::Each(levels) => match levels.get(branch as usize) {
                Some(level) => self.known.among(&[*level]),
                None => Known::None,
            },
            Test::IsMissing if holds => Known::None,
            Test::IsMissing => self.known.clone(),
        };
        let missing = self.missing && rule.missing_to == Some(branch);
        Condition { feature: self.feature, known, missing }
    }

    fn says_missing(&self) -> bool {
        self.missing && !matches!(self.known, Known::All | Known::None)
    }

    fn n_named(&self) -> u64 {
        match &self.known {
            Known::In(levels) | Known::NotIn(levels) => levels.len() as u64,
            Known::All | Known::None | Known::Interval { .. } => 0,
        }
    }
}

/// Conditions that all hold, and one more. One with `or` is in brackets beside others.
pub(super) fn conjunction(conditions: &[&Condition], more: Option<String>) -> String {
    let is_one = conditions.len() + usize::from(more.is_some()) == 1;
    let text = |condition: &&Condition| match condition.says_missing() && !is_one {
        true => format!("({condition})"),
        false => condition.to_string(),
    };
    conditions.iter().map(text).chain(more).collect::<Vec<_>>().join(" and ")
}

impl Known<'_> {
    /// Keeps the levels that pass.
    fn among(&self, levels: &[u32]) -> Self {
        let passes = |level: &u32| match self {
            Known::In(passing) => passing.binary_search(level).is_ok(),
            Known::NotIn(others) => others.binary_search(level).is_err(),
            Known::All | Known::None | Known::Interval { .. } => true,
        };
        Known::In(levels.iter().copied().filter(passes).collect())
    }

    fn without(&self, level: u32) -> Self {
        match self {
            Known::In(passing) => {
                Known::In(passing.iter().copied().filter(|&l| l != level).collect())
            }
            Known::NotIn(others) => {
                let mut others = others.clone();
                others.insert(others.partition_point(|&other| other < level), level);
                Known::NotIn(others)
            }
            Known::All | Known::None | Known::Interval { .. } => Known::NotIn(vec![level]),
        }
    }
}

impl fmt::Display for Condition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Condition { feature, known, missing } = self;
        let x = &feature.name;
        let show = |cut: &Value| feature.dtype.show(cut);
        let level = |l: u32| &feature.levels[l as usize];
        let set = |levels: &[u32]| level_set(levels, level, usize::MAX);
        match known {
            Known::All if *missing => return f.write_str(x),
            Known::All => return write!(f, "{x} is not missing"),
            Known::None => return write!(f, "{x} is missing"),
            Known::Interval { at_least: Some(lo), below: Some(hi) } => {
                write!(f, "{} <= {x} < {}", show(lo), show(hi))?;
            }
            Known::Interval { at_least: Some(lo), below: None } => {
                write!(f, "{x} >= {}", show(lo))?;
            }
            Known::Interval { at_least: None, below: Some(hi) } => {
                write!(f, "{x} < {}", show(hi))?;
            }
            Known::Interval { at_least: None, below: None } => f.write_str(x)?,
            Known::In(levels) => match levels.as_slice() {
                [one] => write!(f, "{x} == {}", quote(level(*one)))?,
                several => write!(f, "{x} in {}", set(several))?,
            },
            Known::NotIn(levels) => match levels.as_slice() {
                [one] => write!(f, "{x} != {}", quote(level(*one)))?,
                several => write!(f, "{x} not in {}", set(several))?,
            },
        }
        f.write_str(if self.says_missing() { " or missing" } else { "" })
    }
}
