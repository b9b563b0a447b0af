//! The rows of a query, written to a file as they come.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex};

use polars::error::PolarsError;
use polars::io::utils::file::Writable;
use polars::prelude::{
    Engine, FileWriteFormat, LazyFrame, SinkDestination, SinkTarget, SpecialEq, UnifiedSinkArgs,
};

use crate::error::{Error, Result};
use crate::util::atomic_file::AtomicFile;

/// Runs a query on the streaming engine and writes its rows, in their order, into a file, which
/// the caller commits. Memory is bounded by batches, not by rows.
///
/// # Errors
/// [`is_io`](Error::is_io) where the file has no room, [`is_data`](Error::is_data) where the rows
/// cannot be read or worked on.
pub fn sink_into(query: LazyFrame, file: &AtomicFile, format: FileWriteFormat) -> Result<()> {
    let file = file.file().try_clone().map_err(PolarsError::from)?;
    let file = Mutex::new(Some(Writable::Local(file)));
    let target = SinkTarget::Dyn(SpecialEq::new(Arc::new(file)));
    let query = query.sink(SinkDestination::File { target }, format, UnifiedSinkArgs::default())?;
    query.collect_with_engine(Engine::Streaming)?;
    Ok(())
}

/// Says what Polars does, without the advice for programs after its first paragraph. A full disk
/// is an [`is_io`](Error::is_io) error, all else [`is_data`](Error::is_data).
impl From<PolarsError> for Error {
    fn from(e: PolarsError) -> Self {
        let whole = e.to_string();
        let text = whole.split("\n\n").next().unwrap_or_default();
        let error = if is_out_of_space(&e) { Error::io(text) } else { Error::data(text) };
        error.caused_by(e)
    }
}

/// Whether the fault is in the file that is written, not in the rows that are read.
fn is_out_of_space(e: &PolarsError) -> bool {
    use ErrorKind::*;
    let kinds = [StorageFull, QuotaExceeded, FileTooLarge, ReadOnlyFilesystem];
    match e {
        PolarsError::IO { error, .. } => kinds.contains(&error.kind()),
        // The parquet writer passes on only the system's text.
        e => e.to_string().contains("No space left on device"),
    }
}
