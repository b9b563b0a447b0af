//! The Polars face: frames in, frames out. No algorithm lives here.

mod columns;
mod errors;
pub(crate) mod scores;
mod scoring;
#[cfg(feature = "lazy")]
mod streamed;
mod tables;
mod verbs;

pub use scoring::PolarsScoring;
#[cfg(feature = "lazy")]
pub use scoring::{LazyScore, RowScorer, scan_parquet_in_parts, scan_parquet_within, sink_into};
#[cfg(feature = "lazy")]
pub use streamed::{
    LazyFrameGain, fit_parquet, fit_tree_streaming, rank_gain_streaming, rank_parquet,
};
#[cfg(feature = "lazy")]
pub use verbs::{ExprGain, FeatureSpec};

use polars_core::runtime::RAYON;

use crate::error::Result;
use crate::util::pool::{own_pool, run_in};

/// Runs in Polars' own pool, or in one of `threads` threads if that is another number.
pub(crate) fn in_pool<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<R> + Send,
) -> Result<R> {
    let pool = own_pool(threads, RAYON.current_num_threads())?;
    let install = |work: &mut (dyn FnMut() + Send)| match &pool {
        Some(pool) => pool.install(work),
        None => RAYON.install(work),
    };
    run_in(install, work)
}
