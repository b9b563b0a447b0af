//! Ranking: how much each feature tells about the target, on all rows or group by group.

mod bins;
mod chance;
mod classes;
mod conditional;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod correlation;
pub(crate) mod curve;
pub(crate) mod drift;
mod figures;
mod given;
mod groups;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod json_text;
pub(crate) mod mdl;
pub(crate) mod mdl_cuts;
mod numbers;
pub(crate) mod pairs;
mod rule_text;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod scorecard;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod scorecard_text;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod screen;
pub(crate) mod select;
mod signs;
mod strata;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod suspects;
mod visitor;
pub(crate) mod woe;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod woe_text;

use std::convert::Infallible;

use crate::data::column_data::Source;
use crate::data::dtype::Value;
use crate::encode::table::{FeatureKinds, Kinds, Table};
use crate::error::{Error, Result};
use crate::spec::{Criterion, Cuts, LogBase, RankMissing, RankSpec, SortBy};
use crate::stat::TargetVisitor;
use crate::util::monitoring::begin_stage;
pub use chance::ChanceFigures;
pub(crate) use chance::set_q_values;
pub(crate) use figures::RankCounts;
use figures::chance_of_levels;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use figures::chance_of_node;
pub use given::GivenFigures;
use given::strata_of;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use signs::{LEAST_BITS, LEAST_ROWS, PureSide};
pub(crate) use signs::{Numbering, SignLimits, Signs};
use strata::Strata;
use visitor::{RankVisitor, RankedColumn};
use woe::information_values;

/// Refuses an option that is `what`, a share or a probability, and not from 0 to 1.
fn check_share(name: &str, value: f64, what: &str) -> Result<()> {
    match (0.0..=1.0).contains(&value) {
        true => Ok(()),
        false => Err(Error::spec(format!("{name} is {value}; it is {what}, from 0 to 1"))),
    }
}

/// What one feature tells about the target in one group of rows; see the table `rank_gain`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct FeatureGain {
    pub n: u64,
    pub n_missing: u64,
    pub n_levels: u64,
    /// What it tells alone whether a value is missing, over all rows, in the unit of
    /// [`gain`](Self::gain).
    pub missing_gain: f64,
    pub measures: Measures,
    /// The two-way rule of highest gain; empty where there is none.
    pub rule: String,
    /// The rule's own gain, which is the feature's for a cut, but not for all levels together.
    pub rule_gain: Option<f64>,
    /// The rule's cut, if it has one, in the column's own type.
    pub cut: Option<Value>,
    /// The information value of its bins, if that was asked for.
    pub information_value: Option<f64>,
    /// What chance would have gained, if that was asked for.
    pub chance: Option<ChanceFigures>,
    /// What the feature tells beyond given columns, if there are any.
    pub given: Option<GivenFigures>,
    /// What it shows of an id or a leak.
    pub(crate) signs: Signs,
}

impl FeatureGain {
    /// The information gain, or the reduction of variance.
    pub fn gain(&self) -> f64 {
        match &self.measures {
            Measures::Classes(measures) => measures.info_gain,
            Measures::Numbers(measures) => measures.variance_reduction,
        }
    }

    /// What as many random levels gain on average, by all levels together, in the unit of
    /// [`gain`](Self::gain): `(k - 1)(c - 1) / 2n` nats of k levels, c classes and n rows (Miller 1955, "Note on the bias of information estimates"); of numbers, `(k - 1) / (n - 1)`
    /// of their variance. Rough where levels have few rows; a ranking with chance figures is exact.
    pub fn expected_by_chance(&self, n_classes: usize, base: LogBase) -> f64 {
        let (known, levels) = ((self.n - self.n_missing) as f64, self.n_levels as f64);
        if self.n_levels < 2 {
            return 0.0;
        }
        let expected = match &self.measures {
            Measures::Classes(_) => {
                chance_of_levels(self.n_levels, n_classes, self.n - self.n_missing, base)
            }
            Measures::Numbers(measures) => measures.variance * ((levels - 1.0) / (known - 1.0)),
        };
        expected * known / self.n as f64
    }

    /// The information gain; `None` for a numeric target.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn info_gain(&self) -> Option<f64> {
        match &self.measures {
            Measures::Classes(measures) => Some(measures.info_gain),
            Measures::Numbers(_) => None,
        }
    }
}

/// The figures, by the kind of target.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Measures {
    Classes(ClassMeasures),
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

/// The stage of a ranking: a part of it for each column.
pub(crate) const RANKING: &str = "ranking columns";

/// A grouping of rows.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    /// The group of each row of the table.
    pub of: &'a [u32],
    /// Groups.
    pub count: usize,
}

/// Ranks every feature of a table in every group, columns in parallel in the current pool:
/// `result[column][group]`. Linear in rows and groups per column, as columns are sorted already.
///
/// `cuts` apply to ordered features and classes; a numeric target has the best cut only.
pub fn rank(
    table: &Table,
    groups: Option<Groups>,
    base: LogBase,
    missing: RankMissing,
    cuts: Cuts,
) -> Vec<Vec<FeatureGain>> {
    let column = |i: usize| Ok::<_, Infallible>(RankedColumn::Encoded(&table.columns[i]));
    let n_columns = table.columns.len();
    let spec = &RankSpec::default().log_base(base).missing(missing).cuts(cuts);
    begin_stage(table.context.monitor.as_ref(), RANKING, n_columns);
    let visitor = RankVisitor { table, n_columns, column, groups, spec, given: None };
    let Ok(gains) = visitor.visit(&table.target, table.weights.as_ref(), Criterion::Entropy, base);
    gains
}

/// [`rank`] of features that are not encoded yet, for the rows of a
/// [table of their target](Table::of_target). Each thread reads, rates and drops one column after
/// the other, so that memory is of as many columns as there are threads. Columns that can be rated
/// without being encoded are not encoded; the result is the same.
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
    let spec = RankSpec::default().log_base(base).missing(missing).cuts(cuts);
    rank_by_spec(rows, features, &[], kinds, groups, &spec)
}

/// [`rank_in_turn`] as a spec says: in its unit, with its missing values and cuts, with what
/// [`chance`](RankSpec::chance) would have gained, and with what features tell beyond the columns
/// in `given`. Which columns these are, groups and threads are the caller's.
///
/// # Errors
/// As [`rank_in_turn`], also of the given columns, and no permutations.
pub fn rank_by_spec<S: Source>(
    rows: &Table,
    features: &[S],
    given: &[S],
    kinds: Kinds,
    groups: Option<Groups>,
    spec: &RankSpec,
) -> Result<Vec<Vec<FeatureGain>>> {
    let names: Vec<&str> = features.iter().map(|f| f.name()).collect();
    let mut gains = ColumnRanking::new(rows, &names, given, kinds, groups, spec)?.rank(features)?;
    set_q_values(&mut gains);
    Ok(gains)
}

/// A ranking whose features may come a few at a time.
pub(crate) struct ColumnRanking<'a> {
    rows: &'a Table,
    kinds: FeatureKinds<'a>,
    groups: Option<Groups<'a>>,
    spec: &'a RankSpec,
    strata: Option<Strata>,
}

impl<'a> ColumnRanking<'a> {
    /// Prepares [`rank_by_spec`] of the features of these names.
    pub(crate) fn new<S: Source>(
        rows: &'a Table,
        features: &[&str],
        given: &[S],
        kinds: Kinds<'a>,
        groups: Option<Groups<'a>>,
        spec: &'a RankSpec,
    ) -> Result<Self> {
        let given_names = given.iter().map(|column| column.name());
        kinds.check(&features.iter().copied().chain(given_names).collect::<Vec<_>>())?;
        if spec.chance.is_some_and(|chance| chance.permutations == 0) {
            let what = "chance takes 0 permutations; at least 1 is needed: ask for 200, say";
            return Err(Error::spec(what));
        }
        if spec.sort_by == SortBy::InformationValue && groups.is_some() {
            return Err(Error::spec(
                "sort_by = information_value is of all rows, and the ranking is by groups: take \
                 another measure, or rank the rows of each group",
            ));
        }
        let kinds = kinds.by_name();
        let strata = match given {
            [] => None,
            given => Some(strata_of(rows, given, &kinds)?),
        };
        begin_stage(spec.monitor.as_ref(), RANKING, features.len());
        Ok(ColumnRanking { rows, kinds, groups, spec, strata })
    }

    /// Ranks some of the features. Their q-values are to be [set](set_q_values) among all.
    pub(crate) fn rank<S: Source>(&self, features: &[S]) -> Result<Vec<Vec<FeatureGain>>> {
        let ColumnRanking { rows, ref kinds, groups, spec, .. } = *self;
        let column = |i: usize| rows.context.raw_column(&features[i], kinds).map(RankedColumn::Raw);
        let (n_columns, given) = (features.len(), self.strata.as_ref());
        let visitor = RankVisitor { table: rows, n_columns, column, groups, spec, given };
        let (target, weights) = (&rows.target, rows.weights.as_ref());
        let mut gains = visitor.visit(target, weights, Criterion::Entropy, spec.log_base)?;
        if spec.sort_by == SortBy::InformationValue {
            let values = information_values(rows, features, kinds)?;
            for (gain, iv) in gains.iter_mut().flatten().zip(values) {
                gain.information_value = Some(iv);
            }
        }
        // Permutations end early where they are interrupted.
        rows.context.check_interrupt()?;
        Ok(gains)
    }
}
