//! Scoring a query: batch by batch, however many rows there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataFrame, DataType, Expr, Field, IntoColumn, LazyFrame, StructChunked, map_multiple,
};

use super::polars_error;
use super::rows::Ready;
use super::verbs::column;
use crate::adapter::{ScoreReport, ScoreSpec};
use crate::error::Result;
use crate::tree::Tree;

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
        // Whatever is wrong with a column is wrong without rows too.
        let empty = self.score_with(&DataFrame::empty_with_schema(&schema), spec)?;
        let kept = match &spec.keep {
            Some(keep) => keep.len(),
            None => schema.len(),
        };
        let kept: Vec<Expr> =
            empty.columns()[..kept].iter().map(|kept| column(kept.name())).collect();
        let added: Vec<Field> =
            empty.columns()[kept.len()..].iter().map(|c| c.field().into_owned()).collect();

        let counts = Arc::new(Counts::default());
        let (name, answers) = self.answers_expr(&schema, added.clone(), spec, counts.clone());
        // All answers are of one way down the tree: first as one column, then apart.
        let apart = added.iter().map(|f| column(&name).struct_().field_by_name(f.name()));
        let columns: Vec<Expr> = kept.into_iter().chain(apart).collect();
        Ok(LazyScore { frame: input.with_column(answers).select(columns), counts })
    }

    /// The added columns as a struct, and a name for it that no column has.
    fn answers_expr(
        &self,
        schema: &polars::prelude::Schema,
        added: Vec<Field>,
        spec: &ScoreSpec,
        counts: Arc<Counts>,
    ) -> (String, Expr) {
        let mut name = "answers".to_string();
        while schema.contains(name.as_str()) {
            name.push('_');
        }
        let (ready, spec) = (Ready::new(self), spec.clone());
        let mut inputs = ready.inputs();
        if inputs.is_empty() {
            // A single leaf answers as many rows as any column has.
            inputs.extend(schema.iter_names().next().map(|name| column(name)));
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
        let output = move |_: &polars::prelude::Schema, _: &[Field]| {
            Ok(Field::new(output_name.as_str().into(), dtype.clone()))
        };
        let answers = map_multiple(function, inputs, output).alias(name.as_str());
        (name, answers)
    }
}
