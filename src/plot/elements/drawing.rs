//! A picture as a document of its own or in a page.

use maud::{Markup, html};

use super::colors::{FAINT, INK, PAPER};
use super::text::{bold_fit, fit};

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
