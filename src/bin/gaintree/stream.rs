//! The rows of a query, written to a file as they come.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex};

use polars::io::utils::file::Writable;
use polars::prelude::{
    CsvWriterOptions, DataFrame, Engine, FileWriteFormat, LazyFrame, NDJsonWriterOptions,
    PolarsError, PolarsResult, SinkDestination, SinkTarget, SpecialEq, UnifiedSinkArgs,
};

use crate::crash;
use crate::failure::{Failure, Result, Stopped};
use crate::format::Format;
use crate::json_text::flattened_query;
use crate::output::{Destination, is_device, temporary};

/// Writes the rows of a query as they come, where the format can be written so.
pub fn write(to: &Destination, query: LazyFrame) -> Result<(), Stopped> {
    match to {
        Destination::File(path, format) if *format != Format::Json && !is_device(path) => {
            into_file(path, *format, query)
        }
        // An array of json has an end, and what is printed or piped cannot be taken back.
        _ => Ok(to.write(&run(query).map_err(|e| Stopped::Rows(first_paragraph(&e)))?)?),
    }
}

/// Runs a query into a file, rows in their order.
fn into_file(path: &Path, format: Format, query: LazyFrame) -> Result<(), Stopped> {
    let failed = |what: String| Failure::work(format!("cannot write `{}`: {what}", path.display()));
    let (place, temporary) = temporary(path).map_err(|e| failed(e.to_string()))?;
    let file = temporary.as_file().try_clone().map_err(|e| failed(e.to_string()))?;
    let query = sink(query, file, format);
    query.and_then(run).map_err(|e| match is_of_the_place(&e) {
        true => failed(first_paragraph(&e)).into(),
        false => Stopped::Rows(first_paragraph(&e)),
    })?;
    temporary.persist(&place).map_err(|e| failed(e.error.to_string()))?;
    Ok(())
}

fn run(query: LazyFrame) -> PolarsResult<DataFrame> {
    let ran = crash::caught(|| query.collect_with_engine(Engine::Streaming));
    let ran = ran.unwrap_or_else(|crash| {
        Err(PolarsError::ComputeError(format!("it is damaged: {}", crash.what).into()))
    });
    ran.map(|result| result.unwrap_single())
}

/// Whether it is for want of room, and not for what was read. The parquet writer has only the
/// system's words for it.
fn is_of_the_place(e: &PolarsError) -> bool {
    use ErrorKind::*;
    let kinds = [StorageFull, QuotaExceeded, FileTooLarge, ReadOnlyFilesystem];
    match e {
        PolarsError::IO { error, .. } => kinds.contains(&error.kind()),
        e => e.to_string().contains("No space left on device"),
    }
}

/// Polars adds advice for programs after the first paragraph.
fn first_paragraph(e: &PolarsError) -> String {
    e.to_string().split("\n\n").next().unwrap_or_default().to_string()
}

/// Each format is written in batches, which are encoded side by side. The file is handed over open:
/// opened by its name, in a thread of its own, it might come into being again after a run that was
/// stopped has removed it.
fn sink(mut query: LazyFrame, file: File, format: Format) -> PolarsResult<LazyFrame> {
    // The ending of the hidden name says nothing.
    let check_extension = false;
    let format = match format {
        Format::Parquet => FileWriteFormat::Parquet(Arc::default()),
        Format::Ipc => FileWriteFormat::Ipc(Default::default()),
        Format::Ndjson | Format::Json => {
            FileWriteFormat::NDJson(NDJsonWriterOptions { check_extension, ..Default::default() })
        }
        Format::Csv => {
            query = flattened_query(query)?;
            FileWriteFormat::Csv(CsvWriterOptions { check_extension, ..Default::default() })
        }
    };
    let file = Mutex::new(Some(Writable::Local(file)));
    let target = SinkTarget::Dyn(SpecialEq::new(Arc::new(file)));
    query.sink(SinkDestination::File { target }, format, UnifiedSinkArgs::default())
}
