//! The Polars side: frames in, frames out. No algorithm lives here.

mod column;
mod evaluate;
mod expr;
mod input;
#[cfg(feature = "plot")]
mod picture;
mod prune;
mod rank;
#[cfg(feature = "plot")]
mod report;
mod score;
mod tables;
mod verbs;
mod why;

pub use expr::ExprGain;
#[cfg(feature = "plot")]
pub use picture::{curve_svg, ranking_svg};
pub use prune::{CvSpec, PruningCv, cross_validate_pruning};
pub use rank::{mdl_cuts, rank_gain, split_candidates};
pub use score::{ScoreReport, ScoreSpec};
pub use verbs::{DataFrameGain, Fit, LazyFrameGain, Timing, fit_tree};

use polars_core::runtime::RAYON;

use crate::error::{Error, Result};

/// Runs in Polars' own pool, or in one of so many threads where a number is asked for.
pub(crate) fn in_pool<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<R> + Send,
) -> Result<R> {
    match threads {
        None => RAYON.install(work),
        Some(0) => Err(Error::spec("threads is 0; at least 1 is needed, or none for Polars' pool")),
        Some(n) => rayon::ThreadPoolBuilder::new()
            .num_threads(n)
            .build()
            .map_err(|e| Error::spec(format!("{n} threads could not be started: {e}")))?
            .install(work),
    }
}

/// What Polars complained of, in the crate's error.
pub(crate) fn polars_error(e: polars::error::PolarsError) -> Error {
    Error::data(e.to_string()).caused_by(e)
}
