//! Pictures of trees, rankings and cuts (feature `plot`).

pub(crate) mod bar_chart;
mod elements;
pub(crate) mod feature;
mod page;
mod tree_picture;

pub use bar_chart::bar_chart_svg;
pub(crate) use elements::colors::Palette;
pub(crate) use elements::text::figure;
pub(crate) use page::report;
pub use tree_picture::{Direction, TreePicture};
