//! Scoring the rows of a query when it runs, batch by batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataFrame, DataType, Engine, Expr, Field, IdxSize, IntoColumn, LazyFrame, NULL,
    PlSmallStr, Schema, StructChunked, col, lit, map_multiple, when,
};

use super::query_rows::QueryModel;
use crate::adapters::frame::columns::column;
use crate::error::{Error, Result};
use crate::spec::Missing;
use crate::verbs::Scorecard;
use crate::verbs::frame::free_name;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::{ScoreReport, ScoreSpec, check_free};

/// A query whose rows are scored when it runs.
#[derive(Clone)]
#[non_exhaustive]
pub struct LazyScore {
    /// The query: the kept columns and the added ones, rows in their order.
    pub frame: LazyFrame,
    counts: Arc<ScoreCounts>,
}

#[derive(Default)]
struct ScoreCounts {
    rows: AtomicU64,
    absent_levels: AtomicU64,
}

impl LazyScore {
    /// A report on the rows scored so far, while the query runs in another thread or after it.
    pub fn report(&self) -> ScoreReport {
        ScoreReport {
            rows: self.counts.rows.load(Ordering::Relaxed),
            absent_levels: self.counts.absent_levels.load(Ordering::Relaxed),
        }
    }
}

impl ModelRef<'_> {
    /// The rows of a query scored: the kept columns and the added ones.
    pub(super) fn score_lazy(self, mut input: LazyFrame, spec: &ScoreSpec) -> Result<LazyScore> {
        let schema = input.collect_schema()?;
        spec.check(self)?;
        let kept = kept(&schema, spec)?;
        let model = QueryModel::new(self);
        model.check(&schema)?;
        let added = model.fields(spec)?;
        let mut inputs = model.inputs();
        if inputs.is_empty() {
            // A single leaf uses no column; any other tells the number of rows.
            inputs.extend(schema.iter_names().next().map(|name| column(name)));
        }
        let spec = spec.clone();
        let score = move |columns: &[Column]| model.added(columns, &spec);
        with_added(input, &schema, kept, (inputs, added), score)
    }

    /// The error of scoring for the first missing value of the first used column that has one, with its
    /// row. Scoring works on batches in any order, so the value is looked for again.
    pub(super) fn missing_value(self, mut rows: LazyFrame) -> Result<Option<Error>> {
        let names: Vec<&str> = self.used_names().collect();
        if names.is_empty() || self.tree_data().spec().missing != Missing::Error {
            return Ok(None);
        }
        let schema = rows.collect_schema()?;
        let index = free_name("row", |name| names.contains(&name));
        let first = |&name: &&str| {
            let dtype = schema.get(name).unwrap_or(&DataType::Null);
            when(is_missing(name, dtype))
                .then(col(index.as_str()))
                .otherwise(lit(NULL))
                .min()
                .alias(name)
        };
        let used = rows.select(names.iter().map(|name| column(name)).collect::<Vec<_>>());
        let firsts: Vec<Expr> = names.iter().map(first).collect();
        let firsts = used.clone().with_row_index(index.as_str(), None).select(firsts);
        let firsts = firsts.collect_with_engine(Engine::Streaming)?.unwrap_single();
        let row = |first: &Column| first.get(0).ok()?.try_extract::<IdxSize>().ok();
        let Some(row) = firsts.columns().iter().find_map(row) else { return Ok(None) };
        let alone = used.slice(row.into(), 1).collect()?;
        let bare = ScoreSpec::default().keep(Vec::<String>::new());
        Ok(self.score(&alone, &bare).err().map(|e| e.of_part(row as usize)))
    }
}

impl Scorecard {
    /// The rows of a query with their scores: the kept columns, with [`points`](ScoreSpec::points) a
    /// column `<feature>_points` for each feature, and `score`. Only the kept columns and those of the
    /// features are read, and the query streams. The report counts, as absent levels, rows with a level
    /// that was never seen.
    ///
    /// ```
    /// # use gaintree::{ScoreSpec, ScorecardSpec, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 2, 3, 4], "churn" => ["no", "no", "yes", "yes"]]?;
    /// let card = df.woe_bins("churn", &WoeSpec::default())?.scorecard(&ScorecardSpec::default())?;
    /// let scored = card.score_lazy(df.lazy(), &ScoreSpec::default().points(true).keep(["price"]))?;
    /// let scored = scored.frame.collect()?;
    /// assert_eq!(scored.get_column_names(), ["price", "price_points", "score"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A feature that is not there or of another dtype, a kept column that is not there, a name that the
    /// input has already, and what a card does not have: probabilities, votes and leaf ids.
    pub fn score_lazy(&self, mut input: LazyFrame, spec: &ScoreSpec) -> Result<LazyScore> {
        let schema = input.collect_schema()?;
        spec.check_of_card()?;
        let kept = kept(&schema, spec)?;
        let (added, _) = self.added(&DataFrame::empty_with_schema(&schema), spec)?;
        let added: DataFrame = added.into_table()?;
        let added = added.columns().iter().map(|column| column.field().into_owned()).collect();
        let inputs = self.features().map(column).collect();
        let (card, spec) = (self.clone(), spec.clone());
        let score = move |columns: &[Column]| Ok(card.added_to_batch(columns, &spec)?);
        with_added(input, &schema, kept, (inputs, added), score)
    }
}

fn kept<'s>(query: &'s Schema, spec: &ScoreSpec) -> Result<Vec<&'s str>> {
    let names = || query.iter_names().map(|name| name.as_str());
    let find = |name: &str| query.get_full(name).map(|(_, name, _)| name.as_str());
    spec.kept(names(), find, || names().collect())
}

/// The kept columns of a query, and what `score` adds to batches of its inputs; `score` also returns
/// how many rows met an absent level, and how many there are.
fn with_added(
    input: LazyFrame,
    query: &Schema,
    kept: Vec<&str>,
    (inputs, added): (Vec<Expr>, Vec<Field>),
    score: impl Fn(&[Column]) -> PolarsResult<(Vec<Column>, u64, usize)> + Send + Sync + 'static,
) -> Result<LazyScore> {
    check_free(added.iter().map(|field| field.name().as_str()), kept.iter().copied())?;
    let counts = Arc::new(ScoreCounts::default());
    // Rows are scored once for all added columns, which are first the fields of one struct.
    let fields: Vec<PlSmallStr> = added.iter().map(|field| field.name().clone()).collect();
    let name = free_name("answers", |name| query.contains(name));
    let fields = fields.iter().map(|field| column(&name).struct_().field_by_name(field));
    let columns: Vec<Expr> = kept.into_iter().map(column).chain(fields).collect();
    let (own_name, own_counts) = (name.clone(), counts.clone());
    let function = move |columns: &mut [Column]| -> PolarsResult<Column> {
        let (fields, absent_levels, n) = score(columns)?;
        own_counts.rows.fetch_add(n as u64, Ordering::Relaxed);
        own_counts.absent_levels.fetch_add(absent_levels, Ordering::Relaxed);
        let fields = StructChunked::from_columns(own_name.as_str().into(), n, &fields)?;
        Ok(fields.into_column())
    };
    let (output_name, dtype) = (name.clone(), DataType::Struct(added));
    let output =
        move |_: &Schema, _: &[Field]| Ok(Field::new(output_name.as_str().into(), dtype.clone()));
    let scores = map_multiple(function, inputs, output).alias(name.as_str());
    Ok(LazyScore { frame: input.with_column(scores).select(columns), counts })
}

fn is_missing(name: &str, dtype: &DataType) -> Expr {
    let null = column(name).is_null();
    if dtype.is_float() { null.or(column(name).is_nan()) } else { null }
}
