//! The rows of files as one frame, and which row of which file each of them is.

use std::ops::Deref;

use polars::prelude::{BooleanChunked, DataFrame, PolarsResult};

use super::Input;
use crate::process::Result;

#[derive(Default)]
pub struct Rows {
    df: DataFrame,
    files: Vec<(Input, usize)>,
    /// Whether each row that was read is left.
    kept: Option<BooleanChunked>,
}

impl Deref for Rows {
    type Target = DataFrame;

    fn deref(&self) -> &DataFrame {
        &self.df
    }
}

impl Rows {
    pub(super) fn add(&mut self, file: Input, df: DataFrame) -> PolarsResult<()> {
        let rows = df.height();
        match self.files.is_empty() {
            true => self.df = df,
            false => drop(self.df.vstack_mut_owned(df)?),
        }
        self.files.push((file, rows));
        Ok(())
    }

    pub fn none(empty: DataFrame) -> Rows {
        Rows { df: empty, ..Rows::default() }
    }

    pub fn filter(self, kept: BooleanChunked) -> Result<Rows> {
        let df = self.df.filter(&kept)?;
        Ok(Rows { df, files: self.files, kept: Some(kept) })
    }

    pub fn into_frame(self) -> DataFrame {
        self.df
    }

    /// What a verb made of the rows; the row of an error is named by its position in the files.
    pub fn named<T>(&self, done: gaintree::Result<T>) -> Result<T> {
        Ok(done.map_err(|e| e.with_row_name(|row| self.row_name(row)))?)
    }

    fn row_name(&self, row: usize) -> String {
        let row = self.kept.as_ref().map_or(row, |kept| {
            let given = kept.iter().enumerate().filter(|(_, kept)| *kept == Some(true));
            given.map(|(index, _)| index).nth(row).unwrap_or(row)
        });
        row_name_in(&self.files, self.files.len() > 1, row)
    }
}

/// The name of a row, counted from 0, of files and their numbers of rows: "row 3", or
/// "row 3 of `b.csv`" with its file. If its line has too few fields, the name says so.
pub(super) fn row_name_in(files: &[(Input, usize)], with_file: bool, mut row: usize) -> String {
    for (file, rows) in files {
        match row.checked_sub(*rows) {
            Some(later) => row = later,
            None => {
                let of = if with_file { format!(" of `{}`", file.name()) } else { String::new() };
                let short = file.short_line(row).map(|line| format!(" ({line})"));
                return format!("row {}{of}{}", row + 1, short.unwrap_or_default());
            }
        }
    }
    format!("row {}", row + 1)
}
