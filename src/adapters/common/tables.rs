//! A table of results, before it is a DataFrame or a RecordBatch.

use crate::fitted::Tree;

/// Named columns of one height, in order.
#[derive(Debug, Default)]
pub(crate) struct ResultTable(pub(crate) Vec<(String, Values)>);

/// The values of a column; `None` is null.
#[derive(Debug)]
pub(crate) enum Values {
    U32(Vec<Option<u32>>),
    U64(Vec<Option<u64>>),
    F64(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

impl ResultTable {
    pub(crate) fn add(&mut self, name: &str, values: impl Into<Values>) -> &mut Self {
        self.0.push((name.to_string(), values.into()));
        self
    }
}

/// Columns with nulls, and columns without.
macro_rules! values {
    ($($variant:ident of $type:ty),*) => {$(
        impl From<Vec<Option<$type>>> for Values {
            fn from(values: Vec<Option<$type>>) -> Self {
                Values::$variant(values)
            }
        }

        impl From<Vec<$type>> for Values {
            fn from(values: Vec<$type>) -> Self {
                Values::$variant(values.into_iter().map(Some).collect())
            }
        }
    )*};
}

values!(U32 of u32, U64 of u64, F64 of f64, Text of String);

impl Tree {
    /// What each feature did, most important first.
    pub(crate) fn importance_table(&self) -> ResultTable {
        let all = self.feature_importance();
        let features = &self.schema().features;
        let mut table = ResultTable::default();
        table
            .add("rank", (1..=all.len() as u32).collect::<Vec<_>>())
            .add(
                "feature",
                all.iter().map(|i| features[i.feature as usize].name.clone()).collect::<Vec<_>>(),
            )
            .add("importance", all.iter().map(|i| i.importance).collect::<Vec<_>>())
            .add("total_gain", all.iter().map(|i| i.total_gain).collect::<Vec<_>>())
            .add("n_splits", all.iter().map(|i| i.n_splits).collect::<Vec<_>>())
            .add("min_depth", all.iter().map(|i| i.min_depth).collect::<Vec<_>>())
            .add("coverage", all.iter().map(|i| i.coverage).collect::<Vec<_>>());
        table
    }
}
