//! The tree as data for a page, which folds and searches it.

use serde_json::{Value, json};

use super::card::{Bar, Cards};
use super::colors::MARK;
use super::fold::Shown;
use super::measure::count;

/// Leaves and folded subtrees a page holds at most.
const MOST: usize = 3000;
/// Names of levels a row gives before it counts the rest.
const LEVELS: usize = 6;

/// The nodes, as text that can stand inside a script element: each `[parent, what holds, rows,
/// answer, bar, story, nodes left out below]`.
pub(super) fn data(cards: &Cards) -> String {
    let tree = cards.tree;
    let shown = Shown::of(tree, u32::MAX, MOST);
    let mut parent = vec![-1i64; shown.nodes.len()];
    let mut nodes = Vec::with_capacity(shown.nodes.len());
    for (at, node) in shown.nodes.iter().enumerate() {
        node.children.iter().for_each(|&child| parent[child] = at as i64);
        let above = usize::try_from(parent[at]).ok().map(|p| shown.nodes[p].id);
        let split = above.and_then(|id| tree.node_slice()[id as usize].split.as_ref());
        let what = match split {
            None => "all rows".to_string(),
            Some(split) => cards.what(split, node.branch, LEVELS),
        };
        let card = cards.card(node);
        let (answer, how) = cards.answer(node.id);
        nodes.push(json!([
            parent[at],
            what,
            count(tree.node_slice()[node.id as usize].n),
            format!("{answer} {how}"),
            bar(&cards.bar(node.id, 100.0)),
            card.story,
            node.folded.map_or(0, |f| f.nodes),
        ]));
    }
    script_text(&json!({ "nodes": nodes }))
}

/// Widths in percent, and colours; none is a gap.
fn bar(bar: &Bar) -> Value {
    let tenth = |x: f64| (x * 10.0).round() / 10.0;
    match bar {
        Bar::Classes(segments) => {
            segments.iter().map(|(_, width, color)| json!([tenth(*width), color])).collect()
        }
        Bar::Mean { at, .. } => json!([[tenth(at.clamp(0.0, 98.0)), ""], [2, MARK]]),
    }
}

/// JSON in which nothing can end a script element or begin a comment.
fn script_text(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
