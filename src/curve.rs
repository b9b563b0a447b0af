//! Every candidate rule of one feature: the gain curve of an ordered one, the one-vs-rest table
//! of a nominal one.

use crate::column::Column;
use crate::criterion::quotient;
use crate::dtype::{Kind, Value};
use crate::rank::{class_counts, cut_of, rule_text, view_of};
use crate::spec::{Criterion, LogBase};
use crate::split::{Buckets, CodeTest, Scratch, add, difference};
use crate::stat::{Count, LogTable, Rating, is_pure, total};
use crate::table::Table;

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
    pub share_left: Vec<f64>,
    pub share_right: Vec<f64>,
    pub entropy_left: f64,
    pub entropy_right: f64,
    pub info_gain: f64,
    pub gain_ratio: f64,
    pub gini_split: f64,
    pub gini_gain: f64,
    /// Growth need not look at it: both neighbouring levels are of one and the same class.
    pub skippable: bool,
}

/// Every candidate two-way rule on the table's first feature, in level order, over the rows
/// whose value is known.
pub fn curve(table: &Table, base: LogBase) -> Vec<SplitCandidate> {
    match &table.weights {
        None => candidates_of::<u32>(table, None, base),
        Some(w) => candidates_of(table, Some(&w.units), base),
    }
}

fn candidates_of<N: Count>(
    table: &Table,
    weights: Option<&[N]>,
    base: LogBase,
) -> Vec<SplitCandidate> {
    let Some(column) = table.columns.first() else { return Vec::new() };
    let logs = LogTable::up_to(table.n_rows());
    let rating = Rating::new(Criterion::Entropy, base, table.weights.as_ref(), &logs);
    let all: Vec<u32> = (0..table.n_rows() as u32).collect();
    let mut scratch = Scratch::default();
    scratch.fill(&class_counts(table, weights), view_of(column, &all));
    let buckets = &scratch.buckets;
    if buckets.len() < 2 {
        return Vec::new();
    }
    let known = buckets.known();
    let describe = Describe { column, rating, known: &known, buckets };
    match column.kind {
        Kind::Ordered => {
            let mut left = vec![N::default(); buckets.n_classes];
            let mut n_left = 0;
            (0..buckets.len() - 1)
                .map(|at| {
                    add(&mut left, buckets.stat(at));
                    n_left += buckets.rows[at];
                    let right = difference(&known, &left);
                    let test =
                        CodeTest::AtLeast { lo: buckets.codes[at], hi: buckets.codes[at + 1] };
                    let mut c = describe.candidate(test, [&left, &right], n_left);
                    c.n_level = buckets.rows[at].into();
                    let mut both = buckets.stat(at).to_vec();
                    add(&mut both, buckets.stat(at + 1));
                    c.skippable = is_pure(&both);
                    c
                })
                .collect()
        }
        Kind::Nominal => (0..buckets.len())
            .map(|at| {
                let right = buckets.stat(at).to_vec();
                let left = difference(&known, &right);
                let test = CodeTest::Equals(buckets.codes[at]);
                let n_left = buckets.known_rows() - buckets.rows[at];
                let mut c = describe.candidate(test, [&left, &right], n_left);
                c.n_level = buckets.rows[at].into();
                c
            })
            .collect(),
    }
}

/// What all candidates of one feature share.
struct Describe<'a, N> {
    column: &'a Column,
    rating: Rating<'a>,
    known: &'a [N],
    buckets: &'a Buckets<N>,
}

impl<N: Count> Describe<'_, N> {
    fn candidate(&self, test: CodeTest, branches: [&[N]; 2], n_left: u32) -> SplitCandidate {
        let (rating, gini) = (self.rating, self.rating.by(Criterion::Gini));
        let known = total(self.known).float();
        let share = known / (known + total(&self.buckets.missing).float());
        let info_gain = share * rating.gain(self.known, &branches);
        let gini_gain = gini.gain(self.known, &branches);
        let shares = |stat: &[N]| {
            let n = total(stat).float();
            stat.iter().map(|c| quotient(c.float(), n)).collect()
        };
        let at = match &test {
            CodeTest::Equals(level) => Value::Text(self.column.level_text(*level)),
            test => cut_of(self.column, test).unwrap_or(Value::Text(String::new())),
        };
        SplitCandidate {
            rule: rule_text(self.column, &test),
            at,
            n_level: 0,
            n_left: n_left.into(),
            n_right: u64::from(self.buckets.known_rows() - n_left),
            share_left: shares(branches[0]),
            share_right: shares(branches[1]),
            entropy_left: rating.impurity(branches[0]),
            entropy_right: rating.impurity(branches[1]),
            info_gain,
            gain_ratio: quotient(info_gain, rating.split_info(&branches)),
            gini_split: (gini.impurity(self.known) - gini_gain).max(0.0),
            gini_gain: share * gini_gain,
            skippable: false,
        }
    }
}
