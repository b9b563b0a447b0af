//! Every candidate rule on one feature, as a table.

use polars::prelude::{DataFrame, DataType};

use crate::adapters::common::request::all_usable;
use crate::adapters::frame::columns::find;
use crate::adapters::frame::columns::values::values_as;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::tables::Columns;
use crate::data::dtype::{DType, Kind};
use crate::encode::table::Table;
use crate::error::Result;
use crate::rank::curve::{SplitCandidate, SplitMeasures, curve};
use crate::spec::RankSpec;

/// Lists every candidate two-way rule on one feature, in level order.
///
/// Returns one row per rule: `rule str, threshold` (in the feature's own dtype) `or level str,
/// n_level u64, n_left u64, n_right u64, share_left_<class>, share_right_<class>, entropy_left,
/// entropy_right, info_gain, gain_ratio, gini_split, gini_gain f64, skippable bool`. For a
/// numeric target, `mean_left, mean_right, variance_reduction f64` replace the shares,
/// entropies and gains.
///
/// For an ordered feature this is its gain curve, for a nominal one its one-vs-rest table. Only
/// rows whose value is known count; gains are scaled by their share. `n_level` counts the rows
/// of the level just below the cut, or of the level itself. `skippable` marks a cut between two
/// levels that hold only one and the same class: growth need not look at it.
///
/// Of the spec, `by`, `features`, `missing`, `cuts` and `sort_by` are not used.
///
/// # Errors
/// Returns the errors of [`rank_gain`](crate::rank_gain), and one for a feature whose dtype
/// cannot be used.
pub fn split_candidates(
    df: &DataFrame,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<DataFrame> {
    let (table, candidates) = in_pool(spec.threads, || {
        let table = table_of_one(df, target, feature, spec)?;
        let candidates = curve(&table, spec.log_base);
        Ok((table, candidates))
    })?;

    let column = &table.columns[0];
    let mut columns = Columns::default();
    columns.add("rule", candidates.iter().map(|c| c.rule.as_str()));
    let values = candidates.iter().map(|c| &c.at);
    match column.kind() {
        Kind::Ordered => {
            let dtype = find(df, "feature", feature)?.dtype();
            columns.push(values_as("threshold", column.dtype(), dtype, values)?)
        }
        Kind::Nominal => {
            columns.push(values_as("level", &DType::String, &DataType::String, values)?)
        }
    };
    columns
        .add("n_level", candidates.iter().map(|c| c.n_level))
        .add("n_left", candidates.iter().map(|c| c.n_left))
        .add("n_right", candidates.iter().map(|c| c.n_right));
    measures(&mut columns, &candidates, &table);
    columns.add("skippable", candidates.iter().map(|c| c.skippable)).frame()
}

/// The table of one feature.
pub(crate) fn table_of_one(
    df: &DataFrame,
    target: &str,
    feature: &str,
    spec: &RankSpec,
) -> Result<Table> {
    let request = spec.request_of_one(target, feature);
    let usable = all_usable(request.features(df)?, target)?;
    let table = request.table(df, &usable)?;
    table.target.check()?;
    Ok(table)
}

/// Adds the measures of the candidates.
fn measures(columns: &mut Columns, candidates: &[SplitCandidate], table: &Table) {
    let target = &table.target;
    let classes = || {
        candidates.iter().filter_map(|c| match &c.measures {
            SplitMeasures::Classes(split) => Some(split),
            SplitMeasures::Numbers(_) => None,
        })
    };
    let numbers = || {
        candidates.iter().filter_map(|c| match &c.measures {
            SplitMeasures::Numbers(split) => Some(split),
            SplitMeasures::Classes(_) => None,
        })
    };
    if target.labels().is_empty() {
        columns
            .add("mean_left", numbers().map(|m| m.mean_left))
            .add("mean_right", numbers().map(|m| m.mean_right))
            .add("variance_reduction", numbers().map(|m| m.variance_reduction));
        return;
    }
    for (class, label) in target.labels().iter().enumerate() {
        let label = target.dtype.show(label);
        columns
            .add(&format!("share_left_{label}"), classes().map(|m| m.share_left[class]))
            .add(&format!("share_right_{label}"), classes().map(|m| m.share_right[class]));
    }
    columns
        .add("entropy_left", classes().map(|m| m.entropy_left))
        .add("entropy_right", classes().map(|m| m.entropy_right))
        .add("info_gain", classes().map(|m| m.info_gain))
        .add("gain_ratio", classes().map(|m| m.gain_ratio))
        .add("gini_split", classes().map(|m| m.gini_split))
        .add("gini_gain", classes().map(|m| m.gini_gain));
}
