//! Columns that a format cannot hold.

use polars::prelude::{DataType, Schema};

use crate::input::FileFormat;
use crate::process::{Failure, Result};

/// Checks that a format can hold the columns of a table.
pub(super) fn check_dtypes(schema: &Schema, format: FileFormat) -> Result<()> {
    let cannot = |dtype: &DataType| match (format, dtype) {
        (FileFormat::Csv(..), DataType::Duration(_)) => true,
        (FileFormat::Csv(..) | FileFormat::Ndjson | FileFormat::Json, dtype) => {
            matches!(dtype, DataType::Binary | DataType::BinaryOffset)
        }
        (FileFormat::Parquet | FileFormat::Ipc, _) => false,
    };
    match schema.iter().find(|(_, dtype)| cannot(dtype)) {
        Some((name, dtype)) => Err(Failure::work(format!(
            "column `{name}` ({dtype}) cannot be written as {format}: leave it out, as --keep does, \
             or write .parquet"
        ))),
        None => Ok(()),
    }
}
