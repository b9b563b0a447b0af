//! A column in short: its extremes, and its distribution by class in a line of a table.

use maud::{Markup, html};

use super::gain_curve::{bins, range};
use super::level_stats::{axis_value, is_text, rows_of_levels};
use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::data::target::{Target, TargetValues};
use crate::plot::elements::axis::share_between;
use crate::plot::elements::colors::{BAR, Palette};
use crate::plot::elements::drawing::px;

/// Bars of the distribution; of nominal columns, the levels of most rows.
const BARS: usize = 24;
const SIZE: (f64, f64) = (168.0, 34.0);
/// Levels that are named.
const NAMED: usize = 3;

/// What a column holds. Rows have no weights here.
pub(crate) struct ColumnSummary {
    pub(crate) values: ColumnValues,
    /// The distribution as a picture.
    pub(crate) bars: Markup,
}

pub(crate) enum ColumnValues {
    Ordered {
        least: String,
        median: String,
        greatest: String,
    },
    /// Levels of most rows, and their rows.
    Nominal(Vec<(String, u64)>),
    /// Nothing but missing values.
    None,
}

impl ColumnSummary {
    /// Bars are coloured by class, or have one colour for a numeric target.
    pub(crate) fn new(column: &Column, target: &Target, palette: &Palette) -> ColumnSummary {
        let column = column.clone().ranked();
        let n_levels = column.n_levels();
        let n = rows_of_levels(&column);
        if n_levels == 0 {
            return ColumnSummary { values: ColumnValues::None, bars: html! {} };
        }
        let (bar_of, n_bars, values) = match column.kind() {
            Kind::Ordered => {
                let (bar_of, n_bars) = bars_of_values(&column);
                (bar_of, n_bars, extremes(&column, &n))
            }
            Kind::Nominal => {
                let mut levels: Vec<usize> = (0..n_levels).collect();
                levels.sort_by_key(|&level| std::cmp::Reverse(n[level]));
                let mut bar_of = vec![BARS; n_levels];
                levels.iter().take(BARS).enumerate().for_each(|(at, &level)| bar_of[level] = at);
                let named = levels.iter().take(NAMED);
                let named = named.map(|&level| (column.level_text(level as u32), n[level]));
                (bar_of, n_levels.min(BARS), ColumnValues::Nominal(named.collect()))
            }
        };
        let n_classes = target.labels().len().max(1);
        let mut counts = vec![vec![0.0; n_classes]; n_bars];
        for (row, code) in column.codes.by_row().enumerate() {
            let bar = bar_of.get(code as usize).and_then(|&bar| counts.get_mut(bar));
            if let Some(bar) = bar {
                bar[target.class(row)] += 1.0;
            }
        }
        ColumnSummary { values, bars: sparkline(&counts, target, palette) }
    }
}

impl Target {
    /// A row's class; 0 for a numeric target.
    fn class(&self, row: usize) -> usize {
        match &self.values {
            TargetValues::Classes { codes, .. } => codes[row].into(),
            TargetValues::Numbers { .. } => 0,
        }
    }
}

/// The bar of each level, and how many there are.
fn bars_of_values(column: &Column) -> (Vec<usize>, usize) {
    let value = |level: usize| axis_value(column, level);
    let is_whole = is_text(column) || column.dtype.is_integer();
    let (lo, hi) = range((0..column.n_levels()).map(value), is_whole);
    let (step, n_bars) = bins(hi - lo, is_whole, BARS);
    let bar = |level| {
        let position = share_between(value(level).clamp(lo, hi), (lo, hi));
        ((position / step) as usize).min(n_bars - 1)
    };
    ((0..column.n_levels()).map(bar).collect(), n_bars)
}

fn extremes(column: &Column, n: &[u64]) -> ColumnValues {
    let half = n.iter().sum::<u64>().div_ceil(2);
    let mut below = 0;
    let median = n.iter().position(|n| {
        below += n;
        below >= half
    });
    let text = |level: usize| column.level_text(level as u32);
    ColumnValues::Ordered {
        least: text(0),
        median: text(median.unwrap_or(0)),
        greatest: text(n.len() - 1),
    }
}

/// A path for each colour. The bars of a class stand on the bars of the classes before it.
fn sparkline(counts: &[Vec<f64>], target: &Target, palette: &Palette) -> Markup {
    let sums: Vec<f64> = counts.iter().map(|classes| classes.iter().sum()).collect();
    let most = sums.iter().fold(1.0, |most: f64, &sum| most.max(sum));
    let step = SIZE.0 / counts.len() as f64;
    let width = px(step.min(24.0) * 0.88);
    let mut paths: Vec<(&str, String)> = Vec::new();
    for (at, (classes, &sum)) in counts.iter().zip(&sums).enumerate() {
        // What is there is seen.
        let height = if sum > 0.0 { (SIZE.1 * sum / most).max(1.0) } else { 0.0 };
        let segments = match target.labels().is_empty() {
            true => vec![(0.0, height, BAR)],
            false => palette.segments(classes, height),
        };
        for (below, part, color) in segments.into_iter().filter(|segment| segment.1 > 0.0) {
            let (x, y) = (px(at as f64 * step.min(24.0)), px(SIZE.1 - below));
            let bar = format!("M{x} {y}v-{h}h{width}v{h}z", h = px(part));
            match paths.iter_mut().find(|(of, _)| *of == color) {
                Some((_, path)) => path.push_str(&bar),
                None => paths.push((color, bar)),
            }
        }
    }
    let (w, h) = SIZE;
    html! {
        svg.spark width=(w) height=(h) viewBox={ "0 0 " (w) " " (h) } aria-hidden="true" {
            @for (color, path) in paths { path fill=(color) d=(path) {} }
        }
    }
}
