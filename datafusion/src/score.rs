//! Scoring as plain SQL, for executors that have none of our code.

use datafusion::prelude::{DataFrame, SessionContext};
use gaintree::{Dialect, Tree};

use crate::error::{Error, Result};

/// The query with a column `prediction`, and one `probability_<class>` per class if asked for: a
/// DataFrame, which is not run yet. On a cluster the executors score.
///
/// The predictions are those of [`Tree::score_batch`]; integers come as `Int64`, means as `Float64`
/// and texts as DataFusion has them.
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
    let mut added = vec![("prediction".to_string(), tree.to_sql(Dialect::DataFusion)?)];
    if probability {
        let of_classes = tree.to_sql_probabilities(Dialect::DataFusion)?;
        for (class, sql) in of_classes.into_iter().enumerate() {
            added.push((format!("probability_{}", tree.schema().class_text(class)), sql));
        }
    }
    // A line of its own, as the query may end in a comment.
    let table = format!("({}\n) AS query", query.trim().trim_end_matches(';'));
    let schema = session.sql(&format!("SELECT * FROM {table}")).await?.schema().clone();
    for (name, _) in &added {
        if schema.has_column_with_unqualified_name(name) {
            return Err(Error::Request(format!(
                "the query already has a column `{name}`: leave it out or rename it"
            )));
        }
    }
    let columns: Vec<String> =
        added.iter().map(|(name, sql)| format!("{sql} AS {}", quote_name(name))).collect();
    Ok(session.sql(&format!("SELECT *, {} FROM {table}", columns.join(", "))).await?)
}

/// A name in DataFusion's quotes, in which upper and lower case count.
pub fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
