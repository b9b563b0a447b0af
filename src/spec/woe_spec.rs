//! How weights of evidence are computed.

use serde::{Deserialize, Serialize};

use super::spec;

/// The intervals of an ordered feature, and the groups of a nominal one, whose levels are put in
/// order of their share first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intervals {
    /// Between the cuts that minimum description length accepts (Fayyad & Irani 1993).
    #[default]
    Mdl,
    /// This many intervals of about as many rows each, 2 to 100. A level is in one interval, so
    /// there may be fewer.
    Quantiles(usize),
}

/// Whether event rates have to rise, or fall, from bin to bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Monotone {
    /// Neither.
    #[default]
    No,
    /// They rise, or they fall: whichever keeps more information value.
    Either,
    /// They rise with the feature.
    Increasing,
    /// They fall as the feature rises.
    Decreasing,
}

spec! {
    /// How weights of evidence are computed.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct WoeSpec {
        /// The features; `None` is every column except target and weight.
        pub features: Option<Vec<String>>,
        /// Columns that are no features, named in `features` or not.
        pub exclude: Vec<String>,
        /// Features taken as ordered whatever their dtype.
        pub ordered: Vec<String>,
        /// Features taken as nominal whatever their dtype.
        pub nominal: Vec<String>,
        /// The column of row weights, finite and not negative.
        pub weight: Option<String>,
        /// The class that is the event, as text; `None` is the rarer of the two by weight, the
        /// later of equals.
        pub event: Option<String>,
        /// The bins to begin with.
        pub intervals: Intervals,
        /// The most bins, not counting the bin of missing values; neighbours are merged so that the
        /// information value stays highest.
        pub max_bins: Option<usize>,
        /// The least share of the known rows in a bin, from 0 to 1; neighbours are merged likewise.
        pub min_share: f64,
        /// Whether event rates are to rise or fall; neighbours are merged likewise. The groups of a
        /// nominal feature always rise; one that `features` names is refused with a direction.
        pub monotone: Monotone,
        /// Whether missing values have a bin of their own; otherwise their rows are not counted.
        pub missing_bin: bool = true,
        /// The weight of evidence of a level never seen, and of a missing value without a bin;
        /// `None` is null.
        pub unseen: Option<f64> = Some(0.0) => |unseen: Option<f64>| unseen,
    } with threads and monitor
}
