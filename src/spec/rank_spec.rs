//! How features are ranked.

use serde::{Deserialize, Serialize};

use super::chance::Chance;
use super::options::{Cuts, LogBase, RankMissing, SortBy, Task};
use super::spec;

spec! {
    /// How features are ranked.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct RankSpec {
        /// The features; `None` is every column except target, weight, `by` and `given`.
        pub features: Option<Vec<String>>,
        /// Columns that are no features, named in `features` or not.
        pub exclude: Vec<String>,
        /// Features taken as ordered whatever their dtype.
        pub ordered: Vec<String>,
        /// Features taken as nominal whatever their dtype.
        pub nominal: Vec<String>,
        /// Columns whose distinct values are the groups to rank within.
        pub by: Vec<String>,
        /// Columns that are known already: features are ranked by what they tell beyond these,
        /// their conditional information gain.
        pub given: Vec<String>,
        /// The kind of target.
        pub task: Task,
        /// The column of row weights, finite and not negative.
        pub weight: Option<String>,
        /// The unit of entropies and gains.
        pub log_base: LogBase,
        /// How missing values are treated.
        pub missing: RankMissing,
        /// The cuts an ordered feature is rated by.
        pub cuts: Cuts,
        /// The measure to sort by, best first; beside given columns it is their `gain_given`.
        pub sort_by: SortBy,
        /// Whether the ranking has all its columns, or the nine that matter most and the ones asked
        /// for.
        pub full: bool,
        /// What chance alone would have gained, as columns of the ranking; `None` leaves them out.
        pub chance: Option<Chance> => |chance: impl Into<Chance>| Some(chance.into()),
    } with threads and monitor
}

impl RankSpec {
    /// The column that a ranking goes by, for a target of numbers or of classes.
    pub fn goes_by(&self, of_numbers: bool) -> &'static str {
        match self.sort_by {
            _ if !self.given.is_empty() => "gain_given",
            _ if of_numbers => "variance_reduction",
            SortBy::InfoGain => "info_gain",
            SortBy::GainRatio => "gain_ratio",
            SortBy::GiniGain => "gini_gain",
            SortBy::SymmetricUncertainty => "symmetric_uncertainty",
            SortBy::InformationValue => "information_value",
        }
    }
}
