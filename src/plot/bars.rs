//! A ranking as a picture: a bar for each feature.

use maud::html;

use super::colors::{BAR, FAINT, INK};
use super::measure::{bold_fit, clean, counted, figure, fit, isolated};
use super::svg::{Drawing, px};

const WIDTH: f64 = 640.0;
const MARGIN: f64 = 8.0;
const NAME: f64 = 230.0;
const LINE: f64 = 24.0;
const SIZE: f64 = 12.5;
/// Room for a figure.
const FIGURE: f64 = 78.0;
/// Features that are drawn.
const SHOWN: usize = 60;

/// Features and their figures, best first; those without a figure could not be rated.
pub(crate) fn drawing(title: &str, about: &str, bars: &[(String, Option<f64>)]) -> Drawing {
    let title = clean(title);
    let most = bars.iter().filter_map(|(_, x)| *x).fold(0.0, f64::max);
    let start = MARGIN + NAME + 12.0;
    let room = WIDTH - MARGIN - FIGURE - start;
    let lines = bars.iter().take(SHOWN).enumerate().map(|(at, (name, value))| {
        let name = clean(name);
        let length = value.map_or(0.0, |x| if most > 0.0 { room * x / most } else { 0.0 });
        let text = value.map_or("-".to_string(), |x| figure(x, 4));
        html! {
            g transform={ "translate(0 " (px(52.0 + at as f64 * LINE)) ")" } {
                title { (name) ": " (text) }
                text x=(px(start - 12.0)) y="16" text-anchor="end" fill=(INK) {
                    (isolated(&fit(&name, NAME, SIZE)))
                }
                rect x=(px(start)) y="4" width=(px(length)) height="16" rx="2" fill=(BAR) {}
                text x=(px(start + length + 6.0)) y="16" fill=(INK) { (text) }
            }
        }
    });
    let left_out = bars.len().saturating_sub(SHOWN);
    let height = 60.0 + (bars.len().min(SHOWN) + usize::from(left_out > 0)) as f64 * LINE;
    let body = html! {
        text x=(MARGIN) y="20" font-size="15" font-weight="bold" fill=(INK) {
            title { (title) }
            (bold_fit(&title, WIDTH - 2.0 * MARGIN, 15.0))
        }
        text x=(MARGIN) y="39" fill=(FAINT) { (fit(about, WIDTH - 2.0 * MARGIN, 12.0)) }
        g font-size=(SIZE) { @for line in lines { (line) } }
        @if left_out > 0 {
            text x=(MARGIN) y=(px(height - 12.0)) fill=(FAINT) {
                "and " (counted(left_out as u64, "feature")) " below"
            }
        }
    };
    Drawing { width: WIDTH, height, title: format!("{title}: {about}"), body }
}
