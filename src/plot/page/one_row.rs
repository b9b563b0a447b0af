//! The section that explains one row: its path from the root to its leaf, in words.

use maud::{Markup, PreEscaped, html};

use super::{PageSection, SectionRows, unbroken};
use crate::plot::elements::colors::MARK;
use crate::plot::elements::text::{clean, count, short};
use crate::plot::tree_picture::node_text::{NodeBar, NodeTexts};
use crate::tree::TreeData;

/// Names of levels a step gives; the rest are counted.
const LEVELS: usize = 6;

/// A row of the page and where it ended.
pub(crate) struct OneRow {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Whether it was asked for; else it is the row of most loss.
    pub(crate) is_chosen: bool,
    pub(crate) leaf: u32,
    /// Whether it is in other leaves too, in parts.
    pub(crate) in_parts: bool,
    pub(crate) actual: String,
    /// Its value of each feature that its path tests, and the feature's index in the schema.
    pub(crate) values: Vec<(u32, String)>,
}

pub(super) fn one_row(
    tree: &TreeData,
    row: &OneRow,
    event: Option<usize>,
    rows: SectionRows,
) -> PageSection {
    let cards = NodeTexts::new(tree, event);
    let (answer, how) = cards.answer(row.leaf);
    let said = if tree.is_regression() { "The tree answers" } else { "The tree predicts" };
    let body = html! {
        p {
            "Row " (count(row.number)) ": " (said) " " strong { bdi { (answer) } } " (" (how) "); it is "
            strong { bdi { (clean(&row.actual)) } } "."
            @if !row.is_chosen { " It is the row of most loss." }
            @if row.in_parts {
                " A value is missing, so the row goes down several branches, in parts; this is the path of the largest."
            }
        }
        div.box.long { table.path {
            thead { tr {
                th { "value" } th { "rule" } th {} th { "prediction" } th.n.opt { "training rows" }
            } }
            tbody {
                (step(&cards, 0, html! {}, html! { "all rows" }))
                @for (value, what, node) in steps(&cards, row) {
                    (step(&cards, node, html! { bdi { (unbroken(&value)) } }, html! { bdi dir="ltr" { (unbroken(&what)) } }))
                }
            }
        } }
    };
    PageSection { id: "row", heading: "One row explained", rows, span: 7, body }
}

/// Each step below the root: the row's value, what holds of it, and the node it leads to.
fn steps(cards: &NodeTexts, row: &OneRow) -> Vec<(String, String, u32)> {
    let nodes = cards.tree.node_slice();
    let mut steps = Vec::new();
    let mut node = row.leaf;
    while let Some(parent) = nodes[node as usize].parent {
        if let Some(split) = &nodes[parent as usize].split {
            let branch = split.branches.iter().position(|&child| child == node).unwrap_or(0);
            let value = row.values.iter().find(|(feature, _)| *feature == split.rule.feature);
            let value = value.map_or("missing", |(_, value)| value);
            let is_float = cards.tree.feature(split).dtype.is_float();
            let value = if is_float { short(value) } else { clean(value) };
            let value = format!("{} is {value}", cards.name(split));
            steps.push((value, cards.what(split, branch as u32, LEVELS), node));
        }
        node = parent;
    }
    steps.reverse();
    steps
}

fn step(cards: &NodeTexts, node: u32, value: Markup, what: Markup) -> Markup {
    html! {
        tr {
            td { (value) }
            td { (what) }
            td { (bar(&cards.bar(node, 100.0))) }
            td { bdi { (cards.line(node)) } }
            td.n.opt { (count(cards.tree.node_slice()[node as usize].n)) }
        }
    }
}

/// As the rows of the tree that folds have it.
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
