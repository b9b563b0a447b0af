//! A tree as nested conditions, which people can read.
//!
//! Every branch returns, so what follows one is the case where its condition does not hold. The branch
//! with the most tests goes last, without a condition around it: so a branch inside another has at most
//! half its tests, and a chain of a thousand tests is nested no deeper than one.

use std::collections::{BTreeSet, HashSet};

use super::field::{Field, MISSING};
use super::program::{FieldCondition, FieldTest, Program};
use crate::data::dtype::Value;
use crate::export::Next;
use crate::export::comment::comment;

/// Most levels that a comment names.
const MAX_NAMES: usize = 20;

/// What the function of the only tree is about, and its name.
pub(super) const ANSWER_OF: (&str, &str) = ("The answer", "answer_of");

/// What a branch asks of a field.
pub(super) enum BranchCondition<'p> {
    /// Whether it is at least a cut, or below; and whether that holds for a missing value.
    Compared { at_least: bool, cut: &'p Value, or_missing: bool },
    /// Whether its code is one of these, or none.
    OneOf { codes: Vec<i32>, holds: bool },
    /// Whether it is missing, or known.
    IsMissing { holds: bool },
}

impl BranchCondition<'_> {
    /// What holds where this does not.
    fn negated(self, may_lack: bool) -> Self {
        match self {
            BranchCondition::Compared { at_least, cut, or_missing } => BranchCondition::Compared {
                at_least: !at_least,
                cut,
                or_missing: may_lack && !or_missing,
            },
            BranchCondition::OneOf { codes, holds } => {
                BranchCondition::OneOf { codes, holds: !holds }
            }
            BranchCondition::IsMissing { holds } => BranchCondition::IsMissing { holds: !holds },
        }
    }

    /// What the codes that it asks for stand for, for a comment; nothing where it asks for a number.
    fn names(&self, field: &Field) -> String {
        let name = |code: i32| comment(&field.code_text(code));
        match self {
            BranchCondition::Compared { cut: Value::Int(code), .. } if !field.is_number() => {
                name(*code as i32)
            }
            BranchCondition::OneOf { codes, .. } => {
                let names: Vec<String> = codes.iter().take(MAX_NAMES).map(|&c| name(c)).collect();
                match codes.len() - names.len() {
                    0 => names.join(", "),
                    more => format!("{} and {more} more", names.join(", ")),
                }
            }
            BranchCondition::Compared { .. } | BranchCondition::IsMissing { .. } => String::new(),
        }
    }
}

pub(super) struct Words {
    /// Before and after a condition.
    pub(super) condition: [&'static str; 2],
    /// The line after a branch.
    pub(super) close: Option<&'static str>,
    /// After a statement.
    pub(super) end: &'static str,
    /// Before a comment at the end of a line.
    pub(super) comment: &'static str,
}

/// How a language writes conditions, and the functions that they stand in.
pub(super) trait Branches {
    fn words(&self) -> Words;
    fn condition(&self, field: &Field, condition: &BranchCondition) -> String;
    /// The line that reads a field for the conditions; none where they read the row.
    fn read(&self, field: &Field) -> Option<String>;
    /// What a function begins with that takes no missing values.
    fn refusal(&self) -> String;
    /// The table of the functions of a forest's trees.
    fn trees(&self, names: &[String]) -> String;
    /// A function of a row, and what it is about. `is_asked` says whether it looks at the row.
    fn function(&self, about: &str, name: &str, is_asked: bool, lines: &str) -> String;
}

/// Whether the code of a field is this one, or not.
pub(super) fn is_code(field: &Field, code: i32, holds: bool) -> String {
    format!("{}_code {} {code}", field.name, if holds { "==" } else { "!=" })
}

/// The comparison of a code with a cut, where `or` and `and` join conditions. The code of a missing value
/// is below all others.
pub(super) fn coded(
    field: &Field,
    at_least: bool,
    cut: &str,
    or_missing: bool,
    [or, and]: [&str; 2],
) -> String {
    let code = format!("{}_code", field.name);
    match (at_least, or_missing) {
        (true, true) => format!("{code} == {MISSING} {or} {code} >= {cut}"),
        (true, false) => format!("{code} >= {cut}"),
        (false, false) if field.may_lack => format!("{code} != {MISSING} {and} {code} < {cut}"),
        (false, _) => format!("{code} < {cut}"),
    }
}

impl Program<'_> {
    /// Whether it is small enough to be written as conditions.
    pub(super) fn is_readable(&self) -> bool {
        let size = |test: &FieldTest| match &test.condition {
            FieldCondition::Levels(levels, _) => 1 + levels.len(),
            FieldCondition::AtLeast(..) | FieldCondition::Known(_) => 1,
        };
        let size: usize = self.tests.iter().map(size).sum();
        // A forest of leaves alone asks nothing, however many they are.
        self.tests.is_empty() || size.max(self.roots.len()) <= self.max_conditions
    }

    /// A function a tree: `answer_of` of the only one, `tree_0`, `tree_1` and so on of a forest.
    pub(super) fn branch_functions(&self, syntax: &dyn Branches) -> String {
        let function = |tree: usize| {
            let (about, name) = match self.is_forest {
                true => (format!("The answer of tree {}", tree + 1), format!("tree_{tree}")),
                false => (ANSWER_OF.0.to_string(), ANSWER_OF.1.to_string()),
            };
            let mut lines = if self.is_forest { String::new() } else { syntax.refusal() };
            let tests = &self.tests[self.tests_of[tree].clone()];
            let fields: BTreeSet<u32> = tests.iter().map(|test| test.field).collect();
            for field in fields.iter().map(|&field| &self.fields[field as usize]) {
                syntax.read(field).into_iter().for_each(|line| push_line(&mut lines, 1, &line));
            }
            lines += &self.branches(tree, syntax);
            syntax.function(&about, &name, !fields.is_empty(), &lines)
        };
        let functions: String = (0..self.roots.len()).map(function).collect();
        let names: Vec<String> = (0..self.roots.len()).map(|tree| format!("tree_{tree}")).collect();
        if self.is_forest { functions + &syntax.trees(&names) } else { functions }
    }

    /// What a function begins with that asks the trees, and the answer of one of them. `keys` reads the
    /// keys of a row, and `answers` are of a function in a table, of one of many roots, and of the only root.
    pub(super) fn asks<'w>(
        &self,
        syntax: &dyn Branches,
        keys: &str,
        [function, root, only_root]: [&'w str; 3],
    ) -> (String, &'w str) {
        match self.is_readable() {
            true => (syntax.refusal(), function),
            false => (syntax.refusal() + keys, if self.is_forest { root } else { only_root }),
        }
    }

    /// The lines of a tree.
    fn branches(&self, tree: usize, syntax: &dyn Branches) -> String {
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
        writer.write(self.roots[tree], 1, &mut lines);
        lines
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
        let Words { condition: [before, after], close, end, comment: mark } = self.syntax.words();
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
                let names = if names.is_empty() { names } else { format!("{mark}{names}") };
                let condition = self.syntax.condition(field, &condition);
                push_line(lines, depth, &format!("{before}{condition}{after}{names}"));
                self.write(next, depth + 1, lines);
                close.into_iter().for_each(|text| push_line(lines, depth, text));
            }
            next = largest;
        }
        if let Next::Answer(answer) = next {
            let says = comment(&self.program.says(answer));
            push_line(lines, depth, &format!("return {answer}{end}{mark}{says}"));
        }
    }
}

fn push_line(lines: &mut String, depth: usize, text: &str) {
    *lines += &format!("{}{text}\n", "    ".repeat(depth));
}

/// The branches of a test, and where other rows go. At most one branch holds for a row.
fn arms(test: &FieldTest, may_lack: bool) -> (Vec<(BranchCondition<'_>, Next)>, Next) {
    let missing = (BranchCondition::IsMissing { holds: true }, test.missing);
    match &test.condition {
        FieldCondition::AtLeast(cut, [below, above]) => {
            let or_missing = may_lack && test.missing == *above;
            let above = (BranchCondition::Compared { at_least: true, cut, or_missing }, *above);
            match may_lack && !or_missing && test.missing != *below {
                true => (vec![missing, above], *below),
                false => (vec![above], *below),
            }
        }
        FieldCondition::Levels(levels, absent) => {
            let mut groups: Vec<(Vec<i32>, Next)> = Vec::new();
            let missing = may_lack.then_some((MISSING, test.missing));
            let others = levels.iter().copied().chain(missing).filter(|(_, next)| next != absent);
            for (code, next) in others {
                match groups.iter_mut().find(|(_, other)| *other == next) {
                    Some((codes, _)) => codes.push(code),
                    None => groups.push((vec![code], next)),
                }
            }
            let arm = |(codes, next)| (BranchCondition::OneOf { codes, holds: true }, next);
            (groups.into_iter().map(arm).collect(), *absent)
        }
        FieldCondition::Known(next) => (vec![missing], *next),
    }
}
