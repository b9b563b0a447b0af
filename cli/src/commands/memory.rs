//! Work within the memory that is free, or that was asked for.

use std::path::PathBuf;

use gaintree::{Budget, Error};
use polars::prelude::{LazyFrame, PolarsError};

use crate::args::shared::RowArgs;
use crate::input::Scan;
use crate::output::{note, note_all};
use crate::process::{Failure, QueryFailure, Result, free_memory};

/// Bytes that a value takes in memory while a tree is fitted or columns are ranked.
const VALUE_BYTES: u64 = 22;

/// Says that the rows will hardly fit in memory, where the files say how many there are.
pub fn note_memory(scan: &Scan, needed: Option<&[String]>) {
    let columns = needed.map_or(scan.width(), <[String]>::len);
    let Some((rows, free)) = scan.rows().zip(free_memory()) else { return };
    if let Some(text) = memory_note(rows, columns as u64, free) {
        note(&text);
    }
}

fn memory_note(rows: u64, columns: u64, free: u64) -> Option<String> {
    let bytes = rows.saturating_mul(columns).saturating_mul(VALUE_BYTES);
    let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    (bytes > free).then(|| {
        format!(
            "{rows} rows of {columns} columns take about {} in memory, and {} are free: \
             --memory {}GB reads a part at a time, with the same result",
            gigabytes(bytes),
            gigabytes(free),
            (free / 2_000_000_000).max(1)
        )
    })
}

/// The failure of a query; `other` makes one of what is not its rows' fault.
pub fn of_query(e: Error, other: impl FnOnce(Error) -> Failure) -> QueryFailure {
    match std::error::Error::source(&e).is_some_and(|source| source.is::<PolarsError>()) {
        true => QueryFailure::Rows(e.to_string()),
        false => other(e).into(),
    }
}

pub fn check_memory(memory: Option<u64>, rows: &RowArgs) -> Result<()> {
    match memory.is_some() && rows.drop_null_target {
        false => Ok(()),
        true => Err(Failure::usage(
            "--memory reads a part of the rows or columns at a time, and goes with no \
             --drop-null-target: leave one of them out",
        )),
    }
}

/// Work on rows that are read in parts; it needs some columns or all. `work` gets queries for the
/// parts, and the paths of the files.
pub fn in_parts<T>(
    scan: &Scan,
    columns: Option<&[&str]>,
    budget: &Budget,
    mut work: impl FnMut(Vec<LazyFrame>, &[PathBuf]) -> gaintree::Result<T>,
) -> Result<T> {
    let done = scan.with_parts(columns, budget, |rows, files| {
        work(rows, files).map_err(|e| of_query(e, |e| named_row(e, scan)))
    })?;
    note_all(scan.notes(columns));
    Ok(done)
}

/// An error of rows that were read in parts, which says the row's file.
pub fn named_row(e: Error, scan: &Scan) -> Failure {
    match e.row().map(|row| scan.row_name(row)).transpose() {
        Ok(name) => e.with_row_name(|_| name.unwrap_or_default()).into(),
        Err(failure) => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::memory_note;

    #[test]
    fn a_note_is_of_rows_that_do_not_fit() {
        assert_eq!(memory_note(10_000_000, 10, 8_000_000_000), None);
        let note = memory_note(500_000_000, 20, 8_000_000_000).expect("said");
        assert!(note.contains("about 220.0 GB in memory, and 8.0 GB are free"), "{note}");
        assert!(note.contains("--memory 4GB"), "{note}");
        assert!(memory_note(u64::MAX, 20, 100).is_some());
    }
}
