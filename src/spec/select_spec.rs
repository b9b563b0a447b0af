//! How features are selected.

use serde::{Deserialize, Serialize};

use super::options::{LogBase, Task};
use super::spec;
use super::woe_spec::Intervals;

/// The score by which a feature is selected, beside the features selected before it (Brown, Pocock, Zhao &
/// Luján 2012, "Conditional likelihood maximisation", JMLR 13). X is the feature, Y the target, S
/// the features before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectScore {
    /// Joint mutual information (Yang & Moody 1999): the mean of `I(X; Y | Z)` over the Z in S.
    #[default]
    Jmi,
    /// Least redundancy, most relevance (Peng, Long & Ding 2005): `I(X; Y)` less the mean of
    /// `I(X; Z)` over the Z in S.
    Mrmr,
    /// Conditional mutual information maximisation (Fleuret 2004): the least `I(X; Y | Z)` over
    /// the Z in S.
    Cmim,
    /// `I(X; Y | S)`, of all features before it together. Many of them leave few rows in a stratum,
    /// where every feature seems to tell much.
    ConditionalGain,
}

spec! {
    /// How features are selected.
    ///
    /// ```
    /// use gaintree::{SelectScore, SelectSpec};
    /// let spec = SelectSpec::default().score(SelectScore::Cmim).k(5).alpha(0.01);
    /// assert_eq!((spec.k, spec.alpha), (5, 0.01));
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SelectSpec {
        /// The features to select from; `None` is every column except target and weight.
        pub features: Option<Vec<String>>,
        /// Columns that are no features, named in `features` or not.
        pub exclude: Vec<String>,
        /// Features taken as ordered whatever their dtype.
        pub ordered: Vec<String>,
        /// Features taken as nominal whatever their dtype.
        pub nominal: Vec<String>,
        /// The kind of target. Numbers are taken by ten intervals of about as many rows.
        pub task: Task,
        /// The column of row weights, finite and not negative.
        pub weight: Option<String>,
        /// The unit of gains and scores.
        pub log_base: LogBase,
        /// The score by which a feature is selected.
        pub score: SelectScore,
        /// The most features to select.
        pub k: usize = 10,
        /// Passes over features whose `p_adjusted` is above this, from 0 to 1, and ends where no
        /// other is left; 1 takes all.
        pub alpha: f64 = 0.05,
        /// Selects from ids, leaks and twins too.
        pub keep_all: bool,
        /// Whether the features that were passed over come after the steps.
        pub full: bool,
        /// The intervals of an ordered feature; one of at most ten levels is taken by its levels.
        pub intervals: Intervals = Intervals::Quantiles(10),
    } with threads and monitor
}
