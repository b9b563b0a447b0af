//! How two frames differ, as tables.

use polars::prelude::{DataFrame, DataType};

use crate::adapters::common::drift::{column_drift, drift_bins_table, drift_table};
use crate::adapters::common::score_spec::ScoreSpec;
use crate::adapters::frame::{in_pool, tables};
use crate::error::Result;
use crate::fitted::Tree;
use crate::spec::DriftSpec;

/// Compares the columns of two frames, the one that drifted most first.
///
/// Returns one row per column: `rank u32, feature str, dtype str, kind str?, n_reference u64,
/// n_current u64, missing_reference f64?, missing_current f64?, psi f64?, js_divergence f64?,
/// n_bins u32?, worst_bin str?, share_reference f64?, share_current f64?, new_levels u64?,
/// vanished_levels u64?, new_share f64?, info_gain f64?, rule str?, rule_gain f64?, cut str?,
/// threshold f64?, g f64?, p_value f64?, q_value f64?, excluded_reason str?`.
///
/// - `psi` is the population stability index `sum (q - p) ln(q / p)` of the shares p of the
///   reference and q of the current frame, and `js_divergence` the Jensen-Shannon divergence in
///   bits, from 0 to 1. Both are over bins: the reference's
///   [`intervals`](DriftSpec#structfield.intervals) of an ordered column; each level of the
///   reference of a nominal one, and a bin of all new levels; and one of missing values. For `psi`
///   half a row of each frame is added to a bin that lacks one of them.
/// - `worst_bin` adds most to `psi`; `share_reference` and `share_current` are its shares.
/// - `info_gain` is what the column tells, in bits, about the frame a row is from, as in
///   [`rank_gain`](crate::rank_gain) with missing as a level of its own. `rule` is where the frames
///   differ most.
/// - `p_value` is of the G test on the bins, with `n_bins - 1` degrees of freedom; `q_value` is
///   the false discovery rate over the columns (Benjamini & Hochberg).
/// - Rows are by `psi`; ties keep the reference's order. Columns that are in one frame alone, or
///   that cannot be compared, come last with their `excluded_reason`.
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
/// Returns an error for frames without a column in common or without rows, a column of other
/// dtypes in the two frames, a name that is in neither, and MDL intervals without a target of
/// classes.
pub fn drift(reference: &DataFrame, current: &DataFrame, spec: &DriftSpec) -> Result<DataFrame> {
    tables::frame(in_pool(spec.threads, || drift_table(reference, current, spec))?)
}

/// The bins of one column of two frames.
///
/// Returns one row per bin that has rows, in order: `bin u32, rule str, n_reference u64,
/// n_current u64, share_reference f64, share_current f64, psi f64`. These are the bins of
/// [`drift`].
///
/// # Errors
/// Returns the errors of [`drift`], and one for a column that is not in both frames.
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
        let ScoredDrift { spec, old } = ScoredDrift::new(self, spec);
        let mut scoring = ScoreSpec::default().leaf(true);
        scoring.threads = spec.threads;
        let scored = |df: &DataFrame| -> Result<DataFrame> {
            let mut scored = self.score_with(&df.drop_many(old.iter().copied()), &scoring)?;
            // The number of a leaf is a name.
            let leaf = scored.column("leaf_id").and_then(|leaf| leaf.cast(&DataType::String));
            scored.with_column(leaf?)?;
            Ok(scored)
        };
        let (reference, current) = (scored(reference)?, scored(current)?);
        drift(&reference, &current, &spec)
    }
}

/// The comparison of scored frames.
pub(super) struct ScoredDrift {
    /// The columns that are compared, with those that scoring adds.
    pub(super) spec: DriftSpec,
    /// Columns that an earlier scoring may have left: a frame is scored anew.
    pub(super) old: Vec<&'static str>,
}

impl ScoredDrift {
    pub(super) fn new(tree: &Tree, spec: &DriftSpec) -> ScoredDrift {
        const ADDED: [&str; 2] = ["prediction", "leaf_id"];
        let name = |feature: u32| tree.schema().features[feature as usize].name.clone();
        let used: Vec<String> = tree.used_features().into_iter().map(name).collect();
        let old = ADDED.into_iter().filter(|name| !used.iter().any(|used| used == name)).collect();
        let mut spec = spec.clone();
        spec.features.get_or_insert(used).extend(ADDED.map(str::to_string));
        ScoredDrift { spec, old }
    }
}
