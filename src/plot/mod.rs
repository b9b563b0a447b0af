//! Pictures of trees, rankings and cuts (feature `plot`).

mod axis;
pub(crate) mod bars;
mod card;
mod chart;
mod colors;
pub(crate) mod curve;
mod fold;
mod layout;
mod levels;
mod measure;
mod outline;
mod page;
pub(crate) mod report;
pub(crate) mod sides;
mod svg;
mod tree;

pub use tree::{Direction, TreePicture};
