//! Training and ranking from a query.

use arrow::array::RecordBatch;
use datafusion::prelude::SessionContext;
use gaintree::{Budget, QueryFit, RankSpec, TreeSpec, fit_query, rank_query};

use crate::error::{Error, Result};
use crate::session_engine::SessionEngine;

/// Fits a tree that predicts `target` from the other columns of a query, as [`fit_query`] does.
///
/// # Errors
/// As [`fit_query`].
pub async fn fit_sql(
    session: &SessionContext,
    query: &str,
    target: &str,
    spec: &TreeSpec,
    budget: &Budget,
) -> Result<QueryFit> {
    let (query, target) = (query.to_string(), target.to_string());
    let (spec, budget) = (spec.clone(), budget.clone());
    blocking(session, move |engine| fit_query(engine, &query, &target, &spec, &budget, &mut |_| ()))
        .await
}

/// Ranks the columns of a query by what they tell about `target`, as [`rank_query`] does.
///
/// # Errors
/// As [`rank_query`].
pub async fn rank_sql(
    session: &SessionContext,
    query: &str,
    target: &str,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<RecordBatch> {
    let (query, target) = (query.to_string(), target.to_string());
    let (spec, budget) = (spec.clone(), budget.clone());
    blocking(session, move |engine| rank_query(engine, &query, &target, &spec, &budget)).await
}

/// Runs work that blocks, with a copy of the session, beside the runtime's own threads.
pub(crate) async fn blocking<T: Send + 'static>(
    session: &SessionContext,
    work: impl FnOnce(&SessionEngine) -> gaintree::Result<T> + Send + 'static,
) -> Result<T> {
    let engine = SessionEngine::new(session)?;
    match tokio::task::spawn_blocking(move || work(&engine)).await {
        Ok(result) => Ok(result?),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(Error::Request("the runtime was shut down before the end".to_string())),
    }
}
