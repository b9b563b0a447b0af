//! The ground and ink of a picture, for pages that are light or dark.

use super::colors::{CARD, FAINT, INK, PAPER, RAIL};

/// The ground a picture stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// White.
    #[default]
    Light,
    /// Nearly black.
    Dark,
    /// What the reader's system prefers, where the program that shows the picture says so: browsers do.
    Auto,
}

/// The colours of the ground and of what is drawn in ink, light and dark. Classes, lifts and bars
/// have colours that stand out on both.
const DARK: [(&str, &str); 5] = [
    (PAPER, "#16181B"),
    (CARD, "#22262B"),
    (RAIL, "#4A5058"),
    (FAINT, "#A4ABB3"),
    (INK, "#E6E8EA"),
];

/// A picture on another ground: an SVG text that this library has made, on white.
///
/// ```
/// use gaintree::{Theme, TreePicture, prelude::*, svg_on};
/// use polars::prelude::*;
/// let df = df!["x" => [1, 2, 3, 4], "y" => ["a", "a", "b", "b"]]?;
/// let svg = df.fit_tree("y", &TreeSpec::cart())?.tree.to_svg(&TreePicture::default())?;
/// assert!(svg.contains("#FFFFFF") && !svg_on(&svg, Theme::Dark).contains("#FFFFFF"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg_on(svg: &str, theme: Theme) -> String {
    match theme {
        Theme::Light => svg.to_string(),
        Theme::Dark => DARK.iter().fold(svg.to_string(), |svg, (light, dark)| {
            // An attribute: texts have no bare quotes.
            svg.replace(&format!("=\"{light}\""), &format!("=\"{dark}\""))
        }),
        Theme::Auto => {
            let rules = DARK.map(|(light, dark)| {
                let rule = |what| format!(".gaintree [{what}=\"{light}\"]{{{what}:{dark}}}");
                rule("fill") + &rule("stroke")
            });
            let style =
                format!("<style>@media (prefers-color-scheme:dark){{{}}}</style>", rules.concat());
            match svg.split_once('>') {
                Some((open, rest)) => format!("{open} class=\"gaintree\">{style}{rest}"),
                None => svg.to_string(),
            }
        }
    }
}
