//! Scoring a DataFrame: the input plus a prediction a row.

use std::ops::Range;

use polars::prelude::{Column, DataFrame, Float64Chunked, IntoColumn, UInt32Chunked};

use super::column::FrameColumn;
use super::input::names;
use super::{in_pool, polars_error};
use crate::adapter::score_spec::{ScoreReport, ScoreSpec, name_is_taken};
use crate::error::{Error, Result, no_such_column};
use crate::score::{Batches, Met, Router, Routes, in_batches};
use crate::tree::Tree;

impl Tree {
    /// The frame with a column `prediction` of the target's dtype (means of integers and
    /// decimals are f64, and a categorical is of Polars' global categories).
    ///
    /// Integer widths compare as integers, an f32 column fits an f64 model, String, Categorical
    /// and Enum are interchangeable, a Null column is all missing; columns the tree does not
    /// use are not looked at.
    ///
    /// # Errors
    /// A used column that is absent or of another dtype, or a column of the frame named
    /// `prediction`.
    pub fn score(&self, df: &DataFrame) -> Result<DataFrame> {
        self.score_with(df, &ScoreSpec::default())
    }

    /// [`score`](Self::score) with more, or other, columns.
    ///
    /// # Errors
    /// As [`score`](Self::score), and a kept column that is not there.
    pub fn score_with(&self, df: &DataFrame, spec: &ScoreSpec) -> Result<DataFrame> {
        Ok(self.score_with_report(df, spec)?.0)
    }

    /// [`score_with`](Self::score_with), and what it met.
    ///
    /// # Errors
    /// As [`score_with`](Self::score_with).
    pub fn score_with_report(
        &self,
        df: &DataFrame,
        spec: &ScoreSpec,
    ) -> Result<(DataFrame, ScoreReport)> {
        spec.check(self)?;
        let mut columns = kept(df, spec)?;
        let (added, absent_levels) = in_pool(spec.threads, || self.answers_to(df, spec))?;
        for column in &added {
            let name = column.name();
            if columns.iter().any(|c| c.name() == name) {
                return Err(name_is_taken(name));
            }
        }
        columns.extend(added);
        let scored = DataFrame::new(df.height(), columns).map_err(polars_error)?;
        Ok((scored, ScoreReport { rows: df.height() as u64, absent_levels }))
    }

    /// The added columns of a frame, and the rows that met an absent level.
    fn answers_to(&self, df: &DataFrame, spec: &ScoreSpec) -> Result<(Vec<Column>, u64)> {
        let (router, known) = (Router::new(self), names(df));
        let of = |name: &str| df.column(name).ok();
        if !spec.probability && !spec.leaf {
            let route = self.router_of_batches(&router, of, Some(&known));
            let rows = Batches { n_rows: df.height(), route };
            let name = format!("{}prediction", spec.prefix);
            let (predictions, absent_levels) = self.predictions(&name, rows)?;
            return Ok((vec![predictions], absent_levels));
        }
        let routes = self.route_rows(&router, df.height(), of, Some(&known))?;
        let absent_levels = routes.absent_levels;
        Ok((self.answers(routes, spec)?, absent_levels))
    }

    /// Where so many rows end, by the router of the tree. `table` are the names of a whole table,
    /// if that is where the columns are found: messages tell them, and the row.
    pub(super) fn route_rows<'a>(
        &self,
        router: &Router,
        n_rows: usize,
        find: impl Fn(&str) -> Option<&'a Column> + Sync,
        table: Option<&[&str]>,
    ) -> Result<Routes> {
        in_batches(n_rows, self.router_of_batches(router, find, table))
    }

    /// The same of some rows, batch by batch.
    fn router_of_batches<'a>(
        &self,
        router: &Router,
        find: impl Fn(&str) -> Option<&'a Column> + Sync,
        table: Option<&[&str]>,
    ) -> impl Fn(Range<usize>, &mut [u32]) -> Result<Met> + Sync {
        move |rows, nodes| {
            let source = |name: &str| {
                let Some(column) = find(name) else { return Ok(None) };
                let column = column.slice(rows.start as i64, rows.len());
                FrameColumn::new(&column).map(Some).ok_or_else(|| {
                    Error::data(format!(
                        "column `{name}` is {} here, which no model is fitted on: cast it to the \
                         dtype of the training frame",
                        column.dtype()
                    ))
                })
            };
            let first = table.map(|_| rows.start);
            router.route(self, nodes, first, source, table.unwrap_or_default())
        }
    }

    /// The added columns for rows that ended so.
    pub(super) fn answers(&self, routes: Routes, spec: &ScoreSpec) -> Result<Vec<Column>> {
        let name = |base: &str| format!("{}{base}", spec.prefix);
        let mut added = vec![self.predictions(&name("prediction"), &routes)?.0];
        if spec.probability {
            for class in 0..self.schema().classes.len() {
                let name = name(&format!("probability_{}", self.schema().class_text(class)));
                let shares = routes.probabilities(self, class);
                added.push(Float64Chunked::from_vec(name.into(), shares).into_column());
            }
        }
        if spec.leaf {
            let ids = UInt32Chunked::from_vec(name("leaf_id").into(), routes.nodes);
            added.push(ids.into_column());
        }
        Ok(added)
    }
}

/// The columns of the input that stay.
fn kept(df: &DataFrame, spec: &ScoreSpec) -> Result<Vec<Column>> {
    let Some(keep) = &spec.keep else { return Ok(df.columns().to_vec()) };
    keep.iter()
        .map(|name| {
            df.column(name).cloned().map_err(|_| no_such_column("column to keep", name, &names(df)))
        })
        .collect()
}
