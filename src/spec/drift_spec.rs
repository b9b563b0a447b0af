//! How two frames are compared.

use serde::{Deserialize, Serialize};

use super::monitor::Monitor;
use super::strings;
use super::woe_spec::Intervals;

/// How the columns of two frames are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct DriftSpec {
    /// The columns to compare; `None` is every column.
    pub features: Option<Vec<String>>,
    /// Columns that are not compared, named in `features` or not.
    pub exclude: Vec<String>,
    /// Columns taken as ordered whatever their dtype.
    pub ordered: Vec<String>,
    /// Columns taken as nominal whatever their dtype.
    pub nominal: Vec<String>,
    /// The intervals of an ordered column, made on the reference. `Mdl` needs a target.
    pub intervals: Intervals,
    /// The column of the reference whose classes choose the MDL intervals.
    pub target: Option<String>,
    /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
    #[serde(skip)]
    pub threads: Option<usize>,
    /// Watches the comparison, and may end it.
    #[serde(skip)]
    pub monitor: Option<Monitor>,
}

impl Default for DriftSpec {
    fn default() -> Self {
        DriftSpec {
            features: None,
            exclude: Vec::new(),
            ordered: Vec::new(),
            nominal: Vec::new(),
            intervals: Intervals::Quantiles(10),
            target: None,
            threads: None,
            monitor: None,
        }
    }
}

impl DriftSpec {
    setters! {
        features: impl IntoIterator<Item = impl Into<String>> => Some(strings(features)),
        exclude: impl IntoIterator<Item = impl Into<String>> => strings(exclude),
        ordered: impl IntoIterator<Item = impl Into<String>> => strings(ordered),
        nominal: impl IntoIterator<Item = impl Into<String>> => strings(nominal),
        intervals: Intervals,
        target: impl Into<String> => Some(target.into()),
        threads: usize => Some(threads),
        monitor: Monitor => Some(monitor),
    }
}
