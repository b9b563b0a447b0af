//! A tree as the steps of a plain expression, for any engine of frames that speaks Polars.

use crate::data::dtype::{DType, Kind, Value};
use crate::error::{Error, Result};
use crate::spec::Missing;
use crate::tree::rule::Test;
use crate::tree::{Feature, Split, TreeData};

/// The most nodes of a tree that can be written as when and then: Polars evaluates every
/// branch for all rows.
pub const MAX_WHEN_THEN_NODES: usize = 1_000;

/// The greatest depth of such a tree: Polars walks an expression by recursion.
const MAX_DEPTH: u32 = 50;

/// A text is compared with so many levels one by one. It is looked up among more: as an Enum of
/// them alone, which makes all other texts null.
const COMPARED_LEVELS: usize = 8;

/// A step of a plain expression. Numbers are the indices of earlier steps.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WhenThenStep {
    /// The column of this name.
    Column(String),
    /// A value of a dtype.
    Literal(DType, Value),
    /// A step in another dtype, null where a value has no place in it.
    Cast(usize, DType),
    /// Whether a step is null.
    IsNull(usize),
    /// Whether a float is NaN.
    IsNan(usize),
    /// Whether a step does not hold.
    Not(usize),
    /// Whether both hold.
    And(usize, usize),
    /// Whether one holds or both do.
    Or(usize, usize),
    /// Whether both are equal.
    Equals(usize, usize),
    /// Whether the first is at least the second.
    AtLeast(usize, usize),
    /// The second where the first holds, else the third.
    When(usize, usize, usize),
    /// The first, in the order of the rows of the second, a column.
    InOrderOf(usize, usize),
}

use WhenThenStep::{
    And, AtLeast, Cast, Column, Equals, InOrderOf, IsNan, IsNull, Literal, Not, Or, When,
};

impl TreeData {
    /// The steps of a tree as a plain expression, which Polars' `Tree::to_when_then` writes; the last one
    /// is the prediction. For packages that write expressions of their own.
    ///
    /// # Errors
    /// A tree of more than [`MAX_WHEN_THEN_NODES`] nodes, or deeper than 50; one grown with
    /// [`Missing::Fractional`], which mixes several predictions, or with [`Missing::Error`], as
    /// plain expressions cannot refuse a row.
    pub fn when_then_steps(&self) -> Result<Vec<WhenThenStep>> {
        let refused = |what: String| {
            Err(Error::spec(format!("{what} cannot be written as when and then: use predict()")))
        };
        if self.n_nodes() > MAX_WHEN_THEN_NODES || self.depth() > MAX_DEPTH {
            return refused(format!(
                "a tree of {} nodes and depth {}, past {MAX_WHEN_THEN_NODES} or {MAX_DEPTH},",
                self.n_nodes(),
                self.depth()
            ));
        }
        if self.n_nodes() > 1 && matches!(self.spec().missing, Missing::Fractional | Missing::Error)
        {
            let way = self.spec().missing;
            return refused(format!("a tree grown with missing = {way:?}").to_lowercase());
        }
        let mut steps = Steps::default();
        let mut written = vec![0; self.n_nodes()];
        // Branches come after their node, so the last node is written first.
        for (id, node) in self.node_slice().iter().enumerate().rev() {
            written[id] = match &node.split {
                None => self.prediction_step(&mut steps, id as u32),
                Some(split) => {
                    let branches: Vec<usize> =
                        split.branches.iter().map(|&id| written[id as usize]).collect();
                    self.rule_step(&mut steps, id as u32, split, &branches)
                }
            };
        }
        // Polars 0.55 does not know that a choice between literals depends on the order of rows:
        // selected alone from files, row groups come in the order they are read.
        if let Some(&used) = self.used_features().first() {
            let column = steps.add(Column(self.schema().features[used as usize].name.clone()));
            steps.add(InOrderOf(written[0], column));
        }
        Ok(steps.0)
    }

    fn prediction_step(&self, steps: &mut Steps, id: u32) -> usize {
        let target = &self.schema().target_dtype;
        steps.add(match self.mean(id) {
            // Means of integers and decimals are f64.
            Some(mean) if !target.is_float() => Literal(DType::F64, Value::Float(mean)),
            Some(mean) => Literal(target.clone(), Value::Float(mean)),
            None => Literal(target.clone(), self.schema().classes[self.majority(id)].clone()),
        })
    }

    /// The rule of a node, given its branches.
    fn rule_step(&self, steps: &mut Steps, id: u32, split: &Split, branches: &[usize]) -> usize {
        let x = TestedFeature::new(steps, self.feature(split));
        let missing_to = split.rule.missing_to;
        let holds = match &split.rule.test {
            Test::Each(levels) => {
                // A row without a branch of its own stops here.
                let mut rest = self.prediction_step(steps, id);
                for (branch, &written) in branches.iter().enumerate().rev() {
                    let is_missing = match missing_to == Some(branch as u32) {
                        true => x.missing,
                        false => steps.bool(false),
                    };
                    let holds = match levels.get(branch) {
                        Some(&level) => {
                            let equal = x.is_in(steps, &[level]);
                            let equal = x.known_and(steps, equal);
                            steps.add(Or(is_missing, equal))
                        }
                        None => is_missing,
                    };
                    rest = steps.add(When(holds, written, rest));
                }
                return rest;
            }
            Test::IsMissing => x.missing,
            Test::AtLeast(cut) => {
                let cut = x.literal(steps, cut);
                let reached = steps.add(AtLeast(x.value, cut));
                x.or_missing(steps, reached, missing_to)
            }
            Test::Equals(level) => {
                let equal = x.is_in(steps, &[*level]);
                x.or_missing(steps, equal, missing_to)
            }
            // A level in neither set goes where missing goes.
            Test::In { left, .. } if missing_to == Some(1) => {
                let left = x.is_in(steps, left);
                let other = steps.add(Not(left));
                x.or_missing(steps, other, missing_to)
            }
            Test::In { right, .. } => {
                let right = x.is_in(steps, right);
                x.or_missing(steps, right, missing_to)
            }
        };
        match branches {
            [left, right] => steps.add(When(holds, *right, *left)),
            _ => self.prediction_step(steps, id),
        }
    }
}

#[derive(Default)]
struct Steps(Vec<WhenThenStep>);

impl Steps {
    fn add(&mut self, step: WhenThenStep) -> usize {
        self.0.push(step);
        self.0.len() - 1
    }

    fn bool(&mut self, value: bool) -> usize {
        self.add(Literal(DType::Boolean, Value::Text(value.to_string())))
    }
}

/// A feature as rules test it: its value, and whether it is missing.
struct TestedFeature<'t> {
    feature: &'t Feature,
    value: usize,
    missing: usize,
    /// Compared as text, whatever its dtype.
    as_text: bool,
}

impl<'t> TestedFeature<'t> {
    fn new(steps: &mut Steps, feature: &'t Feature) -> TestedFeature<'t> {
        let dtype = &feature.dtype;
        let is_text = dtype.is_text() || *dtype == DType::Boolean;
        let is_enum = matches!(dtype, DType::Enum { .. });
        let x = steps.add(Column(feature.name.clone()));
        let (value, as_text) = match () {
            // A text that is no category becomes null: it has no position in the order.
            () if is_enum && feature.kind == Kind::Ordered => {
                (steps.add(Cast(x, dtype.clone())), false)
            }
            () if is_text => (steps.add(Cast(x, DType::String)), true),
            () => (x, false),
        };
        let null = steps.add(IsNull(value));
        let missing = match dtype.is_float() {
            true => {
                let nan = steps.add(IsNan(value));
                steps.add(Or(null, nan))
            }
            false => null,
        };
        TestedFeature { feature, value, missing, as_text }
    }

    /// Whether the value is not missing, and `holds`.
    fn known_and(&self, steps: &mut Steps, holds: usize) -> usize {
        let known = steps.add(Not(self.missing));
        steps.add(And(known, holds))
    }

    /// Whether `holds`, where the value is not missing. A comparison with null gives null, so the test
    /// for missing decides.
    fn or_missing(&self, steps: &mut Steps, holds: usize, missing_to: Option<u32>) -> usize {
        match missing_to {
            Some(1) => steps.add(Or(self.missing, holds)),
            _ => self.known_and(steps, holds),
        }
    }

    fn literal(&self, steps: &mut Steps, value: &Value) -> usize {
        let dtype = if self.as_text { DType::String } else { self.feature.dtype.clone() };
        steps.add(Literal(dtype, value.clone()))
    }

    /// Whether the value, which is not missing, is of one of these levels.
    fn is_in(&self, steps: &mut Steps, levels: &[u32]) -> usize {
        let texts = || levels.iter().map(|&level| &self.feature.levels[level as usize]);
        if self.as_text && levels.len() > COMPARED_LEVELS {
            let categories = texts().cloned().collect();
            let found = steps.add(Cast(self.value, DType::Enum { categories }));
            let other = steps.add(IsNull(found));
            return steps.add(Not(other));
        }
        let mut any = steps.bool(false);
        for text in texts() {
            let value = match self.as_text {
                true => Some(Value::Text(text.clone())),
                false => self.feature.dtype.parse(text),
            };
            // A level that is no value of the dtype equals no value.
            if let Some(value) = value {
                let level = self.literal(steps, &value);
                let equal = steps.add(Equals(self.value, level));
                any = steps.add(Or(any, equal));
            }
        }
        any
    }
}
