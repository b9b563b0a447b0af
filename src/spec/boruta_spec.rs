//! How features are told from noise.

use serde::{Deserialize, Serialize};

use super::ForestSpec;
use super::spec;

impl BorutaSpec {
    /// At most 100 runs, each with a forest of its own, and an alpha of 0.01.
    pub fn new(forest: ForestSpec) -> BorutaSpec {
        BorutaSpec { forest, ..BorutaSpec::default() }
    }
}

spec! {
    /// How features are told from noise by the Boruta algorithm (Kursa & Rudnicki 2010). By
    /// default at most 100 runs, each with a forest of 50 CART trees, and an alpha of 0.01.
    ///
    /// ```
    /// use gaintree::{BorutaSpec, ForestSpec};
    /// let spec = BorutaSpec::new(ForestSpec::default().trees(20).seed(7)).runs(50).alpha(0.05);
    /// assert_eq!((spec.forest.trees, spec.runs), (20, 50));
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct BorutaSpec {
        /// How the forest of one run is grown, and of how many trees. It does not answer rows.
        pub forest: ForestSpec = ForestSpec::default().trees(50),
        /// The most runs, at least 10. They end earlier where all features are decided.
        pub runs: u32 = 100,
        /// The chance that any feature is decided on wrongly by its hits, above 0 and below 1.
        pub alpha: f64 = 0.01,
    }
}
