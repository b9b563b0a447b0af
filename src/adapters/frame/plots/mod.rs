//! Pictures of frames, and reports on them.

mod bins;
mod contributions;
mod pairs;
mod report;
mod svg;

pub use bins::drift_svg;
pub use pairs::{matrix_svg, selection_svg};
pub use report::ReportSpec;
pub use svg::{curve_svg, error_curve_svg, ranking_svg};
