//! The Arrow face: record batches in, record batches out. No algorithm lives here.
//!
//! The verbs are the same as of DataFrames and give the same tables. They take the batches of
//! one table, in any partition. DataFusion's batches are of this `arrow` crate, so that the
//! result of a query can be passed on:
//!
//! ```text
//! let batches = ctx.sql("select * from customers").await?.collect().await?;
//! let fit = batches.fit_tree("churn", &TreeSpec::cart())?;
//! while let Some(batch) = stream.next().await {
//!     let scored = fit.tree.score(&batch?)?;
//! }
//! ```
//!
//! Batches of another Arrow version come by its C Data Interface (`arrow::ffi`), which copies no
//! values. Values are read in place; the engine's keys are the only copy.

pub(crate) mod columns;
mod roles;
mod scores;
pub(crate) mod tables;

pub use columns::{ChunkedColumns, ColumnChunks, INTEGER_KEY, cells_of_arrays, dtype_of_arrow};
pub(crate) use roles::outline_of_schema;
pub use roles::{ColumnRoles, roles_of_schema};

use crate::error::{Error, Result};
use crate::util::pool::{own_pool, run_in};

/// Runs in the current pool, or in one of `threads` threads if that is another number. If it is
/// the same number, the work still enters the pool: outside of one, a small batch would be scored
/// by the calling thread alone.
pub(crate) fn in_pool<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<R> + Send,
) -> Result<R> {
    let pool = own_pool(threads, rayon::current_num_threads())?;
    let install = |work: &mut (dyn FnMut() + Send)| match &pool {
        Some(pool) => pool.install(work),
        None if threads.is_some() => rayon::scope(|_| work()),
        None => work(),
    };
    run_in(install, work)
}

pub(crate) fn arrow_error(e: arrow_schema::ArrowError) -> Error {
    Error::data(e.to_string()).caused_by(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small batch is scored by the calling thread if that belongs to no pool, but never where
    /// a number of threads is asked for.
    #[test]
    fn threads_that_are_asked_for_are_used() {
        let there_are = rayon::current_num_threads();
        let at_work =
            || Ok((rayon::current_thread_index().is_some(), rayon::current_num_threads()));
        for threads in [1, there_are, there_are + 1] {
            assert_eq!(in_pool(Some(threads), at_work).expect("a pool"), (true, threads));
        }
        let (_, most) = in_pool(Some(usize::MAX), at_work).expect("a pool");
        assert!(most >= there_are && most < 10_000, "{most} threads");
    }
}
