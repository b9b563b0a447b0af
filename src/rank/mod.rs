//! Ranking: how much each feature tells about the class, on all rows or group by group.

mod classes;
pub(crate) mod curve;
mod groups;
pub(crate) mod mdl;
pub(crate) mod mdl_cuts;
mod numbers;

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::data::column::{Codes, Column, EntryLayout, Sorted};
use crate::data::column_data::Source;
use crate::data::dtype::{Kind, Value};
use crate::encode::RawColumn;
use crate::encode::sort::sorted_keys::SortedKeys;
use crate::encode::table::{Kinds, Table};
use crate::error::Result;
use crate::spec::{Criterion, Cuts, LogBase, Missing, RankMissing};
use crate::split::binary_splits::BinarySplits;
use crate::split::{Buckets, Candidate, CodeTest, Scratch, SortedView, View, nominal, ordered};
use crate::stat::criterion::quotient;
use crate::stat::{ClassStat, Count, Num, NumberStat, Stat, StatWork};
use crate::tree::rule::quote;
use crate::util::parallel::Tasks;
use crate::util::scratch_pool::ScratchPool;
use classes::Classes;
use groups::GroupedRows;
use numbers::number_gain;

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
    let feature = |i: usize| Ok::<_, Infallible>(Feature::Encoded(&table.columns[i]));
    let ranking = Ranking { table, n: table.columns.len(), feature, groups, missing, cuts };
    let Ok(gains) = ranking.on(&table.target, table.weights.as_ref(), Criterion::Entropy, base);
    gains
}

/// [`rank`] of features that are not encoded yet, for the rows of a
/// [table of their target](Table::of_target): each thread reads, rates and drops one column
/// after the other, so that memory is of as many columns as there are threads. What it can rate
/// without encoding it, it does not encode; the answer is the same.
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
    let feature = |i: usize| rows.rows.raw_column(&features[i], kinds).map(Feature::RawColumn);
    let ranking = Ranking { table: rows, n: features.len(), feature, groups, missing, cuts };
    ranking.on(&rows.target, rows.weights.as_ref(), Criterion::Entropy, base)
}

/// A feature to rank.
enum Feature<'a> {
    Encoded(&'a Column),
    RawColumn(RawColumn),
}

/// A ranking of `n` features, which `feature` reads or finds.
struct Ranking<'a, F> {
    table: &'a Table,
    n: usize,
    feature: F,
    groups: Option<Groups<'a>>,
    missing: RankMissing,
    cuts: Cuts,
}

impl<'a, F, E> StatWork for Ranking<'a, F>
where
    F: Fn(usize) -> Result<Feature<'a>, E> + Sync,
    E: Send,
{
    type Out = Result<Vec<Vec<FeatureGain>>, E>;

    /// A column is looked at once: a table of all would be as large as the column.
    const TABLED: usize = 1 << 17;

    fn of_classes<N: Count>(self, stat: ClassStat<N>) -> Self::Out {
        let gini = stat.by(Criterion::Gini);
        let classes = Classes { stats: [&stat, &gini], missing: self.missing, cuts: self.cuts };
        self.each(
            |feature, in_order, scratch| match feature.kind {
                Kind::Ordered => classes.in_order_gain(feature, in_order, scratch),
                Kind::Nominal => classes.counted_gain(feature, scratch),
            },
            |column, view, scratch| classes.gain(column, view, scratch),
        )
    }

    fn of_numbers(self, mut stat: NumberStat) -> Self::Out {
        stat.focus(&all_rows(self.table));
        self.each(
            |_, _, _| None,
            |column, view, scratch| {
                scratch.fill(&stat, view);
                number_gain(column, view, &mut scratch.buckets, &stat, self.missing)
            },
        )
    }
}

impl<'a, F, E> Ranking<'a, F>
where
    F: Fn(usize) -> Result<Feature<'a>, E> + Sync,
    E: Send,
{
    /// `unencoded` rates all rows of a feature as it is, where it can, and may then take its cells.
    fn each<N: Num>(
        &self,
        unencoded: impl Fn(&mut RawColumn, &mut SortedKeys, &mut Scratch<N>) -> Option<FeatureGain>
        + Sync,
        gain: impl Fn(&Column, View, &mut Scratch<N>) -> FeatureGain + Sync,
    ) -> Result<Vec<Vec<FeatureGain>>, E> {
        let grouped = self.groups.map(GroupedRows::new);
        let all = LazyLock::new(|| all_rows(self.table));
        let rate = |(in_order, scratch): &mut (SortedKeys, Scratch<N>), i| {
            let column = match (self.feature)(i)? {
                Feature::Encoded(column) => Cow::Borrowed(column),
                Feature::RawColumn(mut feature) => {
                    if grouped.is_none()
                        && let Some(gain) = unencoded(&mut feature, in_order, scratch)
                    {
                        return Ok(vec![gain]);
                    }
                    Cow::Owned(feature.encode())
                }
            };
            let mut gain = |view: View| gain(&column, view, scratch);
            Ok(match &grouped {
                None => vec![gain(view_of(&column, &all))],
                Some(rows) => rows.for_each_group(&column, gain),
            })
        };
        let lent = ScratchPool::default();
        let rated = |i| lent.with(|memory| rate(memory, i));
        (0..self.n).into_par_iter().one_item_per_task().map(rated).collect()
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
        packing: EntryLayout::ROWS,
        levels: &sorted.codes,
        missing: column.missing_code(),
        distinct: column.is_distinct(),
    }
}

/// How the engine's searches are told what a ranking does with missing values; missing that is a
/// level of a nominal feature is among its buckets.
fn policy(missing: RankMissing, kind: Kind) -> Missing {
    match (missing, kind) {
        (RankMissing::OwnLevel, Kind::Ordered) => Missing::Learn,
        _ => Missing::Majority,
    }
}

/// Makes missing a level, where a ranking takes it as one.
fn count_missing<N: Num>(missing: RankMissing, column: &Column, buckets: &mut Buckets<N>) {
    if missing == RankMissing::OwnLevel && column.kind == Kind::Nominal {
        buckets.make_missing_a_level(column.missing_code());
    }
}

/// The best two-way rule on a column.
fn best_rule<S: Stat>(kind: Kind, two_way: &BinarySplits<S>) -> Option<Candidate> {
    match kind {
        Kind::Ordered => ordered::best_cut(two_way),
        Kind::Nominal => nominal::best_level(two_way),
    }
}

/// What is left of an impurity over the known rows; gains are scaled by the known share.
fn left_over<S: Stat>(whole: f64, gain: f64, two_way: &BinarySplits<S>) -> f64 {
    (whole - quotient(gain, two_way.share)).max(0.0)
}

fn gain_of(candidate: &Option<Candidate>) -> f64 {
    candidate.as_ref().map_or(0.0, |c| c.gain)
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
