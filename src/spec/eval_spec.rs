//! How predictions are judged.

use serde::{Deserialize, Serialize};

use super::{setters, spec};

spec! {
    /// How predictions are judged where the target is known.
    ///
    /// ```
    /// use gaintree::{Bootstrap, EvalSpec};
    /// // Missing a fraud costs 50 times what a false alarm does.
    /// let spec = EvalSpec::default().event("fraud").false_negative_cost(50.0);
    /// let with_intervals = spec.bootstrap(Bootstrap::new(1000).seed(7));
    /// # assert_eq!(with_intervals.bins, 10);
    /// ```
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct EvalSpec {
        /// The class that thresholds, calibration and average precision are about, as text. `None`
        /// is the rarer of two classes in training, by weight, the later of equals; of more classes
        /// none.
        pub event: Option<String>,
        /// About how many bins a calibration has; 1 to 1000.
        pub bins: usize = 10,
        /// What a row costs that is taken for the event and is not; finite and not negative.
        pub false_positive_cost: f64 = 1.0,
        /// What a row costs that is the event and is not taken for it; finite and not negative.
        pub false_negative_cost: f64 = 1.0,
        /// How often the rows are drawn anew for intervals of the figures; `None` gives none.
        pub bootstrap: Option<Bootstrap>
            => |bootstrap: impl Into<Bootstrap>| Some(bootstrap.into()),
    } with threads and monitor
}

impl EvalSpec {
    /// The spec with a bootstrap: its own, or of 1,000 draws.
    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn with_bootstrap(&self) -> EvalSpec {
        let bootstrap = self.bootstrap.unwrap_or(Bootstrap::new(1000));
        self.clone().bootstrap(bootstrap)
    }
}

/// Rows drawn anew, with replacement, as many as there are (Efron 1979). The interval of a figure is
/// what the middle share of the draws gives (Efron & Tibshirani 1993, chapter 13). It tells how far
/// other rows of the same kind might lie, for this tree: not what another fit would give.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Bootstrap {
    /// How often the rows are drawn; at least 10.
    pub resamples: u32,
    /// The share of the draws within the interval; above 0 and below 1.
    #[serde(default = "usual_confidence")]
    pub confidence: f64,
    /// The seed of the draws: the same seed gives the same intervals.
    #[serde(default)]
    pub seed: u64,
}

fn usual_confidence() -> f64 {
    0.95
}

impl Bootstrap {
    /// This many draws, intervals of 95 % of them, and seed 0.
    pub fn new(resamples: u32) -> Bootstrap {
        Bootstrap { resamples, confidence: usual_confidence(), seed: 0 }
    }

    setters! {
        confidence: f64,
        seed: u64,
    }
}

/// This many draws, intervals of 95 % of them, and seed 0.
impl From<u32> for Bootstrap {
    fn from(resamples: u32) -> Bootstrap {
        Bootstrap::new(resamples)
    }
}
