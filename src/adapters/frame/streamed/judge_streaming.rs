//! A tree judged, and pruned, by the rows of queries.

use std::path::PathBuf;

use polars::prelude::LazyFrame;

use super::watched_query::WatchedQuery;
use crate::error::Result;
use crate::evaluation::Evaluation;
use crate::fitted::Tree;
use crate::spec::{EvalSpec, PruneBy};

impl Tree {
    /// [`evaluation_in_batches`](Self::evaluation_in_batches) on the rows of queries, one after the
    /// other, which have the same columns; [`scan_parquet_within`](crate::scan_parquet_within) makes
    /// those of a file. `files` are watched: it ends if one of them changes.
    ///
    /// ```no_run
    /// # use gaintree::{Budget, EvalSpec, Tree, scan_parquet_within};
    /// let tree = Tree::load("churn.tree.json")?;
    /// let rows = scan_parquet_within("2025.parquet", &Budget::of_memory(1 << 30))?;
    /// let judged = tree.evaluation_streaming(rows, &["2025.parquet".into()], &EvalSpec::default())?;
    /// println!("{judged:?}");
    /// # Ok::<(), gaintree::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`evaluation`](crate::ModelVerbs::evaluation), and whatever the queries end in.
    pub fn evaluation_streaming(
        &self,
        rows: Vec<LazyFrame>,
        files: &[PathBuf],
        spec: &EvalSpec,
    ) -> Result<Evaluation> {
        self.evaluation_in_batches(&mut WatchedQuery::new(rows, files)?, spec)
    }

    /// [`prune_reduced_error_in_batches`](Self::prune_reduced_error_in_batches) by the rows of
    /// queries, as [`evaluation_streaming`](Self::evaluation_streaming) takes them.
    ///
    /// # Errors
    /// As [`prune_reduced_error`](Self::prune_reduced_error), and whatever the queries end in.
    pub fn prune_reduced_error_streaming(
        &self,
        rows: Vec<LazyFrame>,
        files: &[PathBuf],
        by: PruneBy,
    ) -> Result<Tree> {
        self.prune_reduced_error_in_batches(&mut WatchedQuery::new(rows, files)?, by)
    }
}
