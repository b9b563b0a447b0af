//! What is asked of an engine: run a query, give its record batches.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema};
use datafusion::prelude::SessionContext;
use gaintree::dtype_of_arrow;
use tokio::runtime::Handle;

use crate::error::{Error, Result};

/// An engine that runs SQL of DataFusion's kind.
///
/// It is called from threads that may block. A [`SessionContext`] is one, in the runtime it is
/// called in: of this process as well as of a Ballista cluster.
pub trait RunQuery: Sync {
    /// The record batches of a query, in any order: at least one, which may have no rows.
    ///
    /// # Errors
    /// What the engine says.
    fn run(&self, sql: &str) -> Result<Vec<RecordBatch>>;
}

impl RunQuery for SessionContext {
    fn run(&self, sql: &str) -> Result<Vec<RecordBatch>> {
        let runtime = Handle::try_current().map_err(|_| {
            Error::Request("a session runs queries in a Tokio runtime: enter one".to_string())
        })?;
        runtime.block_on(async {
            let frame = self.sql(sql).await?;
            let schema: Arc<Schema> = Arc::new(frame.schema().as_arrow().clone());
            let batches = frame.collect().await?;
            if batches.is_empty() {
                return Ok(vec![RecordBatch::new_empty(schema)]);
            }
            batches.into_iter().map(|batch| of_schema(batch, &schema)).collect()
        })
    }
}

/// The batch with the dtypes that were planned: what Ballista's executors send has plain text for
/// dictionaries.
fn of_schema(batch: RecordBatch, planned: &Schema) -> Result<RecordBatch> {
    let same = |a: &DataType, b: &DataType| a == b || dtype_of_arrow(a) == dtype_of_arrow(b);
    let fields = || batch.schema_ref().fields().iter().zip(planned.fields());
    if fields().all(|(field, planned)| same(field.data_type(), planned.data_type())) {
        return Ok(batch);
    }
    let columns = fields().zip(batch.columns()).map(|((field, planned), column)| {
        match same(field.data_type(), planned.data_type()) {
            true => Ok((field.name(), column.clone())),
            false => Ok((field.name(), cast(column, planned.data_type())?)),
        }
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    Ok(RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, column)| (name, column, true)),
    )?)
}

/// Runs work that blocks, with a copy of the session, beside the runtime's own threads.
pub(crate) async fn blocking<T: Send + 'static>(
    session: &SessionContext,
    work: impl FnOnce(&SessionContext) -> Result<T> + Send + 'static,
) -> Result<T> {
    let session = session.clone();
    match tokio::task::spawn_blocking(move || work(&session)).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(Error::Request("the runtime was shut down before the end".to_string())),
    }
}

/// A name in DataFusion's quotes, in which upper and lower case count.
pub fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A query as a table in another query.
pub(crate) fn as_table(query: &str) -> String {
    // A line of its own, as the query may end in a comment.
    format!("({}\n) AS query", query.trim().trim_end_matches(';'))
}

/// The columns of a query.
pub(crate) fn schema_of(engine: &impl RunQuery, query: &str) -> Result<Arc<Schema>> {
    let none = engine.run(&format!("SELECT * FROM {} LIMIT 0", as_table(query)))?;
    Ok(none[0].schema())
}
