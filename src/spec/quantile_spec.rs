//! Which quantiles of a number are asked for.

use serde::{Deserialize, Serialize};

use super::spec;

impl QuantileSpec {
    /// These quantiles.
    pub fn new(quantiles: impl IntoIterator<Item = f64>) -> QuantileSpec {
        QuantileSpec { quantiles: quantiles.into_iter().collect(), ..QuantileSpec::default() }
    }
}

spec! {
    /// Which quantiles of a numeric target are asked for.
    ///
    /// ```
    /// use gaintree::QuantileSpec;
    /// // Nine of ten numbers are between the two.
    /// let spec = QuantileSpec::new([0.05, 0.95]).threads(2);
    /// assert_eq!(spec.quantiles.len(), 2);
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct QuantileSpec {
        /// Each from 0, the least number, to 1, the greatest; 0.5 is the median. At least one, none
        /// twice.
        pub quantiles: Vec<f64> => by_hand,
    } with threads and monitor
}
