//! Scoring a DataFrame: the input plus a prediction a row.

use std::ops::Range;

use polars::prelude::{Column, DataFrame, DataType, IdxCa, Series};

use super::batches::{in_batches, part};
use super::column::{FrameColumn, polars_dtype};
use super::input::names;
use super::{in_pool, polars_error};
use crate::adapter::score_spec::{ScoreReport, ScoreSpec, name_is_taken};
use crate::dtype::DType;
use crate::error::{Error, Result, no_such_column};
use crate::score::{Router, Routes};
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
        let batch = |rows: Range<usize>| {
            let of = |name: &str| df.column(name).ok().map(|column| part(column, &rows));
            let routes = self.route_columns(&router, rows.len(), Some(rows.start), of, &known)?;
            let absent_levels = routes.absent_levels;
            Ok((self.answers(routes, spec)?, absent_levels))
        };
        in_batches(df.height(), batch, |(whole, absent_levels), (part, more)| {
            *absent_levels += more;
            whole
                .iter_mut()
                .zip(part)
                .try_for_each(|(whole, part)| whole.append_owned(part).map(drop))
        })
    }

    /// The node each of so many rows ends in, by the router of the tree. `first` is the number of
    /// the first row, where that is known.
    pub(super) fn route_columns(
        &self,
        router: &Router,
        n_rows: usize,
        first: Option<usize>,
        find: impl Fn(&str) -> Option<Column>,
        known: &[&str],
    ) -> Result<Routes> {
        let source = |name: &str| {
            let Some(column) = find(name) else { return Ok(None) };
            FrameColumn::new(&column).map(Some).ok_or_else(|| {
                Error::data(format!(
                    "column `{name}` is {} here, which no model is fitted on: cast it to the \
                     dtype of the training frame",
                    column.dtype()
                ))
            })
        };
        router.route(self, n_rows, first, source, known)
    }

    /// The added columns for rows that ended so.
    pub(super) fn answers(&self, routes: Routes, spec: &ScoreSpec) -> Result<Vec<Column>> {
        let name = |base: &str| format!("{}{base}", spec.prefix);
        let mut added = vec![self.predictions(&name("prediction"), &routes)?];
        if spec.probability {
            for class in 0..self.schema().classes.len() {
                let name = name(&format!("probability_{}", self.schema().class_text(class)));
                added.push(Column::new(name.into(), routes.probabilities(self, class)));
            }
        }
        if spec.leaf {
            added.push(Column::new(name("leaf_id").into(), routes.nodes));
        }
        Ok(added)
    }

    /// The answers to rows that ended so, in the prediction's dtype.
    pub(crate) fn predictions(&self, name: &str, routes: &Routes) -> Result<Column> {
        if self.is_regression() {
            let means = Column::new(name.into(), routes.means(self));
            return means.cast(&self.prediction_dtype()).map_err(polars_error);
        }
        let labels = self.class_labels(name)?;
        let rows = IdxCa::from_vec("".into(), routes.classes(self));
        labels.take(&rows).map(Column::from).map_err(polars_error)
    }

    /// The classes as a series of the target's dtype.
    fn class_labels(&self, name: &str) -> Result<Series> {
        let schema = self.schema();
        let texts: Vec<String> =
            schema.classes.iter().map(|label| schema.target_dtype.write(label)).collect();
        let texts = Column::new(name.into(), texts);
        let labels = match &schema.target_dtype {
            // Text casts to numbers, but not to booleans.
            DType::Boolean => {
                let truths: Vec<bool> = schema
                    .classes
                    .iter()
                    .map(|label| schema.target_dtype.write(label) == "true")
                    .collect();
                Column::new(name.into(), truths)
            }
            dtype => {
                let dtype = polars_dtype(dtype);
                texts.strict_cast(&dtype).map_err(polars_error)?
            }
        };
        Ok(labels.as_materialized_series().clone())
    }

    /// The dtype of the prediction: the target's, but for means of integers and decimals,
    /// which are f64.
    pub(crate) fn prediction_dtype(&self) -> DataType {
        match &self.schema().target_dtype {
            dtype if self.is_regression() && !dtype.is_float() => DataType::Float64,
            dtype => polars_dtype(dtype),
        }
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
