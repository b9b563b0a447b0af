//! A picture as a document of its own or in a page, its heading and the legend of its colours.

use maud::{Markup, PreEscaped, html};

use super::colors::{FAINT, INK, PAPER};
use super::text::{bold_fit, clean, fit, isolated, width};

/// The font size of a legend, the height of its lines, and the widest name.
const LEGEND_SIZE: f64 = 12.0;
const LEGEND_LINE: f64 = 18.0;
const NAME_WIDTH: f64 = 200.0;

/// A picture before it is a file: it can stand alone or in a page.
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// What it shows, for screen readers.
    pub(crate) title: String,
    pub(crate) body: Markup,
}

impl Drawing {
    /// A file of its own, on white.
    pub(crate) fn document(&self) -> String {
        format!("{}\n", self.element(true).0)
    }

    /// A part of a page, on the page's ground.
    pub(crate) fn inline(&self) -> Markup {
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
pub(crate) fn px(x: f64) -> String {
    let tenths = (x * 10.0).round() / 10.0;
    // No "-0".
    format!("{}", tenths + 0.0)
}

/// A title in bold and a line about it, from the left margin.
pub(crate) fn heading(title: &str, about: &str, margin: f64, width: f64) -> Markup {
    let space = width - 2.0 * margin;
    html! {
        (title_line(title, margin, space))
        text x=(margin) y="39" fill=(FAINT) { (fit(about, space, 12.0)) }
    }
}

/// A title in bold.
pub(crate) fn title_line(title: &str, margin: f64, space: f64) -> Markup {
    html! {
        text x=(margin) y="20" font-size="15" font-weight="bold" fill=(INK) {
            title { (title) }
            (bold_fit(title, space, 15.0))
        }
    }
}

/// Texts and their colours, from a corner, in lines that end before `limit`; and the lines' height.
pub(crate) fn legend(
    entries: &[(impl AsRef<str>, &str)],
    corner: (f64, f64),
    limit: f64,
) -> (Markup, f64) {
    if entries.is_empty() {
        return (html! {}, 0.0);
    }
    let (mut x, mut y) = corner;
    let mut marks = String::new();
    for (name, color) in entries {
        let name = isolated(&fit(&clean(name.as_ref()), NAME_WIDTH, LEGEND_SIZE));
        let length = 16.0 + width(&name, LEGEND_SIZE) + 14.0;
        if x > corner.0 && x + length > limit {
            (x, y) = (corner.0, y + LEGEND_LINE);
        }
        let mark = html! {
            rect x=(px(x)) y=(px(y + 2.0)) width="11" height="11" rx="2" fill=(color) {}
            text x=(px(x + 16.0)) y=(px(y + 12.0)) fill=(INK) { (name) }
        };
        marks.push_str(&mark.0);
        x += length;
    }
    (PreEscaped(marks), y + LEGEND_LINE - corner.1)
}
