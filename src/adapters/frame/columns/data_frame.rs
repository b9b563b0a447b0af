//! A DataFrame as the verbs read it: columns by name.

use polars::prelude::{Column as PlColumn, DataFrame};

use super::frame_column::FrameColumn;
use crate::adapters::common::request::{ColumnOrReason, NamedColumns};
use crate::error::{Result, no_such_column};

impl NamedColumns for DataFrame {
    type Column = FrameColumn;

    fn n_rows(&self) -> usize {
        self.height()
    }

    fn names(&self) -> Vec<&str> {
        names(self)
    }

    fn column_or_reason(&self, name: &str) -> Option<ColumnOrReason<FrameColumn>> {
        let column = self.column(name).ok()?;
        let usable = FrameColumn::new(column).map(ColumnOrReason::Usable);
        Some(usable.unwrap_or_else(|| ColumnOrReason::of_no_kind(name, column.dtype())))
    }
}

/// The column of a name, or an error that suggests the near one.
pub(crate) fn find<'a>(df: &'a DataFrame, role: &str, name: &str) -> Result<&'a PlColumn> {
    df.column(name).map_err(|_| no_such_column(role, name, &names(df)))
}

pub(crate) fn names(df: &DataFrame) -> Vec<&str> {
    df.columns().iter().map(|c| c.name().as_str()).collect()
}
