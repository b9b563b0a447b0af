//! How columns are compared in pairs.

use serde::{Deserialize, Serialize};

use super::monitor::Monitor;
use super::options::LogBase;
use super::strings;

/// How columns are compared in pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct MatrixSpec {
    /// The columns, in this order; `None` is every column whose dtype can be compared.
    pub columns: Option<Vec<String>>,
    /// Columns that are left out, named in `columns` or not.
    pub exclude: Vec<String>,
    /// Columns taken as ordered whatever their dtype.
    pub ordered: Vec<String>,
    /// Columns taken as nominal whatever their dtype.
    pub nominal: Vec<String>,
    /// An ordered column of more levels than this is taken by this many intervals of about as many
    /// rows; at least 2.
    pub bins: u32,
    /// The unit of entropies and gains.
    pub log_base: LogBase,
    /// A line for each pair, or for each column.
    pub form: MatrixForm,
    /// The number of threads, at most 8 per processor; `None` uses the caller's pool.
    #[serde(skip)]
    pub threads: Option<usize>,
    /// Watches the work, and may end it.
    #[serde(skip)]
    pub monitor: Option<Monitor>,
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

impl Default for MatrixSpec {
    fn default() -> Self {
        MatrixSpec {
            columns: None,
            exclude: Vec::new(),
            ordered: Vec::new(),
            nominal: Vec::new(),
            bins: 10,
            log_base: LogBase::Two,
            form: MatrixForm::Long,
            threads: None,
            monitor: None,
        }
    }
}

impl MatrixSpec {
    setters! {
        columns: impl IntoIterator<Item = impl Into<String>> => Some(strings(columns)),
        exclude: impl IntoIterator<Item = impl Into<String>> => strings(exclude),
        ordered: impl IntoIterator<Item = impl Into<String>> => strings(ordered),
        nominal: impl IntoIterator<Item = impl Into<String>> => strings(nominal),
        bins: u32,
        log_base: LogBase,
        form: MatrixForm,
        threads: usize => Some(threads),
        monitor: Monitor => Some(monitor),
    }
}
