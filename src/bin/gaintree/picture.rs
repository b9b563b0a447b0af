//! Pictures as results: asked for by the ending of an output's name, or by --as.

use std::path::Path;

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

    /// Writes the table, or the picture that is made of it.
    pub fn write(
        &self,
        df: &DataFrame,
        picture: impl FnOnce() -> gaintree::Result<String>,
    ) -> Result<()> {
        match self {
            Place::Table(to) => to.write(df),
            Place::Svg(path) => output::write_text(path, &picture()?),
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

#[cfg(feature = "plot")]
mod drawn {
    use gaintree::{RankSpec, Tree, TreePicture, curve_svg, ranking_svg};
    use polars::prelude::DataFrame;

    type Drawn = gaintree::Result<String>;

    fn options(max_depth: Option<u32>) -> TreePicture {
        let mut options = TreePicture::default();
        options.max_depth = max_depth;
        options
    }

    pub fn svg(tree: &Tree, max_depth: Option<u32>) -> Drawn {
        Ok(tree.to_svg(&options(max_depth)))
    }

    pub fn html(tree: &Tree, max_depth: Option<u32>) -> Drawn {
        Ok(tree.to_html(&options(max_depth)))
    }

    pub fn report(tree: &Tree, df: &DataFrame) -> Drawn {
        tree.report(df)
    }

    pub fn ranking(table: &DataFrame, figure: &str) -> Drawn {
        ranking_svg(table, figure)
    }

    pub fn curve(df: &DataFrame, target: &str, feature: &str, spec: &RankSpec) -> Drawn {
        curve_svg(df, target, feature, spec)
    }
}

/// Without the feature nothing gets here: [`possible`] has said no.
#[cfg(not(feature = "plot"))]
mod drawn {
    use gaintree::{RankSpec, Tree};
    use polars::prelude::DataFrame;

    type Drawn = gaintree::Result<String>;

    pub fn svg(_: &Tree, _: Option<u32>) -> Drawn {
        Ok(String::new())
    }

    pub fn html(_: &Tree, _: Option<u32>) -> Drawn {
        Ok(String::new())
    }

    pub fn report(_: &Tree, _: &DataFrame) -> Drawn {
        Ok(String::new())
    }

    pub fn ranking(_: &DataFrame, _: &str) -> Drawn {
        Ok(String::new())
    }

    pub fn curve(_: &DataFrame, _: &str, _: &str, _: &RankSpec) -> Drawn {
        Ok(String::new())
    }
}

pub use drawn::{curve, html, ranking, report, svg};
