//! The `CASE` expression of a tree.
//!
//! A node becomes a few disjoint conditions, one per branch; a null makes none of them true. The
//! branch with the most leaves goes on in the `ELSE` of the same `CASE`; only the others nest. So a
//! nested `CASE` has at most half the leaves of the one around it, and a chain of a thousand nodes
//! nests no deeper than one: engines limit how deep expressions go (SQLite before 3.46 gives up at
//! about 20 nested `CASE`s), not how long they are. Where an engine takes no deeper `CASE`, its
//! conditions go into the one around it, each with the condition of the branch before it.

use super::engines::Use;
use super::{Dialect, SqlColumn};
use crate::data::dtype::{DType, Value};
use crate::error::Result;
use crate::tree::rule::Test;
use crate::tree::{Split, TreeData};

pub(super) struct CaseWriter<'t> {
    pub(super) tree: &'t TreeData,
    pub(super) dialect: Dialect,
    /// The literal a node predicts.
    pub(super) answer: &'t dyn Fn(u32) -> Result<String>,
    /// Of each node, see [`count_leaves`].
    pub(super) leaves: &'t [u32],
}

/// Sets the leaves at and below each of some nodes, which come before the nodes above them; 1, as it is
/// before, where all below give the node's own answer, so that nothing below it is written.
pub(super) fn count_leaves(
    tree: &TreeData,
    nodes: impl Iterator<Item = u32>,
    is_same: &impl Fn(u32, u32) -> bool,
    leaves: &mut [u32],
) {
    for id in nodes {
        let Some(split) = &tree.node_slice()[id as usize].split else { continue };
        let differs = |&branch: &u32| leaves[branch as usize] > 1 || !is_same(branch, id);
        if split.branches.iter().any(differs) {
            leaves[id as usize] = split.branches.iter().map(|&b| leaves[b as usize]).sum();
        }
    }
}

/// Where a condition leads.
#[derive(Clone, Copy)]
enum Outcome {
    Node(u32),
    /// The row stops at this node.
    Stop(u32),
}

impl CaseWriter<'_> {
    /// The expression of a node, indented by `depth`. It recurses only into less than all of its
    /// leaves, at most half of them.
    pub(super) fn expression(&self, node: u32, depth: usize) -> Result<String> {
        if self.leaves[node as usize] == 1 {
            return (self.answer)(node);
        }
        let mut sql = "CASE".to_string();
        let rest = self.whens(node, "", depth, &mut sql)?;
        let indent = "  ".repeat(depth);
        Ok(sql + &format!("\n{indent}  ELSE {}\n{indent}END", self.outcome(rest, depth + 1)?))
    }

    /// Writes the `WHEN`s of a node in a `CASE` within `depth` others, and says where the rows go that
    /// no `WHEN` takes. `given` is what holds for all rows of the node, with an `AND` after it, or empty.
    fn whens(&self, node: u32, given: &str, depth: usize, sql: &mut String) -> Result<Outcome> {
        let indent = "  ".repeat(depth);
        let mut next = Outcome::Node(node);
        while let Outcome::Node(node) = next
            && self.leaves[node as usize] > 1
            && let Some(split) = &self.tree.node_slice()[node as usize].split
        {
            let mut arms = self.arms(node, split)?;
            let size = |outcome: Outcome| match outcome {
                Outcome::Node(node) => self.leaves[node as usize],
                Outcome::Stop(_) => 0,
            };
            let largest = (0..arms.len()).max_by_key(|&i| size(arms[i].1)).unwrap_or(0);
            next = arms.remove(largest).1;
            for (condition, outcome) in arms {
                let outcome = match outcome {
                    Outcome::Node(node) if self.leaves[node as usize] > 1 && !self.nests(depth) => {
                        self.whens(node, &format!("{given}({condition}) AND "), depth, sql)?
                    }
                    outcome => outcome,
                };
                let condition = match given {
                    "" => condition,
                    _ => format!("{given}({condition})"),
                };
                let result = self.outcome(outcome, depth + 1)?;
                *sql += &format!("\n{indent}  WHEN {condition} THEN {result}");
            }
        }
        Ok(next)
    }

    /// Whether one more `CASE` may stand inside one at this depth.
    fn nests(&self, depth: usize) -> bool {
        depth + 2 <= self.dialect.engine().max_nested_cases()
    }

    fn outcome(&self, outcome: Outcome, depth: usize) -> Result<String> {
        match outcome {
            Outcome::Node(node) => self.expression(node, depth),
            Outcome::Stop(node) => (self.answer)(node),
        }
    }

    /// The conditions of a rule. For each row exactly one is true, the others are false or null.
    fn arms(&self, node: u32, split: &Split) -> Result<Vec<(String, Outcome)>> {
        let feature = &self.tree.schema().features[split.rule.feature as usize];
        let x = SqlColumn::new(self.dialect, feature)?;
        let branch = |i: u32| Outcome::Node(split.branches[i as usize]);
        let missing_to = split.rule.missing_to;
        let two_way = |holds: String, does_not: String| match missing_to {
            Some(1) => vec![(x.or_missing(&holds), branch(1)), (x.and_known(&does_not), branch(0))],
            Some(_) => vec![(x.or_missing(&does_not), branch(0)), (x.and_known(&holds), branch(1))],
            None => vec![
                (x.missing(), Outcome::Stop(node)),
                (x.and_known(&does_not), branch(0)),
                (x.and_known(&holds), branch(1)),
            ],
        };
        Ok(match &split.rule.test {
            Test::AtLeast(Value::Text(cut)) if let DType::Enum { categories } = &feature.dtype => {
                // In declared order; what is not declared is missing.
                let at = categories.iter().position(|c| c == cut).unwrap_or(0);
                let (below, above) = categories.split_at(at);
                two_way(x.one_of_categories(above, false)?, x.one_of_categories(below, false)?)
            }
            Test::AtLeast(cut) => {
                two_way(x.compared(">=", cut, Use::Cut)?, x.compared("<", cut, Use::Cut)?)
            }
            Test::Equals(level) => {
                let (x, level) = (x.expression(), x.literal(&x.level(*level))?);
                two_way(format!("{x} = {level}"), format!("{x} <> {level}"))
            }
            // What is in neither goes where missing goes.
            Test::In { right, left } => {
                let is = |levels: &[u32]| x.one_of_levels(levels, false);
                let is_not = |levels: &[u32]| x.one_of_levels(levels, true);
                match missing_to {
                    Some(1) => two_way(is_not(left)?, is(left)?),
                    Some(_) => two_way(is(right)?, is_not(right)?),
                    None => {
                        let neither = format!("{} AND {}", is_not(right)?, is_not(left)?);
                        let mut arms = two_way(is(right)?, is(left)?);
                        arms.push((x.and_known(&neither), Outcome::Stop(node)));
                        arms
                    }
                }
            }
            Test::Each(levels) => {
                let missing = missing_to.map_or(Outcome::Stop(node), branch);
                let mut arms = vec![(x.missing(), missing)];
                for (i, level) in levels.iter().enumerate() {
                    let is = format!("{} = {}", x.expression(), x.literal(&x.level(*level))?);
                    arms.push((x.and_known(&is), branch(i as u32)));
                }
                let absent = x.one_of_levels(levels, true)?;
                arms.push((x.and_known(&absent), Outcome::Stop(node)));
                arms
            }
            Test::IsMissing => vec![(x.missing(), branch(1)), (x.known(), branch(0))],
        })
    }
}
