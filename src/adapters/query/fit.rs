//! Training from a query.

use arrow::array::RecordBatch;

use super::SqlStore;
use super::run_query::{Fetched, RunQuery};
use crate::adapters::record_batch::in_pool;
use crate::error::Result;
use crate::external::{ExternalReport, Pass, grow_from_store};
use crate::fitted::Tree;
use crate::spec::{Budget, TreeSpec};
use crate::verbs::notes::tree_notes;

/// A tree fitted on the rows of a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct QueryFit {
    /// The tree.
    pub tree: Tree,
    /// Its feature importances, most important first; see [`Tree::importance_batch`].
    pub importance: RecordBatch,
    /// What to know about it, as [`Fit::notes`](crate::Fit::notes) says.
    /// Features that are like ids are not looked for.
    pub notes: Vec<String>,
    /// How it grew.
    pub report: ExternalReport,
    /// What came from the engine.
    pub fetched: Fetched,
}

/// Fits a tree that predicts `target` from the other columns of a query: the model, byte for byte,
/// of [`fit_tree`](crate::fit_tree) on the query's rows, however they are ordered and parted.
///
/// The query runs again for every pass, and has to give the same rows. All that comes back are
/// counts, and the rows of small nodes: of at most 200,000 rows, unless the budget says how many, and
/// about 64 MiB in one answer. A column of numbers has at most 256 bins of DataFusion and DuckDB and
/// 128 of Spark, whatever the budget says. `progress` hears of each pass before it begins.
///
/// # Errors
/// As [`fit_tree`](crate::fit_tree); what the engine says; what cannot be done so: fractional
/// missing values where there are some, subtree raising, or a tree that may outgrow the budget; rows
/// that change between two passes.
pub fn fit_query(
    engine: &dyn RunQuery,
    query: &str,
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
    progress: &mut (dyn FnMut(Pass) + Send),
) -> Result<QueryFit> {
    let mut store = SqlStore::new(engine, query, target, spec)?.most_bytes(budget.memory);
    let grow = || grow_from_store(&mut store, spec, budget, progress);
    let (tree, report) = in_pool(spec.threads, grow)?;
    let importance = tree.importance_batch()?;
    let notes = tree_notes(&tree, spec.task);
    let fetched = store.engine.fetched.get();
    Ok(QueryFit { tree, importance, notes, report, fetched })
}
