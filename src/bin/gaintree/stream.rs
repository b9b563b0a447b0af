//! The rows of a query, written to a file as they come.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use polars::prelude::{
    CsvWriter, DataFrame, Engine, FileWriteFormat, LazyFrame, PlRefPath, PlanCallback, PolarsError,
    PolarsResult, SerWriter, SinkDestination, SinkTarget, UnifiedSinkArgs,
};

use crate::crash;
use crate::failure::{Failure, Result, Stopped};
use crate::format::Format;
use crate::json_text::flattened;
use crate::output::{Destination, encode, temporary};

/// Writes the rows of a query as they come, where the format can be written so.
pub fn write(to: &Destination, query: LazyFrame) -> Result<(), Stopped> {
    match to {
        Destination::File(path, format) if *format != Format::Json => {
            into_file(path, *format, query)
        }
        // An array of json has an end, and what is printed cannot be taken back.
        _ => Ok(to.write(&run(query).map_err(|e| Stopped::Rows(first_paragraph(&e)))?)?),
    }
}

/// Runs a query into a file, rows in their order.
fn into_file(path: &Path, format: Format, query: LazyFrame) -> Result<(), Stopped> {
    let failed = |what: String| Failure::work(format!("cannot write `{}`: {what}", path.display()));
    let (place, temporary) = temporary(path).map_err(|e| failed(e.to_string()))?;
    let query = match format {
        Format::Parquet => sink(query, temporary.path(), FileWriteFormat::Parquet(Arc::default())),
        Format::Ipc => sink(query, temporary.path(), FileWriteFormat::Ipc(Default::default())),
        _ => batches(query, temporary.reopen().map_err(|e| failed(e.to_string()))?, format),
    };
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

/// Whether it is for want of room, and not for what was read.
fn is_of_the_place(e: &PolarsError) -> bool {
    let PolarsError::IO { error, .. } = e else { return false };
    use ErrorKind::*;
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge | ReadOnlyFilesystem)
}

/// Polars adds advice for programs after the first paragraph.
fn first_paragraph(e: &PolarsError) -> String {
    e.to_string().split("\n\n").next().unwrap_or_default().to_string()
}

fn sink(query: LazyFrame, path: &Path, format: FileWriteFormat) -> PolarsResult<LazyFrame> {
    let target = SinkTarget::Path(PlRefPath::try_from_path(path)?);
    query.sink(SinkDestination::File { target }, format, UnifiedSinkArgs::default())
}

/// Writes the batches of a query one after the other.
fn batches(query: LazyFrame, file: File, format: Format) -> PolarsResult<LazyFrame> {
    let out = Mutex::new((BufWriter::new(file), true));
    let write = move |df: DataFrame| {
        let mut out = out.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (out, first) = &mut *out;
        match format {
            Format::Ndjson => encode(&df, format, out)?,
            _ => CsvWriter::new(&mut *out).include_header(*first).finish(&mut flattened(&df)?)?,
        }
        *first = false;
        out.flush()?;
        Ok(false)
    };
    query.sink_batches(PlanCallback::new(write), true, None)
}
