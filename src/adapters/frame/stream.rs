//! Scoring a query: batch by batch, however many rows there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataType, Expr, Field, IntoColumn, LazyFrame, PlSmallStr, Schema, StructChunked,
    map_multiple,
};

use super::polars_error;
use super::rows::Ready;
use super::verbs::column;
use crate::adapters::common::score_spec::{ScoreReport, ScoreSpec, check_free};
use crate::error::Result;
use crate::fitted::Tree;

/// A query whose rows are scored when it runs.
#[derive(Clone)]
#[non_exhaustive]
pub struct LazyScore {
    /// The query: the kept columns and the added ones, rows in their order.
    pub frame: LazyFrame,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    rows: AtomicU64,
    absent_levels: AtomicU64,
}

impl LazyScore {
    /// What has been met so far; whole when the query has run. It may be asked for while the
    /// query runs in another thread.
    pub fn report(&self) -> ScoreReport {
        ScoreReport {
            rows: self.counts.rows.load(Ordering::Relaxed),
            absent_levels: self.counts.absent_levels.load(Ordering::Relaxed),
        }
    }
}

impl Tree {
    /// [`score_with`](Self::score_with) as a query, which reads only the kept columns and those
    /// the tree uses, and streams.
    ///
    /// # Errors
    /// As [`score_with`](Self::score_with), as far as the columns and their dtypes tell; a
    /// missing value under [`Missing::Error`](crate::Missing::Error) is said when the query runs.
    pub fn score_lazy(&self, mut input: LazyFrame, spec: &ScoreSpec) -> Result<LazyScore> {
        let schema = input.collect_schema().map_err(polars_error)?;
        spec.check(self)?;
        let names = || schema.iter_names().map(|name| name.as_str());
        let find = |name: &str| schema.get_full(name).map(|(_, name, _)| name.as_str());
        let kept: Vec<&str> = spec.kept(names(), find, || names().collect())?;
        let ready = Ready::new(self);
        ready.check(&schema)?;
        let added = ready.fields(spec)?;
        check_free(added.iter().map(|field| field.name().as_str()), |name| kept.contains(&name))?;

        let counts = Arc::new(Counts::default());
        // All answers are of one way down the tree: first as one column, then apart.
        let apart: Vec<PlSmallStr> = added.iter().map(|field| field.name().clone()).collect();
        let (name, answers) = answers_expr(ready, &schema, added, spec.clone(), counts.clone());
        let apart = apart.iter().map(|field| column(&name).struct_().field_by_name(field));
        let columns: Vec<Expr> = kept.into_iter().map(column).chain(apart).collect();
        Ok(LazyScore { frame: input.with_column(answers).select(columns), counts })
    }
}

/// The added columns as a struct, and a name for it that no column of the query has.
fn answers_expr(
    ready: Ready,
    query: &Schema,
    added: Vec<Field>,
    spec: ScoreSpec,
    counts: Arc<Counts>,
) -> (String, Expr) {
    let mut name = "answers".to_string();
    while query.contains(name.as_str()) {
        name.push('_');
    }
    let mut inputs = ready.inputs();
    if inputs.is_empty() {
        // A single leaf answers as many rows as any column has.
        inputs.extend(query.iter_names().next().map(|name| column(name)));
    }
    let own_name = name.clone();
    let function = move |columns: &mut [Column]| -> PolarsResult<Column> {
        let ((fields, absent_levels), n) = ready.answer(columns, |rows| rows.answers(&spec))?;
        counts.rows.fetch_add(n as u64, Ordering::Relaxed);
        counts.absent_levels.fetch_add(absent_levels, Ordering::Relaxed);
        let fields = StructChunked::from_columns(own_name.as_str().into(), n, &fields)?;
        Ok(fields.into_column())
    };
    let (output_name, dtype) = (name.clone(), DataType::Struct(added));
    let output =
        move |_: &Schema, _: &[Field]| Ok(Field::new(output_name.as_str().into(), dtype.clone()));
    let answers = map_multiple(function, inputs, output).alias(name.as_str());
    (name, answers)
}
