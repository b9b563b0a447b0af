//! What chance alone would have gained.

use serde::{Deserialize, Serialize};

use super::setters;

/// How a ranking finds out what chance alone would have gained.
///
/// ```
/// use gaintree::{Chance, RankSpec};
/// let spec = RankSpec::default().chance(Chance::new(1000).seed(7));
/// assert_eq!(RankSpec::default().chance(200).chance, Some(Chance::new(200)));
/// # assert_eq!(spec.chance.unwrap().seed, 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Chance {
    /// The most permutations of the target per feature; at least 1. A column that chance reaches
    /// often takes fewer. The least p-value is `1 / (permutations + 1)`.
    pub permutations: u32,
    /// The seed of the permutations: the same seed gives the same figures.
    #[serde(default)]
    pub seed: u64,
}

impl Chance {
    /// This many permutations, with seed 0.
    pub fn new(permutations: u32) -> Chance {
        Chance { permutations, seed: 0 }
    }

    setters! {
        seed: u64,
    }
}

/// This many permutations, with seed 0.
impl From<u32> for Chance {
    fn from(permutations: u32) -> Chance {
        Chance::new(permutations)
    }
}
