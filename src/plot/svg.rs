//! What all pictures share: the document around them, numbers, legends.

use maud::{Markup, PreEscaped, html};

use super::colors::{INK, PAPER};
use super::measure::{clean, fit, isolated, width};

/// A picture before it is a file: it can stand alone or in a page.
pub(crate) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    /// What it shows, for those who hear it.
    pub(super) title: String,
    pub(super) body: Markup,
}

impl Drawing {
    /// A file of its own, on white.
    pub(crate) fn document(&self) -> String {
        format!("{}\n", self.element(true).0)
    }

    /// A part of a page, on the page's ground.
    pub(super) fn inline(&self) -> Markup {
        self.element(false)
    }

    fn element(&self, alone: bool) -> Markup {
        let (w, h) = (px(self.width.ceil()), px(self.height.ceil()));
        html! {
            svg xmlns="http://www.w3.org/2000/svg" role="img" width=(w) height=(h)
                viewBox={ "0 0 " (w) " " (h) } font-family="sans-serif" font-size="12" {
                title { (self.title) }
                @if alone { rect width=(w) height=(h) fill=(PAPER) {} }
                (self.body)
            }
        }
    }
}

/// A length to a tenth of a pixel, as short as can be.
pub(super) fn px(x: f64) -> String {
    let tenths = (x * 10.0).round() / 10.0;
    // No "-0".
    format!("{}", tenths + 0.0)
}

const SIZE: f64 = 12.0;
const LINE: f64 = 18.0;
/// A name of a class gets no more than this.
const NAME: f64 = 200.0;

/// Names with their colours in lines of a width, from a corner; and the lines' height.
pub(super) fn legend(
    names: &[(String, &str)],
    others: usize,
    corner: (f64, f64),
    room: f64,
) -> (Markup, f64) {
    if names.is_empty() {
        return (html! {}, 0.0);
    }
    let mut entries: Vec<(String, &str)> = names
        .iter()
        .map(|(name, color)| (isolated(&fit(&clean(name), NAME, SIZE)), *color))
        .collect();
    if others > 0 {
        entries.push((format!("{others} other classes"), "#999999"));
    }
    let (mut x, mut y) = corner;
    let mut marks = String::new();
    for (name, color) in &entries {
        let length = 16.0 + width(name, SIZE) + 14.0;
        if x > corner.0 && x + length > room {
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
