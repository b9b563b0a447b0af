//! How much features contribute to answers: of many rows, and of one.

pub(crate) mod summary;
pub(crate) mod waterfall;
