//! Gains without what chance makes.

use super::copies::{CopyForests, CopyGains, begin_forests};
use crate::encode::table::Table;
use crate::error::Result;
use crate::spec::CorrectedSpec;
use crate::stat::significance::{benjamini_hochberg, permutation_p_value};
use crate::util::means::MeanOfNumbers;

/// What a feature gains beside permuted copies of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedGain {
    /// The feature's index in the table.
    pub feature: u32,
    /// `gain` less `permuted_gain`.
    pub corrected_gain: f64,
    /// The standard error of `corrected_gain` over the permutations; it tells how far more of them
    /// would move it.
    pub standard_error: f64,
    /// The mean over all trees of the gains of the feature's rules, each times its node's share of the
    /// weight.
    pub gain: f64,
    /// The mean gain of its copies.
    pub permuted_gain: f64,
    /// The chance that a copy gains as much as the feature does, in as many trees.
    pub p_value: f64,
    /// The least false discovery rate at which the feature would be taken for real (Benjamini & Hochberg
    /// 1995).
    pub q_value: f64,
}

/// What each feature of a table gains in forests that have, beside the features, a permuted copy of each
/// (the actual impurity reduction of Nembrini, König & Wright 2018), highest corrected gain first.
/// Works in the current pool; a forest of twice the features for each permutation.
///
/// A feature that tells nothing gains as much as its copies do in the mean, however many levels it
/// has. Its gain in the first forest is a draw like the gain of a copy in any forest of as many
/// trees: the p-value is `(k + 1) / (permutations + 1)`, where k copies gain as much or more
/// (Phipson & Smyth 2010).
///
/// # Errors
/// As [`grow_forest`](crate::engine::grow_forest); fewer than 10 permutations.
pub fn corrected_gains(table: &Table, spec: &CorrectedSpec) -> Result<Vec<CorrectedGain>> {
    begin_forests("permutations", spec.permutations, &spec.forest)?;
    let features: Vec<u32> = (0..table.columns.len() as u32).collect();
    let forests = CopyForests { table, spec: &spec.forest, features, n_copies: 1 };
    let gains = (0..spec.permutations).map(|permutation| forests.gains(permutation));
    let gains = gains.collect::<Result<Vec<_>>>()?;
    let mut all: Vec<CorrectedGain> =
        forests.features.iter().map(|&feature| corrected_gain(feature, &gains)).collect();
    let q_values = benjamini_hochberg(&all.iter().map(|one| one.p_value).collect::<Vec<_>>());
    all.iter_mut().zip(q_values).for_each(|(one, q_value)| one.q_value = q_value);
    all.sort_by(|a, b| b.corrected_gain.total_cmp(&a.corrected_gain));
    Ok(all)
}

/// The gains of a feature, before its q-value is known.
fn corrected_gain(feature: u32, forests: &[CopyGains]) -> CorrectedGain {
    let at = feature as usize;
    let own: Vec<f64> = forests.iter().map(|gains| gains.of_features[at]).collect();
    let copies: Vec<f64> = forests.iter().map(|gains| gains.of_copies[0][at]).collect();
    let differences = own.iter().zip(&copies).map(|(own, copy)| own - copy);
    let mean = |numbers: &[f64]| MeanOfNumbers::new(numbers.iter().copied()).mean;
    let (gain, permuted_gain) = (mean(&own), mean(&copies));
    CorrectedGain {
        feature,
        corrected_gain: gain - permuted_gain,
        standard_error: MeanOfNumbers::new(differences).standard_error.unwrap_or(0.0),
        gain,
        permuted_gain,
        p_value: permutation_p_value(own[0], &copies),
        q_value: 1.0,
    }
}
