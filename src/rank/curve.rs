//! Every candidate rule of one feature: the gain curve of an ordered one, the one-vs-rest table
//! of a nominal one.

use super::rule_text::text_of;
use crate::data::column::{ColumnInfo, EntryLayout};
use crate::data::dtype::{Kind, Value};
use crate::encode::table::Table;
use crate::spec::{Criterion, LogBase};
use crate::split::{Buckets, ColumnView, Scratch};
use crate::stat::criterion::quotient;
use crate::stat::{
    ClassRows, Count, CountRows, Num, NumberRows, Rating, StatVec, TargetVisitor, add, difference,
    is_pure,
};
use crate::tree::rule::Test;

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

/// A candidate before its rule is a text: a feature may have millions.
pub(crate) struct RatedTest {
    /// `x >= cut` or `x == level`.
    pub(crate) test: Test,
    pub(crate) n_level: u64,
    pub(crate) n_left: u64,
    pub(crate) n_right: u64,
    pub(crate) measures: SplitMeasures,
    pub(crate) skippable: bool,
}

impl RatedTest {
    pub(crate) fn named(self, column: &ColumnInfo) -> SplitCandidate {
        let rule = text_of(column, &self.test);
        let at = match self.test {
            Test::AtLeast(cut) => cut,
            Test::Equals(level) => Value::Text(column.level_text(level)),
            // Candidates are of the two kinds above.
            Test::In { .. } | Test::Each(_) | Test::IsMissing => Value::Text(rule.clone()),
        };
        let RatedTest { n_level, n_left, n_right, measures, skippable, .. } = self;
        SplitCandidate { rule, at, n_level, n_left, n_right, measures, skippable }
    }
}

/// Every candidate two-way rule on the table's first feature, in level order, over the rows
/// whose value is known. Linear in rows and levels.
pub fn curve(table: &Table, base: LogBase) -> Vec<SplitCandidate> {
    let mut candidates = Vec::new();
    let Some(column) = table.columns.first() else { return candidates };
    for_each_candidate(table, base, |candidate| candidates.push(candidate.named(column)));
    candidates
}

/// [`curve`] one by one: a candidate takes more memory than its line of a table.
pub(crate) fn for_each_candidate(table: &Table, base: LogBase, each: impl FnMut(RatedTest)) {
    let visitor = CurveVisitor { table, each };
    visitor.visit(&table.target, table.weights.as_ref(), Criterion::Entropy, base);
}

struct CurveVisitor<'a, F> {
    table: &'a Table,
    each: F,
}

impl<F: FnMut(RatedTest)> TargetVisitor for CurveVisitor<'_, F> {
    type Output = ();

    fn classes<N: Count>(self, rows: ClassRows<N>) {
        let (entropy, gini) = (*rows.rating(), rows.rating().by(Criterion::Gini));
        let measure = |parent: &[N], branches: [&[N]; 2], share: f64| {
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
        };
        candidates(self.table, &rows, measure, is_pure, self.each);
    }

    fn numbers(self, rows: NumberRows) {
        let all = self.table.all_rows();
        let variance = rows.variance(&all, &rows.total(&all, EntryLayout::ROWS));
        let rating = rows.rating();
        // Lower gains are rounding.
        let zero_below = rating.zero_below(variance);
        let measure = |parent: &[i128], branches: [&[i128]; 2], share: f64| {
            let gain = rating.gain(parent, &branches);
            SplitMeasures::Numbers(NumberSplit {
                mean_left: rating.mean(branches[0]),
                mean_right: rating.mean(branches[1]),
                variance_reduction: if gain < zero_below { 0.0 } else { share * gain },
            })
        };
        candidates(self.table, &rows, measure, |_| false, self.each);
    }
}

/// Rates the candidates: `measure` by the stats of the parent and of the branches, and the known share of
/// the rows' weight. `is_pure` says whether rows are of one and the same class.
fn candidates<S: CountRows>(
    table: &Table,
    rows: &S,
    measure: impl Fn(&[S::Num], [&[S::Num]; 2], f64) -> SplitMeasures,
    is_pure: impl Fn(&[S::Num]) -> bool,
    mut each: impl FnMut(RatedTest),
) {
    let Some(column) = table.columns.first() else { return };
    let mut scratch = Scratch::default();
    scratch.fill(rows, ColumnView::of(column, &table.all_rows()));
    let buckets = &scratch.buckets;
    if buckets.len() < 2 {
        return;
    }
    let (known, known_rows) = (buckets.known(), buckets.known_rows());
    let mut all = known.clone();
    add(&mut all, &buckets.missing);
    let weight = |stat: &[S::Num]| rows.rating().weight(rows.rating().units(stat));
    let share = weight(&known) / weight(&all);
    let mut candidate = |test: Test, bucket: usize, left: &[S::Num], n_left: u32| {
        let right = difference(&known, left);
        let is_cut = matches!(test, Test::AtLeast(_));
        let skippable = is_cut && is_pure(&with_next(buckets, bucket));
        each(RatedTest {
            test,
            n_level: buckets.rows[bucket].into(),
            n_left: n_left.into(),
            n_right: u64::from(known_rows - n_left),
            measures: measure(&known, [left, &right], share),
            skippable,
        });
    };
    match column.kind {
        Kind::Ordered => {
            let mut left = vec![S::Num::default(); buckets.width];
            let mut n_left = 0;
            // Levels need not be in order in memory; a short loop overlaps the waits for them.
            let cuts = buckets.codes.windows(2).map(|codes| column.cut(codes[0], codes[1]));
            for (at, cut) in cuts.collect::<Vec<_>>().into_iter().enumerate() {
                add(&mut left, buckets.stat(at));
                n_left += buckets.rows[at];
                candidate(Test::AtLeast(cut), at, &left, n_left);
            }
        }
        Kind::Nominal => {
            for (at, &level) in buckets.codes.iter().enumerate() {
                let left = difference(&known, buckets.stat(at));
                candidate(Test::Equals(level), at, &left, known_rows - buckets.rows[at]);
            }
        }
    }
}

/// The stat of a level and the next one.
fn with_next<N: Num>(buckets: &Buckets<N>, bucket: usize) -> StatVec<N> {
    let mut both = StatVec::from_slice(buckets.stat(bucket));
    add(&mut both, buckets.stat(bucket + 1));
    both
}
