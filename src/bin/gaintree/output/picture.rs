//! Pictures as results.

use gaintree::{DriftSpec, RankSpec, Tree, WoeBins};
use polars::prelude::DataFrame;

use crate::input::Rows;
use crate::process::{Failure, Result};

/// Checks that this program was built with pictures, which `what` asks for.
pub fn check_pictures(what: &str) -> Result<()> {
    match cfg!(feature = "plot") {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "{what}: this gaintree was built without pictures; build it with them: cargo install \
             gaintree --features cli,plot"
        ))),
    }
}

/// What can be drawn.
#[cfg_attr(not(feature = "plot"), expect(dead_code))]
pub enum Picture<'a> {
    /// A tree, folded below a depth.
    Tree(&'a Tree, Option<u32>),
    /// A tree in a page, folded below a depth.
    TreePage(&'a Tree, Option<u32>),
    /// A tree on the rows of files, a page.
    Report(&'a Tree, &'a Rows, &'a str),
    /// A column of a ranking.
    Ranking(&'a DataFrame, &'a str),
    /// A feature's cuts.
    Curve { df: &'a DataFrame, target: &'a str, feature: &'a str, spec: &'a RankSpec },
    /// A feature's weights of evidence.
    Woe(&'a WoeBins, &'a str),
    /// Pairs of columns.
    Matrix(&'a DataFrame),
    /// The steps of a selection.
    Selection(&'a DataFrame),
    /// A column of two frames.
    Drift { frames: [&'a DataFrame; 2], feature: &'a str, spec: &'a DriftSpec },
}

impl Picture<'_> {
    #[cfg(feature = "plot")]
    pub fn draw(self) -> Result<String> {
        use gaintree::{TreePicture, curve_svg, drift_svg, matrix_svg, ranking_svg, selection_svg};
        let folded = |max_depth| {
            let mut options = TreePicture::default();
            options.max_depth = max_depth;
            options
        };
        Ok(match self {
            Picture::Tree(tree, max_depth) => tree.to_svg(&folded(max_depth)),
            Picture::TreePage(tree, max_depth) => tree.to_html(&folded(max_depth)),
            Picture::Report(tree, rows, source) => rows.named(tree.report_of(rows, source))?,
            Picture::Ranking(ranking, figure) => ranking_svg(ranking, figure)?,
            Picture::Curve { df, target, feature, spec } => curve_svg(df, target, feature, spec)?,
            Picture::Matrix(matrix) => matrix_svg(matrix)?,
            Picture::Selection(steps) => selection_svg(steps)?,
            Picture::Woe(woe, feature) => woe.to_svg(feature)?,
            Picture::Drift { frames: [reference, current], feature, spec } => {
                drift_svg(reference, current, feature, spec)?
            }
        })
    }

    #[cfg(not(feature = "plot"))]
    pub fn draw(self) -> Result<String> {
        check_pictures("a picture").map(|()| String::new())
    }
}
