//! How columns are compared in pairs.

use serde::{Deserialize, Serialize};

use super::options::LogBase;
use super::spec;

spec! {
    /// How columns are compared in pairs.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MatrixSpec {
        /// The columns, in this order; `None` is every column whose dtype can be compared.
        pub columns: Option<Vec<String>>,
        /// Columns that are left out, named in `columns` or not.
        pub exclude: Vec<String>,
        /// Columns taken as ordered whatever their dtype.
        pub ordered: Vec<String>,
        /// Columns taken as nominal whatever their dtype.
        pub nominal: Vec<String>,
        /// An ordered column of more levels than this is taken by this many intervals of about as
        /// many rows; at least 2.
        pub bins: u32 = 10,
        /// The unit of entropies and gains.
        pub log_base: LogBase,
        /// A line for each pair, or for each column.
        pub form: MatrixForm,
    } with threads and monitor
}

/// The form of a matrix of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatrixForm {
    /// A line for each pair, the closest first.
    #[default]
    Long,
    /// A line and a column for each column.
    Wide,
}
