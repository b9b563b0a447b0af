//! Trees and rankings of rows that need not fit in memory: they are read in batches, or a few columns
//! at a time.

mod frame_batches;
mod frame_reader;
mod group_keys;
mod rank_in_batches;
mod rank_in_parts;
mod trees_in_batches;

pub use frame_reader::FrameReader;
pub use rank_in_batches::StreamedRanking;
pub use rank_in_parts::rank_gain_in_parts;
pub use trees_in_batches::{StreamedFit, fit_tree_in_batches};
