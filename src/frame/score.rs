//! Scoring a DataFrame: the input plus a prediction a row.

use polars::prelude::{Categories, Column, DataFrame, DataType, FrozenCategories, Series};

use super::column::FrameColumn;
use super::input::names;
use super::{in_pool, polars_error};
use crate::dtype::DType;
use crate::error::{Error, Result, no_such_column};
use crate::score::Routes;
use crate::tree::Tree;

/// What a scored frame holds beside `prediction`.
///
/// ```
/// use gaintree::ScoreSpec;
/// let spec = ScoreSpec::default().probability(true).leaf(true).prefix("churn_");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ScoreSpec {
    /// A column `probability_<class>` per class.
    pub probability: bool,
    /// A column `leaf_id` of the node each row stopped at.
    pub leaf: bool,
    /// The input's columns to keep; `None` is all.
    pub keep: Option<Vec<String>>,
    /// Put before the name of every added column.
    pub prefix: String,
    /// Threads to score with; `None` is Polars' pool.
    pub threads: Option<usize>,
}

impl ScoreSpec {
    /// Adds or leaves out the probabilities.
    #[must_use]
    pub fn probability(mut self, wanted: bool) -> Self {
        self.probability = wanted;
        self
    }

    /// Adds or leaves out the leaf.
    #[must_use]
    pub fn leaf(mut self, wanted: bool) -> Self {
        self.leaf = wanted;
        self
    }

    /// Keeps these columns of the input.
    #[must_use]
    pub fn keep<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.keep = Some(columns.into_iter().map(Into::into).collect());
        self
    }

    /// Names the added columns with a prefix.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Scores in a pool of this many threads of its own.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }
}

/// What scoring met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScoreReport {
    /// Rows scored.
    pub rows: u64,
    /// Rows that met, on their way, a level the node never saw in training (under `x == level`,
    /// which keeps no list of the rest: a level that training never saw at all).
    pub absent_levels: u64,
}

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
        if spec.probability && self.is_regression() {
            return Err(Error::spec(format!(
                "the model's target `{}` is a number, which has no class probabilities: leave \
                 them out",
                self.schema().target
            )));
        }
        let mut columns = kept(df, spec)?;
        let (added, report) = in_pool(spec.threads, || {
            let routes = self.route_frame(df)?;
            let report =
                ScoreReport { rows: df.height() as u64, absent_levels: routes.absent_levels };
            Ok((self.answers(routes, spec)?, report))
        })?;
        for column in &added {
            let name = column.name();
            if columns.iter().any(|c| c.name() == name) {
                return Err(Error::data(format!(
                    "the input already has a column `{name}`: name the added ones with a prefix \
                     (ScoreSpec::prefix, --prefix), or leave it out of the kept columns"
                )));
            }
        }
        columns.extend(added);
        let scored = DataFrame::new(df.height(), columns).map_err(polars_error)?;
        Ok((scored, report))
    }

    /// The node each row of a frame ends in.
    pub(crate) fn route_frame(&self, df: &DataFrame) -> Result<Routes> {
        let known = names(df);
        let column = |name: &str| match df.column(name) {
            Err(_) => Ok(None),
            Ok(column) => FrameColumn::new(column).map(Some).ok_or_else(|| {
                Error::data(format!(
                    "column `{name}` is {} here, which no model is fitted on: cast it to the \
                     dtype of the training frame",
                    column.dtype()
                ))
            }),
        };
        self.route(df.height(), column, &known)
    }

    /// The added columns for rows that ended so.
    fn answers(&self, routes: Routes, spec: &ScoreSpec) -> Result<Vec<Column>> {
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
        let rows = polars::prelude::IdxCa::from_vec("".into(), routes.classes(self));
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
                let dtype = prediction_dtype(dtype);
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
            dtype => prediction_dtype(dtype),
        }
    }
}

/// The Polars dtype of a target.
fn prediction_dtype(dtype: &DType) -> DataType {
    match dtype {
        DType::Boolean => DataType::Boolean,
        DType::I8 => DataType::Int8,
        DType::I16 => DataType::Int16,
        DType::I32 => DataType::Int32,
        DType::I64 => DataType::Int64,
        DType::I128 => DataType::Int128,
        DType::U8 => DataType::UInt8,
        DType::U16 => DataType::UInt16,
        DType::U32 => DataType::UInt32,
        DType::U64 => DataType::UInt64,
        DType::U128 => DataType::UInt128,
        DType::F16 => DataType::Float16,
        DType::F32 => DataType::Float32,
        DType::F64 => DataType::Float64,
        DType::Decimal { precision, scale } => DataType::Decimal(*precision, *scale),
        DType::Categorical => DataType::from_categories(Categories::global()),
        DType::Enum { categories } => {
            // Categories of a tree are distinct, so there is nothing they could be refused for.
            match FrozenCategories::new(categories.iter().map(String::as_str)) {
                Ok(categories) => DataType::from_frozen_categories(categories),
                Err(_) => DataType::String,
            }
        }
        _ => DataType::String,
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
