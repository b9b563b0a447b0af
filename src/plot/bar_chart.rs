//! A bar chart: a horizontal bar for each name.

use maud::{Markup, html};

use super::elements::axis::{extremes, share_between};
use super::elements::colors::{BAR, FAINT, INK, MARK, RAIL};
use super::elements::drawing::{Drawing, heading, px};
use super::elements::text::{clean, count, figure, fit, isolated};

const WIDTH: f64 = 640.0;
const MARGIN: f64 = 8.0;
/// The widest name.
const NAME_WIDTH: f64 = 230.0;
const LINE: f64 = 24.0;
const SIZE: f64 = 12.5;
/// Where bars may begin, and the space for a value after them.
const START: f64 = MARGIN + NAME_WIDTH + 12.0;
const VALUE_WIDTH: f64 = 78.0;
const LENGTH: f64 = WIDTH - MARGIN - VALUE_WIDTH - START;
const MAX_BARS: usize = 60;

/// A name and its value.
#[derive(Default)]
pub(crate) struct Bar {
    pub(crate) name: String,
    /// `None` is drawn as `-`.
    pub(crate) value: Option<f64>,
    /// What to hold the value against.
    pub(crate) mark: Option<f64>,
    /// Whiskers reach this far to both sides of the value.
    pub(crate) standard_error: Option<f64>,
}

impl Bar {
    /// The values the bar needs space for.
    fn values(&self) -> impl Iterator<Item = f64> {
        [self.value, self.mark].into_iter().flatten().chain(self.whiskers().into_iter().flatten())
    }

    fn whiskers(&self) -> Option<[f64; 2]> {
        let (value, error) = self.value.zip(self.standard_error)?;
        Some([value - error, value + error])
    }
}

/// A bar chart as an SVG picture: a horizontal bar for each name and value, in the order given,
/// each labelled with its value.
///
/// `unit` says under the title what the values are. Bars begin at 0 and are scaled to the greatest
/// value; bars of negative values go to the left, and a value that is not finite has no bar. Names
/// that are too long are cut, and bars past the sixtieth are counted. The same input gives the same
/// bytes.
///
/// ```
/// let bars = [("gaintree".to_string(), 0.44), ("another".to_string(), 1.37)];
/// let svg = gaintree::bar_chart_svg("Time to fit a tree", &bars, "seconds");
/// assert!(svg.starts_with("<svg") && svg.contains("gaintree: 0.44"));
/// ```
pub fn bar_chart_svg(title: &str, bars: &[(String, f64)], unit: &str) -> String {
    let bar = |(name, x): &(String, f64)| Bar {
        name: name.clone(),
        value: x.is_finite().then_some(*x),
        ..Bar::default()
    };
    let bars: Vec<Bar> = bars.iter().map(bar).collect();
    drawing(title, &clean(unit), "bars", &bars).document()
}

/// `plural` is what the bars are called.
pub(crate) fn drawing(title: &str, about: &str, plural: &str, bars: &[Bar]) -> Drawing {
    let title = clean(title);
    let ends = extremes(bars.iter().flat_map(Bar::values).chain([0.0]));
    let left_out = bars.len().saturating_sub(MAX_BARS);
    let bars = &bars[..bars.len() - left_out];
    let height = 60.0 + (bars.len() + usize::from(left_out > 0)) as f64 * LINE;
    let body = html! {
        (heading(&title, about, MARGIN, WIDTH))
        @if ends.0 < 0.0 {
            @let x = px(position(0.0, ends));
            line x1=(x) x2=(x) y1="52" y2=(px(52.0 + bars.len() as f64 * LINE)) stroke=(RAIL) {}
        }
        g font-size=(SIZE) { @for (at, bar) in bars.iter().enumerate() { (line(at, bar, ends)) } }
        @if left_out > 0 {
            text x=(MARGIN) y=(px(height - 12.0)) fill=(FAINT) {
                "and " (count(left_out as u64)) " " @if left_out == 1 { (plural.trim_end_matches('s')) } @else { (plural) } " below"
            }
        }
    };
    Drawing { width: WIDTH, height, title: format!("{title}: {about}"), body }
}

fn line(at: usize, bar: &Bar, ends: (f64, f64)) -> Markup {
    let x = |value: f64| position(value, ends);
    let name = clean(&bar.name);
    let text = bar.value.map_or("-".to_string(), |x| figure(x, 4));
    let [zero, end] = [0.0, bar.value.unwrap_or(0.0)].map(x);
    let farthest = bar.values().fold(0.0, f64::max);
    html! {
        g transform={ "translate(0 " (px(52.0 + at as f64 * LINE)) ")" } {
            title {
                (name) ": " (text)
                @if let Some(error) = bar.standard_error { " ± " (figure(error, 2)) }
            }
            text x=(px(START - 12.0)) y="16" text-anchor="end" fill=(INK) {
                (isolated(&fit(&name, NAME_WIDTH, SIZE)))
            }
            rect x=(px(zero.min(end))) y="4" width=(px((end - zero).abs())) height="16" rx="2" fill=(BAR) {}
            @if let Some([low, high]) = bar.whiskers() {
                @let [low, high] = [low, high].map(|value| px(x(value)));
                path d={ "M" (low) " 12H" (high) "M" (low) " 8V16M" (high) " 8V16" } fill="none"
                    stroke=(INK) stroke-width="1.2" {}
            }
            @if let Some(mark) = bar.mark {
                rect x=(px(x(mark))) y="1" width="2" height="22" fill=(MARK) {}
            }
            text x=(px(x(farthest) + 6.0)) y="16" fill=(INK) { (text) }
        }
    }
}

/// Where a value stands, between the least one and the greatest.
fn position(value: f64, (least, most): (f64, f64)) -> f64 {
    START + if most > least { LENGTH * share_between(value, (least, most)) } else { 0.0 }
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

    /// Bars of negative values end at 0, and whiskers stand around a bar's end.
    #[test]
    fn whiskers_and_negative_values_have_their_place() {
        let bar = |value, standard_error| Bar {
            name: "x".to_string(),
            value: Some(value),
            standard_error: Some(standard_error),
            ..Bar::default()
        };
        let svg = drawing("t", "", "bars", &[bar(3.0, 1.0), bar(-1.0, 0.0)]).document();
        let at = |value: f64| px(START + LENGTH * (value + 1.0) / 5.0);
        let zero = at(0.0);
        let length = px(LENGTH * 3.0 / 5.0);
        assert!(svg.contains(&format!("<rect x=\"{zero}\" y=\"4\" width=\"{length}\"")), "{svg}");
        let length = px(LENGTH / 5.0);
        let start = px(START);
        assert!(svg.contains(&format!("<rect x=\"{start}\" y=\"4\" width=\"{length}\"")), "{svg}");
        let [low, high] = [2.0, 4.0].map(at);
        assert!(svg.contains(&format!("M{low} 12H{high}")), "{svg}");
        assert!(svg.contains("x: 3 ± 1"), "{svg}");
        let huge = drawing("t", "", "bars", &[bar(1.7e308, 0.0), bar(-1.7e308, 0.0)]).document();
        assert!(!huge.contains("NaN") && !huge.contains("inf"), "{huge}");
    }
}
