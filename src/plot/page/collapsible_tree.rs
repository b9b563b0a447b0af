//! The tree as JSON for a page's script, which folds, unfolds and searches it.

use serde_json::{Value, json};

use crate::plot::elements::colors::MARK;
use crate::plot::elements::text::count;
use crate::plot::tree_picture::node_text::{NodeBar, NodeTexts};
use crate::plot::tree_picture::visible::VisibleTree;

/// Leaves and folded subtrees a page holds at most.
const MOST: usize = 3000;
/// Names of levels a row gives; the rest are counted.
const LEVELS: usize = 6;

/// The nodes, as text that can stand inside a script element: each `[parent, what holds, rows,
/// answer, bar, tooltip, nodes left out below]`.
pub(super) fn data(cards: &NodeTexts) -> String {
    let tree = cards.tree;
    let visible = VisibleTree::of(tree, u32::MAX, MOST);
    let mut parent = vec![-1i64; visible.nodes.len()];
    let mut nodes = Vec::with_capacity(visible.nodes.len());
    for (at, node) in visible.nodes.iter().enumerate() {
        node.children.iter().for_each(|&child| parent[child] = at as i64);
        let above = usize::try_from(parent[at]).ok().map(|p| visible.nodes[p].id);
        let split = above.and_then(|id| tree.node_slice()[id as usize].split.as_ref());
        let what = match split {
            None => "all rows".to_string(),
            Some(split) => cards.what(split, node.branch, LEVELS),
        };
        let card = cards.card(node);
        nodes.push(json!([
            parent[at],
            what,
            count(tree.node_slice()[node.id as usize].n),
            cards.line(node.id),
            bar(&cards.bar(node.id, 100.0)),
            card.tooltip,
            node.folded.map_or(0, |f| f.nodes),
        ]));
    }
    script_text(&json!({ "nodes": nodes }))
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
