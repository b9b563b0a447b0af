//! The rows of a query, written to a file as they come.

use std::sync::{Arc, Mutex};

use polars::error::PolarsError;
use polars::io::utils::file::Writable;
use polars::prelude::{
    Engine, FileWriteFormat, LazyFrame, SinkDestination, SinkTarget, SpecialEq, UnifiedSinkArgs,
};

use crate::error::Result;
use crate::util::atomic_file::AtomicFile;

/// Runs a query on the streaming engine and writes its rows, in their order, into a file, which
/// the caller commits. Memory is bounded by batches, not by rows.
///
/// # Errors
/// [`is_io`](crate::Error::is_io) where the file has no room, [`is_data`](crate::Error::is_data) where the rows
/// cannot be read or worked on.
pub fn sink_into(query: LazyFrame, file: &AtomicFile, format: FileWriteFormat) -> Result<()> {
    let file = file.file().try_clone().map_err(PolarsError::from)?;
    let file = Mutex::new(Some(Writable::Local(file)));
    let target = SinkTarget::Dyn(SpecialEq::new(Arc::new(file)));
    let query = query.sink(SinkDestination::File { target }, format, UnifiedSinkArgs::default())?;
    query.collect_with_engine(Engine::Streaming)?;
    Ok(())
}
