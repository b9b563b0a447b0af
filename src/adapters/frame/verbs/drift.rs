//! How the rows that a tree scores differ from others.

use polars::prelude::{Column, DataFrame, DataType};

use crate::adapters::frame::in_pool;
use crate::adapters::frame::scores::FrameToScore;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::{Mixtures, Routes};
use crate::spec::{DriftSpec, Intervals};
use crate::verbs::drift::{DriftLines, drift};
use crate::verbs::score::RowsToScore;
use crate::verbs::{ModelVerbs, ScoreSpec};

impl Tree {
    /// How two frames differ for this tree: the table of [`drift`](crate::drift) of the columns it
    /// uses (or that the spec names), and of two more, its `prediction` and the `leaf_id` a row
    /// stops at, whose levels are the leaves.
    ///
    /// # Errors
    /// As [`drift`](crate::drift), and as scoring either frame.
    pub fn drift(
        &self,
        reference: &DataFrame,
        current: &DataFrame,
        spec: &DriftSpec,
    ) -> Result<DataFrame> {
        let scored_drift = ScoredDrift::new(self, spec);
        let scored = |df| scored_drift.score(self, df);
        drift(&scored(reference)?, &scored(current)?, &scored_drift.spec)
    }

    /// How a frame differs from the rows that this tree was fitted on, as far as the tree knows of
    /// them: the table of [`drift`](crate::drift) of its `prediction` and of the `leaf_id` a row stops
    /// at. It equals these lines of [`Tree::drift`] of the training rows and the frame.
    ///
    /// ```
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["x" => [1, 2, 3, 4], "y" => ["a", "a", "b", "b"]]?;
    /// let tree = df.fit_tree("y", &TreeSpec::cart())?.tree;
    /// let moved = tree.drift_from_training(&df.tail(Some(3)), &DriftSpec::default())?;
    /// assert_eq!(moved.column("feature")?.str()?.get(0), Some("prediction"));
    /// assert_eq!(moved.column("n_reference")?.u64()?.get(0), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As scoring the frame; a frame without rows, a spec that names columns or MDL intervals,
    /// and a tree that shared out training rows among several leaves
    /// ([`Missing::Fractional`](crate::Missing::Fractional)).
    pub fn drift_from_training(&self, current: &DataFrame, spec: &DriftSpec) -> Result<DataFrame> {
        let training = TrainingLeaves::new(self, spec)?;
        training.compare(&ScoredDrift::new(self, spec).score(self, current)?, spec)
    }
}

/// What a tree knows of the rows it was fitted on: where they ended.
pub(super) struct TrainingLeaves {
    /// A row for each leaf, with the columns that are compared.
    leaves: DataFrame,
    counts: Vec<u64>,
}

impl TrainingLeaves {
    pub(super) fn new(tree: &Tree, spec: &DriftSpec) -> Result<TrainingLeaves> {
        let named = [&spec.exclude, &spec.ordered, &spec.nominal].into_iter().flatten();
        let mut named = spec.features.iter().flatten().chain(named).chain(&spec.target);
        if let Some(name) = named.next() {
            return Err(Error::spec(format!(
                "column `{name}` is named, and a model keeps no columns of its training rows, only \
                 how many ended in each leaf: pass the rows as the reference, or name none"
            )));
        }
        if spec.intervals == Intervals::Mdl {
            return Err(Error::spec(
                "intervals = mdl are chosen by the classes of the training rows, which a model does \
                 not keep: take quantiles, or pass the rows as the reference",
            ));
        }
        let nodes = tree.node_slice();
        let ends = |node: &u32| {
            let node = &nodes[*node as usize];
            node.split.is_none() && node.n > 0
        };
        let ids: Vec<u32> = (0..nodes.len() as u32).filter(ends).collect();
        let counts: Vec<u64> = ids.iter().map(|&id| nodes[id as usize].n).collect();
        let total = counts.iter().try_fold(0u64, |sum, &n| sum.checked_add(n));
        if total != Some(nodes[0].n) {
            return Err(Error::model(
                "the leaves of this tree do not say where each training row ended, as rows with \
                 missing values went down several branches (missing = fractional): pass the training \
                 rows as the reference",
            ));
        }
        let leaf_ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        let routes = Routes { nodes: ids, mixtures: Mixtures::default(), absent_levels: 0 };
        let prediction = FrameToScore::predictions(PREDICTION, tree, &routes)?.0;
        let leaves =
            DataFrame::new(counts.len(), vec![prediction, Column::new(LEAF_ID.into(), leaf_ids)])?;
        Ok(TrainingLeaves { leaves, counts })
    }

    pub(super) fn compare(&self, scored: &DataFrame, spec: &DriftSpec) -> Result<DataFrame> {
        let scored = scored.select([PREDICTION, LEAF_ID])?;
        let reference = (&self.leaves, Some(self.counts.as_slice()));
        in_pool(spec.threads, || {
            let mut lines = DriftLines::default();
            lines.add(reference, &scored, spec)?;
            lines.table()
        })
    }
}

pub(super) const PREDICTION: &str = "prediction";
pub(super) const LEAF_ID: &str = "leaf_id";

pub(super) struct ScoredDrift {
    /// The columns that are compared, and the columns that scoring adds.
    pub(super) spec: DriftSpec,
    /// Columns that an earlier scoring may have left: a frame is scored anew.
    pub(super) old: Vec<&'static str>,
}

impl ScoredDrift {
    pub(super) fn new(tree: &Tree, spec: &DriftSpec) -> ScoredDrift {
        const ADDED: [&str; 2] = [PREDICTION, LEAF_ID];
        let name = |feature: u32| tree.schema().features[feature as usize].name.clone();
        let used: Vec<String> = tree.used_features().into_iter().map(name).collect();
        let old = ADDED.into_iter().filter(|name| !used.iter().any(|used| used == name)).collect();
        let mut spec = spec.clone();
        spec.features.get_or_insert(used).extend(ADDED.map(str::to_string));
        ScoredDrift { spec, old }
    }

    /// The rows with the columns that scoring adds.
    fn score(&self, tree: &Tree, df: &DataFrame) -> Result<DataFrame> {
        let mut scoring = ScoreSpec::default().leaf(true);
        scoring.threads = self.spec.threads;
        let rows = df.drop_many(self.old.iter().copied());
        let mut scored = tree.score_with(&rows, &scoring)?;
        // The number of a leaf is a name.
        let leaf = scored.column(LEAF_ID).and_then(|leaf| leaf.cast(&DataType::String));
        scored.with_column(leaf?)?;
        Ok(scored)
    }
}
