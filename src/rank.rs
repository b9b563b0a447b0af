//! Ranking: how much each feature tells about the class, on all rows or group by group.

use std::borrow::Cow;
use std::convert::Infallible;

use rayon::prelude::*;

use crate::column::{Codes, Column, Packing, Sorted};
use crate::criterion::{quotient, symmetric_uncertainty};
use crate::dtype::{Kind, Value};
use crate::error::Result;
use crate::rule::quote;
use crate::spec::{Criterion, Cuts, LogBase, Missing, RankMissing};
use crate::split::two_way::TwoWay;
use crate::split::{
    Buckets, Candidate, CodeTest, Scratch, Search, SortedView, View, mdl, nominal, ordered,
};
use crate::stat::{ClassStat, Count, Num, NumberStat, Stat, StatWork};
use crate::table::{Kinds, Source, Table};

/// What one feature tells about the target in one group of rows; see the table `rank_gain`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct FeatureGain {
    pub n: u64,
    pub n_missing: u64,
    pub n_levels: u64,
    pub measures: Measures,
    /// The two-way rule of highest gain; empty where there is none.
    pub rule: String,
    /// Its cut, where it has one, in the column's own type.
    pub cut: Option<Value>,
}

/// The figures, by the kind of target.
#[derive(Clone, Debug, PartialEq)]
pub enum Measures {
    /// Of classes.
    Classes(ClassMeasures),
    /// Of numbers.
    Numbers(NumberMeasures),
}

/// Measures of classes. Entropies and gains are in bits (or nats).
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct ClassMeasures {
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
    /// The two-way rule of lowest `gini_split`; empty where there is none.
    pub gini_rule: String,
}

/// Measures of numbers, in the target's unit squared.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct NumberMeasures {
    pub variance: f64,
    pub variance_left_over: f64,
    pub variance_reduction: f64,
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
///
/// `cuts` are of ordered features and classes; numbers know only the best cut.
pub fn rank(
    table: &Table,
    groups: Option<Groups>,
    base: LogBase,
    missing: RankMissing,
    cuts: Cuts,
) -> Vec<Vec<FeatureGain>> {
    let column = |i: usize| Ok::<_, Infallible>(Cow::Borrowed(&table.columns[i]));
    let ranking = Ranking { table, n: table.columns.len(), column, groups, missing, cuts };
    let Ok(gains) = ranking.on(&table.target, table.weights.as_ref(), Criterion::Entropy, base);
    gains
}

/// [`rank`] of features that are not encoded yet, for the rows of a
/// [table of their target](Table::of_target): each thread encodes, rates and drops one column
/// after the other, so that memory is of as many columns as there are threads.
///
/// # Errors
/// As [`Table::encode`] of the features.
pub fn rank_in_turn<S: Source>(
    rows: &Table,
    features: &[S],
    kinds: Kinds,
    groups: Option<Groups>,
    base: LogBase,
    missing: RankMissing,
    cuts: Cuts,
) -> Result<Vec<Vec<FeatureGain>>> {
    kinds.check(&features.iter().map(|f| f.name()).collect::<Vec<_>>())?;
    let column = |i: usize| rows.column(&features[i], kinds).map(Cow::Owned);
    let ranking = Ranking { table: rows, n: features.len(), column, groups, missing, cuts };
    ranking.on(&rows.target, rows.weights.as_ref(), Criterion::Entropy, base)
}

/// A ranking of `n` columns, which `column` makes or finds.
struct Ranking<'a, C> {
    table: &'a Table,
    n: usize,
    column: C,
    groups: Option<Groups<'a>>,
    missing: RankMissing,
    cuts: Cuts,
}

impl<'a, C, E> StatWork for Ranking<'a, C>
where
    C: Fn(usize) -> Result<Cow<'a, Column>, E> + Sync,
    E: Send,
{
    type Out = Result<Vec<Vec<FeatureGain>>, E>;

    fn of_classes<N: Count>(self, stat: ClassStat<N>) -> Self::Out {
        let by_gini = stat.by(Criterion::Gini);
        self.each(|column, view, scratch| {
            class_gain(column, view, scratch, [&stat, &by_gini], self.missing, self.cuts)
        })
    }

    fn of_numbers(self, mut stat: NumberStat) -> Self::Out {
        stat.focus(&all_rows(self.table));
        self.each(|column, view, scratch| {
            scratch.fill(&stat, view);
            number_gain(column, view, &mut scratch.buckets, &stat, self.missing)
        })
    }
}

impl<'a, C, E> Ranking<'a, C>
where
    C: Fn(usize) -> Result<Cow<'a, Column>, E> + Sync,
    E: Send,
{
    fn each<N: Num>(
        &self,
        gain: impl Fn(&Column, View, &mut Scratch<N>) -> FeatureGain + Sync,
    ) -> Result<Vec<Vec<FeatureGain>>, E> {
        let grouped = self.groups.map(GroupedRows::new);
        let all = all_rows(self.table);
        let rated = |scratch: &mut Scratch<N>, i| {
            let column = (self.column)(i)?;
            let mut gain = |view: View| gain(&column, view, scratch);
            Ok(match &grouped {
                None => vec![gain(view_of(&column, &all))],
                Some(rows) => rows.for_each_group(&column, gain),
            })
        };
        (0..self.n).into_par_iter().map_init(Scratch::default, rated).collect()
    }
}

pub(crate) fn all_rows(table: &Table) -> Vec<u32> {
    (0..table.n_rows() as u32).collect()
}

pub(crate) fn view_of<'a>(column: &'a Column, rows: &'a [u32]) -> View<'a> {
    let missing = column.missing_code();
    match &column.codes {
        Codes::Sorted(sorted) => View::Sorted(sorted_view(column, sorted, &sorted.order)),
        Codes::ByRow(codes) => View::ByRow { codes, rows, missing },
    }
}

/// Some rows of a sorted column, in its order.
pub(crate) fn sorted_view<'a>(
    column: &Column,
    sorted: &'a Sorted,
    entries: &'a [u32],
) -> SortedView<'a> {
    SortedView {
        entries,
        packing: Packing::ROWS,
        codes: &sorted.codes,
        missing: column.missing_code(),
        distinct: column.is_distinct(),
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
            Codes::Sorted(sorted) => {
                let order = self.arrange(sorted.order.iter().copied(), |row| row);
                ranges
                    .map(|range| each(View::Sorted(sorted_view(column, sorted, &order[range]))))
                    .collect()
            }
        }
    }
}

/// How the engine's searches are told what a ranking does with missing values.
fn policy<N: Num>(missing: RankMissing, column: &Column, buckets: &mut Buckets<N>) -> Missing {
    match (missing, column.kind) {
        (RankMissing::Known, _) => Missing::Majority,
        (RankMissing::OwnLevel, Kind::Ordered) => Missing::Learn,
        (RankMissing::OwnLevel, Kind::Nominal) => {
            buckets.make_missing_a_level(column.missing_code());
            Missing::Majority
        }
    }
}

/// The best two-way rule on a column.
fn best_rule<S: Stat>(kind: Kind, two_way: &TwoWay<S>) -> Option<Candidate> {
    match kind {
        Kind::Ordered => ordered::best_cut(two_way),
        Kind::Nominal => nominal::best_level(two_way),
    }
}

/// What is left of an impurity over the known rows; gains are scaled by the known share.
fn left_over<S: Stat>(whole: f64, gain: f64, two_way: &TwoWay<S>) -> f64 {
    (whole - quotient(gain, two_way.share)).max(0.0)
}

fn gain_of(candidate: &Option<Candidate>) -> f64 {
    candidate.as_ref().map_or(0.0, |c| c.gain)
}

fn class_gain<N: Count>(
    column: &Column,
    view: View,
    scratch: &mut Scratch<N>,
    [by_entropy, by_gini]: [&ClassStat<N>; 2],
    missing: RankMissing,
    cuts: Cuts,
) -> FeatureGain {
    let by_contenders = match (view, column.kind, cuts) {
        (View::Sorted(view), Kind::Ordered, Cuts::Best) => Some(view),
        _ => None,
    };
    let (search, n_levels) = match by_contenders {
        Some(view) => {
            let search = Search::unlimited(policy(missing, column, &mut scratch.buckets));
            fill_contenders(&search, [by_entropy, by_gini], view, column.len(), scratch);
            (search, view.n_levels())
        }
        None => {
            scratch.fill(by_entropy, view);
            let n_levels = scratch.buckets.len();
            (Search::unlimited(policy(missing, column, &mut scratch.buckets)), n_levels)
        }
    };
    let best_rule = |two_way: &TwoWay<_>| {
        let best = best_rule(column.kind, two_way)?;
        Some(match by_contenders {
            Some(view) => Candidate { test: scratch.exact(best.test, view), ..best },
            None => best,
        })
    };
    let buckets = &scratch.buckets;
    let entropy_way = TwoWay::new(&search, by_entropy, buckets);
    let gini_way = TwoWay::new(&search, by_gini, buckets);
    let mut best = best_rule(&entropy_way);
    let best_gini = best_rule(&gini_way);
    let entropy = by_entropy.impurity(&entropy_way.parent);
    let gini = by_gini.impurity(&gini_way.parent);

    // A nominal feature is rated by the partition into all its levels.
    let (partition, gini_of_all) = match (column.kind, cuts) {
        (Kind::Ordered, Cuts::Best) => (best.clone(), gain_of(&best_gini)),
        (Kind::Ordered, Cuts::Mdl) => {
            let intervals = mdl::intervals(by_entropy, buckets);
            // A best cut that does not pay for itself is none.
            best = best.filter(|_| intervals.is_some());
            let partition = intervals.and_then(|intervals| {
                nominal::multiway(&TwoWay::new(&search, by_entropy, &intervals))
            });
            (partition, gain_of(&best_gini))
        }
        (Kind::Nominal, _) => {
            (nominal::multiway(&entropy_way), gain_of(&nominal::multiway(&gini_way)))
        }
    };
    let info_gain = gain_of(&partition);
    let split_info = partition.as_ref().map_or(0.0, |c| c.split_info);
    let measures = ClassMeasures {
        entropy,
        conditional_entropy: left_over(entropy, info_gain, &entropy_way),
        info_gain,
        split_info,
        gain_ratio: quotient(info_gain, split_info),
        symmetric_uncertainty: symmetric_uncertainty(info_gain, entropy, split_info),
        gini,
        gini_split: left_over(gini, gain_of(&best_gini), &gini_way),
        gini_gain: gain_of(&best_gini),
        gini_multiway: left_over(gini, gini_of_all, &gini_way),
        gini_rule: best_gini.as_ref().map_or(String::new(), |c| rule_text(column, &c.test)),
    };
    let n = view.n_rows() as u32;
    let n_missing = n - view.n_known() as u32;
    feature_gain(column, [n, n_missing, n_levels as u32], best, Measures::Classes(measures))
}

/// Fills the buckets between the contenders of both criteria, the entries tagged with their
/// classes first.
fn fill_contenders<N: Count>(
    search: &Search,
    stats: [&ClassStat<N>; 2],
    view: SortedView,
    n_rows: usize,
    scratch: &mut Scratch<N>,
) {
    let packing = Packing::new(n_rows, stats[0].tag_bits());
    let tagged = |&row: &u32| packing.entry(row, stats[0].tag(row));
    let entries: Vec<u32> = view.entries.iter().map(tagged).collect();
    let mut total = vec![N::default(); stats[0].width()];
    stats[0].take(&entries, packing, &mut total);
    let view = SortedView { entries: &entries, packing, ..view };
    scratch.fill_contenders(search, &stats, &total, view);
}

fn number_gain(
    column: &Column,
    view: View,
    buckets: &mut Buckets<i128>,
    stat: &NumberStat,
    missing: RankMissing,
) -> FeatureGain {
    let (n_missing, n_levels) = (buckets.missing_rows, buckets.len());
    let search = Search::unlimited(policy(missing, column, buckets));
    let two_way = TwoWay::new(&search, stat, buckets);
    let best = best_rule(column.kind, &two_way);
    let reduction = match column.kind {
        Kind::Ordered => gain_of(&best),
        Kind::Nominal => gain_of(&nominal::multiway(&two_way)),
    };
    let rated = if missing == RankMissing::Known { view.known_rows() } else { view.rows() };
    let variance = stat.variance_of(&rated);
    let measures = NumberMeasures {
        variance,
        variance_left_over: left_over(variance, reduction, &two_way),
        variance_reduction: reduction,
    };
    let n = buckets.known_rows() + buckets.missing_rows;
    feature_gain(column, [n, n_missing, n_levels as u32], best, Measures::Numbers(measures))
}

fn feature_gain(
    column: &Column,
    [n, n_missing, n_levels]: [u32; 3],
    best: Option<Candidate>,
    measures: Measures,
) -> FeatureGain {
    FeatureGain {
        n: n.into(),
        n_missing: n_missing.into(),
        n_levels: n_levels.into(),
        measures,
        rule: best.as_ref().map_or(String::new(), |c| rule_text(column, &c.test)),
        cut: best.as_ref().and_then(|c| cut_of(column, &c.test)),
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
