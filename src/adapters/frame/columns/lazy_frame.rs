//! A LazyFrame as the verbs read it: the columns that are needed, collected.

use std::collections::HashSet;

use polars::prelude::{DataFrame, DataType, DslPlan, Engine, FileScanDsl, LazyFrame};

use super::column;
use crate::adapters::frame::in_pool;
use crate::adapters::frame::scoring::PolarsScoring;
use crate::error::{Error, Result, no_such_column};
use crate::verbs::frame::{Frame, Needed, sealed};
use crate::verbs::model_drift::LEAF_ID;
use crate::verbs::{ModelRef, ScoreSpec};

/// Each part has Polars look at the names of all columns again.
const MOST_PARTS: usize = 64;

impl sealed::Sealed for LazyFrame {}

impl Frame for LazyFrame {
    type Table = DataFrame;
    type Columns = DataFrame;

    fn columns(&self, needed: &Needed) -> Result<DataFrame> {
        let mut rows = self.clone();
        let needed: Vec<(Option<&str>, &str)> = match needed {
            Needed::All => return rows.collect().map_err(Error::from),
            Needed::Named(names) => names.iter().map(|(role, name)| (Some(*role), *name)).collect(),
            Needed::Checked(names) => names.iter().map(|name| (None, *name)).collect(),
        };
        let schema = rows.collect_schema()?;
        let known: Vec<&str> = schema.iter_names().map(|name| name.as_str()).collect();
        match needed.iter().find(|(_, name)| !schema.contains(name)) {
            Some((Some(role), name)) => return Err(no_such_column(role, name, &known)),
            // The verb finds that out, and names the columns there are.
            Some((None, _)) => return Ok(DataFrame::empty_with_schema(&schema)),
            None => {}
        }
        let needed: HashSet<&str> = needed.into_iter().map(|(_, name)| name).collect();
        let mut wanted: Vec<&str> =
            known.iter().copied().filter(|name| needed.contains(name)).collect();
        if wanted.is_empty() {
            // Any column tells the number of rows.
            wanted.extend(known.first());
        }
        let wanted: Vec<_> = wanted.into_iter().map(column).collect();
        rows.select(wanted).collect().map_err(Error::from)
    }

    fn outline(&self) -> Result<DataFrame> {
        Ok(DataFrame::empty_with_schema(&*self.clone().collect_schema()?))
    }

    /// Columns of Parquet files are read one by one, so that the files may be larger than memory.
    fn columns_at_once(&self, n_columns: usize) -> usize {
        if is_parquet(&self.logical_plan) { columns_of_part(n_columns) } else { n_columns }
    }

    /// It streams: of each row only what the model says is kept in memory.
    fn said(&self, model: ModelRef, _: Option<usize>) -> Result<DataFrame> {
        let is_tree = matches!(model, ModelRef::Tree(_));
        let spec = ScoreSpec::default().keep([""; 0]).leaf(is_tree);
        let mut said = model.score_lazy(self.clone(), &spec)?.frame;
        if is_tree {
            said = said.with_column(column(LEAF_ID).cast(DataType::String));
        }
        Ok(said.collect_with_engine(Engine::Streaming)?.unwrap_single())
    }

    fn in_pool<R: Send>(
        threads: Option<usize>,
        work: impl FnOnce() -> Result<R> + Send,
    ) -> Result<R> {
        in_pool(threads, work)
    }
}

fn columns_of_part(n_columns: usize) -> usize {
    n_columns.div_ceil(MOST_PARTS).max(rayon::current_num_threads())
}

/// Whether a query only reads Parquet files and adds columns, so that it can be read by column.
fn is_parquet(plan: &DslPlan) -> bool {
    match plan {
        DslPlan::Scan { scan_type, .. } => matches!(**scan_type, FileScanDsl::Parquet { .. }),
        DslPlan::Union { inputs, .. } => inputs.iter().all(is_parquet),
        DslPlan::Select { input, .. } | DslPlan::HStack { input, .. } => is_parquet(input),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_files_are_read_in_few_parts() {
        for n_columns in [1, 63, 64, 65, 20_000] {
            let at_once = columns_of_part(n_columns);
            assert!((1..=MOST_PARTS).contains(&n_columns.div_ceil(at_once)), "{n_columns}");
        }
    }
}
