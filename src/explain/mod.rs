//! A tree in words and figures.

mod importance;
mod rules;
pub(crate) mod text;

pub use importance::Importance;
pub use rules::{LeafRule, MAX_CONDITIONS};
pub use text::TextLine;
