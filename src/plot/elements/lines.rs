//! Lines of a picture: a name, bars, and two figures below each other.

use maud::{Markup, html};

use super::colors::{FAINT, INK};
use super::drawing::{Drawing, heading, legend, px};
use super::text::{fit, isolated};

const WIDTH: f64 = 720.0;
const MARGIN: f64 = 8.0;
/// The widest name, and the space for figures at the end of a line.
const NAME_WIDTH: f64 = 250.0;
const FIGURES: f64 = 150.0;
/// The height of a line.
pub(crate) const LINE: f64 = 30.0;
const SIZE: f64 = 12.5;
/// Where the first line begins.
pub(crate) const TOP: f64 = 72.0;
/// Where bars begin, and the longest one.
pub(crate) const START: f64 = MARGIN + NAME_WIDTH + 12.0;
pub(crate) const LENGTH: f64 = WIDTH - MARGIN - FIGURES - START;

/// A line; its bars are within its height. The name is clean text, and the second figure may be empty.
pub(crate) fn line(at: usize, name: &str, [first, second]: &[&str; 2], bars: Markup) -> Markup {
    let end = START + LENGTH + 10.0;
    html! {
        g transform={ "translate(0 " (px(TOP + at as f64 * LINE)) ")" } {
            title { (name) ": " (first) @if !second.is_empty() { ", " (second) } }
            text x=(px(START - 12.0)) y="19" text-anchor="end" fill=(INK) {
                (isolated(&fit(name, NAME_WIDTH, SIZE)))
            }
            (bars)
            @if second.is_empty() {
                text x=(px(end)) y="19" fill=(INK) { (first) }
            } @else {
                text x=(px(end)) y="13" fill=(INK) { (first) }
                text x=(px(end)) y="26" font-size="11" fill=(FAINT) { (second) }
            }
        }
    }
}

/// Lines below a title and a legend of texts and colours, which may be empty.
pub(crate) fn drawing_of_lines(
    [title, about]: [&str; 2],
    colors: &[(&str, &str)],
    body: Markup,
    n_lines: usize,
) -> Drawing {
    let (legend, _) = legend(colors, (START, 46.0), WIDTH);
    let body = html! {
        (heading(title, about, MARGIN, WIDTH))
        g font-size=(SIZE) { (legend) (body) }
    };
    let height = TOP + n_lines as f64 * LINE + 12.0;
    Drawing { width: WIDTH, height, title: format!("{title}: {about}"), body }
}
