//! A tree as nested conditions, which people can read.
//!
//! Every branch returns, so what follows one is the case where its condition does not hold. The branch
//! with the most tests goes last, without a condition around it: so a branch inside another has at most
//! half its tests, and a chain of a thousand tests is nested no deeper than one.

use std::collections::{BTreeSet, HashSet};

use super::field::{Field, MISSING};
use super::program::{FieldCondition, FieldTest, Program};
use crate::data::dtype::Value;
use crate::export::comment::comment;
use crate::export::next::Next;

/// Most levels that a comment names.
const MAX_NAMES: usize = 20;

/// What a branch asks of a field.
pub(super) enum BranchCondition<'p> {
    /// Whether it is at least this; and whether that holds for a missing value.
    AtLeast(&'p Value, bool),
    /// Whether it is below; and whether that holds for a missing value.
    Below(&'p Value, bool),
    /// Whether its code is one of these.
    OneOf(Vec<i32>),
    /// Whether it is none of these.
    NoneOf(Vec<i32>),
    IsMissing,
    IsKnown,
}

impl BranchCondition<'_> {
    /// What holds where this does not.
    fn negated(self, may_lack: bool) -> Self {
        match self {
            BranchCondition::AtLeast(cut, or_missing) => {
                BranchCondition::Below(cut, may_lack && !or_missing)
            }
            BranchCondition::Below(cut, or_missing) => {
                BranchCondition::AtLeast(cut, may_lack && !or_missing)
            }
            BranchCondition::OneOf(codes) => BranchCondition::NoneOf(codes),
            BranchCondition::NoneOf(codes) => BranchCondition::OneOf(codes),
            BranchCondition::IsMissing => BranchCondition::IsKnown,
            BranchCondition::IsKnown => BranchCondition::IsMissing,
        }
    }

    /// What the codes that it asks for stand for, for a comment; nothing where it asks for a number.
    fn names(&self, field: &Field) -> String {
        match self {
            BranchCondition::AtLeast(Value::Int(code), _)
            | BranchCondition::Below(Value::Int(code), _)
                if !field.is_number() =>
            {
                comment(&field.code_text(*code as i32))
            }
            BranchCondition::OneOf(codes) | BranchCondition::NoneOf(codes) => {
                let names = codes.iter().take(MAX_NAMES);
                let names = names.map(|code| comment(&field.code_text(*code)));
                let names = names.collect::<Vec<_>>().join(", ");
                match codes.len().saturating_sub(MAX_NAMES) {
                    0 => names,
                    more => format!("{names} and {more} more"),
                }
            }
            BranchCondition::AtLeast(..)
            | BranchCondition::Below(..)
            | BranchCondition::IsMissing
            | BranchCondition::IsKnown => String::new(),
        }
    }
}

/// How a language writes conditions.
pub(super) trait Branches {
    fn condition(&self, field: &Field, condition: &BranchCondition) -> String;
    /// The line before a branch; with the names of codes that it asks for, if it asks for some.
    fn open(&self, condition: &str, names: &str) -> String;
    /// The line after a branch.
    fn close(&self) -> Option<&'static str>;
    /// The line that gives an answer, and what it says.
    fn answer(&self, answer: u32, says: &str) -> String;
}

impl Program<'_> {
    /// Whether it is small enough to be written as conditions.
    pub(super) fn is_readable(&self) -> bool {
        let size = |test: &FieldTest| match &test.condition {
            FieldCondition::Levels(levels, _) => 1 + levels.len(),
            FieldCondition::AtLeast(..) | FieldCondition::Known(_) => 1,
        };
        let sizes = self.tests.iter().scan(0, |sum, test| {
            *sum += size(test);
            Some(*sum)
        });
        // A forest of leaves alone asks nothing, however many they are.
        self.tests.is_empty()
            || sizes.last().unwrap_or(0).max(self.roots.len()) <= self.max_conditions
    }

    /// The lines of a tree, indented by `depth` times four.
    pub(super) fn branches(&self, tree: usize, syntax: &dyn Branches, depth: usize) -> String {
        let tests = self.tests_of[tree].clone();
        let mut lines = String::new();
        let mut writer =
            Writer { program: self, syntax, first: tests.start, sizes: vec![1; tests.len()] };
        // Tests follow the one that leads to them.
        for test in tests.rev() {
            let below = self.tests[test].places().into_iter().map(|next| writer.size(next));
            let size = below.fold(1, u32::saturating_add);
            writer.sizes[test - writer.first] = size;
        }
        writer.write(self.roots[tree], depth, &mut lines);
        lines
    }

    /// The fields that a tree tests.
    pub(super) fn fields_of(&self, tree: usize) -> Vec<usize> {
        let tests = &self.tests[self.tests_of[tree].clone()];
        let used: BTreeSet<usize> = tests.iter().map(|test| test.field as usize).collect();
        used.into_iter().collect()
    }

    /// What an answer says, in a word.
    fn says(&self, answer: u32) -> String {
        let outcome = self.outcome_of[answer as usize] as usize;
        match self.is_regression() {
            true => format!("{:?}", self.outcomes.values[outcome]),
            false => self.schema.class_text(self.outcomes.classes[outcome]),
        }
    }
}

impl FieldTest {
    /// Where it leads, each place once.
    fn places(&self) -> Vec<Next> {
        let mut places = match &self.condition {
            FieldCondition::AtLeast(_, next) => next.to_vec(),
            FieldCondition::Levels(levels, absent) => {
                levels.iter().map(|(_, next)| *next).chain([*absent]).collect()
            }
            FieldCondition::Known(next) => vec![*next],
        };
        places.push(self.missing);
        let mut seen = HashSet::new();
        places.retain(|&next| seen.insert(next));
        places
    }
}

struct Writer<'p> {
    program: &'p Program<'p>,
    syntax: &'p dyn Branches,
    /// The first test of the tree.
    first: usize,
    /// The tests at and below each of the tree's.
    sizes: Vec<u32>,
}

impl Writer<'_> {
    /// The tests of what follows.
    fn size(&self, next: Next) -> u32 {
        match next {
            Next::Test(test) => self.sizes[test as usize - self.first],
            Next::Answer(_) => 0,
        }
    }

    /// It recurses into at most half of the tests.
    fn write(&self, mut next: Next, depth: usize, lines: &mut String) {
        while let Next::Test(test) = next {
            let test = &self.program.tests[test as usize];
            let field = &self.program.fields[test.field as usize];
            let (mut arms, rest) = arms(test, field.may_lack);
            let places = arms.iter().map(|(_, next)| *next).chain([rest]);
            let largest = places.max_by_key(|&next| self.size(next)).unwrap_or(rest);
            if let Some(last) =
                arms.iter().position(|(_, next)| *next == largest && largest != rest)
            {
                // After the others have returned, what this one does not hold for is the rest.
                let (condition, _) = arms.remove(last);
                arms.push((condition.negated(field.may_lack), rest));
            }
            for (condition, next) in arms {
                let names = condition.names(field);
                let condition = self.syntax.condition(field, &condition);
                push_line(lines, depth, &self.syntax.open(&condition, &names));
                self.write(next, depth + 1, lines);
                self.syntax.close().into_iter().for_each(|text| push_line(lines, depth, text));
            }
            next = largest;
        }
        if let Next::Answer(answer) = next {
            push_line(lines, depth, &self.syntax.answer(answer, &self.program.says(answer)));
        }
    }
}

fn push_line(lines: &mut String, depth: usize, text: &str) {
    *lines += &format!("{}{text}\n", "    ".repeat(depth));
}

/// The branches of a test, of which at most one holds for a row, and where the others go.
fn arms(test: &FieldTest, may_lack: bool) -> (Vec<(BranchCondition<'_>, Next)>, Next) {
    let missing = test.missing;
    match &test.condition {
        FieldCondition::AtLeast(cut, [below, above]) => {
            let with_missing = may_lack && missing == *above;
            let arm = (BranchCondition::AtLeast(cut, with_missing), *above);
            match may_lack && missing != *above && missing != *below {
                true => (vec![(BranchCondition::IsMissing, missing), arm], *below),
                false => (vec![arm], *below),
            }
        }
        FieldCondition::Levels(levels, absent) => {
            let mut groups: Vec<(Vec<i32>, Next)> = Vec::new();
            let missing = may_lack.then_some((MISSING, missing));
            for (code, next) in levels.iter().copied().chain(missing) {
                match groups.iter().position(|(_, other)| *other == next) {
                    _ if next == *absent => {}
                    Some(group) => groups[group].0.push(code),
                    None => groups.push((vec![code], next)),
                }
            }
            let arm = |(codes, next)| (BranchCondition::OneOf(codes), next);
            (groups.into_iter().map(arm).collect(), *absent)
        }
        FieldCondition::Known(next) => (vec![(BranchCondition::IsMissing, missing)], *next),
    }
}
