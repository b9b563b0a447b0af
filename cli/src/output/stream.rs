//! The rows of a query, written as they come.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use gaintree::{AtomicFile, Error, sink_into};
use polars::prelude::{
    CsvWriterOptions, Engine, FileWriteFormat, LazyFrame, NDJsonWriterOptions, SerializeOptions,
};

use super::destination::Output;
use super::nested_json::flatten_query;
use super::table::{check_dtypes, failed_on_rows};
use super::times::with_checked_times;
use crate::input::FileFormat;
use crate::process::{Failure, QueryFailure, Result, catch_panic};

/// Runs a query and writes its rows, in their order.
///
/// They are written as they come where the format allows it: a json array and a compressed file
/// have an end, and rows that were printed or piped cannot be taken back.
pub fn write_query(to: &Output, mut query: LazyFrame) -> Result<(), QueryFailure> {
    match to {
        Output::Table(path, format) if streams(*format) && !is_device(path) => {
            let schema = query.collect_schema().map_err(Failure::from)?;
            check_dtypes(&schema, *format)?;
            into_file(path, *format, query)
        }
        _ => {
            let run = || Ok(query.collect_with_engine(Engine::Streaming)?.unwrap_single());
            let df = without_panic(run).map_err(|e| QueryFailure::Rows(e.to_string()))?;
            Ok(to.write_table(&df)?)
        }
    }
}

fn streams(format: FileFormat) -> bool {
    match format {
        FileFormat::Parquet | FileFormat::Ndjson | FileFormat::Ipc => true,
        FileFormat::Csv(_, packing) => packing.is_none(),
        FileFormat::Json => false,
    }
}

fn into_file(path: &Path, format: FileFormat, query: LazyFrame) -> Result<(), QueryFailure> {
    let cannot_write =
        |what: String| Failure::work(format!("cannot write `{}`: {what}", path.display()));
    let file = AtomicFile::create(path).map_err(|e| cannot_write(e.to_string()))?;
    without_panic(|| sink(query, &file, format)).map_err(|e| match e.is_io() {
        true => cannot_write(e.to_string()).into(),
        false => QueryFailure::Rows(e.to_string()),
    })?;
    Ok(file.commit().map_err(|e| cannot_write(e.to_string()))?)
}

fn without_panic<R>(run: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    // The caller reads all files again, and names one that is damaged.
    catch_panic(run).unwrap_or_else(|panic| Err(failed_on_rows(&panic).into()))
}

fn sink(mut query: LazyFrame, file: &AtomicFile, format: FileFormat) -> Result<(), Error> {
    // The ending of the hidden name says nothing.
    let check_extension = false;
    let format = match format {
        FileFormat::Parquet => FileWriteFormat::Parquet(Arc::default()),
        FileFormat::Ipc => FileWriteFormat::Ipc(Default::default()),
        FileFormat::Ndjson | FileFormat::Json => {
            query = with_checked_times(query)?;
            FileWriteFormat::NDJson(NDJsonWriterOptions { check_extension, ..Default::default() })
        }
        FileFormat::Csv(separator, _) => {
            query = flatten_query(with_checked_times(query)?)?;
            let serialize = SerializeOptions { separator, ..Default::default() };
            FileWriteFormat::Csv(CsvWriterOptions {
                check_extension,
                serialize_options: serialize.into(),
                ..Default::default()
            })
        }
    };
    sink_into(query, file, format)
}

/// Whether a device or a pipe stands there, which is written to as it is.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file())
}
