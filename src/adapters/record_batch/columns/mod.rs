//! Arrow arrays as columns of the engine.

pub(crate) mod batch_column;
pub(crate) mod batches;
mod dtypes;
mod strings;
