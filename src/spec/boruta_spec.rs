//! How features are told from noise.

use serde::{Deserialize, Serialize};

use super::ForestSpec;

/// How features are told from noise by the Boruta algorithm (Kursa & Rudnicki 2010).
///
/// ```
/// use gaintree::{BorutaSpec, ForestSpec};
/// let spec = BorutaSpec::new(ForestSpec::default().trees(20).seed(7)).runs(50).alpha(0.05);
/// assert_eq!((spec.forest.trees, spec.runs), (20, 50));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct BorutaSpec {
    /// How the forest of one run is grown, and of how many trees. It does not answer rows.
    pub forest: ForestSpec,
    /// The most runs, at least 10. They end earlier where all features are decided.
    pub runs: u32,
    /// The chance that any feature is decided on wrongly by its hits, above 0 and below 1.
    pub alpha: f64,
}

impl Default for BorutaSpec {
    /// At most 100 runs, each with a forest of 50 CART trees, and an alpha of 0.01.
    fn default() -> BorutaSpec {
        BorutaSpec::new(ForestSpec::default().trees(50))
    }
}

impl BorutaSpec {
    /// At most 100 runs, each with a forest of its own, and an alpha of 0.01.
    pub fn new(forest: ForestSpec) -> BorutaSpec {
        BorutaSpec { forest, runs: 100, alpha: 0.01 }
    }

    setters! {
        forest: ForestSpec,
        runs: u32,
        alpha: f64,
    }
}
