//! How two frames are compared.

use serde::{Deserialize, Serialize};

use super::spec;
use super::woe_spec::Intervals;

spec! {
    /// How the columns of two frames are compared.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
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
        pub intervals: Intervals = Intervals::Quantiles(10),
        /// The column of the reference whose classes choose the MDL intervals.
        pub target: Option<String>,
        /// A column has moved only if its `q_value` is at most this, from 0 to 1.
        pub alpha: f64 = 0.05,
        /// A column has moved only if its `psi` is above its `expected_psi` by at least this.
        pub threshold: f64 = 0.1,
        /// Whether the table has all its columns, or the eight that matter most.
        pub full: bool,
    } with threads and monitor
}
