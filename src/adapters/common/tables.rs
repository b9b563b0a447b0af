//! A table of results, before it is a DataFrame or a RecordBatch.

use std::borrow::Cow;

use crate::prune::CvStep;
use crate::tree::forest_data::ForestData;
use crate::tree::{Schema, TreeData};

/// Named columns of one height, in order.
#[derive(Debug, Default)]
pub(crate) struct ResultTable(pub(crate) Vec<(String, ResultColumn<'static>)>);

/// The values of a column; `None` is null.
#[derive(Debug)]
pub(crate) enum ResultColumn<'a> {
    Bool(Vec<Option<bool>>),
    U32(Vec<Option<u32>>),
    U64(Vec<Option<u64>>),
    F64(Vec<Option<f64>>),
    Text(Vec<Option<Cow<'a, str>>>),
}

/// A value that a column can hold, or an option of one.
pub(crate) trait ResultValue<'a>: Sized {
    fn column(values: impl Iterator<Item = Self>) -> ResultColumn<'a>;
}

macro_rules! result_values {
    ($($variant:ident of $type:ty),*) => {$(
        impl<'a> ResultValue<'a> for Option<$type> {
            fn column(values: impl Iterator<Item = Self>) -> ResultColumn<'a> {
                ResultColumn::$variant(values.collect())
            }
        }

        impl<'a> ResultValue<'a> for $type {
            fn column(values: impl Iterator<Item = Self>) -> ResultColumn<'a> {
                ResultColumn::$variant(values.map(Some).collect())
            }
        }
    )*};
}

result_values!(Bool of bool, U32 of u32, U64 of u64, F64 of f64, Text of Cow<'a, str>);

impl IntoIterator for ResultTable {
    type Item = (String, ResultColumn<'static>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl ResultTable {
    /// Adds a column.
    pub(crate) fn add<T: ResultValue<'static>>(
        mut self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        self.0.push((name.to_string(), T::column(values.into_iter())));
        self
    }
}

/// The steps of cross-validated pruning.
impl From<&[CvStep]> for ResultTable {
    fn from(steps: &[CvStep]) -> ResultTable {
        ResultTable::default()
            .add("alpha", steps.iter().map(|s| s.alpha))
            .add("leaves", steps.iter().map(|s| s.leaves))
            .add("mean_error", steps.iter().map(|s| s.mean_error))
            .add("standard_error", steps.iter().map(|s| s.standard_error))
            .add("chosen", steps.iter().map(|s| s.chosen))
    }
}

impl TreeData {
    /// The table of `Tree::importance`.
    pub(crate) fn importance_table(&self) -> ResultTable {
        let all = self.feature_importance();
        ranked(self.schema(), all.iter().map(|i| i.feature))
            .add("importance", all.iter().map(|i| i.importance))
            .add("total_gain", all.iter().map(|i| i.total_gain))
            .add("n_splits", all.iter().map(|i| i.n_splits))
            .add("min_depth", all.iter().map(|i| i.min_depth))
            .add("coverage", all.iter().map(|i| i.coverage))
    }
}

impl ForestData {
    /// The table of `Forest::importance`.
    pub(crate) fn importance_table(&self) -> ResultTable {
        let all = self.feature_importance();
        ranked(self.schema(), all.iter().map(|i| i.feature))
            .add("importance", all.iter().map(|i| i.importance))
            .add("standard_error", all.iter().map(|i| i.standard_error))
            .add("total_gain", all.iter().map(|i| i.total_gain))
            .add("n_splits", all.iter().map(|i| i.n_splits))
            .add("n_trees", all.iter().map(|i| i.n_trees))
    }
}

/// The table of `Tree::contribution_importance`: of each feature its mean, in the schema's order.
#[cfg(feature = "polars")]
pub(crate) fn contribution_importance_table(schema: &Schema, means: &[f64]) -> ResultTable {
    let mut order: Vec<u32> = (0..means.len() as u32).collect();
    let mean = |&feature: &u32| means[feature as usize];
    // Stable: equals stay in the schema's order.
    order.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    ranked(schema, order.iter().copied()).add("mean_absolute", order.iter().map(mean))
}

/// The first columns of a table of ranked features: `rank`, `feature`.
fn ranked(schema: &Schema, features: impl ExactSizeIterator<Item = u32>) -> ResultTable {
    ranked_names(features.map(|feature| schema.features[feature as usize].name.clone()))
}

/// The first columns of a table of ranked features, which are named.
pub(crate) fn ranked_names(names: impl ExactSizeIterator<Item = String>) -> ResultTable {
    let n = names.len() as u32;
    ResultTable::default().add("rank", 1..=n).add("feature", names.map(Cow::from))
}
