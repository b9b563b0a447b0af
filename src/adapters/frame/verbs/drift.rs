//! How two frames differ, as tables.

use polars::prelude::{Column, DataFrame, DataType};

use crate::adapters::common::drift::{column_drift, drift_bins_table, drift_table};
use crate::adapters::common::score_spec::ScoreSpec;
use crate::adapters::frame::{in_pool, tables};
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::score::{Mixtures, Routes};
use crate::spec::{DriftSpec, Intervals};

/// Compares the columns of two frames, the one that drifted most first.
///
/// Returns one row per column: `rank u32, feature str, dtype str, kind str?, n_reference u64,
/// n_current u64, missing_reference f64?, missing_current f64?, psi f64?, js_divergence f64?,
/// n_bins u32?, worst_bin str?, share_reference f64?, share_current f64?, new_levels u64?,
/// vanished_levels u64?, new_share f64?, info_gain f64?, rule str?, rule_gain f64?, cut str?,
/// threshold f64?, chi_square f64?, p_value f64?, q_value f64?, excluded_reason str?`.
///
/// - `psi` is the population stability index `sum (q - p) ln(q / p)` of the shares p of the
///   reference and q of the current frame, and `js_divergence` the Jensen-Shannon divergence in
///   bits, from 0 to 1. Both are over bins: the reference's
///   [`intervals`](DriftSpec#structfield.intervals) of an ordered column, in which a value of more
///   rows than an interval would have is a bin by itself; each level of the reference of a nominal
///   one, and a bin of all new levels; and one of missing values. For `psi` half a row of each frame
///   is added to a bin that lacks one of them.
/// - `worst_bin` adds most to `psi`; `share_reference` and `share_current` are its shares.
/// - `info_gain` is what the column tells, in bits, about the frame a row is from, as in
///   [`rank_gain`](crate::rank_gain) with missing as a level of its own. `rule` is where the frames
///   differ most.
/// - `p_value` is of Pearson's chi-square test on the bins, with each new level as one of its own
///   and the bins of fewest rows joined until five rows of each frame are expected in them; null
///   where all are joined. `q_value` is the false discovery rate over the columns (Benjamini &
///   Hochberg).
/// - Rows are by `psi`; ties keep the reference's order. Columns that are in one frame alone, that
///   are of other dtypes in the two, or that have no order and no levels, come last with their
///   `excluded_reason`.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let reference = df!["age" => [20, 30, 40, 50], "city" => ["rome", "oslo", "rome", "oslo"]]?;
/// let current = df!["age" => [20, 30, 40, 50], "city" => ["rome", "rome", "bonn", "rome"]]?;
/// let drift = drift(&reference, &current, &DriftSpec::default())?;
/// assert_eq!(drift.column("feature")?.str()?.get(0), Some("city"));
/// assert_eq!(drift.column("new_levels")?.u64()?.get(0), Some(1));
/// assert_eq!(drift.column("psi")?.f64()?.get(1), Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for frames without rows or without a column that can be compared, a name that is
/// in neither, and MDL intervals without a target of classes.
pub fn drift(reference: &DataFrame, current: &DataFrame, spec: &DriftSpec) -> Result<DataFrame> {
    tables::frame(in_pool(spec.threads, || drift_table((reference, None), current, spec))?)
}

/// The bins of one column of two frames.
///
/// Returns one row per bin that has rows, in order: `bin u32, rule str, n_reference u64,
/// n_current u64, share_reference f64, share_current f64, psi f64`. These are the bins of
/// [`drift`].
///
/// # Errors
/// Returns the errors of [`drift`], and one for a column that is not in both frames or of other
/// dtypes in the two.
pub fn drift_bins(
    reference: &DataFrame,
    current: &DataFrame,
    feature: &str,
    spec: &DriftSpec,
) -> Result<DataFrame> {
    let drift = in_pool(spec.threads, || column_drift(reference, current, feature, spec))?;
    tables::frame(drift_bins_table(&drift.bins))
}

impl Tree {
    /// How two frames differ for this tree: the table of [`drift`](crate::drift) of the columns it
    /// uses (or of those the spec names), and of two more, its `prediction` and the `leaf_id` a row
    /// stops at, whose levels are the leaves.
    ///
    /// # Errors
    /// Those of [`drift`](crate::drift) and of scoring either frame.
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
    /// Those of scoring the frame, a frame without rows, a spec that names columns or MDL intervals,
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
    /// The rows that ended in each.
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
        let prediction = tree.predictions(PREDICTION, &routes)?.0;
        let leaves =
            DataFrame::new(counts.len(), vec![prediction, Column::new(LEAF_ID.into(), leaf_ids)])?;
        Ok(TrainingLeaves { leaves, counts })
    }

    /// The table of drift of scored rows.
    pub(super) fn compare(&self, scored: &DataFrame, spec: &DriftSpec) -> Result<DataFrame> {
        let scored = scored.select([PREDICTION, LEAF_ID])?;
        let reference = (&self.leaves, Some(self.counts.as_slice()));
        tables::frame(in_pool(spec.threads, || drift_table(reference, &scored, spec))?)
    }
}

/// The columns that scoring adds.
pub(super) const PREDICTION: &str = "prediction";
pub(super) const LEAF_ID: &str = "leaf_id";

/// The comparison of scored frames.
pub(super) struct ScoredDrift {
    /// The columns that are compared, with those that scoring adds.
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
