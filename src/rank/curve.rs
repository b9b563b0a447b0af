//! Every candidate rule of one feature: the gain curve of an ordered one, the one-vs-rest table
//! of a nominal one.

use super::rule_text::{cut_of, rule_text};
use crate::data::column::{Column, EntryLayout};
use crate::data::dtype::{Kind, Value};
use crate::encode::table::Table;
use crate::spec::{Criterion, LogBase};
use crate::split::{Buckets, CodeCut, CodeTest, ColumnView, Scratch};
use crate::stat::criterion::quotient;
use crate::stat::{
    ClassRating, ClassRows, Count, Num, NumberRating, NumberRows, Rating, RowStats, TargetVisitor,
    add, difference, is_pure,
};

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
    /// Whether growth may skip it: both neighbouring levels are pure and of the same class.
    pub skippable: bool,
}

/// The measures of a candidate, by the kind of target.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum SplitMeasures {
    Classes(ClassSplit),
    Numbers(NumberSplit),
}

/// The measures of a candidate for classes.
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

/// The measures of a candidate for numbers.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct NumberSplit {
    pub mean_left: f64,
    pub mean_right: f64,
    pub variance_reduction: f64,
}

/// Every candidate two-way rule on the table's first feature, in level order, over the rows
/// whose value is known. Linear in rows and levels.
pub fn curve(table: &Table, base: LogBase) -> Vec<SplitCandidate> {
    let visitor = CurveVisitor { table };
    visitor.visit(&table.target, table.weights.as_ref(), Criterion::Entropy, base)
}

struct CurveVisitor<'a> {
    table: &'a Table,
}

impl TargetVisitor for CurveVisitor<'_> {
    type Output = Vec<SplitCandidate>;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let measure =
            ClassMeasure { entropy: *rows.rating(), gini: rows.rating().by(Criterion::Gini) };
        candidates(self.table, &rows, &measure)
    }

    fn numbers(self, rows: NumberRows) -> Self::Output {
        let all = self.table.all_rows();
        let variance = rows.variance(&all, &rows.total(&all, EntryLayout::ROWS));
        let rating = *rows.rating();
        candidates(
            self.table,
            &rows,
            &NumberMeasure { rating, zero_below: rating.zero_below(variance) },
        )
    }
}

/// Rates one candidate, by the kind of target.
trait Measure<N> {
    /// `share` is the known share of the rows' weight.
    fn measure(&self, parent: &[N], branches: [&[N]; 2], share: f64) -> SplitMeasures;

    /// Whether two neighbouring levels are of one and the same class.
    fn is_pure(&self, both: &[N]) -> bool;
}

struct ClassMeasure<'a, N> {
    entropy: ClassRating<'a, N>,
    gini: ClassRating<'a, N>,
}

impl<N: Count> Measure<N> for ClassMeasure<'_, N> {
    fn measure(&self, parent: &[N], branches: [&[N]; 2], share: f64) -> SplitMeasures {
        let ClassMeasure { entropy, gini } = self;
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

struct NumberMeasure {
    rating: NumberRating,
    /// Lower gains are rounding.
    zero_below: f64,
}

impl Measure<i128> for NumberMeasure {
    fn measure(&self, parent: &[i128], branches: [&[i128]; 2], share: f64) -> SplitMeasures {
        let gain = self.rating.gain(parent, &branches);
        SplitMeasures::Numbers(NumberSplit {
            mean_left: self.rating.mean(branches[0]),
            mean_right: self.rating.mean(branches[1]),
            variance_reduction: if gain < self.zero_below { 0.0 } else { share * gain },
        })
    }

    fn is_pure(&self, _both: &[i128]) -> bool {
        false
    }
}

fn candidates<S: RowStats>(
    table: &Table,
    rows: &S,
    measure: &impl Measure<S::Num>,
) -> Vec<SplitCandidate> {
    let Some(column) = table.columns.first() else { return Vec::new() };
    let mut scratch = Scratch::default();
    scratch.fill(rows, ColumnView::of(column, &table.all_rows()));
    let buckets = &scratch.buckets;
    if buckets.len() < 2 {
        return Vec::new();
    }
    let (known, known_rows) = (buckets.known(), buckets.known_rows());
    let mut all = known.clone();
    add(&mut all, &buckets.missing);
    let weight = |stat: &[S::Num]| rows.rating().weight(rows.rating().units(stat));
    let share = weight(&known) / weight(&all);
    let candidate = |test: CodeTest, bucket: usize, left: &[S::Num], n_left: u32| {
        let right = difference(&known, left);
        SplitCandidate {
            rule: rule_text(column, &test),
            at: cut_or_level(column, &test),
            n_level: buckets.rows[bucket].into(),
            n_left: n_left.into(),
            n_right: u64::from(known_rows - n_left),
            measures: measure.measure(&known, [left, &right], share),
            skippable: matches!(test, CodeTest::AtLeast(_))
                && measure.is_pure(&with_next(buckets, bucket)),
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
                    candidate(CodeTest::AtLeast(CodeCut { lo, hi }), at, &left, n_left)
                })
                .collect()
        }
        Kind::Nominal => (0..buckets.len())
            .map(|at| {
                let left = difference(&known, buckets.stat(at));
                let n_left = known_rows - buckets.rows[at];
                candidate(CodeTest::Equals(buckets.codes[at]), at, &left, n_left)
            })
            .collect(),
    }
}

/// The stat of a level and the next one.
fn with_next<N: Num>(buckets: &Buckets<N>, bucket: usize) -> Vec<N> {
    let mut both = buckets.stat(bucket).to_vec();
    add(&mut both, buckets.stat(bucket + 1));
    both
}

fn cut_or_level(column: &Column, test: &CodeTest) -> Value {
    match test {
        CodeTest::Equals(level) => Value::Text(column.level_text(*level)),
        test => cut_of(column, test).unwrap_or(Value::Text(String::new())),
    }
}
