//! Errors of Polars as our errors, and the other way round.

use std::io::ErrorKind;

use polars::error::PolarsError;

use crate::error::Error;

/// In a function that returns `PolarsResult`, and in an expression, `?` keeps the message.
impl From<Error> for PolarsError {
    fn from(e: Error) -> PolarsError {
        PolarsError::ComputeError(e.to_string().into())
    }
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
