//! From a DataFrame and a spec to a training table: which columns are features, and why not.

use polars::prelude::{Column as PlColumn, DataFrame, DataType};

use super::column::FrameColumn;
use crate::dtype::DType;
use crate::error::{Error, Result, listed, no_such_column};
use crate::table::{Kinds, Source, Table};
use crate::target::check_weights;

/// What a verb asks of a frame.
pub(crate) struct Request<'a> {
    pub(crate) target: &'a str,
    pub(crate) features: Option<&'a [String]>,
    pub(crate) kinds: Kinds<'a>,
    pub(crate) weight: Option<&'a str>,
    pub(crate) by: &'a [String],
}

/// A feature column that can serve, or its name, dtype and why it cannot.
pub(crate) enum Feature {
    Usable(FrameColumn),
    Excluded { name: String, dtype: String, reason: String },
}

impl Request<'_> {
    /// The features in column order (or as they are named).
    pub(crate) fn features(&self, df: &DataFrame) -> Result<Vec<Feature>> {
        let known = names(df);
        let reserved = |name: &str| {
            if name == self.target {
                Some("the target")
            } else if Some(name) == self.weight {
                Some("the weight")
            } else if self.by.iter().any(|b| b == name) {
                Some("a group's column")
            } else {
                None
            }
        };
        let chosen: Vec<&str> = match self.features {
            None => known.iter().copied().filter(|name| reserved(name).is_none()).collect(),
            Some(chosen) => {
                for (i, name) in chosen.iter().enumerate() {
                    if let Some(role) = reserved(name) {
                        return Err(Error::spec(format!(
                            "feature `{name}` is {role}, which is never a feature: leave it out"
                        )));
                    }
                    if chosen[..i].contains(name) {
                        return Err(Error::spec(format!("feature `{name}` is named twice")));
                    }
                }
                chosen.iter().map(String::as_str).collect()
            }
        };
        chosen
            .into_iter()
            .map(|name| {
                let column = find(df, "feature", name)?;
                Ok(match FrameColumn::new(column) {
                    Some(column) => Feature::Usable(column),
                    None => Feature::Excluded {
                        name: name.to_string(),
                        dtype: column.dtype().to_string(),
                        reason: format!(
                            "dtype {} has no order and no levels: unnest or cast it, or leave it out",
                            column.dtype()
                        ),
                    },
                })
            })
            .collect()
    }

    fn target(&self, df: &DataFrame) -> Result<FrameColumn> {
        let column = find(df, "target", self.target)?;
        FrameColumn::new(column).ok_or_else(|| {
            Error::data(format!(
                "target `{}` ({}) is neither classes nor a number: choose an integer, boolean, \
                 text, float or decimal column",
                self.target,
                column.dtype()
            ))
        })
    }

    pub(super) fn weights(&self, df: &DataFrame) -> Result<Option<Vec<f64>>> {
        let Some(name) = self.weight else { return Ok(None) };
        let column = find(df, "weight", name)?;
        let dtype = column.dtype().to_string();
        if !(column.dtype().is_primitive_numeric() || column.dtype().is_decimal()) {
            return Err(Error::data(format!(
                "weight `{name}` ({dtype}) is not a number: name a column of non-negative numbers"
            )));
        }
        let numbers = column.cast(&DataType::Float64).map_err(super::polars_error)?;
        let numbers = numbers.as_materialized_series().f64().map_err(super::polars_error)?;
        check_weights(name, &dtype, numbers.iter()).map(Some)
    }

    /// Encodes what was asked for.
    pub(crate) fn table(&self, df: &DataFrame, features: &[FrameColumn]) -> Result<Table> {
        let target = self.target(df)?;
        let weights = self.weights(df)?;
        Table::encode(features, &target, weights, self.kinds)
    }
}

/// The column of a name, or an error that suggests the near one.
pub(crate) fn find<'a>(df: &'a DataFrame, role: &str, name: &str) -> Result<&'a PlColumn> {
    df.column(name).map_err(|_| no_such_column(role, name, &names(df)))
}

pub(crate) fn names(df: &DataFrame) -> Vec<&str> {
    df.columns().iter().map(|c| c.name().as_str()).collect()
}

/// The features, each of which must serve.
pub(crate) fn usable(features: Vec<Feature>) -> Result<Vec<FrameColumn>> {
    features
        .into_iter()
        .map(|f| match f {
            Feature::Usable(column) => Ok(column),
            Feature::Excluded { name, dtype, reason } => {
                Err(Error::data(format!("feature `{name}` ({dtype}) cannot be used: {reason}")))
            }
        })
        .collect()
}

/// Every feature must serve to fit, and some must have values; a ranking lists those that do
/// not.
pub(crate) fn all_usable(features: Vec<Feature>, target: &str) -> Result<Vec<FrameColumn>> {
    let usable = usable(features)?;
    if !usable.is_empty() && usable.iter().all(|c| *c.dtype() == DType::Null) {
        let names: Vec<&str> = usable.iter().map(|c| c.name()).collect();
        return Err(Error::data(format!(
            "no usable feature beside target `{target}`: {} (null) hold nothing but nulls; add \
             columns with values",
            listed(&names)
        )));
    }
    Ok(usable)
}
