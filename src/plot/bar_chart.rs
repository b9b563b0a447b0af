//! A bar chart: a horizontal bar for each name.

use maud::html;

use super::elements::colors::{BAR, FAINT, INK, MARK};
use super::elements::drawing::{Drawing, heading, px};
use super::elements::text::{clean, count, figure, fit, isolated};

const WIDTH: f64 = 640.0;
const MARGIN: f64 = 8.0;
/// The widest name.
const NAME_WIDTH: f64 = 230.0;
const LINE: f64 = 24.0;
const SIZE: f64 = 12.5;
/// The space for a value.
const VALUE_WIDTH: f64 = 78.0;
/// The most bars that are drawn.
const MAX_BARS: usize = 60;

/// A bar chart as an SVG picture: a horizontal bar for each name and value, in the order given,
/// each labelled with its value.
///
/// `unit` says under the title what the values are. Bars begin at 0 and are scaled to the greatest
/// value; a value that is negative or not finite has no bar. Names that are too long are cut, and
/// bars past the sixtieth are counted. The same input gives the same bytes.
///
/// ```
/// let bars = [("gaintree".to_string(), 0.44), ("another".to_string(), 1.37)];
/// let svg = gaintree::bar_chart_svg("Time to fit a tree", &bars, "seconds");
/// assert!(svg.starts_with("<svg") && svg.contains("gaintree: 0.44"));
/// ```
pub fn bar_chart_svg(title: &str, bars: &[(String, f64)], unit: &str) -> String {
    let bars: Vec<(String, Option<f64>)> =
        bars.iter().map(|(name, x)| (name.clone(), x.is_finite().then_some(*x))).collect();
    drawing(title, &clean(unit), "bars", &bars, &[]).document()
}

/// Names and their values; `None` is drawn as `-`. `plural` is what the bars are called. `marks`
/// are values to compare the bars with, or none.
pub(crate) fn drawing(
    title: &str,
    about: &str,
    plural: &str,
    bars: &[(String, Option<f64>)],
    marks: &[Option<f64>],
) -> Drawing {
    let title = clean(title);
    let values = bars.iter().map(|(_, x)| x).chain(marks);
    let most = values.filter_map(|x| *x).fold(0.0, f64::max);
    let start = MARGIN + NAME_WIDTH + 12.0;
    let longest = WIDTH - MARGIN - VALUE_WIDTH - start;
    let lines = bars.iter().take(MAX_BARS).enumerate().map(|(at, (name, value))| {
        let name = clean(name);
        let length_of = |x: f64| if most > 0.0 { longest * x.max(0.0) / most } else { 0.0 };
        let length = value.map_or(0.0, length_of);
        let mark = marks.get(at).copied().flatten().map(length_of);
        let text = value.map_or("-".to_string(), |x| figure(x, 4));
        html! {
            g transform={ "translate(0 " (px(52.0 + at as f64 * LINE)) ")" } {
                title { (name) ": " (text) }
                text x=(px(start - 12.0)) y="16" text-anchor="end" fill=(INK) {
                    (isolated(&fit(&name, NAME_WIDTH, SIZE)))
                }
                rect x=(px(start)) y="4" width=(px(length)) height="16" rx="2" fill=(BAR) {}
                @if let Some(mark) = mark {
                    rect x=(px(start + mark)) y="1" width="2" height="22" fill=(MARK) {}
                }
                text x=(px(start + length.max(mark.unwrap_or(0.0)) + 6.0)) y="16" fill=(INK) {
                    (text)
                }
            }
        }
    });
    let left_out = bars.len().saturating_sub(MAX_BARS);
    let height = 60.0 + (bars.len().min(MAX_BARS) + usize::from(left_out > 0)) as f64 * LINE;
    let body = html! {
        (heading(&title, about, MARGIN, WIDTH))
        g font-size=(SIZE) { @for line in lines { (line) } }
        @if left_out > 0 {
            text x=(MARGIN) y=(px(height - 12.0)) fill=(FAINT) {
                "and " (count(left_out as u64)) " " @if left_out == 1 { (plural.trim_end_matches('s')) } @else { (plural) } " below"
            }
        }
    };
    Drawing { width: WIDTH, height, title: format!("{title}: {about}"), body }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::elements::text::width;

    #[test]
    fn bars_are_well_formed_and_names_fit() {
        let names = ["a", "<b> & \"c\"", "a name that is much longer than the space for names is"];
        let mut bars: Vec<(String, f64)> =
            names.iter().zip([0.5, -1.0, 21.0]).map(|(name, x)| (name.to_string(), x)).collect();
        bars.push(("not a number".to_string(), f64::NAN));
        let svg = bar_chart_svg("T < 1", &bars, "seconds");
        let document = roxmltree::Document::parse(&svg).expect("XML");
        let shown: Vec<&str> = document
            .descendants()
            .filter(|node| node.attribute("text-anchor") == Some("end"))
            .filter_map(|node| node.text())
            .collect();
        assert_eq!(shown.len(), 4);
        assert!(shown.iter().all(|name| width(name, SIZE) <= NAME_WIDTH), "{shown:?}");
        assert!(shown[2].starts_with("a name that") && shown[2].ends_with('…'), "{shown:?}");
        let rects = document.descendants().filter(|node| node.has_tag_name("rect"));
        let widths: Vec<f64> =
            rects.filter_map(|node| node.attribute("width")?.parse().ok()).collect();
        assert!(widths.iter().all(|w| (0.0..=WIDTH).contains(w)), "{widths:?}");
        assert!(!svg.contains("NaN"));
    }
}
