//! Pictures of frames, and reports on them.

mod report;
mod svg;

pub use svg::{curve_svg, ranking_svg};
