//! Ranking the columns of a query.

use arrow::array::RecordBatch;

use super::SqlStore;
use super::run_query::{RunQuery, schema_of};
use crate::adapters::record_batch::columns::batches::Batches;
use crate::adapters::record_batch::{in_pool, outline_of_schema};
use crate::error::{Error, Result};
use crate::external::{needs_rows, rank_from_store};
use crate::spec::{Budget, RankSpec};
use crate::verbs::frame::RowGroups;

/// Ranks the columns of a query by what they tell about `target`, best first: the table that
/// [`rank_gain`](crate::rank_gain) gives of the query's rows, byte for byte.
///
/// The query runs again for every pass, and has to give the same rows. All that comes back are
/// counts.
///
/// # Errors
/// As [`rank_gain`](crate::rank_gain); what the engine says; `by`, `chance`, `given` and MDL
/// cuts, which need the rows; rows that change between two passes.
pub fn rank_query(
    engine: &dyn RunQuery,
    query: &str,
    target: &str,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<RecordBatch> {
    if !spec.by.is_empty() {
        return Err(Error::spec(
            "rankings by group are in order of the rows, which a query has not: rank each group's \
             own query, or collect the rows",
        ));
    }
    if let Some(what) = needs_rows(spec) {
        return Err(Error::spec(format!(
            "{what} needs the rows, and an engine gives counts: collect the rows for it, or leave \
             it out"
        )));
    }
    let schema = schema_of(engine, query)?;
    let (outline, roles) = outline_of_schema(&schema, target, spec)?;
    let mut store = SqlStore::of_roles(engine, query, &schema, &roles)?.most_bytes(budget.memory);
    let rank = || rank_from_store(&mut store, None, spec, budget);
    let ranked = in_pool(spec.threads, rank)?;
    let n_classes = ranked.target.labels().len();
    let ranking = outline.ranking(n_classes, RowGroups::one(Vec::new()), ranked.gains);
    ranking.table::<Batches>()
}
