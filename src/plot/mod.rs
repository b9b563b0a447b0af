//! Pictures of trees, rankings, cuts and pairs of columns (feature `plot`).

pub(crate) mod bar_chart;
pub(crate) mod bins;
pub(crate) mod contributions;
mod elements;
pub(crate) mod error_curve;
pub(crate) mod feature;
pub(crate) mod heat_map;
mod page;
pub(crate) mod screen;
pub(crate) mod selection;
mod tree_picture;

pub use bar_chart::bar_chart_svg;
pub(crate) use elements::colors::Palette;
pub(crate) use elements::drawing::Drawing;
#[cfg(feature = "png")]
pub use elements::raster::svg_to_png;
pub use elements::theme::{Theme, svg_on};
pub(crate) use page::{report, screen_page};
pub use tree_picture::{Direction, TreePicture};
pub(crate) use tree_picture::{ShownRows, drawing as tree_drawing};
