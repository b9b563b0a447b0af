//! What is asked of an engine: run a query, give its record batches.

use std::cell::Cell;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;

use crate::adapters::record_batch::arrow_error;
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

    /// The record batches of a query, in any order: at least one, which may have no rows. An answer
    /// that is too large is not read to its end.
    ///
    /// # Errors
    /// What the engine says.
    fn run<'a>(&'a self, sql: &str) -> Result<QueryBatches<'a>>;
}

/// The record batches of an answer, as they come.
pub type QueryBatches<'a> = Box<dyn Iterator<Item = Result<RecordBatch>> + 'a>;

/// What came from an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fetched {
    /// Queries.
    pub queries: u64,
    /// Bytes of their answers, in Arrow.
    pub bytes: u64,
    /// Bytes of the largest answer.
    pub largest_answer: u64,
}

impl Fetched {
    /// The figures by name.
    pub fn figures(&self) -> [(&'static str, u64); 3] {
        [
            ("queries", self.queries),
            ("bytes_fetched", self.bytes),
            ("largest_answer_bytes", self.largest_answer),
        ]
    }
}

/// An engine, what came from it, and the most bytes of an answer.
pub(super) struct MeteredEngine<'e> {
    pub(super) engine: &'e dyn RunQuery,
    pub(super) most_bytes: u64,
    pub(super) fetched: Cell<Fetched>,
}

impl MeteredEngine<'_> {
    /// The batches of an answer. A larger one than may be is not read to its end, but an error.
    pub(super) fn answer(&self, sql: &str) -> Result<Vec<RecordBatch>> {
        let (mut batches, mut bytes) = (Vec::new(), 0);
        for batch in self.engine.run(sql)? {
            let batch = batch?;
            let sizes =
                batch.columns().iter().map(|column| column.to_data().get_slice_memory_size());
            bytes += sizes.sum::<std::result::Result<usize, _>>().map_err(arrow_error)? as u64;
            if bytes > self.most_bytes {
                return Err(Error::spec(format!(
                    "the answer to a query is larger than the memory budget of {} MiB: allow more \
                     memory",
                    self.most_bytes >> 20
                )));
            }
            batches.push(batch);
        }
        let Fetched { queries, bytes: before, largest_answer } = self.fetched.get();
        let largest_answer = largest_answer.max(bytes);
        self.fetched.set(Fetched { queries: queries + 1, bytes: before + bytes, largest_answer });
        Ok(batches)
    }
}

pub(super) fn as_table(query: &str) -> String {
    // A line of its own, as the query may end in a comment.
    format!("({}\n) AS query", query.trim().trim_end_matches(';'))
}

pub(super) fn schema_of(engine: &dyn RunQuery, query: &str) -> Result<Arc<Schema>> {
    let mut none = engine.run(&format!("SELECT * FROM {} LIMIT 0", as_table(query)))?;
    let first = none.next().ok_or_else(|| {
        Error::data("the engine answers a query with no record batch: give one without rows")
    })?;
    Ok(first?.schema())
}
