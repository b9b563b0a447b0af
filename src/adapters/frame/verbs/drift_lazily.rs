//! How the rows of queries that a tree scores differ.

use polars::prelude::{DataFrame, DataType, Engine, LazyFrame};

use super::drift::{LEAF_ID, PREDICTION, ScoredDrift, TrainingLeaves};
use crate::adapters::frame::columns::column;
use crate::adapters::frame::scoring::PolarsScoring;
use crate::error::Result;
use crate::fitted::Tree;
use crate::spec::DriftSpec;
use crate::verbs::ScoreSpec;
use crate::verbs::drift::drift;

impl Tree {
    /// [`drift`](Self::drift) of two queries. Parquet files are read a few columns at a time, so that
    /// they may be larger than memory.
    ///
    /// # Errors
    /// As [`drift`](Self::drift), and whatever the queries end in.
    pub fn drift_lazy(
        &self,
        reference: LazyFrame,
        current: LazyFrame,
        spec: &DriftSpec,
    ) -> Result<DataFrame> {
        let scored = ScoredDrift::new(self, spec);
        let reference = scored.score_lazily(self, reference)?;
        drift(&reference, &scored.score_lazily(self, current)?, &scored.spec)
    }

    /// [`drift_from_training`](Self::drift_from_training) of a query, which streams: of each row its
    /// prediction and its leaf are kept in memory.
    ///
    /// # Errors
    /// As [`drift_from_training`](Self::drift_from_training), and whatever the query ends in.
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
