//! Which classes are taken for which.

use maud::{Markup, html};

use super::part;
use super::subject::Subject;
use crate::evaluation::{ClassScore, Confusion};
use crate::plot::elements::text::{clean, count, percent, rate};

/// Classes whose confusion is drawn as a matrix.
const MATRIX: usize = 40;
/// Classes whose names stand upright over their columns.
pub(super) const UPRIGHT: usize = 6;
/// Confused pairs that are listed, where the matrix is large or left out.
const PAIRS: usize = 12;
/// Classes whose figures are listed.
const CLASSES: usize = 100;

/// Actual classes down, predicted ones across, each cell as dark as its share of its row, in a colour of
/// its own where the prediction is wrong.
pub(super) fn matrix(subject: &Subject, confusion: &[Confusion]) -> Markup {
    let k = subject.schema.classes.len();
    if k > MATRIX {
        return html! {};
    }
    let unknown = confusion.iter().any(|pair| pair.actual.is_none());
    let mut counts = vec![0; (k + usize::from(unknown)) * k];
    for pair in confusion {
        let row = pair.actual.map_or(k, |class| class as usize);
        counts[row * k + pair.predicted as usize] = pair.n;
    }
    html! {
        div.wide { table.matrix.turned[k > UPRIGHT] {
            caption {
                "Actual classes down, predicted ones across; "
                span.share.right style="--part:40%" { "right" } ", "
                span.share.wrong style="--part:40%" { "wrong" }
            }
            thead { tr {
                th {}
                @for class in 0..k { th.n { bdi { (name(subject, Some(class as u32))) } } }
            } }
            tbody { @for (actual, counts) in counts.chunks(k).enumerate() {
                @let sum = counts.iter().sum::<u64>().max(1) as f64;
                tr {
                    th { bdi { (name(subject, (actual < k).then_some(actual as u32))) } }
                    @for (predicted, &n) in counts.iter().enumerate() {
                        @if n == 0 { td.n.faint { "·" } } @else {
                            td.n.share.right[actual == predicted].wrong[actual != predicted]
                                style={ "--part:" (part(0.7 * n as f64 / sum)) } { (count(n)) }
                        }
                    }
                }
            } }
        } }
    }
}

/// The most frequent mistakes, of more classes than a matrix shows at a glance.
pub(super) fn mistakes(subject: &Subject, confusion: &[Confusion]) -> Markup {
    let wrong = |pair: &&Confusion| pair.actual != Some(pair.predicted) && pair.n > 0;
    let mut pairs: Vec<&Confusion> = confusion.iter().filter(wrong).collect();
    if pairs.is_empty() {
        return html! {};
    }
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.n));
    html! {
        div { table {
            caption { "The most frequent mistakes" }
            thead { tr { th { "actual" } th { "predicted" } th.n { "rows" } } }
            tbody { @for pair in pairs.iter().take(PAIRS) { tr {
                td { bdi { (name(subject, pair.actual)) } }
                td { bdi { (name(subject, Some(pair.predicted))) } }
                td.n { (count(pair.n)) }
            } } }
        }
            @if pairs.len() > PAIRS { p.faint { "and " (count((pairs.len() - PAIRS) as u64)) " more pairs" } }
        }
    }
}

/// The rows of each class, here and in training, and its precision, recall and F1.
pub(super) fn class_table(
    subject: &Subject,
    by_class: &[ClassScore],
    confusion: &[Confusion],
) -> Markup {
    let ratio = |share: Option<f64>| share.map_or("-".to_string(), percent);
    let unknown = confusion.iter().filter(|pair| pair.actual.is_none());
    let unknown: u64 = unknown.map(|pair| pair.n).sum();
    let rows = (by_class.iter().map(|score| score.n).sum::<u64>() + unknown).max(1) as f64;
    let trained = &subject.class_totals;
    let trained_rows: f64 = trained.iter().sum();
    html! {
        div { div.box { table {
            thead { tr {
                th { "class" } th.n { "rows" } th.n { "share" } th.n.opt { "share in training" }
                th.n.opt { "predicted rows" } th.n { "precision" } th.n { "recall" } th.n.opt { "F1" }
            } }
            tbody {
                @for (class, score) in by_class.iter().take(CLASSES).enumerate() { tr {
                    td { bdi { (name(subject, Some(class as u32))) } }
                    td.n { (count(score.n)) }
                    td.n { (rate(score.n as f64 / rows)) }
                    td.n.opt { (rate(trained[class] / trained_rows)) }
                    td.n.opt { (count(score.predicted)) }
                    td.n { (ratio(score.precision())) }
                    td.n { (ratio(score.recall())) }
                    td.n.opt { (ratio(score.f1())) }
                } }
                @if unknown > 0 { tr {
                    td { "(never trained)" } td.n { (count(unknown)) }
                    td.n { (rate(unknown as f64 / rows)) } td.n.opt { "-" }
                    td.n.opt { "-" } td.n { "-" } td.n { "-" } td.n.opt { "-" }
                } }
            }
        } }
        @if by_class.len() > CLASSES { p.faint { "and " (by_class.len() - CLASSES) " more classes" } } }
    }
}

fn name(subject: &Subject, class: Option<u32>) -> String {
    match class {
        Some(class) => clean(&subject.schema.class_text(class as usize)),
        None => "(never trained)".to_string(),
    }
}
