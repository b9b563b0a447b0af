//! A selection of features: what each step tells.

use maud::html;

use super::elements::colors::{BAR, RAIL};
use super::elements::drawing::{Drawing, px};
use super::elements::lines::{LENGTH, START, drawing_of_lines, line};
use super::elements::text::{clean, figure};

/// A step: a feature, its own gain, and its gain beside the features before it.
pub(crate) struct Step {
    pub(crate) feature: String,
    pub(crate) info_gain: f64,
    pub(crate) gain_given: f64,
    pub(crate) p_adjusted: f64,
}

/// A line a step: a bar of the feature's own gain, and in it what is new of it.
pub(crate) fn drawing(steps: &[Step]) -> Drawing {
    let most = steps.iter().flat_map(|s| [s.info_gain, s.gain_given]).fold(0.0, f64::max);
    let lines = steps.iter().enumerate().map(|(at, step)| {
        let length = |gain: f64| if most > 0.0 { LENGTH * gain / most } else { 0.0 };
        let [own, new] = [step.info_gain, step.gain_given].map(length);
        let name = format!("{}. {}", at + 1, clean(&step.feature));
        let gains = format!("{} of {}", figure(step.gain_given, 3), figure(step.info_gain, 3));
        line(
            at,
            &name,
            &[&gains, &format!("p {}", figure(step.p_adjusted, 2))],
            html! {
                rect x=(px(START)) y="5" width=(px(own)) height="20" rx="2" fill=(RAIL) {}
                rect x=(px(START)) y="9" width=(px(new)) height="12" rx="2" fill=(BAR) {}
            },
        )
    });
    let bars = [("beside those above", BAR), ("its own gain", RAIL)];
    let total: f64 = steps.iter().map(|step| step.gain_given).sum();
    let about = format!("{} steps; together they tell {}", steps.len(), figure(total, 4));
    let body = html! { @for line in lines { (line) } };
    drawing_of_lines(["Selected features", &about], &bars, body, steps.len())
}
