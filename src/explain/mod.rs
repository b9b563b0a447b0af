//! A tree in words and figures.

mod importance;
mod node_candidates;
mod rules;
pub(crate) mod text;

pub use importance::Importance;
pub use node_candidates::{NodeCandidate, node_candidates};
pub use rules::{LeafRule, MAX_CONDITIONS};
pub use text::TextLine;
