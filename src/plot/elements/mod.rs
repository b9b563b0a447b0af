//! What the pictures are made of: the document, text that fits, colours, axes, panels, lines of bars.

pub(super) mod axis;
pub(super) mod colors;
pub(super) mod drawing;
pub(super) mod lines;
pub(super) mod panels;
#[cfg(feature = "png")]
pub(super) mod raster;
pub(super) mod text;
pub(super) mod theme;
