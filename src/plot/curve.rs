//! A feature as a picture: what each of its cuts, or levels, leaves on either side.

use maud::html;

use super::axis::Axis;
use super::chart::{self, Bar, Line, PackedColumns, Stroke};
use super::colors::{BAR, FAINT, INK, Palette};
use super::levels;
use super::measure::{bold_fit, clean, counted, fit, isolated};
use super::sides::{ByLevel, Sides, best, figures, gain_of, gain_text};
use super::svg::{Drawing, legend, px};
use crate::data::dtype::Kind;
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::rank::curve::{SplitCandidate, curve};
use crate::spec::LogBase;

pub(super) const WIDTH: f64 = 720.0;
pub(super) const MARGIN: f64 = 8.0;
/// Bars of a histogram.
const BINS: usize = 40;
const STEP: f64 = 1.0 / BINS as f64;

/// A feature, its candidates, and how its classes look.
pub(super) struct Picture {
    pub(super) by_level: ByLevel,
    pub(super) candidates: Vec<SplitCandidate>,
    /// None of a numeric target.
    pub(super) classes: Vec<String>,
    pub(super) palette: Palette,
    target: String,
    base: LogBase,
}

/// The picture of a table's first feature.
pub(crate) fn drawing(table: &Table, base: LogBase) -> Result<Drawing> {
    let by_level =
        ByLevel::new(table).ok_or_else(|| Error::data("no feature to draw: name one"))?;
    let (classes, palette) = match &table.target.values {
        TargetValues::Classes { labels, .. } => {
            let names = labels.iter().map(|label| clean(&table.target.dtype.show(label)));
            (names.collect(), Palette::of_weights(&by_level.whole()))
        }
        TargetValues::Numbers { .. } => (Vec::new(), Palette::of_weights(&[])),
    };
    let picture = Picture {
        by_level,
        candidates: curve(table, base),
        classes,
        palette,
        target: clean(&table.target.name),
        base,
    };
    match picture.by_level.column.kind {
        Kind::Ordered => picture.of_cuts(),
        Kind::Nominal => Ok(levels::drawing(&picture)),
    }
}

impl Picture {
    pub(super) fn of_numbers(&self) -> bool {
        self.classes.is_empty()
    }

    /// The feature and its best candidate, in two lines, and the classes' legend.
    pub(super) fn framed(&self, body: maud::Markup, height: f64, key: &str) -> Drawing {
        let column = &self.by_level.column;
        let title = format!("{} → {}", isolated(&clean(column.name())), isolated(&self.target));
        let known: u64 = self.by_level.n.iter().sum();
        let mut about = match best(&self.candidates) {
            Some(at) => {
                let one = &self.candidates[at];
                let gain = gain_text(gain_of(one), self.of_numbers(), self.base);
                format!("best: {}, gain {gain}; ", clean(&one.rule))
            }
            None => "nothing is gained; ".to_string(),
        };
        about.push_str(&counted(known, "row"));
        if self.by_level.n_missing > 0 {
            let missing = super::measure::count(self.by_level.n_missing);
            about.push_str(&format!(", {missing} more with the value missing"));
        }
        let names: Vec<(String, &str)> = self
            .palette
            .colored()
            .map(|class| (self.classes[class].clone(), self.palette.color(class)))
            .collect();
        let (legend, below) =
            legend(&names, self.palette.n_others(), (MARGIN, 64.0), WIDTH - MARGIN);
        let top = 70.0 + below;
        let room = WIDTH - 2.0 * MARGIN;
        let body = html! {
            text x=(MARGIN) y="20" font-size="15" font-weight="bold" fill=(INK) {
                title { (title) }
                (bold_fit(&title, room, 15.0))
            }
            text x=(MARGIN) y="38" fill=(INK) { title { (about) } (fit(&about, room, 12.0)) }
            text x=(MARGIN) y="55" font-size="11.5" fill=(FAINT) { (fit(key, room, 11.5)) }
            (legend)
            g transform={ "translate(0 " (px(top)) ")" } { (body) }
        };
        Drawing {
            width: WIDTH,
            height: top + height + MARGIN,
            title: format!("{title}: {about}"),
            body,
        }
    }

    fn axis(&self) -> Axis {
        let room = chart::room(WIDTH);
        let column = &self.by_level.column;
        if self.by_level.is_text() {
            let names: Vec<String> =
                (0..column.n_levels() as u32).map(|code| column.level_text(code)).collect();
            return Axis::of_levels(&names, room);
        }
        // Infinities have no place on a line; they are counted at its ends.
        let values = (0..column.n_levels()).map(|level| self.by_level.value(level));
        let finite = values.filter(|x| x.is_finite());
        let (lo, hi) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
        let (lo, hi) = if lo <= hi { (lo, hi) } else { (0.0, 0.0) };
        // Whole numbers stand in the middle of their bars.
        let half = if column.dtype.is_integer() { 0.5 } else { 0.0 };
        let (lo, hi) = (lo - half, hi + half);
        Axis::of_values(&column.dtype, lo, hi, room)
    }

    fn of_cuts(&self) -> Result<Drawing> {
        let axis = self.axis();
        let places: Vec<f64> =
            (0..self.candidates.len()).map(|at| axis.place(self.cut(at)).clamp(0.0, 1.0)).collect();
        let figures = figures(&self.by_level, &self.candidates, self.base, self.of_numbers());
        let answers = figures.answers.iter().enumerate();
        let answers = answers
            .filter(|(class, _)| self.of_numbers() || self.palette.has(*class))
            .flat_map(|(class, sides)| {
                let color = if self.of_numbers() { BAR } else { self.palette.color(class) };
                lines(sides, &places, color)
            });
        let unit = if self.base == LogBase::Two { "bits" } else { "nats" };
        let (answer, impurity, gain) = match self.of_numbers() {
            true => ("mean".into(), "standard deviation".into(), "variance reduction".into()),
            false => (
                "share of each class".to_string(),
                format!("entropy, {unit}"),
                format!("information gain of each cut, {unit}"),
            ),
        };
        let mut gains = vec![(0.0, 0.0)];
        gains.extend(places.iter().copied().zip(figures.gain.iter().copied()));
        gains.push((1.0, 0.0));
        let panels = [
            PackedColumns {
                title: "rows".into(),
                lines: vec![],
                bars: self.histogram(&axis),
                from_zero: true,
            },
            PackedColumns {
                title: answer,
                lines: answers.collect(),
                bars: vec![],
                from_zero: !self.of_numbers(),
            },
            PackedColumns {
                title: impurity,
                lines: lines(&figures.impurity, &places, INK),
                bars: vec![],
                from_zero: true,
            },
            PackedColumns {
                title: gain,
                lines: vec![Line { points: gains, color: BAR, stroke: Stroke::Thick }],
                bars: vec![],
                from_zero: true,
            },
        ];
        let mark = best(&self.candidates).map(|at| places[at]);
        let drawn = chart::panels(&panels, &axis, mark, WIDTH)?;
        let key =
            "thin: all rows; thick: left of the cut; dashed: right of it; upright: the best cut";
        Ok(self.framed(drawn, chart::height(panels.len()), key))
    }

    /// Where a cut stands: between two texts, in the middle.
    fn cut(&self, at: usize) -> f64 {
        if self.by_level.is_text() {
            return at as f64 + 0.5;
        }
        let column = &self.by_level.column;
        column.dtype.threshold(&self.candidates[at].at).unwrap_or(at as f64)
    }

    /// Rows by value, the classes on top of each other.
    fn histogram(&self, axis: &Axis) -> Vec<Bar> {
        let (column, levels) = (&self.by_level.column, self.by_level.column.n_levels());
        // Values in a bar, where they are whole: a bar never holds a part of one.
        let span = (axis.hi - axis.lo).round();
        let is_whole = column.dtype.is_integer() || self.by_level.is_text();
        let step = if is_whole { (span / BINS as f64).ceil().max(1.0) / span } else { STEP };
        let n_bins = (1.0 / step).ceil().clamp(1.0, BINS as f64) as usize;
        let width = self.by_level.stats.first().map_or(0, Vec::len);
        let mut bins = vec![vec![0.0; width]; n_bins];
        let mut rows = vec![0u64; n_bins];
        for level in 0..levels {
            let place = axis.place(self.by_level.value(level).clamp(axis.lo, axis.hi));
            let bin = ((place / step) as usize).min(n_bins - 1);
            super::sides::add(&mut bins[bin], &self.by_level.stats[level]);
            rows[bin] += self.by_level.n[level];
        }
        let mut bars = Vec::new();
        for (at, (stat, &n)) in bins.iter().zip(&rows).enumerate() {
            let from = at as f64 * step;
            let place = (from + 0.05 * step, (from + 0.95 * step).min(1.0));
            if self.of_numbers() {
                bars.push(Bar { place, height: (0.0, n as f64), color: BAR });
                continue;
            }
            for (low, high, color) in self.palette.segments(stat, n as f64) {
                bars.push(Bar { place, height: (low, low + high), color });
            }
        }
        bars
    }
}

/// The three lines of a figure: of all rows, left, and right of each cut. With no row on one
/// side all are on the other.
fn lines(sides: &Sides, places: &[f64], color: &'static str) -> Vec<Line> {
    let at_cuts = |side: &[f64]| places.iter().copied().zip(side.iter().copied()).collect();
    let whole = vec![(0.0, sides.whole), (1.0, sides.whole)];
    let mut left: Vec<(f64, f64)> = at_cuts(&sides.left);
    let mut right: Vec<(f64, f64)> = at_cuts(&sides.right);
    left.push((1.0, sides.whole));
    right.insert(0, (0.0, sides.whole));
    [(whole, Stroke::Thin), (left, Stroke::Thick), (right, Stroke::Dashed)]
        .map(|(points, stroke)| Line { points, color, stroke })
        .into()
}
