//! The files of rows for a model, opened with the dtypes of its columns.

use gaintree::Tree;
use polars::prelude::Schema;

use super::scores::Scores;
use super::{used, used_and_target};
use crate::input::{Input, ModelColumns, Scan, model_dtypes};
use crate::process::Result;

/// Loads a model, and opens files with the dtypes of its columns.
pub(super) fn open_model(
    model: &str,
    inputs: Vec<Input>,
    columns: ModelColumns,
) -> Result<(Tree, Scan)> {
    let tree = Tree::load(model)?;
    let scan = open_scan(&tree, inputs, columns)?;
    Ok((tree, scan))
}

pub(super) fn open_scan(
    model: &impl Scores,
    inputs: Vec<Input>,
    columns: ModelColumns,
) -> Result<Scan> {
    let (schema, of_rules) = model.columns();
    let features = schema.features.iter().map(|feature| feature.name.as_str());
    let needed = match columns {
        ModelColumns::Used => used(model),
        ModelColumns::UsedAndTarget => used_and_target(model),
        ModelColumns::All => features.chain([schema.target.as_str()]).collect(),
    };
    scan_of(inputs, model_dtypes(schema, &of_rules, columns), &needed)
}

/// Opens files that have to have some columns, and whose text is read with some dtypes.
pub(super) fn scan_of(inputs: Vec<Input>, given: Schema, needed: &[&str]) -> Result<Scan> {
    let scan = Scan::of_shared_columns(inputs, given)?;
    needed.iter().try_for_each(|name| scan.check_shared(name))?;
    Ok(scan)
}
