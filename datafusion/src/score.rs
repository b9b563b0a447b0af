//! Scoring as plain SQL, for executors that have none of our code.

use datafusion::prelude::{DataFrame, SessionContext};
use gaintree::{Tree, score_query};

use crate::error::Result;
use crate::verbs::blocking;

/// The query with a column `prediction`, and one `probability_<class>` per class if asked for: a
/// DataFrame, which is not run yet. On a cluster the executors score.
///
/// The predictions equal those of [`ModelVerbs::score`](gaintree::ModelVerbs::score); integers come as `Int64`, means as
/// `Float64` and texts as in DataFusion.
///
/// # Errors
/// A query that fails or has such a column already, a tree of `missing = fractional` or of more
/// than [`MAX_SQL_LEAVES`](gaintree::MAX_SQL_LEAVES) leaves, probabilities of a numeric target.
pub async fn score_sql(
    session: &SessionContext,
    query: &str,
    tree: &Tree,
    probability: bool,
) -> Result<DataFrame> {
    let (query, tree) = (query.to_string(), tree.clone());
    let scored =
        blocking(session, move |engine| score_query(engine, &query, &tree, probability)).await?;
    Ok(session.sql(&scored).await?)
}
