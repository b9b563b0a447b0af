//! How weights of evidence are computed.

use serde::{Deserialize, Serialize};

use super::monitor::Monitor;
use super::strings;

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

/// How weights of evidence are computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
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
    /// The class that is the event, as text; `None` is the rarer of the two by weight, the later of
    /// equals.
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
    pub missing_bin: bool,
    /// The weight of evidence of a level never seen, and of a missing value without a bin; `None`
    /// is null.
    pub unseen: Option<f64>,
    /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
    #[serde(skip)]
    pub threads: Option<usize>,
    /// Watches the work, and may end it.
    #[serde(skip)]
    pub monitor: Option<Monitor>,
}

impl Default for WoeSpec {
    fn default() -> Self {
        WoeSpec {
            features: None,
            exclude: Vec::new(),
            ordered: Vec::new(),
            nominal: Vec::new(),
            weight: None,
            event: None,
            intervals: Intervals::Mdl,
            max_bins: None,
            min_share: 0.0,
            monotone: Monotone::No,
            missing_bin: true,
            unseen: Some(0.0),
            threads: None,
            monitor: None,
        }
    }
}

impl WoeSpec {
    setters! {
        features: impl IntoIterator<Item = impl Into<String>> => Some(strings(features)),
        exclude: impl IntoIterator<Item = impl Into<String>> => strings(exclude),
        ordered: impl IntoIterator<Item = impl Into<String>> => strings(ordered),
        nominal: impl IntoIterator<Item = impl Into<String>> => strings(nominal),
        weight: impl Into<String> => Some(weight.into()),
        event: impl Into<String> => Some(event.into()),
        intervals: Intervals,
        max_bins: usize => Some(max_bins),
        min_share: f64,
        monotone: Monotone,
        missing_bin: bool,
        unseen: Option<f64>,
        threads: usize => Some(threads),
        monitor: Monitor => Some(monitor),
    }
}
