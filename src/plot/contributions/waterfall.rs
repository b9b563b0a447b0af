//! The contributions of features to the answer for one row, one after the other.

use maud::{Markup, html};

use crate::explain::{FeatureStep, Waterfall};
use crate::plot::elements::axis::{extremes, share_between};
use crate::plot::elements::colors::{BAR, FAINT, INK, MARK, RAIL};
use crate::plot::elements::drawing::{Drawing, px};
use crate::plot::elements::lines::{LENGTH, LINE, START, drawing_of_lines, line};
use crate::plot::elements::text::{clean, figure, isolated, short};

/// The most features that have a line of their own.
const MAX_FEATURES: usize = 14;
/// An answer below this share of the range of all is taken as 0.
const ROUNDING: f64 = 1e-12;
const HIGHER: &str = MARK;
const LOWER: &str = BAR;

fn name(step: &FeatureStep) -> String {
    let value = match &step.value {
        Some(value) if step.is_float => short(value),
        Some(value) => clean(value),
        None => "missing".to_string(),
    };
    format!("{} = {value}", isolated(&clean(&step.feature)))
}

/// From the base value to the prediction. `answer` is what the model answers.
pub(crate) fn drawing(answer: &str, waterfall: &Waterfall) -> Drawing {
    let Waterfall { base_value, prediction, features: steps } = waterfall;
    let (base_value, prediction) = (*base_value, *prediction);
    // A single one is as short as the line that says so.
    let n_shown = if steps.len() == MAX_FEATURES + 1 { steps.len() } else { MAX_FEATURES };
    let (shown, rest) = steps.split_at(n_shown.min(steps.len()));
    let mut lines: Vec<(String, f64)> = shown.iter().map(|s| (name(s), s.contribution)).collect();
    if !rest.is_empty() {
        let sum = rest.iter().map(|step| step.contribution).sum();
        lines.push((format!("{} other features", rest.len()), sum));
    }
    let mut answers = vec![base_value];
    for (_, contribution) in &lines {
        answers.push(answers[answers.len() - 1] + contribution);
    }
    // The sum, but for rounding.
    answers[lines.len()] = prediction;
    let (lo, hi) = extremes(answers.iter().copied());
    let x =
        |value: f64| START + if hi > lo { LENGTH * share_between(value, (lo, hi)) } else { 0.0 };
    let shown = |answer: f64| {
        // What is left of an answer that is 0 but for rounding.
        let is_rounding = answer.abs() < ROUNDING * (hi - lo);
        figure(if is_rounding { 0.0 } else { answer }, 4)
    };
    let mark = |at: usize, name: &str, value: f64| {
        let bar = html! { rect x=(px(x(value) - 1.0)) y="4" width="2" height="22" fill=(INK) {} };
        line(at, name, &[&shown(value), ""], bar)
    };
    let directions = [("raises the answer", HIGHER), ("lowers it", LOWER)];
    let body = html! {
        (mark(0, "base value", base_value))
        @for (at, (name, contribution)) in lines.iter().enumerate() {
            @let ends = [answers[at], answers[at + 1]].map(x);
            @let texts = [signed(*contribution), shown(answers[at + 1])];
            (line(at + 1, name, &[&texts[0], &texts[1]], bar(ends, *contribution)))
        }
        (mark(lines.len() + 1, "prediction", prediction))
    };
    let about = format!("{} is {}", clean(answer), figure(prediction, 4));
    let heading = ["Contributions to one answer", about.as_str()];
    drawing_of_lines(heading, &directions, body, lines.len() + 2)
}

/// A bar between two answers, and a line to the next one.
fn bar([from, to]: [f64; 2], contribution: f64) -> Markup {
    let color = if contribution < 0.0 { LOWER } else { HIGHER };
    html! {
        line x1=(px(from)) x2=(px(from)) y1=(px(25.0 - LINE)) y2="5" stroke=(RAIL) {}
        rect x=(px(from.min(to))) y="5" width=(px((to - from).abs())) height="20" rx="2" fill=(color) {}
        line x1=(px(to)) x2=(px(to)) y1="25" y2=(px(LINE + 5.0)) stroke=(FAINT) stroke-width="0.5" {}
    }
}

fn signed(contribution: f64) -> String {
    let sign = if contribution < 0.0 { "−" } else { "+" };
    format!("{sign}{}", figure(contribution.abs(), 3))
}
