//! Which node a row is in, as SQL.
//!
//! The branch with the most open nodes goes on in the `ELSE` of the same `CASE`, only the others
//! nest: a `CASE` in it has at most half the open nodes of the one around it. Deep expressions are
//! what protocols of clusters refuse, not long ones.

use std::collections::VecDeque;

use super::columns::QueryColumn;
use crate::data::dtype::Value;
use crate::data::dtype::keys::value_of_key;
use crate::error::Result;
use crate::external::{Coding, GrowingTree, NodeRule, StoreColumn};
use crate::tree::rule::Test;

pub(super) struct NodeCase<'a> {
    tree: &'a GrowingTree,
    columns: &'a [QueryColumn],
    /// For each feature of levels, the value of each code.
    levels: &'a [Option<Vec<Value>>],
    /// The number a node is given; `None` if its rows are of no interest.
    rank: Vec<Option<usize>>,
    /// Nodes of interest at and below each.
    sizes: Vec<usize>,
}

/// The number of the first node that waits; that of the next one is one less.
const FIRST_WAITING: i64 = -2;

/// The nodes that the next expressions are about, with their numbers in the expressions before.
struct Waiting {
    /// Conditions that still fit.
    room: usize,
    next: i64,
    nodes: VecDeque<(i64, u32)>,
}

impl Waiting {
    fn number(&mut self, node: u32) -> i64 {
        let number = self.next;
        self.next -= 1;
        self.nodes.push_back((number, node));
        number
    }
}

pub(super) fn stage_name(stage: usize) -> String {
    format!("__n{stage}")
}

impl<'a> NodeCase<'a> {
    /// `nodes` have no rule; their numbers are their places.
    pub(super) fn new(
        tree: &'a GrowingTree,
        columns: &'a [QueryColumn],
        levels: &'a [Option<Vec<Value>>],
        nodes: &[u32],
    ) -> Self {
        let mut rank = vec![None; tree.nodes.len()];
        for (at, &node) in nodes.iter().enumerate() {
            rank[node as usize] = Some(at);
        }
        let mut sizes: Vec<usize> = rank.iter().map(|rank| usize::from(rank.is_some())).collect();
        // Branches come after their node.
        for node in (1..tree.nodes.len()).rev() {
            if let Some((parent, _)) = tree.nodes[node].parent {
                sizes[parent as usize] += sizes[node];
            }
        }
        NodeCase { tree, columns, levels, rank, sizes }
    }

    /// Expressions with about `most_conditions` conditions each. The last expression gives the number of
    /// a row's node, or `-1` if the row is in no node. Each of the others goes on from the number that
    /// the expression before it gave, by the name [`stage_name`].
    pub(super) fn stages(&self, most_conditions: usize) -> Result<Vec<String>> {
        let mut stages = Vec::new();
        let mut waiting =
            Waiting { room: most_conditions, next: FIRST_WAITING, nodes: VecDeque::new() };
        stages.push(self.expression(0, &mut waiting)?);
        while !waiting.nodes.is_empty() {
            let before = stage_name(stages.len() - 1);
            let mut arms = String::new();
            waiting.room = most_conditions;
            let last = waiting.next;
            // What an expression leaves waiting is for the next stage.
            while waiting.room > 0
                && let Some((number, node)) =
                    waiting.nodes.pop_front_if(|(number, _)| *number > last)
            {
                let found = self.expression(node, &mut waiting)?;
                arms += &format!(" WHEN {before} = {number} THEN {found}");
            }
            stages.push(format!("CASE{arms} ELSE {before} END"));
        }
        Ok(stages)
    }

    /// The number of a row's node, or of a node that waits. It recurses into at most half of the nodes.
    fn expression(&self, node: u32, waiting: &mut Waiting) -> Result<String> {
        let mut arms = String::new();
        let mut at = node;
        loop {
            let size = self.sizes[at as usize];
            let end = match &self.tree.nodes[at as usize].rule {
                Some(_) if size > 0 && waiting.room == 0 => Err(waiting.number(at)),
                Some(rule) if size > 0 => Ok(rule),
                _ => Err(self.rank[at as usize].map_or(-1, |rank| rank as i64)),
            };
            let rest = match end {
                Ok(rule) => rule,
                Err(number) if arms.is_empty() => return Ok(number.to_string()),
                Err(number) => return Ok(format!("CASE{arms} ELSE {number} END")),
            };
            let first = self.tree.nodes[at as usize].first_branch;
            let n = self.n_branches(rest);
            let largest = (0..n).max_by_key(|i| self.sizes[(first + i) as usize]).unwrap_or(0);
            waiting.room = waiting.room.saturating_sub(n.saturating_sub(1) as usize);
            for branch in (0..n).filter(|&branch| branch != largest) {
                let condition = self.condition(rest, branch)?;
                let result = self.expression(first + branch, waiting)?;
                arms += &format!(" WHEN {condition} THEN {result}");
            }
            at = first + largest;
        }
    }

    fn n_branches(&self, rule: &NodeRule) -> u32 {
        match &rule.test {
            Test::Each(levels) => {
                let levels = levels.len() as u32;
                levels.max(rule.missing_to.map_or(0, |to| to + 1))
            }
            _ => 2,
        }
    }

    /// A condition that is true for the rows of one branch, and false or null for the others.
    fn condition(&self, rule: &NodeRule, branch: u32) -> Result<String> {
        let column = &self.columns[rule.column as usize];
        let x = column.nominal()?;
        let missing = column.ordered()?.missing();
        let known = column.ordered()?.known();
        let of_missing = rule.missing_to.unwrap_or(0);
        let two_way = |holds: String| match (branch, of_missing == branch) {
            (1, true) => format!("({missing} OR {holds})"),
            (1, false) => format!("({known} AND {holds})"),
            (_, true) => format!("({missing} OR NOT ({holds}))"),
            (_, false) => format!("({known} AND NOT ({holds}))"),
        };
        let level = |code: u32| x.literal(self.value_of(rule.column, code.into()));
        Ok(match &rule.test {
            Test::AtLeast(cut) => two_way(self.at_least(rule.column, *cut)?),
            Test::Equals(code) => two_way(format!("({}) = {}", x.expression(), level(*code)?)),
            Test::In { right, .. } => {
                let right = right.iter().map(|&code| self.value_of(rule.column, code.into()));
                two_way(x.one_of(&right.collect::<Vec<_>>())?)
            }
            Test::Each(levels) => match levels.get(branch as usize) {
                Some(&code) => {
                    let is = format!("({known} AND ({}) = {})", x.expression(), level(code)?);
                    if of_missing == branch { format!("({missing} OR {is})") } else { is }
                }
                None => missing,
            },
            Test::IsMissing if branch == 1 => missing,
            Test::IsMissing => known.clone(),
        })
    }

    fn value_of(&self, column: u32, code: i128) -> &Value {
        static NONE: Value = Value::Int(0);
        let levels = self.levels[column as usize].as_deref().unwrap_or_default();
        levels.get(code as usize).unwrap_or(&NONE)
    }

    /// Whether a known value is at or above a cut, which is a code where the column has levels.
    fn at_least(&self, column: u32, cut: i128) -> Result<String> {
        let of = &self.columns[column as usize];
        let StoreColumn { dtype, .. } = &of.store;
        let value = match &self.levels[column as usize] {
            Some(_) => self.value_of(column, cut).clone(),
            None => value_of_key(dtype, cut),
        };
        of.ordered()?.at_least(&value)
    }
}

/// The value of each code, of features that have levels.
pub(super) fn levels_of(coding: &Coding, listed: &[Vec<Value>]) -> Vec<Option<Vec<Value>>> {
    coding
        .level_codes
        .iter()
        .zip(listed)
        .zip(&coding.n_levels)
        .map(|((codes, values), &n_levels)| {
            let codes = codes.as_ref()?;
            let mut of_code = vec![Value::Int(0); n_levels as usize];
            for (&code, value) in codes.iter().zip(values) {
                of_code[code as usize] = value.clone();
            }
            Some(of_code)
        })
        .collect()
}
