//! The first missing value in the rows of a query, for a model that allows none.

use polars::prelude::{Column, DataType, Engine, Expr, IdxSize, LazyFrame, NULL, col, lit, when};

use crate::adapters::frame::columns::{column, free_name};
use crate::error::{Error, Result};
use crate::spec::Missing;
use crate::verbs::model_ref::ModelRef;
use crate::verbs::score_spec::ScoreSpec;

impl ModelRef<'_> {
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

/// Whether a value counts as missing.
fn is_missing(name: &str, dtype: &DataType) -> Expr {
    let null = column(name).is_null();
    if dtype.is_float() { null.or(column(name).is_nan()) } else { null }
}
