//! Pictures of trees, rankings and cuts (feature `plot`).

mod card;
mod colors;
mod fold;
mod layout;
mod measure;
mod svg;
mod tree;

pub use tree::{Direction, TreePicture};
