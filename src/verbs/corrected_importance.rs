//! Importance beside permuted copies of the features.

use super::frame::Frame;
use super::importance::ranked;
use crate::encode::table::Table;
use crate::error::Result;
use crate::forest::{boruta_features, corrected_gains};
use crate::spec::{BorutaSpec, CorrectedSpec, ForestSpec};

/// What each feature gains in random forests more than permuted copies of it do, most first: `rank u32,
/// feature str, corrected_gain f64, standard_error f64, gain f64, permuted_gain f64, p_value f64,
/// q_value f64`.
///
/// Gains of trees favour features of many levels: noise with many levels gains much. Here forests are
/// grown on the features and on a copy of each whose values are permuted among the rows (the actual
/// impurity reduction of Nembrini, König & Wright 2018, with several permutations).
///
/// - `gain` is the mean over all trees of the gains of the feature's rules, each times its node's share
///   of the rows; `permuted_gain` is that of its copies, and `corrected_gain` the difference, which is
///   about 0, or below, for a feature that tells nothing. `standard_error` is that of the difference
///   over the permutations: more of them make it smaller.
/// - `p_value` is the chance that a copy gains as much in the trees of one permutation as the feature
///   does in those of the first: the upper tail of a Pearson type III distribution that has the copies'
///   mean, variance and skewness. It is the same for features of few and of many levels. More trees tell
///   more. `q_value` is the false discovery rate (Benjamini & Hochberg 1995).
///
/// The columns are encoded once. Takes the time of growing `permutations` forests of twice the features;
/// the trees are not kept.
///
/// ```
/// use gaintree::{CorrectedSpec, ForestSpec};
/// use gaintree::prelude::*;
/// use polars::prelude::*;
///
/// let df = df![
///     "size" => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
///     "mood" => [2, 1, 2, 2, 1, 1, 2, 1, 2, 1, 1, 2],
///     "ripe" => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
/// ]?;
/// let spec = CorrectedSpec::new(ForestSpec::default().trees(20).seed(1));
/// let table = df.corrected_importance("ripe", &spec)?;
/// assert_eq!(table.column("feature")?.str()?.get(0), Some("size"));
/// assert!(table.column("p_value")?.f64()?.get(0) < Some(0.05));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`fit_forest`](crate::fit_forest); fewer than 10 permutations.
pub fn corrected_importance<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &CorrectedSpec,
) -> Result<F::Table> {
    on_table(frame, target, &spec.forest, |table| {
        let all = corrected_gains(table, spec)?;
        ranked(all.iter().map(|one| table.columns[one.feature as usize].name()))
            .add("corrected_gain", all.iter().map(|one| one.corrected_gain))
            .add("standard_error", all.iter().map(|one| one.standard_error))
            .add("gain", all.iter().map(|one| one.gain))
            .add("permuted_gain", all.iter().map(|one| one.permuted_gain))
            .add("p_value", all.iter().map(|one| one.p_value))
            .add("q_value", all.iter().map(|one| one.q_value))
            .into_table()
    })
}

/// Decides which features tell more than noise, by the Boruta algorithm (Kursa & Rudnicki 2010):
/// `rank u32, feature str, decision str, corrected_gain f64, hits u32, runs u32`.
///
/// Each run grows a forest on the features and on permuted copies of them. A feature has a hit where it
/// gains more than the best copy of any feature, each gain less what copies of the feature gain in the
/// mean. A feature is `confirmed` if tosses of a coin would give as many hits with a chance below
/// [`alpha`](BorutaSpec#structfield.alpha) over the number of features, and `rejected` if they would
/// give as few. A feature that is neither when the runs end is `tentative`. Rejected features take no
/// part in later runs.
///
/// Features that say the same are all confirmed: to drop what is redundant, see
/// [`select_features`](crate::select_features). Confirmed features come first, then features of higher
/// `corrected_gain`: what a feature gains more than its copies, in the mean over its runs. `runs` is the
/// number of runs that count for the feature. The first runs on the same features only tell what copies
/// gain.
///
/// Takes at most the time of growing `runs` forests of twice the features.
///
/// ```
/// use gaintree::{BorutaSpec, ForestSpec};
/// use gaintree::prelude::*;
/// use polars::prelude::*;
///
/// let df = df![
///     "size" => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
///     "mood" => [2, 1, 2, 2, 1, 1, 2, 1, 2, 1, 1, 2],
///     "ripe" => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
/// ]?;
/// let spec = BorutaSpec::new(ForestSpec::default().trees(20).seed(1));
/// let table = df.boruta("ripe", &spec)?;
/// let decisions: Vec<Option<&str>> = table.column("decision")?.str()?.iter().collect();
/// assert_eq!(decisions, [Some("confirmed"), Some("rejected")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`fit_forest`](crate::fit_forest); fewer than 10 runs, an alpha out of range.
pub fn boruta<F: Frame + ?Sized>(frame: &F, target: &str, spec: &BorutaSpec) -> Result<F::Table> {
    on_table(frame, target, &spec.forest, |table| {
        let all = boruta_features(table, spec)?;
        ranked(all.iter().map(|one| table.columns[one.feature as usize].name()))
            .add("decision", all.iter().map(|one| one.decision.name()))
            .add("corrected_gain", all.iter().map(|one| one.corrected_gain))
            .add("hits", all.iter().map(|one| one.hits))
            .add("runs", all.iter().map(|one| one.runs))
            .into_table()
    })
}

/// Works on the encoded columns of a frame, in the pool that a forest is grown in.
fn on_table<F: Frame + ?Sized>(
    frame: &F,
    target: &str,
    spec: &ForestSpec,
    work: impl FnOnce(&Table) -> Result<F::Table> + Send,
) -> Result<F::Table> {
    let request = spec.tree.request(target);
    let columns = frame.columns(&request.needed())?;
    F::in_pool(spec.tree.threads, || work(&request.training_table(&columns)?))
}
