//! Errors as growth hears of them.

use crate::error::Error;

impl From<Error> for gaintree::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Learning(error) => error,
            other => gaintree::Error::of_store(other.to_string(), other),
        }
    }
}
