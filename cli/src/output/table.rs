//! A table in a file format, which may not hold all its columns.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use polars::prelude::{
    CsvWriter, DataFrame, DataType, IpcWriter, JsonFormat, JsonWriter, ParquetWriter, PolarsError,
    PolarsResult, Schema, SerWriter, polars_err,
};

use super::nested_json::flatten;
use super::times::check_times;
use crate::input::{FileFormat, Packing};
use crate::process::{Failure, Panic, Result, catch_panic};

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

pub(super) fn encode(df: &DataFrame, format: FileFormat, out: &mut dyn Write) -> PolarsResult<()> {
    if format.is_text() {
        df.columns().iter().try_for_each(check_times)?;
    }
    catch_panic(|| write(df, format, out)).unwrap_or_else(|panic| Err(failed_on_rows(&panic)))
}

/// The error of a panic of Polars on rows that could be read.
pub(super) fn failed_on_rows(panic: &Panic) -> PolarsError {
    polars_err!(
        ComputeError: "Polars fails on these rows ({}): leave out the column that causes it, as --keep \
        does, or write .parquet", panic.message
    )
}

fn write(df: &DataFrame, format: FileFormat, out: &mut dyn Write) -> PolarsResult<()> {
    // Columns are shared, not copied. The writers ask for `&mut` because they may rechunk.
    let mut df = df.clone();
    match format {
        FileFormat::Parquet => ParquetWriter::new(out).finish(&mut df).map(drop),
        FileFormat::Ipc => IpcWriter::new(out).finish(&mut df),
        FileFormat::Csv(separator, packing) => {
            let df = flatten(&df)?;
            match packing {
                None => csv(out, separator, df),
                Some(Packing::Gzip) => {
                    let mut packed = GzEncoder::new(out, Compression::default());
                    csv(&mut packed, separator, df)?;
                    Ok(packed.finish().map(drop)?)
                }
                Some(Packing::Zstd) => {
                    let mut packed = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                    csv(&mut packed, separator, df)?;
                    Ok(packed.finish().map(drop)?)
                }
            }
        }
        FileFormat::Ndjson => {
            JsonWriter::new(out).with_json_format(JsonFormat::JsonLines).finish(&mut df)
        }
        FileFormat::Json => JsonWriter::new(out).with_json_format(JsonFormat::Json).finish(&mut df),
    }
}

fn csv(out: impl Write, separator: u8, mut df: DataFrame) -> PolarsResult<()> {
    CsvWriter::new(out).with_separator(separator).finish(&mut df)
}
