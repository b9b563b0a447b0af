//! The section on a numeric target: its distribution.

use maud::html;

use super::quality::{histogram, quantiles};
use super::subject::Subject;
use super::{PageSection, SectionRows};
use crate::plot::elements::text::{clean, figure};

/// `pairs` are actual numbers and their predictions.
pub(super) fn target(subject: &Subject, pairs: &[(f64, f64)], rows: SectionRows) -> PageSection {
    let mut actual: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
    actual.sort_by(f64::total_cmp);
    let ends = actual.first().copied().zip(actual.last().copied()).unwrap_or_default();
    let name = clean(&subject.schema.target);
    let trained = subject.mean;
    let body = html! {
        p.faint { "Upright: the mean of the rows the " (subject.kind) " was fitted on, " (figure(trained, 5)) "." }
        div.parts {
            figure.chart { (histogram(&format!("{name}, rows"), &actual, ends, trained)) }
            div { (quantiles(&name, &actual)) }
        }
    };
    PageSection { id: "target", heading: "Target", rows, span: 5, body }
}
