//! A model as its code walks it: tests of fields, and tables of what the answers say.

use std::collections::HashMap;
use std::ops::Range;

use super::field::{Field, fields};
use super::language::CodeSpec;
use super::text::listed;
use crate::data::dtype::Value;
use crate::error::Result;
use crate::export::{Next, takes_one_branch};
use crate::score::Voting;
use crate::spec::Missing;
use crate::tree::forest_data::ForestData;
use crate::tree::missing::NextNode;
use crate::tree::rule::Test;
use crate::tree::{Schema, Split, TreeData, highest};

pub(super) struct FieldTest {
    pub(super) field: u32,
    /// Where a missing value goes.
    pub(super) missing: Next,
    pub(super) condition: FieldCondition,
}

/// Where the other values go.
pub(super) enum FieldCondition {
    /// Where values below this one go, and where the others go.
    AtLeast(Value, [Next; 2]),
    /// Each code, ascending, has its place, and all others one.
    Levels(Vec<(i32, Next)>, Next),
    /// All of them to one place.
    Known(Next),
}

/// What the answers say: a number, or a number a class. Equal answers are one.
#[derive(Default)]
pub(super) struct Outcomes {
    index_of: HashMap<Vec<u64>, u32>,
    /// Row by row.
    pub(super) values: Vec<f64>,
    /// The class of each, of a tree.
    pub(super) classes: Vec<usize>,
}

impl Outcomes {
    fn index(&mut self, values: &[f64], class: usize) -> u32 {
        let bits = values.iter().map(|x| x.to_bits()).chain([class as u64]).collect();
        let n = self.index_of.len() as u32;
        let index = *self.index_of.entry(bits).or_insert(n);
        if index == n {
            self.values.extend(values);
            self.classes.push(class);
        }
        index
    }
}

pub(super) struct Program<'t> {
    pub(super) schema: &'t Schema,
    pub(super) refuses_missing: bool,
    /// Most tests and levels that are written as conditions.
    pub(super) max_conditions: usize,
    /// Whether it has many trees, whose numbers are averaged.
    pub(super) is_forest: bool,
    pub(super) fields: Vec<Field<'t>>,
    /// The field of each feature; 0 for one that is not used.
    field_of: Vec<u32>,
    /// The tests of all trees, each after the one that leads to it.
    pub(super) tests: Vec<FieldTest>,
    pub(super) tests_of: Vec<Range<usize>>,
    pub(super) roots: Vec<Next>,
    pub(super) outcome_of: Vec<u32>,
    /// The node that gives each answer.
    pub(super) leaf_ids: Vec<u32>,
    pub(super) outcomes: Outcomes,
}

impl<'t> Program<'t> {
    /// # Errors
    /// A tree that sends rows down several branches, and a feature that has no values.
    pub(super) fn of_tree(tree: &'t TreeData, spec: &CodeSpec) -> Result<Program<'t>> {
        let (used, missing) = (tree.used_features(), tree.spec().missing);
        let program = Program::new(tree.schema(), &used, tree.splits(), missing, spec)?;
        Ok(program.with_tree(tree, Voting::Soft))
    }

    /// # Errors
    /// As [`of_tree`](Self::of_tree), and votes on a number.
    pub(super) fn of_forest(
        forest: &'t ForestData,
        voting: Voting,
        spec: &CodeSpec,
    ) -> Result<Program<'t>> {
        if voting == Voting::Hard && forest.is_regression() {
            return Err(forest.schema().lacks("votes"));
        }
        let (used, missing) = (forest.used_features(), forest.spec().tree.missing);
        let program = Program::new(forest.schema(), &used, forest.splits(), missing, spec)?;
        let program = Program { is_forest: true, ..program };
        Ok(forest.trees.iter().fold(program, |program, tree| program.with_tree(tree, voting)))
    }

    /// The program of a model, so far without a tree.
    fn new(
        schema: &'t Schema,
        used: &[u32],
        splits: impl Iterator<Item = &'t Split>,
        missing: Missing,
        spec: &CodeSpec,
    ) -> Result<Program<'t>> {
        if missing.shares_rows() && !used.is_empty() {
            return Err(takes_one_branch("model", "code"));
        }
        let mut field_of = vec![0; schema.features.len()];
        used.iter().zip(0..).for_each(|(&feature, field)| field_of[feature as usize] = field);
        Ok(Program {
            schema,
            refuses_missing: missing == Missing::Error,
            max_conditions: spec.max_conditions,
            is_forest: false,
            fields: fields(schema, used, &field_of, splits, missing)?,
            field_of,
            tests: Vec::new(),
            tests_of: Vec::new(),
            roots: Vec::new(),
            outcome_of: Vec::new(),
            leaf_ids: Vec::new(),
            outcomes: Outcomes::default(),
        })
    }

    /// The tables of what answers say, below a comment that begins with `mark`: the outcome of each answer,
    /// the numbers of the outcomes, their classes, and the node of each answer. `table` makes a table of its
    /// position among these, its length and its items.
    pub(super) fn outcome_tables(
        &self,
        mark: &str,
        float: fn(f64) -> String,
        table: impl Fn(usize, usize, String) -> String,
    ) -> String {
        let Outcomes { values, classes, .. } = &self.outcomes;
        let n = self.outcome_of.len();
        let by = if self.is_regression() { "" } else { ", by classes" };
        let mut text = format!("\n{mark} What each answer says, and the numbers of that{by}.\n");
        text += &table(0, n, listed(&self.outcome_of));
        text += &table(1, values.len(), listed(values.iter().map(|x| float(*x))));
        if !self.is_forest {
            if !self.is_regression() {
                text += &table(2, classes.len(), listed(classes));
            }
            text += &table(3, n, listed(&self.leaf_ids));
        }
        text
    }

    /// Numbers a class; 1 where the target is a number.
    pub(super) fn width(&self) -> usize {
        self.schema.classes.len().max(1)
    }

    pub(super) fn is_regression(&self) -> bool {
        self.schema.classes.is_empty()
    }

    fn with_tree(mut self, tree: &TreeData, voting: Voting) -> Self {
        let mut test_of = vec![0; tree.n_nodes()];
        let first = self.tests.len();
        let mut n_tests = first as u32;
        for (node, test) in tree.node_slice().iter().zip(&mut test_of) {
            *test = n_tests;
            n_tests += u32::from(node.split.is_some());
        }
        let missing = tree.spec().missing;
        let mut places =
            Places { program: &mut self, tree, voting, test_of, answer_of: HashMap::new() };
        let root = places.node(0);
        for (node, split) in (0..).zip(tree.node_slice().iter().map(|node| &node.split)) {
            if let Some(split) = split {
                let field = places.program.field_of[split.rule.feature as usize];
                let test = places.test(node, split, field, split.next_of_missing(missing));
                places.program.tests.push(test);
            }
        }
        self.roots.push(root);
        self.tests_of.push(first..self.tests.len());
        self
    }
}

/// Where rows go in a tree that is being added.
struct Places<'p, 't, 'd> {
    program: &'p mut Program<'t>,
    tree: &'d TreeData,
    voting: Voting,
    test_of: Vec<u32>,
    answer_of: HashMap<u32, u32>,
}

impl Places<'_, '_, '_> {
    fn node(&mut self, node: u32) -> Next {
        match self.tree.node_slice()[node as usize].split {
            Some(_) => Next::Test(self.test_of[node as usize]),
            None => self.answer(node),
        }
    }

    fn answer(&mut self, node: u32) -> Next {
        if let Some(&answer) = self.answer_of.get(&node) {
            return Next::Answer(answer);
        }
        let program = &mut self.program;
        let outcome = match self.tree.mean(node) {
            Some(mean) => program.outcomes.index(&[mean], 0),
            None => {
                let shares: Vec<f64> = self.tree.shares(node).collect();
                let mut said = vec![0.0; shares.len()];
                self.voting.add(&shares, &mut said);
                program.outcomes.index(&said, highest(self.tree.class_counts(node)))
            }
        };
        let answer = program.outcome_of.len() as u32;
        program.outcome_of.push(outcome);
        program.leaf_ids.push(node);
        self.answer_of.insert(node, answer);
        Next::Answer(answer)
    }

    fn test(&mut self, node: u32, split: &Split, field: u32, missing: NextNode) -> FieldTest {
        let missing = match missing {
            NextNode::To(to) => self.node(to),
            // No row goes down every branch here.
            NextNode::Stop | NextNode::Every => self.answer(node),
        };
        let to: Vec<Next> = split.branches.iter().map(|&branch| self.node(branch)).collect();
        let code = |program: &Program, level: u32| program.fields[field as usize].level(level);
        let condition = match &split.rule.test {
            Test::AtLeast(cut) => {
                let cut = self.program.fields[field as usize].cut(cut);
                FieldCondition::AtLeast(cut, [to[0], to[1]])
            }
            Test::Equals(level) => {
                FieldCondition::Levels(vec![(code(self.program, *level), to[1])], to[0])
            }
            Test::In { right, left } => {
                let right = right.iter().map(|&level| (code(self.program, level), to[1]));
                let left = left.iter().map(|&level| (code(self.program, level), to[0]));
                let mut levels: Vec<(i32, Next)> = right.chain(left).collect();
                levels.sort_by_key(|(code, _)| *code);
                FieldCondition::Levels(levels, missing)
            }
            Test::Each(levels) => {
                let codes = levels.iter().map(|&level| code(self.program, level));
                let mut levels: Vec<(i32, Next)> = codes.zip(to).collect();
                levels.sort_by_key(|(code, _)| *code);
                FieldCondition::Levels(levels, self.answer(node))
            }
            Test::IsMissing => FieldCondition::Known(to[0]),
        };
        FieldTest { field, missing, condition }
    }
}
