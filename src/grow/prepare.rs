//! What growth asks of a table and a spec before it starts.

use crate::data::column::Column;
use crate::data::weights::Weights;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::grow::Plan;
use crate::spec::{Criterion, Missing, TreeSpec};
use crate::split::select::{MANY_LEVELS_SHARE, Selector};
use crate::split::{Limits, Search};

/// What a row is, where rows are shared out among branches.
pub(super) struct Sharing {
    /// The weight that counts as a row: one, of weights that count copies; else the mean weight.
    pub(super) row_weight: f64,
    /// The copies each row stands for, which are shared out alike; none are all one.
    pub(super) copies: Vec<u64>,
}

/// The rows' weights made fit to be shared out; as they are where no row will be.
pub(super) fn shared_weights(
    spec: &TreeSpec,
    weights: Option<Weights>,
    table: &Table,
) -> (Option<Weights>, Option<Sharing>) {
    let no_missing = || table.columns.iter().all(|c| c.first_missing().is_none());
    if spec.missing != Missing::Fractional || no_missing() {
        return (weights, None);
    }
    let sharing = match &weights {
        None => Sharing { row_weight: 1.0, copies: Vec::new() },
        Some(weights) => match weights.copies() {
            Some(copies) => Sharing { row_weight: 1.0, copies: copies.to_vec() },
            None => Sharing { row_weight: weights.mean(), copies: Vec::new() },
        },
    };
    (Some(Weights::divisible(weights, table.n_rows())), Some(sharing))
}

impl Plan {
    pub(super) fn new(
        spec: &TreeSpec,
        columns: &[Column],
        n_rows: usize,
        sharing: Option<&Sharing>,
    ) -> Plan {
        let limits = Limits {
            min_rows: spec.min_samples_leaf,
            min_weight: spec.min_weight_leaf,
            row_weight: sharing.map(|s| s.row_weight),
        };
        Plan {
            search: Search { limits, missing: spec.missing, grouping: spec.grouping, bar: 0.0 },
            selector: Selector {
                selection: spec.selection,
                min_gain: spec.min_gain,
                zero_gain_splits: spec.zero_gain_splits,
                many_levels: columns.iter().map(|c| has_many_levels(c, n_rows)).collect(),
            },
            max_depth: spec.max_depth.unwrap_or(u32::MAX),
            max_leaves: spec.max_leaves,
            min_samples_split: spec.min_samples_split.max(2),
        }
    }
}

/// C4.5's guard: a nominal feature of so many levels gains too much to speak for the mean.
fn has_many_levels(column: &Column, n_rows: usize) -> bool {
    column.kind() == crate::data::dtype::Kind::Nominal
        && column.n_levels() as f64 >= MANY_LEVELS_SHARE * n_rows as f64
}

/// Refuses what no tree can be grown from.
pub(super) fn check(table: &Table, spec: &TreeSpec) -> Result<()> {
    table.target.check()?;
    spec.pruning.check()?;
    if spec.criterion == Criterion::Variance && !table.target.labels().is_empty() {
        return Err(Error::spec(format!(
            "criterion variance is for numbers, and target `{}` ({}) holds classes: take entropy \
             or gini, or task = regress",
            table.target.name, table.target.dtype
        )));
    }
    if spec.max_leaves == Some(0) {
        return Err(Error::spec("max_leaves is 0; a tree has at least 1 leaf"));
    }
    if table.columns.is_empty() {
        return Err(Error::data(format!(
            "no feature to split on beside target `{}`: name some, or add columns",
            table.target.name
        )));
    }
    let limits = [("min_gain", spec.min_gain), ("min_weight_leaf", spec.min_weight_leaf)];
    for (name, limit) in limits {
        if !(limit >= 0.0 && limit.is_finite()) {
            return Err(Error::spec(format!(
                "{name} is {limit}; it must be finite and not negative: 0 sets no limit"
            )));
        }
    }
    if spec.missing == Missing::Error {
        for column in &table.columns {
            if let Some(row) = column.first_missing() {
                let row = table.rows.kept.as_ref().map_or(row, |kept| kept[row as usize]);
                return Err(Error::data(format!(
                    "feature `{}` ({}) is missing in row {row}, and missing = error allows none: \
                     fill it, leave the column out, or choose another way with missing values",
                    column.name, column.dtype
                )));
            }
        }
    }
    Ok(())
}
