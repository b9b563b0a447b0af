//! Which quantiles of a number are asked for.

use serde::{Deserialize, Serialize};

use super::monitor::Monitor;

/// Which quantiles of a numeric target are asked for.
///
/// ```
/// use gaintree::QuantileSpec;
/// // Nine of ten numbers are between the two.
/// let spec = QuantileSpec::new([0.05, 0.95]).threads(2);
/// assert_eq!(spec.quantiles.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct QuantileSpec {
    /// Each from 0, the least number, to 1, the greatest; 0.5 is the median. At least one, none twice.
    pub quantiles: Vec<f64>,
    /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
    #[serde(skip)]
    pub threads: Option<usize>,
    /// Watches the work, and may end it.
    #[serde(skip)]
    pub monitor: Option<Monitor>,
}

impl QuantileSpec {
    /// These quantiles.
    pub fn new(quantiles: impl IntoIterator<Item = f64>) -> QuantileSpec {
        QuantileSpec { quantiles: quantiles.into_iter().collect(), ..QuantileSpec::default() }
    }

    setters! {
        threads: usize => Some(threads),
        monitor: Monitor => Some(monitor),
    }
}
