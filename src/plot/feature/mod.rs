//! A feature as a picture: what each of its cuts, or levels, leaves on either side.

mod cut_figures;
mod frame;
mod gain_curve;
mod level_bars;
mod level_stats;
pub(crate) mod summary;

pub(crate) use level_stats::rows_of_levels;

use super::elements::colors::Palette;
use super::elements::drawing::Drawing;
use super::elements::text::clean;
use crate::data::dtype::Kind;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::spec::LogBase;
use cut_figures::figures;
use frame::FeaturePicture;
use level_stats::LevelStats;

/// The picture of a table's first feature.
pub(crate) fn drawing(table: &Table, base: LogBase) -> Result<Drawing> {
    drawing_in(table, base, None, frame::WIDTH)
}

/// The picture of a table's first feature in the colours of the pictures beside it, of a width.
pub(crate) fn drawing_in(
    table: &Table,
    base: LogBase,
    colors: Option<&Palette>,
    width: f64,
) -> Result<Drawing> {
    let levels =
        LevelStats::new(table).ok_or_else(|| Error::data("no feature to draw: name one"))?;
    let labels = table.target.labels().iter();
    let whole = if table.target.labels().is_empty() { Vec::new() } else { levels.whole() };
    let palette = colors.cloned().unwrap_or_else(|| Palette::of_rows(&whole));
    let drawn: Vec<usize> = match palette.event {
        Some(event) => event.class.into_iter().collect(),
        None => (0..whole.len()).filter(|&class| palette.has(class)).collect(),
    };
    let picture = FeaturePicture {
        figures: figures(table, &levels, &drawn, base),
        levels,
        drawn,
        classes: labels.map(|label| clean(&table.target.dtype.show(label))).collect(),
        palette,
        target: clean(&table.target.name),
        base,
        width,
    };
    match picture.levels.column.kind {
        Kind::Ordered => Ok(picture.gain_curve()),
        Kind::Nominal => Ok(level_bars::drawing(&picture)),
    }
}
