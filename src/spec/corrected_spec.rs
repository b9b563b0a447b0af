//! How gains are corrected for what chance makes.

use serde::{Deserialize, Serialize};

use super::ForestSpec;

/// How the gains of features are corrected: by the gains of permuted copies beside them.
///
/// ```
/// use gaintree::{CorrectedSpec, ForestSpec};
/// let spec = CorrectedSpec::new(ForestSpec::default().trees(20).seed(7)).permutations(100);
/// assert_eq!(spec.forest.trees, 20);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CorrectedSpec {
    /// How the forest of one permutation is grown, and of how many trees. It does not answer rows.
    pub forest: ForestSpec,
    /// How often the features are permuted, at least 10: each time a forest is grown on them and the
    /// copies. The least p-value is `1 / (permutations + 1)`.
    pub permutations: u32,
}

impl Default for CorrectedSpec {
    /// 100 permutations, each with a forest of 25 CART trees.
    fn default() -> CorrectedSpec {
        CorrectedSpec::new(ForestSpec::default().trees(25))
    }
}

impl CorrectedSpec {
    /// 100 permutations, each with a forest of its own.
    pub fn new(forest: ForestSpec) -> CorrectedSpec {
        CorrectedSpec { forest, permutations: 100 }
    }

    setters! {
        forest: ForestSpec,
        permutations: u32,
    }
}
