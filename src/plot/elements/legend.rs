//! The legend of class colours.

use maud::{Markup, PreEscaped, html};

use super::colors::INK;
use super::drawing::px;
use super::text::{clean, fit, isolated, width};

const SIZE: f64 = 12.0;
const LINE: f64 = 18.0;
/// The widest name of a class.
const NAME_WIDTH: f64 = 200.0;

/// Texts and their colours, from a corner, in lines that end before `limit`; and the lines' height.
pub(crate) fn legend(entries: &[(String, &str)], corner: (f64, f64), limit: f64) -> (Markup, f64) {
    if entries.is_empty() {
        return (html! {}, 0.0);
    }
    let (mut x, mut y) = corner;
    let mut marks = String::new();
    for (name, color) in entries {
        let name = isolated(&fit(&clean(name), NAME_WIDTH, SIZE));
        let length = 16.0 + width(&name, SIZE) + 14.0;
        if x > corner.0 && x + length > limit {
            (x, y) = (corner.0, y + LINE);
        }
        let mark = html! {
            rect x=(px(x)) y=(px(y + 2.0)) width="11" height="11" rx="2" fill=(color) {}
            text x=(px(x + 16.0)) y=(px(y + 12.0)) fill=(INK) { (name) }
        };
        marks.push_str(&mark.0);
        x += length;
    }
    (PreEscaped(marks), y + LINE - corner.1)
}
