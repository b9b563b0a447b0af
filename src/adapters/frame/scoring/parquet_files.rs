//! Parquet files that are read as one table.

use std::path::{Path, PathBuf};

use polars::prelude::{LazyFrame, Schema, SchemaRef, UnionArgs, concat};

use super::parquet_parts::{n_rows, read_error, scan_parquet_in_parts, scan_parquet_within};
use crate::adapters::frame::columns::column;
use crate::error::{Error, Result};
use crate::spec::Budget;

/// The paths of input files. There has to be one.
pub(crate) fn named_inputs<P: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
) -> Result<Vec<PathBuf>> {
    let inputs: Vec<PathBuf> = inputs.into_iter().map(|path| path.as_ref().into()).collect();
    match inputs.is_empty() {
        true => Err(Error::spec("no input file is named: name at least one")),
        false => Ok(inputs),
    }
}

/// The rows of files, one after the other, columns in the order of the first file.
pub(crate) fn scan_files(paths: &[PathBuf]) -> Result<LazyFrame> {
    let scan = |path: &Path| scan_parquet_in_parts(path).map_err(|e| read_error(path, e));
    let files = of_same_columns(paths, |path| Ok(vec![scan(path)?]))?;
    let in_order = UnionArgs { maintain_order: true, ..Default::default() };
    concat(files, in_order).map_err(Error::from)
}

/// As [`scan_files`], in parts that fit a budget.
pub(crate) fn scan_files_within(paths: &[PathBuf], budget: &Budget) -> Result<Vec<LazyFrame>> {
    of_same_columns(paths, |path| scan_parquet_within(path, budget))
}

/// The name of a row, counted from 0, of files that are read one after the other: "row 3", or
/// "row 3 of `b.parquet`" where there are several.
pub(super) fn row_name(paths: &[PathBuf], row: usize) -> String {
    let mut left = row;
    let files = if paths.len() > 1 { paths } else { &[] };
    let counted = files.iter().map_while(|path| Some((path, n_rows(path).ok()?)));
    for (path, rows) in counted {
        match left.checked_sub(rows) {
            Some(later) => left = later,
            None => return format!("row {} of `{}`", left + 1, path.display()),
        }
    }
    format!("row {}", row + 1)
}

/// The parts of files, all with the columns of the first one.
fn of_same_columns(
    paths: &[PathBuf],
    scan: impl Fn(&Path) -> Result<Vec<LazyFrame>>,
) -> Result<Vec<LazyFrame>> {
    let mut parts = Vec::with_capacity(paths.len());
    let mut first: Option<SchemaRef> = None;
    for path in paths {
        let mut of_file = scan(path)?;
        let Some(part) = of_file.first_mut() else { continue };
        let schema = part.collect_schema().map_err(|e| read_error(path, e))?;
        let first = first.get_or_insert_with(|| schema.clone());
        check_same_columns(first, &schema, [&paths[0], path])?;
        let names = || first.iter_names().map(|name| column(name)).collect::<Vec<_>>();
        match first.iter_names().eq(schema.iter_names()) {
            true => parts.append(&mut of_file),
            false => parts.extend(of_file.into_iter().map(|rows| rows.select(names()))),
        }
    }
    Ok(parts)
}

/// Checks that two files have the same columns, in any order.
fn check_same_columns(a: &Schema, b: &Schema, [path_a, path_b]: [&Path; 2]) -> Result<()> {
    let describe = |schema: &Schema, name: &str| match schema.get(name) {
        Some(dtype) => format!("is {dtype}"),
        None => "is not there".into(),
    };
    let mut names = a.iter_names().chain(b.iter_names());
    match names.find(|name| a.get(name) != b.get(name)) {
        None => Ok(()),
        Some(name) => Err(Error::data(format!(
            "column `{name}` {} in `{}`, but {} in `{}`: files read together need the same \
             columns; cast or drop it in one of them",
            describe(b, name),
            path_b.display(),
            describe(a, name),
            path_a.display()
        ))),
    }
}
