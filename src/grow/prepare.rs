//! Checks and weights before growth starts.

use std::sync::Arc;

use crate::data::column::{Column, ColumnInfo};
use crate::data::dtype::DType;
use crate::data::target::Target;
use crate::data::weights::Weights;
use crate::encode::table::{EncodeContext, Table};
use crate::error::{Error, Result};
use crate::spec::{Criterion, Missing, Pruning, TreeSpec};

/// How rows count where they may be shared out among branches.
pub(crate) struct Sharing {
    /// The weight that counts as one row: 1 if weights count copies, else the mean weight.
    pub(crate) row_weight: f64,
    /// The copies each row stands for; empty if all are one.
    pub(crate) copies: Arc<[u64]>,
}

/// How rows count, if any may be shared out; their weights must be
/// [divisible](Weights::divisible) then.
pub(crate) fn sharing(
    spec: &TreeSpec,
    weights: Option<&Weights>,
    has_missing: bool,
) -> Option<Sharing> {
    if !spec.missing.shares_rows() || !has_missing {
        return None;
    }
    Some(match weights {
        None => Sharing { row_weight: 1.0, copies: Arc::default() },
        Some(weights) => match weights.copies() {
            Some(copies) => Sharing { row_weight: 1.0, copies: copies.into() },
            None => Sharing { row_weight: weights.mean(), copies: Arc::default() },
        },
    })
}

pub(crate) fn check(table: &Table, spec: &TreeSpec) -> Result<()> {
    table.target.check()?;
    check_spec(&table.target, table.columns.len(), spec)?;
    let check =
        |column: &Column| check_missing(spec, &table.context, column, column.first_missing());
    table.columns.iter().try_for_each(check)
}

/// Checks that a column may have a missing value in a row of the table, if it has one.
pub(super) fn check_missing(
    spec: &TreeSpec,
    context: &EncodeContext,
    column: &ColumnInfo,
    row: Option<u32>,
) -> Result<()> {
    match row {
        Some(row) if spec.missing == Missing::Error => {
            let row = context.kept.as_ref().map_or(row, |kept| kept[row as usize]);
            let missing = is_missing(&column.name, &column.dtype);
            Err(Error::data_in_row(missing, row as usize, NOT_ALLOWED))
        }
        _ => Ok(()),
    }
}

pub(crate) fn spec_of_tree(spec: &TreeSpec, target: &Target) -> TreeSpec {
    let mut spec = TreeSpec { monitor: None, ..spec.clone() };
    if target.labels().is_empty() {
        // What a regression tree is grown by, whatever the preset says of classes.
        spec.criterion = Criterion::Variance;
        if let Pruning::Pessimistic { .. } = spec.pruning {
            spec.pruning = Pruning::None;
        }
    }
    spec
}

/// The error where `n` values are missing that may not be.
pub(crate) fn missing_values(name: &str, dtype: &DType, n: u64) -> Error {
    Error::data(format!("{} {n} rows{NOT_ALLOWED}", is_missing(name, dtype)))
}

fn is_missing(name: &str, dtype: &DType) -> String {
    format!("feature `{name}` ({dtype}) is missing in")
}

const NOT_ALLOWED: &str = ", and missing = error allows none: fill it, leave the column out, or \
                           choose another way with missing values";

pub(crate) fn check_spec(target: &Target, n_features: usize, spec: &TreeSpec) -> Result<()> {
    spec.pruning.check()?;
    if spec.criterion == Criterion::Variance && !target.labels().is_empty() {
        return Err(Error::spec(format!(
            "criterion variance is for numbers, and target `{}` ({}) holds classes: take entropy \
             or gini, or task = regress",
            target.name, target.dtype
        )));
    }
    if spec.max_leaves == Some(0) {
        return Err(Error::spec("max_leaves is 0; a tree has at least 1 leaf"));
    }
    if spec.min_samples_leaf == 0 {
        return Err(Error::spec(
            "min_samples_leaf is 0; a branch has at least 1 row: 1 sets no limit",
        ));
    }
    if n_features == 0 {
        return Err(Error::data(format!(
            "no feature to split on beside target `{}`: name some, or add columns",
            target.name
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
    Ok(())
}
