//! The ranking of features.

use super::frame::Frame;
use super::rank_outline::ranking;
use crate::error::Result;
use crate::spec::RankSpec;

/// Ranks features by what they tell about `target`, best first.
///
/// Returns one row per feature: `rank u32, feature str, info_gain f64, kind str, n_missing u64,
/// gain_ratio, gini_gain f64, rule str, note str?`; for a numeric target `variance_reduction f64`
/// stands in place of the three gains. The figure that the ranking goes by comes after the feature.
/// With [`full`](RankSpec::full) the table is whole: `rank u32, feature str, dtype str, kind str, n
/// u64, n_missing u64, n_levels u64, split str, entropy, conditional_entropy, info_gain, split_info,
/// gain_ratio, symmetric_uncertainty, gini, gini_split, gini_gain, gini_multiway, missing_gain f64,
/// rule str, rule_gain f64?, cut str?, threshold f64?, gini_rule str, note str?, excluded_reason
/// str?`. For a numeric target, `variance, variance_left_over, variance_reduction f64` replace the
/// entropy and Gini columns and `gini_rule`, and the ranking is by `variance_reduction`.
///
/// - An ordered feature is rated by its cut of highest gain (`rule`, `cut`, `threshold`). Its
///   Gini columns are of the cut of lowest `gini_split` (`gini_rule`).
/// - A nominal feature is rated by the partition into all its levels (`split` says so). `rule` and
///   `gini_rule` name its best one-vs-rest rules; `rule_gain` and its Gini columns are theirs.
/// - `note` warns of a feature whose many levels make its gain say little about other rows, and of
///   one that gives the target, or a rare class of it, away, by the rules of a
///   [`screen`](crate::screen). The first one says how many lines at the top are ids or leaks. In the
///   short table it also says why a feature is not rated.
/// - With [`Cuts::Mdl`](crate::Cuts::Mdl), the entropy columns of an ordered feature are of the
///   partition by all its [`mdl_cuts`](crate::mdl_cuts), and `rule` and `cut` name the best of
///   them. Without such a cut the gain is 0 and the rule empty. Under
///   [`RankMissing::OwnLevel`](crate::RankMissing::OwnLevel), missing is one more interval.
/// - With [`chance`](RankSpec::chance), `expected_gain, adjusted_gain, p_value, q_value f64?` stand
///   before `rule`: what the feature would gain if it told nothing, its gain less that, how often
///   chance gains as much, and the rate of false discoveries.
/// - With [`given`](RankSpec::given), `gain_given f64?` and `rule_given str?` stand before `rule`,
///   and the ranking is by the first: the conditional information gain `I(X; Y | Z)`, what the feature
///   tells within the rows that agree on the given columns. A nominal feature is taken by all its
///   levels, an ordered one by the one cut that gains most over all strata, `rule_given`. Given
///   columns are taken by their levels, ordered ones of more than ten by their MDL intervals (for a
///   numeric target by ten intervals of about as many rows); missing is a level of its own.
/// - With `by`, features are ranked within each group. Groups come in order of first
///   appearance; their columns come first.
///
/// Entropies are in bits (nats with `log_base`), over the rows whose value is known. Gains are
/// scaled by the share of these rows. A feature whose dtype cannot be used comes last, without
/// figures; `excluded_reason` says why.
///
/// Takes `O(n)` time per column of n rows: sorting is by radix passes, and dominates.
///
/// # Errors
/// Returns an error for a column that does not exist, a target with nulls or with one class, a
/// weight that is null, negative or not finite, a `by` column with the name of a column of the table,
/// a given column that is the target, and a numeric target with [`Cuts::Mdl`](crate::Cuts::Mdl).
pub fn rank_gain<F: Frame + ?Sized>(frame: &F, target: &str, spec: &RankSpec) -> Result<F::Table> {
    let columns = frame.columns(&spec.request(target).needed())?;
    F::in_pool(spec.threads, || ranking(&columns, target, spec))?.table::<F::Columns>()
}
