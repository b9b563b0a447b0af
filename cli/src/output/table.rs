//! A table in a file format.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use polars::prelude::{
    CsvWriter, DataFrame, IpcWriter, JsonFormat, JsonWriter, ParquetWriter, PolarsError,
    PolarsResult, SerWriter, polars_err,
};

use super::nested_json::flatten;
use super::times::check_times;
use crate::input::{FileFormat, Packing};
use crate::process::{Panic, catch_panic};

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
