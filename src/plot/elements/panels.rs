//! Panels of lines and bars over one axis.

use maud::{Markup, html};

use super::axis::{Axis, TICK, extremes, share_between};
use super::colors::{FAINT, INK, RAIL};
use super::drawing::px;
use super::text::fit;

/// Left of the panels, for the names of values.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 18.0;
/// Over each panel, for its title.
const TITLE: f64 = 24.0;
const PANEL: f64 = 112.0;
/// Under the last panel, for the ticks.
const BOTTOM: f64 = 24.0;
const TICK_LENGTH: f64 = 4.0;
/// Points a line keeps: a column of pixels shows no more.
const COLUMNS: usize = 300;

pub(crate) struct Panel {
    title: String,
    lines: Vec<PanelLine>,
    bars: Vec<PanelBar>,
    /// Whether 0 belongs in the panel.
    from_zero: bool,
    /// Where the panel ends, if it ends before its lines do.
    most: Option<f64>,
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

impl Stroke {
    fn width(self) -> &'static str {
        match self {
            Stroke::Thin => "0.8",
            Stroke::Thick => "2.2",
            Stroke::Dashed => "1.8",
        }
    }
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
pub(crate) fn panels(panels: &[Panel], axis: &Axis, mark: Option<f64>, width: f64) -> Markup {
    let tops = panels.iter().scan(0.0, |next, panel| {
        let top = *next;
        *next += TITLE + panel.height;
        Some(top)
    });
    html! {
        @for (at, (panel, top)) in panels.iter().zip(tops).enumerate() {
            (panel.draw(axis, mark, top, width, at + 1 == panels.len()))
        }
    }
}

/// Where positions and values stand in pixels.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    least: f64,
    most: f64,
}

impl Frame {
    fn x(&self, position: f64) -> f64 {
        self.left + position * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        let share = share_between(value, (self.least, self.most));
        self.bottom - share * (self.bottom - self.top)
    }

    /// The path of a line, which breaks where a value is not finite.
    fn path(&self, points: &[(f64, f64)]) -> String {
        let (mut path, mut is_down) = (String::new(), false);
        for &(position, value) in points {
            let (x, y) = (self.x(position), self.y(value));
            // Not `max`, which takes a number for one that is none.
            let y = if y < self.top { self.top } else { y };
            if x.is_finite() && y.is_finite() {
                path += &format!("{}{} {}", if is_down { "L" } else { "M" }, px(x), px(y));
            }
            is_down = x.is_finite() && y.is_finite();
        }
        path
    }
}

impl Panel {
    pub(crate) fn of_bars(title: &str, bars: Vec<PanelBar>) -> Panel {
        let (from_zero, most) = (true, None);
        Panel { title: title.into(), lines: vec![], bars, from_zero, most, height: PANEL }
    }

    pub(crate) fn of_lines(title: String, lines: Vec<PanelLine>, from_zero: bool) -> Panel {
        Panel { title, lines, bars: vec![], from_zero, most: None, height: PANEL }
    }

    /// A panel about as high as it is wide, in half a page.
    pub(crate) fn tall(mut self) -> Panel {
        self.height = 2.0 * PANEL;
        self
    }

    /// A panel that ends at a value, where its lines are cut off.
    pub(crate) fn up_to(mut self, most: Option<f64>) -> Panel {
        self.most = most;
        self
    }

    /// `top` is where its title stands; the last panel has the names of the ticks.
    fn draw(&self, axis: &Axis, mark: Option<f64>, top: f64, width: f64, is_last: bool) -> Markup {
        let (least, most) = self.bounds();
        let (top, bottom) = (top + TITLE, top + TITLE + self.height);
        let frame = Frame { left: LEFT, right: width - RIGHT, top, bottom, least, most };
        let values = Axis::upright(least, most);
        let (left, right) = (px(frame.left), px(frame.right));
        let (upper, lower) = (px(frame.top), px(frame.bottom));
        html! {
            text x=(left) y=(px(top - 8.0)) font-size="12" font-weight="bold" fill=(INK) {
                (fit(&self.title, (width - LEFT) / 1.12, 12.0))
            }
            g font-size=(TICK) fill=(FAINT) stroke-width="0.4" {
                @for (at, name) in &values.ticks {
                    @let y = bottom - at * self.height;
                    line x1=(left) x2=(right) y1=(px(y)) y2=(px(y)) stroke=(RAIL) {}
                    text x=(px(frame.left - 2.0 * TICK_LENGTH)) y=(px(y + 0.35 * TICK)) text-anchor="end" {
                        (name)
                    }
                }
                @for (at, name) in &axis.ticks {
                    @let x = px(frame.x(*at));
                    line x1=(x) x2=(x) y1=(upper) y2=(px(bottom + TICK_LENGTH)) stroke=(RAIL) {}
                    @if is_last {
                        text x=(x) y=(px(bottom + 2.0 * TICK_LENGTH + 0.8 * TICK)) text-anchor="middle" {
                            (name)
                        }
                    }
                }
            }
            // A bar of no values has no position.
            @for bar in self.bars.iter().filter(|bar| bar.position.0.is_finite()) {
                @let (from, to) = (frame.x(bar.position.0), frame.x(bar.position.1));
                @let (low, high) = (frame.y(bar.height.0), frame.y(bar.height.1));
                rect x=(px(from)) y=(px(high)) width=(px(to - from)) height=(px(low - high))
                    fill=(bar.color) {}
            }
            g fill="none" stroke-linejoin="round" {
                path d={ "M" (left) " " (upper) "V" (lower) "H" (right) } stroke=(FAINT)
                    stroke-width="0.8" {}
                @for line in &self.lines {
                    path d=(frame.path(&thinned(&line.points))) stroke=(line.color)
                        stroke-width=(line.stroke.width())
                        stroke-dasharray=[(line.stroke == Stroke::Dashed).then_some("6 4")] {}
                }
                @if let Some(at) = mark {
                    @let x = px(frame.x(at));
                    line x1=(x) x2=(x) y1=(upper) y2=(lower) stroke=(INK) stroke-width="1.2" {}
                }
            }
        }
    }

    fn bounds(&self) -> (f64, f64) {
        let ys = self.lines.iter().flat_map(|line| line.points.iter().map(|p| p.1));
        let ys = ys.chain(self.bars.iter().map(|bar| bar.height.1));
        let (least, most) = extremes(ys.filter(|y| y.is_finite()));
        let least = if self.from_zero || least > most { 0.0 } else { least };
        let most = self.most.unwrap_or(most).max(least);
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
