//! A tree in words and figures.

mod importance;
mod node_candidates;
mod row;
mod row_text;
mod rules;
pub(crate) mod text;
#[cfg(any(feature = "polars", feature = "arrow"))]
mod waterfall;

pub use importance::{ForestImportance, Importance};
pub use node_candidates::{NodeCandidate, node_candidates};
pub(crate) use row::row_reasons;
pub use row::{PathStep, RowChange, RowReasons};
pub use rules::{LeafRule, MAX_CONDITIONS};
pub use text::TextLine;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) use waterfall::{FeatureStep, Waterfall};
