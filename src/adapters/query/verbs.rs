//! The verbs of a query: trees, rankings, and scores as another query.

use arrow_array::RecordBatch;

use super::SqlStore;
use super::run_query::{Fetched, RunQuery, as_table, schema_of};
use crate::adapters::record_batch::columns::ChunkedColumns;
use crate::adapters::record_batch::{in_pool, outline_of_schema};
use crate::error::{Error, Result};
use crate::export::SqlSpec;
use crate::external::{ExternalReport, Pass, grow_from_store, needs_rows, rank_from_store};
use crate::fitted::Tree;
use crate::spec::{Budget, RankSpec, TreeSpec};
use crate::verbs::frame::RowGroups;
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
    let ranking = outline.ranking(&ranked.target, RowGroups::one(Vec::new()), ranked.gains);
    ranking.table::<ChunkedColumns>()
}

/// The text of a query of the same rows with a column `prediction`, and one `probability_<class>` per
/// class if asked for. The engine that runs it needs none of our code.
///
/// The predictions equal the column that [`ModelVerbs::score`](crate::ModelVerbs::score) adds, in the engine's own types. The engine is asked
/// which columns the rows have.
///
/// # Errors
/// A query that fails, or has such a column already; what `Tree::to_sql` refuses; probabilities of a
/// numeric target.
pub fn score_query(
    engine: &dyn RunQuery,
    query: &str,
    tree: &Tree,
    probability: bool,
) -> Result<String> {
    let dialect = engine.dialect();
    let added = tree.sql_columns(&SqlSpec::new(dialect).probability(probability))?;
    let schema = schema_of(engine, query)?;
    let columns = added.iter().map(|(name, sql)| {
        let has = schema.fields().iter().find(|field| dialect.is_one_name(field.name(), name));
        match has {
            Some(field) => Err(Error::spec(format!(
                "the rows already have a column `{}`: leave it out or rename it",
                field.name()
            ))),
            None => Ok(format!("{sql} AS {}", dialect.quote_name(name)?)),
        }
    });
    let columns = columns.collect::<Result<Vec<_>>>()?.join(", ");
    Ok(format!("SELECT *, {columns} FROM {}", as_table(query)))
}
