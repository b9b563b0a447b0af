//! A feature as a picture: what each of its cuts, or levels, leaves on either side.

mod cut_figures;
mod frame;
mod gain_curve;
mod level_bars;
mod level_stats;

pub(super) use frame::WIDTH;
pub(crate) use level_stats::correlation;

use super::elements::colors::Palette;
use super::elements::drawing::Drawing;
use super::elements::text::clean;
use crate::data::dtype::Kind;
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::rank::curve::curve;
use crate::spec::LogBase;
use frame::FeaturePicture;
use level_stats::LevelStats;

/// The picture of a table's first feature.
pub(crate) fn drawing(table: &Table, base: LogBase) -> Result<Drawing> {
    let levels =
        LevelStats::new(table).ok_or_else(|| Error::data("no feature to draw: name one"))?;
    let (classes, palette) = match &table.target.values {
        TargetValues::Classes { labels, .. } => {
            let names = labels.iter().map(|label| clean(&table.target.dtype.show(label)));
            (names.collect(), Palette::of_weights(&levels.whole()))
        }
        TargetValues::Numbers { .. } => (Vec::new(), Palette::of_weights(&[])),
    };
    let picture = FeaturePicture {
        levels,
        candidates: curve(table, base),
        classes,
        palette,
        target: clean(&table.target.name),
        base,
    };
    match picture.levels.column.kind {
        Kind::Ordered => picture.gain_curve(),
        Kind::Nominal => Ok(level_bars::drawing(&picture)),
    }
}
