//! How gains are corrected for what chance makes.

use serde::{Deserialize, Serialize};

use super::ForestSpec;
use super::spec;

impl CorrectedSpec {
    /// 100 permutations, each with a forest of its own.
    pub fn new(forest: ForestSpec) -> CorrectedSpec {
        CorrectedSpec { forest, ..CorrectedSpec::default() }
    }
}

spec! {
    /// How the gains of features are corrected: by the gains of permuted copies beside them. By
    /// default 100 permutations, each with a forest of 25 CART trees.
    ///
    /// ```
    /// use gaintree::{CorrectedSpec, ForestSpec};
    /// let spec = CorrectedSpec::new(ForestSpec::default().trees(20).seed(7)).permutations(100);
    /// assert_eq!(spec.forest.trees, 20);
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct CorrectedSpec {
        /// How the forest of one permutation is grown, and of how many trees. It does not answer
        /// rows.
        pub forest: ForestSpec = ForestSpec::default().trees(25),
        /// How often the features are permuted, at least 10: each time a forest is grown on them
        /// and the copies. The least p-value is `1 / (permutations + 1)`.
        pub permutations: u32 = 100,
    }
}
