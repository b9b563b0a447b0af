//! Training from a query.

use datafusion::prelude::SessionContext;
use gaintree::engine::{ExternalReport, Progress, grow_from_store};
use gaintree::{Budget, Tree, TreeSpec};

use crate::error::Result;
use crate::query::{RunQuery, blocking};
use crate::store::SqlStore;

/// The most bins of a column. Each is a comparison in a query, which engines plan anew for every
/// pass; with fewer bins more values are fetched.
const MOST_BINS: u32 = 256;

/// A tree fitted on the rows of a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SqlFit {
    /// The tree.
    pub tree: Tree,
    /// How it grew.
    pub report: ExternalReport,
}

/// Fits a tree that predicts `target` from the other columns of a query: the model, byte for byte,
/// of [`fit_batches`](gaintree::fit_batches) on the query's rows, however they are ordered and
/// parted.
///
/// The query runs again for every pass, and has to give the same rows. All that comes back are
/// counts, and the rows of nodes that fit the budget. A column has at most 256 bins here, whatever
/// the budget says.
///
/// # Errors
/// As [`fit_batches`](gaintree::fit_batches) and [`grow_from_store`]; a query that fails.
pub async fn fit_sql(
    session: &SessionContext,
    query: &str,
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
) -> Result<SqlFit> {
    let (query, target) = (query.to_string(), target.to_string());
    let (spec, budget) = (spec.clone(), budget.clone());
    blocking(session, move |session| {
        fit_query(session, &query, &target, &spec, &budget, &mut |_| ())
    })
    .await
}

/// [`fit_sql`] by any engine, in a thread that may block. `progress` hears of each pass before it
/// begins.
///
/// # Errors
/// As [`fit_sql`].
pub fn fit_query(
    engine: &impl RunQuery,
    query: &str,
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<SqlFit> {
    let mut store = SqlStore::new(engine, query, target, spec)?;
    let budget = budget.clone().bins(budget.bins.min(MOST_BINS));
    let (tree, report) = grow_from_store(&mut store, spec, &budget, progress)?;
    Ok(SqlFit { tree, report })
}
