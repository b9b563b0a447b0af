//! Rankings of rows that are not in memory: the same figures, bit for bit.

use super::counting::Counter;
use super::passes::{ExternalReport, Passes};
use super::prepare::Prepared;
use super::rank_store::RankStore;
use super::store_ranker::{RankTask, RankedFeatures, StoreRanker};
use crate::data::column::ColumnInfo;
use crate::data::target::Target;
use crate::encode::table::Kinds;
use crate::error::{Error, Result};
use crate::rank::FeatureGain;
use crate::spec::{Budget, ClassWeights, Criterion, Cuts, RankSpec, SortBy};
use crate::stat::{ClassRows, Count, NumberRows, TargetVisitor};

/// A ranking of the features of a store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoreRanking {
    /// Of each feature, in column order, by group. A column of groups is left out.
    pub gains: Vec<Vec<FeatureGain>>,
    /// The groups, in level order; empty where rows are not grouped.
    pub groups: Vec<String>,
    /// The target, without rows.
    pub target: Target,
    /// Passes over the rows, values fetched, and memory.
    pub report: ExternalReport,
}

/// Ranks the features of a store: the figures, bit for bit, of
/// [`rank_by_spec`](crate::engine::rank_by_spec) of the same rows in memory. `groups` is the index of a
/// feature whose levels are groups of rows; `None` is one group.
///
/// # Errors
/// As [`rank_by_spec`](crate::engine::rank_by_spec); what the store says; a spec that needs all rows
/// at once (chance, given columns, MDL cuts); groups by a column of keys, or
/// by none; data that changed between two passes.
pub fn rank_from_store(
    store: &mut dyn RankStore,
    groups: Option<u32>,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<StoreRanking> {
    if let Some(what) = needs_rows(spec) {
        return Err(Error::spec(format!(
            "{what} needs all rows of a feature in memory: allow more memory, or leave it out"
        )));
    }
    let mut of_passes = |_| {};
    let mut passes = Passes::<dyn RankStore + '_>::new(store, spec.monitor.clone(), &mut of_passes);
    let kinds = Kinds { task: spec.task, ordered: &spec.ordered, nominal: &spec.nominal };
    let prepared = Prepared::new(&mut passes, kinds, &ClassWeights::Equal, None, budget)?;
    passes.report.rows = prepared.rows;
    let levels = match groups {
        None => Vec::new(),
        Some(column) => levels_of(&prepared, column)?,
    };
    let (target, weights) = (prepared.target.clone(), prepared.weights.clone());
    let counter = Counter::new(passes, &prepared, budget);
    let task = RankTask { counter, groups, spec };
    let ranked = task.visit(&target, weights.as_ref(), Criterion::Entropy, spec.log_base);
    let (gains, report) = ranked?;
    Ok(StoreRanking { gains, groups: levels, target, report })
}

fn levels_of(prepared: &Prepared, column: u32) -> Result<Vec<String>> {
    let Some(of) = prepared.columns.get(column as usize) else {
        return Err(Error::spec(format!(
            "groups are the levels of feature {column}, and there are {} features, counted from 0",
            prepared.columns.len()
        )));
    };
    of.texts().map(<[String]>::to_vec).ok_or_else(|| {
        let ColumnInfo { name, dtype, .. } = &of.info;
        Error::spec(format!("column `{name}` ({dtype}) has keys; groups are levels of text"))
    })
}

/// What of a ranking is counted from rows alone.
pub(crate) fn needs_rows(spec: &RankSpec) -> Option<&'static str> {
    let needs = [
        (spec.chance.is_some(), "a ranking beside chance"),
        (!spec.given.is_empty(), "a ranking beside given columns"),
        (spec.cuts == Cuts::Mdl, "a ranking by MDL cuts"),
        (spec.sort_by == SortBy::InformationValue, "a ranking by information value"),
    ];
    needs.into_iter().find_map(|(is_asked, what)| is_asked.then_some(what))
}

impl TargetVisitor for RankTask<'_, '_> {
    type Output = RankedFeatures;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> RankedFeatures {
        StoreRanker::new(rows, self).rank()
    }

    fn numbers(self, rows: NumberRows) -> RankedFeatures {
        StoreRanker::new(rows, self).rank()
    }
}
