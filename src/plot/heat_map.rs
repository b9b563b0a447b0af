//! A matrix of columns against columns as a heat map.

use maud::html;

use super::elements::colors::{BAR, FAINT, INK, PAPER, RAIL};
use super::elements::drawing::{Drawing, heading, px};
use super::elements::text::{clean, figure, fit, isolated, width};

const MARGIN: f64 = 8.0;
const NAME_WIDTH: f64 = 200.0;
const SIZE: f64 = 12.0;
/// The side of a cell, where few columns leave room for its figure and where they do not.
const WIDE: f64 = 44.0;
const NARROW: f64 = 18.0;
/// The most columns whose figures are written.
const MAX_FIGURES: usize = 12;
const MAX_COLUMNS: usize = 60;
const MIN_WIDTH: f64 = 480.0;
const TOP: f64 = 56.0;

/// Columns and what each tells about each other, from 0 to 1; `None` is not known.
pub(crate) fn drawing(names: &[String], value: impl Fn(usize, usize) -> Option<f64>) -> Drawing {
    let n = names.len().min(MAX_COLUMNS);
    let left_out = names.len() - n;
    let names: Vec<String> = names[..n].iter().map(|name| clean(name)).collect();
    let has_figures = n <= MAX_FIGURES;
    let side = if has_figures { WIDE } else { NARROW };
    let longest = names.iter().map(|name| width(name, SIZE)).fold(0.0, f64::max).min(NAME_WIDTH);
    let (left, top) = (MARGIN + longest + 10.0, TOP + longest + 10.0);
    let cells = (0..n).flat_map(|line| (0..n).map(move |column| (line, column)));
    let cell = |(line, column): (usize, usize)| {
        let value = value(line, column);
        let (x, y) = (left + column as f64 * side, top + line as f64 * side);
        let text = value.map_or("-".to_string(), |x| figure(x, 2));
        // White on dark.
        let ink = if value.is_some_and(|x| x > 0.5) { PAPER } else { INK };
        html! {
            g transform={ "translate(" (px(x)) " " (px(y)) ")" } {
                title { (names[line]) ", " (names[column]) ": " (text) }
                rect width=(px(side - 1.0)) height=(px(side - 1.0)) fill=(BAR)
                    fill-opacity=(format!("{:.3}", value.unwrap_or(0.0).clamp(0.0, 1.0))) stroke=(RAIL)
                    stroke-width="0.5" {}
                @if has_figures {
                    text x=(px(side / 2.0)) y=(px(side / 2.0 + 4.0)) text-anchor="middle"
                        font-size="11" fill=(ink) { (text) }
                }
            }
        }
    };
    let label = |at: usize, name: &str| {
        let middle = at as f64 * side + side / 2.0;
        let name = isolated(&fit(name, NAME_WIDTH, SIZE));
        html! {
            text x=(px(left - 8.0)) y=(px(top + middle + 4.0)) text-anchor="end" fill=(INK) {
                (name)
            }
            text transform={
                "translate(" (px(left + middle + 4.0)) " " (px(top - 8.0)) ") rotate(-90)"
            } fill=(INK) { (name) }
        }
    };
    let about = "symmetric uncertainty: 0 is nothing, 1 is all";
    let title = "What columns tell about each other";
    let (total_width, height) = (left + n as f64 * side + MARGIN, top + n as f64 * side + 28.0);
    let total_width = total_width.max(MIN_WIDTH);
    let body = html! {
        (heading(title, about, MARGIN, total_width))
        g font-size=(SIZE) {
            @for (at, name) in names.iter().enumerate() { (label(at, name)) }
            @for at in cells { (cell(at)) }
        }
        @if left_out > 0 {
            text x=(MARGIN) y=(px(height - 8.0)) font-size=(SIZE) fill=(FAINT) {
                "and " (left_out) " more columns"
            }
        }
    };
    Drawing { width: total_width, height, title: format!("{title}: {about}"), body }
}
