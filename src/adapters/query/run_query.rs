//! What is asked of an engine: run a query, give its record batches.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;

use crate::error::{Error, Result};
use crate::export::Dialect;

/// An engine that runs SQL and answers in Arrow: a database in this process or another one, or a
/// cluster.
///
/// It is called from one thread at a time, of a pool: that may block. All it is asked for is plain
/// `SELECT`: no table is made, and no function of ours is called.
pub trait RunQuery: Sync {
    /// The SQL that it reads: [`Dialect::DuckDb`], [`Dialect::DataFusion`] or [`Dialect::Spark`].
    fn dialect(&self) -> Dialect;

    /// Whether `make_array` and its like work on the rows of a table. If not, they are read once for
    /// each column that is counted.
    fn makes_arrays(&self) -> bool {
        true
    }

    /// The record batches of a query, in any order: at least one, which may have no rows.
    ///
    /// # Errors
    /// What the engine says.
    fn run(&self, sql: &str) -> Result<Vec<RecordBatch>>;
}

/// A query as a table in another query.
pub(super) fn as_table(query: &str) -> String {
    // A line of its own, as the query may end in a comment.
    format!("({}\n) AS query", query.trim().trim_end_matches(';'))
}

/// The columns of a query.
pub(super) fn schema_of(engine: &dyn RunQuery, query: &str) -> Result<Arc<Schema>> {
    let none = engine.run(&format!("SELECT * FROM {} LIMIT 0", as_table(query)))?;
    let first = none.first().ok_or_else(|| {
        Error::data("the engine answers a query with no record batch: give one without rows")
    })?;
    Ok(first.schema())
}
