//! The tree as JSON for a page's script, which folds, unfolds and searches it.

use serde_json::{Value, json};

use crate::plot::elements::colors::MARK;
use crate::plot::elements::text::count;
use crate::plot::tree_picture::node_text::{NodeBar, NodeTexts};
use crate::plot::tree_picture::visible::{VisibleNode, VisibleTree};

/// Leaves and folded subtrees a page holds at most.
const MOST: usize = 3000;
/// Names of levels a row gives; the rest are counted.
const LEVELS: usize = 6;

/// The nodes, as text that can stand inside a script element: each `[parent, what holds, rows,
/// answer, bar, tooltip, nodes left out below]`.
pub(super) fn data(cards: &NodeTexts) -> String {
    let tree = cards.tree;
    let visible = VisibleTree::of(tree, u32::MAX, MOST);
    let data = |node: &VisibleNode| {
        let what = match visible.split_above(tree, node) {
            None => "all rows".to_string(),
            Some(split) => cards.what(split, node.branch, LEVELS),
        };
        json!([
            node.parent.map_or(-1, |parent| parent as i64),
            what,
            count(tree.node_slice()[node.id as usize].n),
            cards.line(node.id),
            bar(&cards.bar(node.id, 100.0)),
            cards.card(node).tooltip,
            node.folded.map_or(0, |f| f.nodes),
        ])
    };
    script_text(&json!({ "nodes": visible.nodes.iter().map(data).collect::<Vec<_>>() }))
}

/// Widths in percent, and colours; none is a gap.
fn bar(bar: &NodeBar) -> Value {
    let tenth = |x: f64| (x * 10.0).round() / 10.0;
    match bar {
        NodeBar::Classes(segments) => {
            segments.iter().map(|(_, width, color)| json!([tenth(*width), color])).collect()
        }
        NodeBar::Event { to, color, .. } => json!([[tenth(*to), color]]),
        NodeBar::Mean { at, .. } => json!([[tenth(at.clamp(0.0, 98.0)), ""], [2, MARK]]),
    }
}

/// JSON in which nothing can end a script element or begin a comment.
fn script_text(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
