//! Panels of lines and bars over one axis, drawn by plotters.
//!
//! Plotters rounds to whole pixels and writes the document's root itself. So panels are drawn at
//! ten times their size, and what is inside the root is scaled back.

use maud::{Markup, PreEscaped, html};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::axis::{Axis, TICK};
use super::colors::{FAINT, INK, RAIL};
use super::drawing::px;
use super::text::{figure, fit};
use crate::error::{Error, Result};

const SCALE: f64 = 10.0;
/// Left of the panels, for the names of values.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 18.0;
/// Over each panel, for its title.
const TITLE: f64 = 24.0;
const PANEL: f64 = 112.0;
/// Under the last panel, for the ticks.
const BOTTOM: f64 = 24.0;
/// Of a dashed line.
const DASH: (i32, i32) = (60, 40);
/// Points a line keeps: a column of pixels shows no more.
const COLUMNS: usize = 300;

/// One of the panels.
pub(crate) struct Panel {
    title: String,
    lines: Vec<PanelLine>,
    bars: Vec<PanelBar>,
    /// Whether 0 belongs in the panel.
    from_zero: bool,
    height: f64,
}

/// A line over positions 0 to 1.
pub(crate) struct PanelLine {
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) color: &'static str,
    pub(crate) stroke: Stroke,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    Thin,
    Thick,
    Dashed,
}

/// A bar: from and to of its position, from and to of its height.
pub(crate) struct PanelBar {
    pub(crate) position: (f64, f64),
    pub(crate) height: (f64, f64),
    pub(crate) color: &'static str,
}

/// The width of the plot area in panels of a width.
pub(crate) fn plot_width(width: f64) -> f64 {
    width - LEFT - RIGHT
}

/// Height of panels one under the other.
pub(crate) fn height(panels: &[Panel]) -> f64 {
    panels.iter().map(|panel| TITLE + panel.height).sum::<f64>() + BOTTOM
}

/// The panels one under the other, with a mark at a position on the axis through all of them.
pub(crate) fn panels(
    panels: &[Panel],
    axis: &Axis,
    mark: Option<f64>,
    width: f64,
) -> Result<Markup> {
    let size = (big(width) as u32, big(height(panels)) as u32);
    let drawn = drawn(size, |root| {
        let mut rest = root;
        for (at, panel) in panels.iter().enumerate() {
            let is_last = at + 1 == panels.len();
            let bottom = if is_last { BOTTOM } else { 0.0 };
            let (one, below) = rest.split_vertically(big(TITLE + panel.height + bottom));
            panel.draw(&one, axis, mark, bottom)?;
            rest = below;
        }
        Ok(())
    })?;
    let mut top = 0.0;
    let titles = panels.iter().map(|panel| {
        let y = top + 16.0;
        top += TITLE + panel.height;
        html! {
            text x=(LEFT) y=(px(y)) font-size="12" font-weight="bold" fill=(INK) {
                (fit(&panel.title, (width - LEFT) / 1.12, 12.0))
            }
        }
    });
    Ok(html! {
        (drawn)
        @for title in titles { (title) }
    })
}

/// What plotters asks of an axis: its ticks, their names and the pixel of a position.
impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, position: &f64, limit: (i32, i32)) -> i32 {
        limit.0 + (position * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(at, _)| *at).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        0.0..1.0
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, at: &f64) -> String {
        let tick = self.ticks.iter().find(|(position, _)| position == at);
        tick.map_or(String::new(), |(_, name)| name.clone())
    }
}

type Area<'a, 'b> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = std::result::Result<(), Box<dyn std::error::Error + Send + Sync>>;

fn drawn(size: (u32, u32), paint: impl FnOnce(Area) -> Drawn) -> Result<Markup> {
    let mut text = String::new();
    let backend = SVGBackend::with_string(&mut text, size).into_drawing_area();
    paint(backend).map_err(|e| Error::io(format!("the chart could not be drawn: {e}")))?;
    let inside = text.split_once('>').map_or("", |(_, inside)| inside);
    let inside = inside.rsplit_once("</svg>").map_or(inside, |(inside, _)| inside);
    let inside = inside.replace(" opacity=\"1\"", "");
    Ok(html! { g transform={ "scale(" (1.0 / SCALE) ")" } { (PreEscaped(inside)) } })
}

fn big(x: f64) -> i32 {
    (x * SCALE).round() as i32
}

fn color(hex: &str) -> RGBColor {
    let part = |at: usize| hex.get(at..at + 2).and_then(|h| u8::from_str_radix(h, 16).ok());
    RGBColor(part(1).unwrap_or(0), part(3).unwrap_or(0), part(5).unwrap_or(0))
}

impl Panel {
    pub(crate) fn of_bars(title: &str, bars: Vec<PanelBar>) -> Panel {
        Panel { title: title.into(), lines: vec![], bars, from_zero: true, height: PANEL }
    }

    pub(crate) fn of_lines(title: String, lines: Vec<PanelLine>, from_zero: bool) -> Panel {
        Panel { title, lines, bars: vec![], from_zero, height: PANEL }
    }

    /// A panel about as high as it is wide, in half a page.
    pub(crate) fn tall(mut self) -> Panel {
        self.height = 2.0 * PANEL;
        self
    }

    fn draw(&self, area: &Area, axis: &Axis, mark: Option<f64>, bottom: f64) -> Drawn {
        let (least, most) = self.bounds();
        let mut chart = ChartBuilder::on(area)
            .margin_top(big(TITLE))
            .margin_right(big(RIGHT))
            .set_label_area_size(LabelAreaPosition::Left, big(LEFT))
            .set_label_area_size(LabelAreaPosition::Bottom, big(bottom))
            .build_cartesian_2d(axis.clone(), least..most)?;
        // Plotters' font sizes are of the line, 1.24 of the letters.
        let font = ("sans-serif", TICK * SCALE * 1.24).into_font().color(&color(FAINT));
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(color(RAIL).stroke_width(4))
            .axis_style(color(FAINT).stroke_width(8))
            .label_style(font)
            .y_label_formatter(&|y| figure(*y, 3))
            .y_labels(5)
            .set_all_tick_mark_size(40)
            .draw()?;
        chart.draw_series(self.bars.iter().map(|bar| {
            let corners = [(bar.position.0, bar.height.0), (bar.position.1, bar.height.1)];
            Rectangle::new(corners, color(bar.color).filled())
        }))?;
        for line in &self.lines {
            let points = thinned(&line.points);
            let style = |width: u32| color(line.color).stroke_width(width);
            match line.stroke {
                Stroke::Thin => drop(chart.draw_series(LineSeries::new(points, style(8)))?),
                Stroke::Thick => drop(chart.draw_series(LineSeries::new(points, style(22)))?),
                Stroke::Dashed => {
                    let dashes = DashedLineSeries::new(points, DASH.0, DASH.1, style(18));
                    chart.draw_series(dashes)?;
                }
            }
        }
        if let Some(at) = mark {
            let line = [(at, least), (at, most)];
            chart.draw_series(LineSeries::new(line, color(INK).stroke_width(12)))?;
        }
        Ok(())
    }

    fn bounds(&self) -> (f64, f64) {
        let ys = self.lines.iter().flat_map(|line| line.points.iter().map(|p| p.1));
        let ys = ys.chain(self.bars.iter().map(|bar| bar.height.1)).filter(|y| y.is_finite());
        let (least, most) =
            ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), y| (lo.min(y), hi.max(y)));
        let least = if self.from_zero || least > most { 0.0 } else { least };
        let most = most.max(least);
        let span = most - least;
        let span = if span > 0.0 && span.is_finite() { span } else { most.abs().max(1.0) };
        let below = if self.from_zero { 0.0 } else { 0.08 };
        (least - below * span, most + 0.08 * span)
    }
}

/// A line without the points that share a column of pixels with others and are not its first,
/// last, highest or lowest there (the M4 of Jugel et al. 2014).
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= 4 * COLUMNS {
        return points.to_vec();
    }
    let column = |x: f64| (x * COLUMNS as f64) as i64;
    let mut kept = Vec::new();
    for same in points.chunk_by(|a, b| column(a.0) == column(b.0)) {
        let by_y = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let position = |p: Option<&(f64, f64)>| same.iter().position(|q| Some(q) == p).unwrap_or(0);
        let lowest = position(same.iter().min_by(by_y));
        let highest = position(same.iter().max_by(by_y));
        let mut positions = [0, lowest, highest, same.len() - 1];
        positions.sort_unstable();
        let mut last = None;
        for at in positions {
            if last != Some(at) {
                kept.push(same[at]);
            }
            last = Some(at);
        }
    }
    kept
}
