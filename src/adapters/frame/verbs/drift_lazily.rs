//! How two queries differ, a few columns at a time.

use polars::prelude::{DataFrame, DataType, DslPlan, Engine, FileScanDsl, LazyFrame, SchemaRef};

use super::drift::{LEAF_ID, PREDICTION, ScoredDrift, TrainingLeaves};
use crate::adapters::common::drift::DriftLines;
use crate::adapters::common::score_spec::ScoreSpec;
use crate::adapters::frame::columns::column;
use crate::adapters::frame::{in_pool, tables};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::spec::DriftSpec;
use crate::util::monitoring::check_interrupt;

/// Each part has Polars look at the names of all columns again.
const MOST_PARTS: usize = 64;

/// The table of [`drift`](super::drift). Parquet files are read a few columns at a time, each column
/// once; the rows of any other query are collected, as much as is compared of them.
pub(super) fn drift_lazily(
    reference: LazyFrame,
    current: LazyFrame,
    spec: &DriftSpec,
) -> Result<DataFrame> {
    let in_parts = [&reference, &current].iter().all(|lf| is_parquet(&lf.logical_plan));
    compare([reference, current], spec, in_parts)
}

impl Tree {
    /// [`drift`](Self::drift) of two queries. Parquet files are read a few columns at a time, so that
    /// they may be larger than memory.
    ///
    /// # Errors
    /// Those of [`drift`](Self::drift), and whatever the queries end in.
    pub fn drift_lazy(
        &self,
        reference: LazyFrame,
        current: LazyFrame,
        spec: &DriftSpec,
    ) -> Result<DataFrame> {
        let in_parts = [&reference, &current].iter().all(|lf| is_parquet(&lf.logical_plan));
        let drift = ScoredDrift::new(self, spec);
        let frames = [drift.score_lazily(self, reference)?, drift.score_lazily(self, current)?];
        compare(frames, &drift.spec, in_parts)
    }

    /// [`drift_from_training`](Self::drift_from_training) of a query, which streams: of each row its
    /// prediction and its leaf are kept in memory.
    ///
    /// # Errors
    /// Those of [`drift_from_training`](Self::drift_from_training), and whatever the query ends in.
    pub fn drift_from_training_lazy(
        &self,
        current: LazyFrame,
        spec: &DriftSpec,
    ) -> Result<DataFrame> {
        let training = TrainingLeaves::new(self, spec)?;
        let scored = ScoredDrift::new(self, spec).score_lazily(self, current)?;
        let scored = scored.select([column(PREDICTION), column(LEAF_ID)]);
        let scored = scored.collect_with_engine(Engine::Streaming)?.unwrap_single();
        training.compare(&scored, spec)
    }
}

impl ScoredDrift {
    /// The query with the columns that scoring adds.
    fn score_lazily(&self, tree: &Tree, mut lf: LazyFrame) -> Result<LazyFrame> {
        let schema = lf.collect_schema()?;
        let kept = schema.iter_names().filter(|name| !self.old.contains(&name.as_str()));
        let rows = lf.select(kept.map(|name| column(name)).collect::<Vec<_>>());
        let scored = tree.score_lazy(rows, &ScoreSpec::default().leaf(true))?.frame;
        // The number of a leaf is a name.
        Ok(scored.with_column(column(LEAF_ID).cast(DataType::String)))
    }
}

fn compare(frames: [LazyFrame; 2], spec: &DriftSpec, in_parts: bool) -> Result<DataFrame> {
    let [mut reference, mut current] = frames;
    let schema = |lf: &mut LazyFrame| lf.collect_schema().map_err(Error::from);
    let schemas = [schema(&mut reference)?, schema(&mut current)?];
    let [a, b] = schemas.each_ref().map(|schema| DataFrame::empty_with_schema(schema));
    let (mut lines, names) = DriftLines::outline(&a, &b, spec)?;
    in_pool(spec.threads, || {
        let at_once = if in_parts { columns_of_part(names.len()) } else { names.len() };
        for names in names.chunks(at_once) {
            check_interrupt(spec.monitor.as_ref())?;
            let target = spec.target.as_ref().filter(|target| !names.contains(target));
            let of_reference = names.iter().chain(target);
            let reference = collect(&reference, &schemas[0], of_reference)?;
            let current = collect(&current, &schemas[1], names.iter())?;
            lines.compare((&reference, None), &current, names, spec)?;
        }
        tables::frame(lines.table())
    })
}

/// The number of columns that are read at once.
fn columns_of_part(n_columns: usize) -> usize {
    n_columns.div_ceil(MOST_PARTS).max(rayon::current_num_threads())
}

/// The named columns of a query, those of them there are.
fn collect<'a>(
    lf: &LazyFrame,
    schema: &SchemaRef,
    names: impl Iterator<Item = &'a String>,
) -> Result<DataFrame> {
    let wanted = names.filter(|name| schema.contains(name)).map(|name| column(name));
    lf.clone().select(wanted.collect::<Vec<_>>()).collect().map_err(Error::from)
}

/// Whether a query does no more than read Parquet files, whose columns can be read one by one.
fn is_parquet(plan: &DslPlan) -> bool {
    match plan {
        DslPlan::Scan { scan_type, .. } => matches!(**scan_type, FileScanDsl::Parquet { .. }),
        DslPlan::Union { inputs, .. } => inputs.iter().all(is_parquet),
        DslPlan::Select { input, .. } => is_parquet(input),
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
