//! Pictures as results.

use gaintree::{RankSpec, Tree};
use polars::prelude::DataFrame;

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
    /// The same in a page.
    TreePage(&'a Tree, Option<u32>),
    /// A tree on the rows of a frame from files, a page.
    Report(&'a Tree, &'a DataFrame, &'a str),
    /// A column of a ranking.
    Ranking(&'a DataFrame, &'a str),
    /// A feature's cuts.
    Curve { df: &'a DataFrame, target: &'a str, feature: &'a str, spec: &'a RankSpec },
}

impl Picture<'_> {
    #[cfg(feature = "plot")]
    pub fn draw(self) -> Result<String> {
        use gaintree::{TreePicture, curve_svg, ranking_svg};
        let folded = |max_depth| {
            let mut options = TreePicture::default();
            options.max_depth = max_depth;
            options
        };
        Ok(match self {
            Picture::Tree(tree, max_depth) => tree.to_svg(&folded(max_depth)),
            Picture::TreePage(tree, max_depth) => tree.to_html(&folded(max_depth)),
            Picture::Report(tree, df, source) => tree.report_of(df, source)?,
            Picture::Ranking(ranking, figure) => ranking_svg(ranking, figure)?,
            Picture::Curve { df, target, feature, spec } => curve_svg(df, target, feature, spec)?,
        })
    }

    #[cfg(not(feature = "plot"))]
    pub fn draw(self) -> Result<String> {
        check_pictures("a picture").map(|()| String::new())
    }
}
