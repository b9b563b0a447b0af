//! Scoring the rows of a query, as another query.

use super::run_query::{RunQuery, as_table, schema_of};
use crate::error::{Error, Result};
use crate::export::SqlSpec;
use crate::fitted::Tree;

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
