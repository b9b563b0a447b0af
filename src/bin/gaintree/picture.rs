//! Pictures as results: asked for by the ending of an output's name, or by --as.

use std::path::Path;

use gaintree::{RankSpec, Tree};
use polars::prelude::DataFrame;

use crate::failure::{Failure, Result};
use crate::output::{self, Destination};

/// Where a table goes, or a picture of it.
pub enum Place<'a> {
    Table(Destination),
    Svg(&'a Path),
}

impl<'a> Place<'a> {
    /// As [`Destination::resolve`], but a name that ends in `.svg` asks for a picture.
    pub fn resolve(out: Option<&'a str>, inputs: &[&Path]) -> Result<Option<Place<'a>>> {
        let path = out.map(Path::new);
        let is_svg = |path: &&Path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
        if let Some(path) = path.filter(is_svg) {
            possible(&format!("output `{}`", path.display()))?;
            output::check_place(path, inputs)?;
            return Ok(Some(Place::Svg(path)));
        }
        Ok(Destination::resolve(out, inputs)?.map(Place::Table))
    }

    /// The file; `None` is standard output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Place::Table(to) => to.path(),
            Place::Svg(path) => Some(path),
        }
    }

    /// Writes the table, or the picture of it.
    pub fn write(&self, table: &DataFrame, picture: Picture) -> Result<()> {
        match self {
            Place::Table(to) => to.write(table),
            Place::Svg(path) => output::write_text(path, &picture.draw()?),
        }
    }
}

/// Whether this program can draw; `what` asks for it.
pub fn possible(what: &str) -> Result<()> {
    match cfg!(feature = "plot") {
        true => Ok(()),
        false => Err(Failure::words(format!(
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
    /// A tree on the rows of a frame, a page.
    Report(&'a Tree, &'a DataFrame),
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
            Picture::Report(tree, df) => tree.report(df)?,
            Picture::Ranking(ranking, figure) => ranking_svg(ranking, figure)?,
            Picture::Curve { df, target, feature, spec } => curve_svg(df, target, feature, spec)?,
        })
    }

    #[cfg(not(feature = "plot"))]
    pub fn draw(self) -> Result<String> {
        possible("a picture").map(|()| String::new())
    }
}
