//! The public models: plain data, and what is prepared from it for scoring.

mod forest;
mod model;
mod tree;

pub use forest::{Forest, grow_forest};
pub use model::Model;
pub use tree::{Tree, cross_validate, grow, grow_sample};
