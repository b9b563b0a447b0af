//! Every candidate rule of one feature: the gain curve of an ordered one, the one-vs-rest table
//! of a nominal one.

use crate::data::column::Column;
use crate::data::dtype::{Kind, Value};
use crate::encode::table::Table;
use crate::rank::{all_rows, cut_of, rule_text, view_of};
use crate::spec::{Criterion, LogBase};
use crate::split::{Buckets, CodeTest, Scratch, add, difference};
use crate::stat::criterion::quotient;
use crate::stat::{ClassStat, Count, NumberStat, Stat, StatWork, is_pure};

/// One candidate two-way rule on a feature, with everything counted.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct SplitCandidate {
    pub rule: String,
    /// The cut of an ordered feature, the level of a nominal one.
    pub at: Value,
    pub n_level: u64,
    pub n_left: u64,
    pub n_right: u64,
    pub measures: SplitMeasures,
    /// Growth need not look at it: both neighbouring levels are of one and the same class.
    pub skippable: bool,
}

/// What a candidate gains, by the kind of target.
#[derive(Clone, Debug, PartialEq)]
pub enum SplitMeasures {
    /// Of classes.
    Classes(ClassSplit),
    /// Of numbers.
    Numbers(NumberSplit),
}

/// What a candidate says of classes.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct ClassSplit {
    pub share_left: Vec<f64>,
    pub share_right: Vec<f64>,
    pub entropy_left: f64,
    pub entropy_right: f64,
    pub info_gain: f64,
    pub gain_ratio: f64,
    pub gini_split: f64,
    pub gini_gain: f64,
}

/// What a candidate says of numbers.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct NumberSplit {
    pub mean_left: f64,
    pub mean_right: f64,
    pub variance_reduction: f64,
}

/// Every candidate two-way rule on the table's first feature, in level order, over the rows
/// whose value is known.
pub fn curve(table: &Table, base: LogBase) -> Vec<SplitCandidate> {
    Curve { table }.on(&table.target, table.weights.as_ref(), Criterion::Entropy, base)
}

struct Curve<'a> {
    table: &'a Table,
}

impl StatWork for Curve<'_> {
    type Out = Vec<SplitCandidate>;

    fn of_classes<N: Count>(self, stat: ClassStat<N>) -> Self::Out {
        candidates(self.table, &stat, &(&stat, stat.by(Criterion::Gini)))
    }

    fn of_numbers(self, mut stat: NumberStat) -> Self::Out {
        stat.focus(&all_rows(self.table));
        candidates(self.table, &stat, &stat)
    }
}

/// What a kind of target says of one candidate.
trait Measure<N> {
    /// `share` is the known share of the rows' weight.
    fn measure(&self, parent: &[N], branches: [&[N]; 2], share: f64) -> SplitMeasures;

    /// Whether two neighbouring levels are of one and the same class.
    fn is_pure(&self, both: &[N]) -> bool;
}

impl<N: Count> Measure<N> for (&ClassStat<'_, N>, ClassStat<'_, N>) {
    fn measure(&self, parent: &[N], branches: [&[N]; 2], share: f64) -> SplitMeasures {
        let (entropy, gini) = self;
        let info_gain = share * entropy.gain(parent, &branches);
        let gini_gain = gini.gain(parent, &branches);
        let shares = |stat: &[N]| {
            let n = entropy.units(stat).float();
            stat.iter().map(|c| quotient(c.float(), n)).collect()
        };
        SplitMeasures::Classes(ClassSplit {
            share_left: shares(branches[0]),
            share_right: shares(branches[1]),
            entropy_left: entropy.impurity(branches[0]),
            entropy_right: entropy.impurity(branches[1]),
            info_gain,
            gain_ratio: quotient(info_gain, entropy.split_info(&branches)),
            gini_split: (gini.impurity(parent) - gini_gain).max(0.0),
            gini_gain: share * gini_gain,
        })
    }

    fn is_pure(&self, both: &[N]) -> bool {
        is_pure(both)
    }
}

impl Measure<i128> for NumberStat<'_> {
    fn measure(&self, parent: &[i128], branches: [&[i128]; 2], share: f64) -> SplitMeasures {
        SplitMeasures::Numbers(NumberSplit {
            mean_left: self.mean_of(branches[0]),
            mean_right: self.mean_of(branches[1]),
            variance_reduction: share * self.gain(parent, &branches),
        })
    }

    fn is_pure(&self, _both: &[i128]) -> bool {
        false
    }
}

fn candidates<S: Stat>(
    table: &Table,
    stat: &S,
    measure: &impl Measure<S::Num>,
) -> Vec<SplitCandidate> {
    let Some(column) = table.columns.first() else { return Vec::new() };
    let mut scratch = Scratch::default();
    scratch.fill(stat, view_of(column, &all_rows(table)));
    let buckets = &scratch.buckets;
    if buckets.len() < 2 {
        return Vec::new();
    }
    let known = buckets.known();
    let mut all = known.clone();
    add(&mut all, &buckets.missing);
    let share = stat.weight(stat.units(&known)) / stat.weight(stat.units(&all));
    let candidate = |test: CodeTest, bucket: usize, left: &[S::Num], n_left: u32| {
        let right = difference(&known, left);
        SplitCandidate {
            rule: rule_text(column, &test),
            at: place(column, &test),
            n_level: buckets.rows[bucket].into(),
            n_left: n_left.into(),
            n_right: u64::from(buckets.known_rows() - n_left),
            measures: measure.measure(&known, [left, &right], share),
            skippable: matches!(test, CodeTest::AtLeast { .. })
                && measure.is_pure(&both(buckets, bucket)),
        }
    };
    match column.kind {
        Kind::Ordered => {
            let mut left = vec![S::Num::default(); buckets.width];
            let mut n_left = 0;
            (0..buckets.len() - 1)
                .map(|at| {
                    add(&mut left, buckets.stat(at));
                    n_left += buckets.rows[at];
                    let (lo, hi) = (buckets.codes[at], buckets.codes[at + 1]);
                    candidate(CodeTest::AtLeast { lo, hi }, at, &left, n_left)
                })
                .collect()
        }
        Kind::Nominal => (0..buckets.len())
            .map(|at| {
                let left = difference(&known, buckets.stat(at));
                let n_left = buckets.known_rows() - buckets.rows[at];
                candidate(CodeTest::Equals(buckets.codes[at]), at, &left, n_left)
            })
            .collect(),
    }
}

/// The stat of a level and the next one.
fn both<N: crate::stat::Num>(buckets: &Buckets<N>, bucket: usize) -> Vec<N> {
    let mut both = buckets.stat(bucket).to_vec();
    add(&mut both, buckets.stat(bucket + 1));
    both
}

/// The cut or the level.
fn place(column: &Column, test: &CodeTest) -> Value {
    match test {
        CodeTest::Equals(level) => Value::Text(column.level_text(*level)),
        test => cut_of(column, test).unwrap_or(Value::Text(String::new())),
    }
}
