//! How columns are screened.

use serde::{Deserialize, Serialize};

use super::options::{LogBase, Task};
use super::spec;

spec! {
    /// How columns are screened: which there are, and the thresholds of the verdicts.
    ///
    /// ```
    /// use gaintree::ScreenSpec;
    /// let spec = ScreenSpec::default().alpha(0.01).exclude(["customer_id"]);
    /// assert_eq!((spec.alpha, spec.twin_share), (0.01, 0.9));
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ScreenSpec {
        /// The columns to screen; `None` is every column except target and weight.
        pub features: Option<Vec<String>>,
        /// Columns that are not screened, named in `features` or not.
        pub exclude: Vec<String>,
        /// Columns taken as ordered whatever their dtype.
        pub ordered: Vec<String>,
        /// Columns taken as nominal whatever their dtype.
        pub nominal: Vec<String>,
        /// The kind of target.
        pub task: Task,
        /// The column of row weights, finite and not negative.
        pub weight: Option<String>,
        /// The unit of gains.
        pub log_base: LogBase,
        /// A column is `chance` if its false discovery rate is above this.
        pub alpha: f64 = 0.05,
        /// A column is `weak` if it tells less than this share of what there is to tell.
        pub weak_share: f64 = 0.01,
        /// A column is a `leak` if it tells at least this share of what there is to tell.
        pub leak_share: f64 = 0.99,
        /// A column is a `leak` if a rule finds a rare class and at least this share of the rule's
        /// rows are of it.
        pub pure_share: f64 = 0.99,
        /// The least share of the rare class's rows that such a rule finds.
        pub pure_recall: f64 = 0.1,
        /// A class is rare if at most this share of the rows are of it.
        pub rare_share: f64 = 0.2,
        /// A column of whole numbers is an `id` if at least this share of its values are distinct
        /// and they number the rows, or tell no more than chance.
        pub id_share: f64 = 0.95,
        /// A nominal column is an `id` if it has at least this many levels for each row.
        pub id_share_nominal: f64 = 0.3,
        /// A column is a `twin` if another tells at least this share of it.
        pub twin_share: f64 = 0.9,
        /// Whether the table has all its columns, or the seven that matter most.
        pub full: bool,
    } with threads and monitor
}

#[cfg(any(feature = "polars", feature = "arrow"))]
impl ScreenSpec {
    /// The thresholds that are shares, by name.
    pub(crate) fn shares(&self) -> [(&'static str, f64); 8] {
        [
            ("weak_share", self.weak_share),
            ("leak_share", self.leak_share),
            ("pure_share", self.pure_share),
            ("pure_recall", self.pure_recall),
            ("rare_share", self.rare_share),
            ("id_share", self.id_share),
            ("id_share_nominal", self.id_share_nominal),
            ("twin_share", self.twin_share),
        ]
    }
}
