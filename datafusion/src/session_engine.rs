//! A session as an engine: it runs a query and gives its record batches.

use std::sync::{Arc, OnceLock};

use arrow::array::RecordBatch;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Schema};
use datafusion::prelude::SessionContext;
use futures::StreamExt;
use gaintree::{Dialect, QueryBatches, RunQuery, dtype_of_arrow};
use tokio::runtime::Handle;

use crate::error::{Error, Result};

/// A session as an engine, of this process as well as of a Ballista cluster.
///
/// It is called from threads that may block, in the runtime that it is made in.
pub struct SessionEngine {
    session: SessionContext,
    runtime: Handle,
    makes_arrays: OnceLock<bool>,
}

impl SessionEngine {
    /// An engine of a copy of the session.
    ///
    /// # Errors
    /// No Tokio runtime around the call.
    pub fn new(session: &SessionContext) -> Result<SessionEngine> {
        let runtime = Handle::try_current().map_err(|_| {
            Error::Request("a session runs queries in a Tokio runtime: enter one".to_string())
        })?;
        let session = session.clone();
        Ok(SessionEngine { session, runtime, makes_arrays: OnceLock::new() })
    }
}

impl RunQuery for SessionEngine {
    fn dialect(&self) -> Dialect {
        Dialect::DataFusion
    }

    /// The executors of Ballista 55 as they are shipped know no function of arrays, though its scheduler
    /// does: whether they do is tried.
    fn makes_arrays(&self) -> bool {
        let tried = "SELECT make_array(column1) FROM (VALUES (1), (2)) AS tried";
        *self.makes_arrays.get_or_init(|| {
            self.run(tried).is_ok_and(|mut batches| batches.all(|batch| batch.is_ok()))
        })
    }

    fn run<'a>(&'a self, sql: &str) -> gaintree::Result<QueryBatches<'a>> {
        let started: Result<_> = self.runtime.block_on(async {
            let frame = self.session.sql(sql).await?;
            let schema: Arc<Schema> = Arc::new(frame.schema().as_arrow().clone());
            Ok((frame.execute_stream().await?, schema))
        });
        let (mut stream, schema) = started.map_err(of_engine)?;
        let none = RecordBatch::new_empty(schema.clone());
        let batches = std::iter::from_fn(move || {
            let batch = self.runtime.block_on(stream.next())?;
            let batch = batch.map_err(Error::from).and_then(|batch| of_schema(batch, &schema));
            Some(batch.map_err(of_engine))
        });
        Ok(Box::new(std::iter::once(Ok(none)).chain(batches)))
    }
}

fn of_engine(error: Error) -> gaintree::Error {
    gaintree::Error::of_store(error.to_string(), error)
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
