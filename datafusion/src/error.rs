//! What can go wrong: learning, or a query.

use std::fmt;

use arrow::error::ArrowError;
use datafusion::error::DataFusionError;

/// `std::result::Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error, whose message says what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The data, the spec or the model: gaintree's own error.
    Learning(gaintree::Error),
    /// The session could not run a query.
    Query(Box<DataFusionError>),
    /// What was asked for cannot be done on queries.
    Request(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Learning(error) => write!(f, "{error}"),
            Error::Query(error) => write!(f, "the query failed: {}", error.strip_backtrace()),
            Error::Request(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Learning(error) => Some(error),
            Error::Query(error) => Some(error.as_ref()),
            Error::Request(_) => None,
        }
    }
}

impl From<gaintree::Error> for Error {
    fn from(error: gaintree::Error) -> Self {
        Error::Learning(error)
    }
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Self {
        Error::Query(Box::new(error))
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        DataFusionError::from(error).into()
    }
}
