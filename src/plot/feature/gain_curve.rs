//! An ordered feature: panels of rows, answers, impurities and gains over its values.

use super::cut_figures::CutSides;
use super::frame::FeaturePicture;
use super::level_stats::{add, axis_value, is_text};
use crate::plot::elements::axis::{Axis, extremes};
use crate::plot::elements::colors::{BAR, INK};
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::panels::{self, Panel, PanelBar, PanelLine, Stroke};
use crate::spec::LogBase;

/// Bars of a histogram.
const BINS: usize = 40;
/// A smaller share of the rows does not stretch the scale of shares.
const SOME_ROWS: f64 = 0.01;

impl FeaturePicture {
    fn axis(&self) -> Axis {
        let width = panels::plot_width(self.width);
        let column = &self.levels.column;
        if is_text(column) {
            let names: Vec<String> =
                (0..column.n_levels() as u32).map(|code| column.level_text(code)).collect();
            return Axis::of_levels(&names, width);
        }
        let values = (0..column.n_levels()).map(|level| axis_value(column, level));
        let (lo, hi) = range(values, column.dtype.is_integer());
        Axis::of_values(&column.dtype, lo, hi, width)
    }

    pub(super) fn gain_curve(&self) -> Drawing {
        let axis = self.axis();
        let figures = &self.figures;
        let position = |&value: &f64| axis.position(value).clamp(0.0, 1.0);
        let positions: Vec<f64> = figures.values.iter().map(position).collect();
        let color = |at: usize| match self.palette.event {
            None if !self.of_numbers() => self.palette.color(self.drawn[at]),
            None | Some(_) => BAR,
        };
        let answers = figures.answers.iter().enumerate();
        let answers = answers.flat_map(|(at, sides)| lines(sides, &positions, color(at)));
        let unit = if self.base == LogBase::Two { "bits" } else { "nats" };
        let (answer, impurity, gain) = match self.of_numbers() {
            true => ("mean".into(), "standard deviation".into(), "variance reduction".into()),
            false => (
                self.share_of(),
                format!("entropy, {unit}"),
                format!("information gain of each cut, {unit}"),
            ),
        };
        let mut gains = vec![(0.0, 0.0)];
        gains.extend(positions.iter().copied().zip(figures.gain.iter().copied()));
        gains.push((1.0, 0.0));
        let gains = vec![PanelLine { points: gains, color: INK, stroke: Stroke::Thick }];
        let panels = [
            Panel::of_bars("rows", self.histogram(&axis)),
            Panel::of_lines(answer, answers.collect(), !self.of_numbers())
                .up_to(self.most_of_event()),
            Panel::of_lines(impurity, lines(&figures.impurity, &positions, INK), true),
            Panel::of_lines(gain, gains, true),
        ];
        let mark = figures.best.as_ref().map(|best| positions[best.at]);
        let drawn = panels::panels(&panels, &axis, mark, self.width);
        let key = "thin: all rows; thick, dashed: left, right of the cut; upright: best";
        self.framed(drawn, panels::height(&panels), key)
    }

    /// The highest share of the event on a side of a cut, of sides that hold some of the rows: a few
    /// rows at an end are often all of one class.
    fn most_of_event(&self) -> Option<f64> {
        self.palette.event?;
        let sides = self.figures.answers.first()?;
        let rows: u64 = self.levels.n.iter().sum();
        let counts = |n: u64| n as f64 >= SOME_ROWS * rows as f64;
        let shares = self.figures.n.iter().zip(sides.left.iter().zip(&sides.right));
        let shares = shares.flat_map(|(n, (&left, &right))| {
            [(n[0], left), (n[1], right)].into_iter().filter(|(n, _)| counts(*n))
        });
        Some(shares.map(|(_, share)| share).fold(sides.whole, f64::max))
    }

    /// Rows by value, stacked by class.
    fn histogram(&self, axis: &Axis) -> Vec<PanelBar> {
        let (column, levels) = (&self.levels.column, self.levels.column.n_levels());
        let is_whole = column.dtype.is_integer() || is_text(column);
        let (step, n_bins) = bins(axis.hi - axis.lo, is_whole, BINS);
        let width = self.levels.width;
        let mut bins = vec![vec![0.0; width]; n_bins];
        let mut rows = vec![0u64; n_bins];
        for level in 0..levels {
            let position = axis.position(axis_value(column, level).clamp(axis.lo, axis.hi));
            let bin = ((position / step) as usize).min(n_bins - 1);
            add(&mut bins[bin], self.levels.stat(level));
            rows[bin] += self.levels.n[level];
        }
        let mut bars = Vec::new();
        for (at, (stat, &n)) in bins.iter().zip(&rows).enumerate() {
            let from = at as f64 * step;
            let position = (from + 0.05 * step, (from + 0.95 * step).min(1.0));
            if self.of_numbers() {
                bars.push(PanelBar { position, height: (0.0, n as f64), color: BAR });
                continue;
            }
            for (low, high, color) in self.palette.segments(stat, n as f64) {
                bars.push(PanelBar { position, height: (low, low + high), color });
            }
        }
        bars
    }
}

/// What an axis spans. Infinities have no position on it; they are counted at its ends.
pub(super) fn range(values: impl Iterator<Item = f64>, is_integer: bool) -> (f64, f64) {
    let (lo, hi) = extremes(values.filter(|x| x.is_finite()));
    let (lo, hi) = if lo <= hi { (lo, hi) } else { (0.0, 0.0) };
    // A whole number is in the middle of its bar.
    let half = if is_integer { 0.5 } else { 0.0 };
    (lo - half, hi + half)
}

/// The width of a bin, as a share of the span, and how many there are; a bin of whole numbers
/// holds a whole number of them.
pub(super) fn bins(span: f64, is_whole: bool, most: usize) -> (f64, usize) {
    let span = span.round();
    let step = match is_whole {
        true => (span / most as f64).ceil().max(1.0) / span,
        false => 1.0 / most as f64,
    };
    (step, (1.0 / step).ceil().clamp(1.0, most as f64) as usize)
}

/// The three lines of a figure: for all rows, for the rows left and for the rows right of each cut.
/// At the ends of the axis all rows are on one side.
fn lines(sides: &CutSides, positions: &[f64], color: &'static str) -> Vec<PanelLine> {
    let at_cuts = |side: &[f64]| positions.iter().copied().zip(side.iter().copied()).collect();
    let whole = vec![(0.0, sides.whole), (1.0, sides.whole)];
    let mut left: Vec<(f64, f64)> = at_cuts(&sides.left);
    let mut right: Vec<(f64, f64)> = at_cuts(&sides.right);
    left.push((1.0, sides.whole));
    right.insert(0, (0.0, sides.whole));
    [(whole, Stroke::Thin), (left, Stroke::Thick), (right, Stroke::Dashed)]
        .map(|(points, stroke)| PanelLine { points, color, stroke })
        .into()
}
