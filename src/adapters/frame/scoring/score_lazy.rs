//! Scoring the rows of a query when it runs, batch by batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataType, Expr, Field, IntoColumn, LazyFrame, PlSmallStr, Schema, StructChunked,
    map_multiple,
};

use super::query_rows::QueryModel;
use crate::adapters::common::model_ref::ModelRef;
use crate::adapters::common::score_spec::{ScoreReport, ScoreSpec, check_free};
use crate::adapters::frame::columns::{column, free_name};
use crate::error::Result;

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
        let names = || schema.iter_names().map(|name| name.as_str());
        let find = |name: &str| schema.get_full(name).map(|(_, name, _)| name.as_str());
        let kept: Vec<&str> = spec.kept(names(), find, || names().collect())?;
        let model = QueryModel::new(self);
        model.check(&schema)?;
        let added = model.fields(spec)?;
        check_free(added.iter().map(|field| field.name().as_str()), kept.iter().copied())?;

        let counts = Arc::new(ScoreCounts::default());
        // Rows are routed once for all added columns, which are first the fields of one struct.
        let fields: Vec<PlSmallStr> = added.iter().map(|field| field.name().clone()).collect();
        let (name, scores) = struct_expr(model, &schema, added, spec.clone(), counts.clone());
        let fields = fields.iter().map(|field| column(&name).struct_().field_by_name(field));
        let columns: Vec<Expr> = kept.into_iter().map(column).chain(fields).collect();
        Ok(LazyScore { frame: input.with_column(scores).select(columns), counts })
    }
}

/// The added columns as a struct, and a name for it that no column of the query has.
fn struct_expr(
    model: QueryModel,
    query: &Schema,
    added: Vec<Field>,
    spec: ScoreSpec,
    counts: Arc<ScoreCounts>,
) -> (String, Expr) {
    let name = free_name("answers", |name| query.contains(name));
    let mut inputs = model.inputs();
    if inputs.is_empty() {
        // A single leaf uses no column; any other tells the number of rows.
        inputs.extend(query.iter_names().next().map(|name| column(name)));
    }
    let own_name = name.clone();
    let function = move |columns: &mut [Column]| -> PolarsResult<Column> {
        let ((fields, absent_levels), n) =
            model.score(columns, |rows| rows.added_columns(&spec))?;
        counts.rows.fetch_add(n as u64, Ordering::Relaxed);
        counts.absent_levels.fetch_add(absent_levels, Ordering::Relaxed);
        let fields = StructChunked::from_columns(own_name.as_str().into(), n, &fields)?;
        Ok(fields.into_column())
    };
    let (output_name, dtype) = (name.clone(), DataType::Struct(added));
    let output =
        move |_: &Schema, _: &[Field]| Ok(Field::new(output_name.as_str().into(), dtype.clone()));
    let scores = map_multiple(function, inputs, output).alias(name.as_str());
    (name, scores)
}
