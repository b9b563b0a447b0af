//! Ranking: how much each feature tells about the class, on all rows or group by group.

use rayon::prelude::*;

use crate::column::{Codes, Column, Entry};
use crate::criterion::{quotient, symmetric_uncertainty};
use crate::dtype::{Kind, Value};
use crate::rule::quote;
use crate::spec::{Criterion, Grouping, LogBase, Missing, RankMissing};
use crate::split::two_way::TwoWay;
use crate::split::{Buckets, Candidate, CodeTest, Limits, Scratch, Search, View, nominal, ordered};
use crate::stat::{ClassCounts, Count, LogTable, Rating};
use crate::table::Table;

/// What one feature tells about the class in one group of rows. Entropies and gains are in
/// bits (or nats); see the table `rank_gain` for each field.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct FeatureGain {
    pub n: u64,
    pub n_missing: u64,
    pub n_levels: u64,
    pub entropy: f64,
    pub conditional_entropy: f64,
    pub info_gain: f64,
    pub split_info: f64,
    pub gain_ratio: f64,
    pub symmetric_uncertainty: f64,
    pub gini: f64,
    pub gini_split: f64,
    pub gini_gain: f64,
    pub gini_multiway: f64,
    /// The two-way rule of highest information gain; empty where there is none.
    pub rule: String,
    /// Its cut, where it has one, in the column's own type.
    pub cut: Option<Value>,
    /// The two-way rule of lowest `gini_split`; empty where there is none.
    pub gini_rule: String,
}

/// Rows put into groups.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    /// The group of each row of the table.
    pub of: &'a [u32],
    /// How many groups there are.
    pub count: usize,
}

/// Ranks every feature of a table in every group, columns in parallel in the current pool:
/// `result[column][group]`. Linear in rows and groups per column, the sort being done.
pub fn rank(
    table: &Table,
    groups: Option<Groups>,
    base: LogBase,
    missing: RankMissing,
) -> Vec<Vec<FeatureGain>> {
    match &table.weights {
        None => rank_counts::<u32>(table, None, groups, base, missing),
        Some(w) => rank_counts(table, Some(&w.units), groups, base, missing),
    }
}

fn rank_counts<N: Count>(
    table: &Table,
    weights: Option<&[N]>,
    groups: Option<Groups>,
    base: LogBase,
    missing: RankMissing,
) -> Vec<Vec<FeatureGain>> {
    let logs = LogTable::up_to(table.n_rows());
    let rating = Rating::new(Criterion::Entropy, base, table.weights.as_ref(), &logs);
    let counts = class_counts(table, weights);
    let grouped = groups.map(GroupedRows::new);
    let all: Vec<u32> = (0..table.n_rows() as u32).collect();
    table
        .columns
        .par_iter()
        .map_init(Scratch::default, |scratch, column| {
            let mut figures = |view: View| {
                scratch.fill(&counts, view);
                figures(column, &mut scratch.buckets, rating, missing)
            };
            match &grouped {
                None => vec![figures(view_of(column, &all))],
                Some(rows) => rows.for_each_group(column, figures),
            }
        })
        .collect()
}

pub(crate) fn class_counts<'a, N: Count>(
    table: &'a Table,
    weights: Option<&'a [N]>,
) -> ClassCounts<'a, N> {
    let n_classes = table.target.labels.len();
    ClassCounts { classes: &table.target.codes, weights, n_classes }
}

pub(crate) fn view_of<'a>(column: &'a Column, rows: &'a [u32]) -> View<'a> {
    let missing = column.missing_code();
    match &column.codes {
        Codes::Sorted(entries) => View::Sorted { entries, missing },
        Codes::ByRow(codes) => View::ByRow { codes, rows, missing },
    }
}

/// The rows in order of group, then row.
struct GroupedRows<'a> {
    groups: Groups<'a>,
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl<'a> GroupedRows<'a> {
    fn new(groups: Groups<'a>) -> Self {
        let mut starts = vec![0; groups.count + 1];
        groups.of.iter().for_each(|&g| starts[g as usize + 1] += 1);
        for g in 0..groups.count {
            starts[g + 1] += starts[g];
        }
        let mut grouped = GroupedRows { groups, starts, rows: Vec::new() };
        grouped.rows = grouped.arrange(0..groups.of.len() as u32, |row| row);
        grouped
    }

    /// Items in order of their row's group, else as they came.
    fn arrange<T: Copy + Default>(
        &self,
        items: impl ExactSizeIterator<Item = T>,
        row: impl Fn(T) -> u32,
    ) -> Vec<T> {
        let mut next = self.starts.clone();
        let mut arranged = vec![T::default(); items.len()];
        for item in items {
            let slot = &mut next[self.groups.of[row(item) as usize] as usize];
            arranged[*slot] = item;
            *slot += 1;
        }
        arranged
    }

    fn for_each_group<R>(&self, column: &Column, mut each: impl FnMut(View) -> R) -> Vec<R> {
        let missing = column.missing_code();
        let ranges = self.starts.windows(2).map(|w| w[0]..w[1]);
        match &column.codes {
            Codes::ByRow(codes) => ranges
                .map(|range| each(View::ByRow { codes, rows: &self.rows[range], missing }))
                .collect(),
            Codes::Sorted(entries) => {
                let entries = self.arrange(entries.iter().copied(), |e: Entry| e.row);
                ranges
                    .map(|range| each(View::Sorted { entries: &entries[range], missing }))
                    .collect()
            }
        }
    }
}

/// A search without limits, as a ranking makes it.
fn search(rating: Rating, missing: Missing) -> Search {
    let limits = Limits { min_rows: 1, min_weight: 0.0 };
    Search { rating, limits, missing, grouping: Grouping::OneVsRest }
}

fn figures<N: Count>(
    column: &Column,
    buckets: &mut Buckets<N>,
    rating: Rating,
    missing: RankMissing,
) -> FeatureGain {
    let n_missing = buckets.missing_rows;
    let n_levels = buckets.len() as u64;
    let policy = match (missing, column.kind) {
        (RankMissing::Known, _) => Missing::Majority,
        (RankMissing::OwnLevel, Kind::Ordered) => Missing::Learn,
        (RankMissing::OwnLevel, Kind::Nominal) => {
            buckets.make_missing_a_level(column.missing_code());
            Missing::Majority
        }
    };
    let by_entropy = search(rating, policy);
    let by_gini = search(rating.by(Criterion::Gini), policy);
    let entropy_way = TwoWay::new(&by_entropy, buckets);
    let gini_way = TwoWay::new(&by_gini, buckets);
    let best = |way: &TwoWay<N>| match column.kind {
        Kind::Ordered => ordered::best_cut(way),
        Kind::Nominal => nominal::best_level(way),
    };
    let (best_entropy, best_gini) = (best(&entropy_way), best(&gini_way));

    let (entropy, gini) = (
        entropy_way.search.rating.impurity(&entropy_way.parent),
        by_gini.rating.impurity(&gini_way.parent),
    );
    // Gains are scaled by the known share, what is left over is not.
    let left_over = |whole: f64, gain: f64| (whole - quotient(gain, entropy_way.share)).max(0.0);
    let gain_of = |c: &Option<Candidate>| c.as_ref().map_or(0.0, |c| c.gain);
    let partition = match column.kind {
        Kind::Ordered => best_entropy.clone(),
        Kind::Nominal => nominal::multiway(&by_entropy, buckets),
    };
    let info_gain = gain_of(&partition);
    let split_info = partition.as_ref().map_or(0.0, |c| c.split_info);
    let gini_gain = gain_of(&best_gini);
    let gini_split = left_over(gini, gini_gain);
    let gini_multiway = match column.kind {
        Kind::Ordered => gini_split,
        Kind::Nominal => left_over(gini, gain_of(&nominal::multiway(&by_gini, buckets))),
    };
    FeatureGain {
        n: u64::from(buckets.known_rows()) + u64::from(buckets.missing_rows),
        n_missing: u64::from(n_missing),
        n_levels,
        entropy,
        conditional_entropy: left_over(entropy, info_gain),
        info_gain,
        split_info,
        gain_ratio: quotient(info_gain, split_info),
        symmetric_uncertainty: symmetric_uncertainty(info_gain, entropy, split_info),
        gini,
        gini_split,
        gini_gain,
        gini_multiway,
        rule: best_entropy.as_ref().map_or(String::new(), |c| rule_text(column, &c.test)),
        cut: best_entropy.as_ref().and_then(|c| cut_of(column, &c.test)),
        gini_rule: best_gini.as_ref().map_or(String::new(), |c| rule_text(column, &c.test)),
    }
}

pub(crate) fn cut_of(column: &Column, test: &CodeTest) -> Option<Value> {
    match test {
        CodeTest::AtLeast { lo, hi } => Some(column.cut(*lo, *hi)),
        _ => None,
    }
}

/// A rule of a ranking as text.
pub(crate) fn rule_text(column: &Column, test: &CodeTest) -> String {
    match test {
        CodeTest::Equals(level) if *level == column.missing_code() => {
            format!("{} is missing", column.name)
        }
        CodeTest::Equals(level) => {
            format!("{} == {}", column.name, quote(&column.level_text(*level)))
        }
        test => match cut_of(column, test) {
            Some(cut) => format!("{} >= {}", column.name, column.dtype.show(&cut)),
            None => String::new(),
        },
    }
}
