//! The Polars side: frames in, frames out. No algorithm lives here.

mod choose;
mod column;
mod cross_validate;
mod curve;
mod cuts;
mod evaluate;
mod expr;
mod files;
mod input;
mod labels;
mod parts;
#[cfg(feature = "plot")]
mod picture;
mod predict;
mod prune;
mod rank;
#[cfg(feature = "plot")]
mod report;
mod rows;
mod score;
mod sink;
mod stream;
mod tables;
mod texts;
mod verbs;
mod when_then;
mod why;

pub use cross_validate::{PruningCv, cross_validate_pruning};
pub use curve::split_candidates;
pub use cuts::{mdl_cuts, mdl_cuts_by_feature};
pub use expr::ExprGain;
pub use parts::scan_parquet_in_parts;
#[cfg(feature = "plot")]
pub use picture::{curve_svg, ranking_svg};
pub use rank::rank_gain;
pub use sink::sink_into;
pub use stream::LazyScore;
pub use verbs::{DataFrameGain, Fit, LazyFrameGain, Timing, fit_tree};
pub use when_then::MAX_WHEN_THEN_NODES;

use polars_core::runtime::RAYON;

use crate::adapters::common::pool::in_own_pool;
use crate::error::{Error, Result};

/// Runs in Polars' own pool, or in one of so many threads where another number is asked for. As
/// many are not started anew: that took a ninth of the time to score five million rows.
pub(crate) fn in_pool<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<R> + Send,
) -> Result<R> {
    match threads {
        Some(n) if n != RAYON.current_num_threads() => in_own_pool(n, work),
        _ => RAYON.install(work),
    }
}

/// What Polars complained of, in the crate's error.
pub(crate) fn polars_error(e: polars::error::PolarsError) -> Error {
    Error::data(e.to_string()).caused_by(e)
}
