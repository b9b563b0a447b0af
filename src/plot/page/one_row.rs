//! The section that explains one row: its path from the root to its leaf and what would change the
//! answer, or what contributes to the answer of a forest.

use maud::{Markup, PreEscaped, html};

use super::{PageSection, SectionRows, unbroken};
use crate::explain::{PathStep, RowReasons};
use crate::plot::elements::colors::MARK;
use crate::plot::elements::drawing::Drawing;
use crate::plot::elements::text::{
    clean, count, figure, isolated, percent, rate, rounded_bounds, short,
};
use crate::plot::tree_picture::node_text::{NodeBar, NodeTexts};
use crate::tree::TreeData;
use crate::tree::rule_text::{SHOWN_LEVELS, shorten_sets};

/// Leaves of another answer that are listed.
const CHANGES: usize = 5;

/// A row of the page and why the model answers what it answers.
pub(crate) struct OneRow {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Whether it was asked for; else it is the row of most loss.
    pub(crate) is_chosen: bool,
    pub(crate) actual: String,
    pub(crate) why: Why,
}

/// Why a model answers what it answers.
pub(crate) enum Why {
    /// The path down a tree.
    Path(Box<RowReasons>),
    Contributions {
        /// The class with its probability, or the number, that the page judges; `None` for a row out of
        /// bag that every tree drew.
        answer: Option<(String, Option<f64>)>,
        waterfall: Drawing,
    },
}

pub(super) fn one_row(
    tree: &TreeData,
    row: &OneRow,
    event: Option<usize>,
    rows: SectionRows,
) -> PageSection {
    let body = match &row.why {
        Why::Path(reasons) => path(tree, row, reasons, event),
        Why::Contributions { answer, waterfall } => html! {
            p {
                "Row " (count(row.number)) ": "
                @match answer {
                    Some((class, Some(share))) => {
                        "the forest predicts " strong { bdi { (clean(class)) } } " (" (percent(*share)) ")"
                    }
                    Some((number, None)) => { "the forest answers " strong { bdi { (short(number)) } } }
                    None => "every tree drew it, so that none answers for it here"
                }
                "; it is " strong { bdi { (short(&row.actual)) } } "."
                (most_loss(row))
            }
            @if let SectionRows::OutOfBag(_) = rows {
                p.faint { "How all trees together, also those that drew it, answer for it:" }
            }
            figure.wide { (waterfall.inline()) }
        },
    };
    PageSection { id: "row", heading: "One row explained", rows, span: 7, body }
}

fn most_loss(row: &OneRow) -> &'static str {
    if row.is_chosen { "" } else { " It is the row of most loss." }
}

fn path(tree: &TreeData, row: &OneRow, reasons: &RowReasons, event: Option<usize>) -> Markup {
    let cards = NodeTexts::new(tree, event);
    let (said, actual) = match tree.is_regression() {
        true => ("The tree answers", short(&row.actual)),
        false => ("The tree predicts", clean(&row.actual)),
    };
    let (answer, how) = match (reasons.in_parts, reasons.mean, reasons.probability) {
        (true, Some(mean), _) => (figure(mean, tree.mean_digits(5)), None),
        (true, None, Some(share)) => (isolated(&clean(&reasons.prediction)), Some(percent(share))),
        _ => {
            let (answer, how) = cards.answer(reasons.leaf);
            (answer, Some(how))
        }
    };
    let event = event.map(|event| clean(&tree.schema().class_text(event)));
    let change = match (&event, reasons.path.last()) {
        (Some(event), _) => format!("change of {event} (points)"),
        (None, Some(leaf)) if !tree.is_regression() => {
            format!("change of {} (points)", clean(&leaf.prediction))
        }
        _ => "change".to_string(),
    };
    html! {
        p {
            "Row " (count(row.number)) ": " (said) " " strong { bdi { (answer) } }
            @if let Some(how) = how { " (" (how) ")" } "; it is " strong { bdi { (actual) } } "."
            (most_loss(row))
            @if reasons.in_parts {
                " A value is missing, so the row goes down several branches, in parts; this is the path of the largest."
            }
        }
        div.box.long { table.path {
            thead { tr {
                th { "value" } th { "rule" } th {} th { "prediction" } th.n.opt { (change) }
                th.n.opt { "training rows" }
            } }
            tbody { @for step in &reasons.path { (step_row(&cards, step)) } }
        } }
        @if !reasons.changes.is_empty() { (changes(&cards, reasons, event.as_deref())) }
    }
}

fn step_row(cards: &NodeTexts, step: &PathStep) -> Markup {
    let tree = cards.tree;
    let feature = step.feature.map(|id| &tree.schema().features[id as usize]);
    let value = feature.map(|feature| {
        let value = match step.value.as_deref() {
            Some(value) if feature.dtype.is_float() => short(value),
            Some(value) => clean(value),
            None => "missing".to_string(),
        };
        format!("{} is {value}", isolated(&clean(&feature.name)))
    });
    let rule = step.condition.as_deref().map_or("all rows".to_string(), rule_text);
    html! {
        tr {
            td { bdi { (unbroken(&value.unwrap_or_default())) } }
            td { bdi dir="ltr" { (unbroken(&rule)) } }
            td { (bar(&cards.bar(step.node, 100.0))) }
            td { bdi { (unbroken(&cards.line(step.node))) } }
            td.n.opt { @if let Some(change) = step.change { (signed(tree, change)) } }
            td.n.opt { (count(step.n)) }
        }
    }
}

/// A change of a mean, or of a share in percentage points.
fn signed(tree: &TreeData, change: f64) -> String {
    let sign = if change < 0.0 { "−" } else { "+" };
    match tree.is_regression() {
        true => format!("{sign}{}", figure(change.abs(), 3)),
        false => format!("{sign}{:.1}", 100.0 * change.abs()),
    }
}

/// A rule for reading: with a few levels of each set, and without digits that tell nothing.
fn rule_text(rule: &str) -> String {
    rounded_bounds(&shorten_sets(rule, SHOWN_LEVELS))
}

fn changes(cards: &NodeTexts, reasons: &RowReasons, event: Option<&str>) -> Markup {
    html! {
        p.faint {
            @match (reasons.event_base, event) {
                (Some(base), Some(event)) => {
                    "No leaf gives another answer. What would take " bdi { (event) }
                    " to the other side of its share of all rows, " (rate(base)) ":"
                }
                _ => "What would change the answer:"
            }
        }
        div.box.long { table.filled {
            thead { tr { th { "if" } th { "prediction" } th.n.opt { "training rows" } } }
            tbody { @for change in reasons.changes.iter().take(CHANGES) { tr {
                td { bdi dir="ltr" { (unbroken(&rule_text(&change.change))) } }
                td { bdi { (unbroken(&cards.line(change.leaf))) } }
                td.n.opt { (count(change.n)) }
            } } }
        } }
    }
}

/// As in the rows of the tree that folds.
fn bar(bar: &NodeBar) -> Markup {
    let part = |width: f64, color: &str| {
        let color = if color.is_empty() { "transparent" } else { color };
        format!("<span style=\"width:{width:.1}%;background:{color}\"></span>")
    };
    let parts: String = match bar {
        NodeBar::Classes(segments) => {
            segments.iter().map(|(_, w, color)| part(*w, color)).collect()
        }
        NodeBar::Event { to, color, .. } => part(*to, color),
        NodeBar::Mean { at, .. } => part(at.clamp(0.0, 98.0), "") + &part(2.0, MARK),
    };
    html! { span.bar aria-hidden="true" { (PreEscaped(parts)) } }
}
