//! Pictures as results.

use gaintree::{ContributionSpec, DriftSpec, Model, Monitor, RankSpec, Tree, WoeBins};
use polars::prelude::DataFrame;

use crate::args::shared::Ground;
use crate::args::show::ShowArgs;
use crate::input::Rows;
use crate::process::{Failure, Result};

/// Checks that this program was built with pictures, which `what` asks for.
pub fn check_pictures(what: &str) -> Result<()> {
    match cfg!(feature = "plot") {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "{what}: this gaintree was built without pictures; build it with them: cargo install \
             gaintree-cli --features png"
        ))),
    }
}

/// Checks that this program was built with pictures in pixels, which `what` asks for.
pub fn check_png(what: &str) -> Result<()> {
    check_pictures(what)?;
    match cfg!(feature = "png") {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "{what}: this gaintree was built without PNG; write an SVG, or build it with PNG: cargo \
             install gaintree-cli --features png"
        ))),
    }
}

#[cfg(feature = "png")]
const PNG_SCALE: f64 = 2.0;

#[cfg_attr(not(feature = "plot"), expect(dead_code))]
pub enum Picture<'a> {
    /// A tree.
    Tree(&'a Tree, &'a ShowArgs),
    /// A tree in a page.
    TreePage(&'a Tree, &'a ShowArgs),
    /// A model on the rows of files, a page.
    Report(&'a ReportPage<'a>),
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
    /// What each column is.
    Screen(&'a DataFrame),
    /// What each column is beside a target, a page.
    ScreenPage(&'a DataFrame, &'a str),
    /// The error of a forest by its number of trees.
    ErrorCurve(&'a DataFrame),
    /// What features contribute to the answers for rows.
    Contributions { model: &'a Model, df: &'a DataFrame, spec: &'a ContributionSpec },
    /// What features contribute to the answer for a row, counted from 0.
    Waterfall { model: &'a Model, df: &'a DataFrame, row: usize, spec: &'a ContributionSpec },
    /// A column of two frames.
    Drift { frames: [&'a DataFrame; 2], feature: &'a str, spec: &'a DriftSpec },
}

#[cfg_attr(not(feature = "plot"), expect(dead_code))]
pub struct ReportPage<'a> {
    pub model: &'a Model,
    pub name: String,
    pub rows: &'a Rows,
    pub source: &'a str,
    /// Other rows, and another tree, with their names.
    pub beside: Option<(DataFrame, String)>,
    pub reference: Option<(DataFrame, String)>,
    pub against: Option<(Tree, String)>,
    /// The row to explain, counted from 0.
    pub row: Option<usize>,
    /// The class that the page is about.
    pub event: Option<String>,
    pub out_of_bag: bool,
    pub threads: Option<usize>,
    pub monitor: Option<Monitor>,
}

impl Picture<'_> {
    #[cfg(feature = "plot")]
    pub fn draw(self) -> Result<String> {
        use crate::args::shared::set_spec;
        use gaintree::{
            ModelPictures, ReportSpec, TreePicture, curve_svg, drift_svg, error_curve_svg,
            matrix_svg, ranking_svg, screen_html, screen_svg, selection_svg,
        };
        let shown = |args: &ShowArgs| {
            let mut options = TreePicture::default();
            set_spec!(options, args => compact, max_depth, event);
            options
        };
        Ok(match self {
            Picture::Tree(tree, args) => tree.to_svg(&shown(args))?,
            Picture::TreePage(tree, args) => tree.to_html(&shown(args))?,
            Picture::Report(page) => {
                let mut spec = ReportSpec::default().source(page.source).name(page.name.clone());
                set_spec!(spec, page => beside, reference, against, row, event, out_of_bag, threads,
                    monitor);
                page.rows.named(page.model.report_with(&**page.rows, &spec))?
            }
            Picture::Ranking(ranking, figure) => ranking_svg(ranking, figure)?,
            Picture::Curve { df, target, feature, spec } => curve_svg(df, target, feature, spec)?,
            Picture::Matrix(matrix) => matrix_svg(matrix)?,
            Picture::Selection(steps) => selection_svg(steps)?,
            Picture::Screen(screen) => screen_svg(screen)?,
            Picture::ScreenPage(screen, target) => screen_html(screen, target)?,
            Picture::ErrorCurve(curve) => error_curve_svg(curve)?,
            Picture::Contributions { model, df, spec } => model.contributions_svg(df, spec)?,
            Picture::Waterfall { model, df, row, spec } => model.waterfall_svg(df, row, spec)?,
            Picture::Woe(woe, feature) => woe.to_svg(feature)?,
            Picture::Drift { frames: [reference, current], feature, spec } => {
                drift_svg(reference, current, feature, spec)?
            }
        })
    }

    #[cfg(feature = "plot")]
    pub fn draw_on(self, ground: Ground) -> Result<String> {
        use gaintree::{Theme, svg_on};
        let theme = match ground {
            Ground::Light => Theme::Light,
            Ground::Dark => Theme::Dark,
            Ground::Auto => Theme::Auto,
        };
        Ok(svg_on(&self.draw()?, theme))
    }

    #[cfg(feature = "png")]
    pub fn pixels_on(self, ground: Ground) -> Result<Vec<u8>> {
        Ok(gaintree::svg_to_png(&self.draw_on(ground)?, PNG_SCALE)?)
    }

    #[cfg(not(feature = "png"))]
    pub fn pixels_on(self, _ground: Ground) -> Result<Vec<u8>> {
        check_png("a PNG").map(|()| Vec::new())
    }

    #[cfg(not(feature = "plot"))]
    pub fn draw_on(self, _ground: Ground) -> Result<String> {
        self.draw()
    }

    #[cfg(not(feature = "plot"))]
    pub fn draw(self) -> Result<String> {
        check_pictures("a picture").map(|()| String::new())
    }
}
