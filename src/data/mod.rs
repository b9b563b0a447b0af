//! What comes in: dtypes, values and their text, columns and targets.

pub(crate) mod column;
pub(crate) mod column_data;
pub mod dtype;
pub(crate) mod number_scale;
pub(crate) mod target;
mod text;
mod time_zone;
