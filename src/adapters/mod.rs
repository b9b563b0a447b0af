//! Frames in, frames out: no algorithm lives here.

pub(crate) mod common;
#[cfg(feature = "polars")]
pub(crate) mod frame;
#[cfg(feature = "arrow")]
pub(crate) mod query;
#[cfg(feature = "arrow")]
pub(crate) mod record_batch;
