//! Cards, edges and labels as SVG.

use maud::{Markup, html};

use super::node_text::{NodeBar, NodeCard, NodeTexts};
use super::plan::{CARD_HEIGHT, HEAD, LABEL_HEIGHT, PAD, TEXT, TreePlan, head_fits, split_of};
use super::{Direction, TreePicture};
use crate::plot::elements::colors::{CARD, FAINT, INK, MARK, RAIL};
use crate::plot::elements::drawing::{Drawing, px};
use crate::plot::elements::legend::legend;
use crate::plot::elements::text::{bold_fit, clean, counted, fit, isolated, width};
use crate::tree::TreeData;

/// Up to so many pixels wide a tree grows down.
const PAGE: f64 = 1100.0;

pub(crate) fn drawing(tree: &TreeData, options: &TreePicture) -> Drawing {
    let visible = options.visible(tree);
    let cards = NodeTexts::new(tree);
    let plan = match options.direction {
        Some(direction) => TreePlan::new(&cards, &visible, direction),
        None => Some(TreePlan::new(&cards, &visible, Direction::Down))
            .filter(|plan| plan.size.0 <= PAGE)
            .unwrap_or_else(|| TreePlan::new(&cards, &visible, Direction::Right)),
    };
    let title = format!(
        "{} tree of {}",
        tree.spec().algorithm.name(),
        isolated(&clean(&tree.schema().target))
    );
    let sizes = (counted(tree.n_nodes() as u64, "node"), counted(tree.n_leaves() as u64, "leaf"));
    let mut about = format!("{}, {}, depth {}", sizes.0, sizes.1, tree.depth());
    if visible.nodes.len() < tree.n_nodes() {
        about = format!("{about}; {} shown, the rest folded", visible.nodes.len());
    }
    let width = plan.size.0.max(360.0);
    let classes: Vec<(String, &str)> = cards
        .palette
        .colored()
        .map(|class| (tree.schema().class_text(class), cards.palette.color(class)))
        .collect();
    let (legend, legend_height) = legend(&classes, cards.palette.n_others(), (PAD, 46.0), width);
    let top = 52.0 + legend_height;
    let body = html! {
        text x=(PAD) y="22" font-size="16" font-weight="bold" fill=(INK) {
            (bold_fit(&title, width - 2.0 * PAD, 16.0))
        }
        text x=(PAD) y="40" font-size=(TEXT) fill=(FAINT) { (about) }
        (legend)
        g transform={ "translate(0 " (px(top)) ")" } {
            @for at in 1..visible.nodes.len() { (plan.edge(at)) }
            @for (at, node) in visible.nodes.iter().enumerate() {
                (plan.label(&cards, at))
                (plan.card(&cards, at, &cards.card(node)))
            }
        }
    };
    Drawing { width, height: top + plan.size.1, title: format!("{title}: {about}"), body }
}

impl TreePlan<'_> {
    /// The branch that leads to a node.
    fn edge(&self, at: usize) -> Markup {
        let Some(parent) = self.parent[at] else { return html! {} };
        let ((px0, py0), (x, y)) = (self.corner[parent], self.corner[at]);
        let path = match self.direction {
            Direction::Down => {
                let (x0, y0) = (px0 + self.card_width / 2.0, py0 + CARD_HEIGHT);
                let (x1, y1) = (x + self.card_width / 2.0, y - LABEL_HEIGHT);
                let middle = px((y0 + y1) / 2.0);
                let (x0, y0, x1, y1) = (px(x0), px(y0), px(x1), px(y1));
                format!("M{x0} {y0}C{x0} {middle} {x1} {middle} {x1} {y1}")
            }
            Direction::Right => {
                let (x0, y0) = (px0 + self.card_width, py0 + CARD_HEIGHT / 2.0);
                let (x1, y1) = (x - self.label_width - 12.0, y + CARD_HEIGHT / 2.0);
                let (middle, end) = (px((x0 + x1) / 2.0), px(x));
                let (x0, y0, x1, y1) = (px(x0), px(y0), px(x1), px(y1));
                format!("M{x0} {y0}C{middle} {y0} {middle} {y1} {x1} {y1}H{end}")
            }
        };
        html! { path d=(path) fill="none" stroke=(RAIL) stroke-width=(px(self.thickness[at])) {} }
    }

    fn label(&self, cards: &NodeTexts, at: usize) -> Markup {
        let split = self.parent[at].and_then(|p| split_of(cards.tree, &self.visible.nodes[p]));
        let Some(split) = split else { return html! {} };
        let whole = cards.what(split, self.visible.nodes[at].branch, usize::MAX);
        let (x, y) = self.corner[at];
        let (x, y, anchor) = match self.direction {
            Direction::Down => (x + self.card_width / 2.0, y - 6.0, "middle"),
            Direction::Right => {
                let above = self.thickness[at] / 2.0 + 4.0;
                (x - 8.0, y + CARD_HEIGHT / 2.0 - above, "end")
            }
        };
        html! {
            text x=(px(x)) y=(px(y)) text-anchor=(anchor) font-size=(TEXT) fill=(INK) {
                title { (whole) }
                (self.labels[at])
            }
        }
    }

    fn card(&self, cards: &NodeTexts, at: usize, card: &NodeCard) -> Markup {
        let node = &self.visible.nodes[at];
        let (x, y) = self.corner[at];
        let room = self.card_width - 2.0 * PAD;
        let is_leaf = cards.tree.node_slice()[node.id as usize].split.is_none();
        let color = match is_leaf && !cards.tree.is_regression() {
            true => cards.palette.color(cards.tree.majority(node.id)),
            false => RAIL,
        };
        let stroke_width = if is_leaf { "1.5" } else { "1" };
        let box_at = |shift: f64| {
            html! {
                rect x=(px(shift)) y=(px(shift)) width=(px(self.card_width))
                    height=(px(CARD_HEIGHT)) rx="6" fill=(CARD) stroke=(color)
                    stroke-width=(stroke_width) {}
            }
        };
        let two = |y: f64, (left, right): &(String, String)| {
            let left = fit(left, room - width(right, TEXT) - 6.0, TEXT);
            html! {
                text x=(PAD) y=(px(y)) fill=(INK) { (left) }
                text x=(px(PAD + room)) y=(px(y)) text-anchor="end" fill=(INK) { (right) }
            }
        };
        html! {
            g transform={ "translate(" (px(x)) " " (px(y)) ")" } font-size=(TEXT) {
                title { (card.tooltip) }
                @if node.folded.is_some() { (box_at(5.0)) }
                (box_at(0.0))
                text x=(PAD) y="19" font-size=(HEAD) font-weight="bold" fill=(INK) {
                    (bold_fit(&cards.head(node.id, head_fits), room, HEAD))
                }
                g transform={ "translate(" (PAD) " 26)" } { (bar(&cards.bar(node.id, room), room)) }
                (two(48.0, &card.answer))
                (two(62.0, &card.rows))
                text x=(PAD) y="76" fill=(FAINT) { (fit(&card.last, room, TEXT)) }
            }
        }
    }
}

/// The height of a bar.
const BAR_HEIGHT: &str = "9";

fn bar(bar: &NodeBar, room: f64) -> Markup {
    html! {
        @match bar {
            NodeBar::Classes(segments) => {
                @for (left, width, color) in segments {
                    rect x=(px(*left)) width=(px(*width)) height=(BAR_HEIGHT) fill=(color) {}
                }
            }
            NodeBar::Mean { at, from, to } => {
                rect y="3.5" width=(px(room)) height="2" fill=(RAIL) {}
                rect x=(px(*from)) y="2" width=(px(to - from)) height="5" fill="#56B4E9" {}
                rect x=(px(at - 1.5)) width="3" height=(BAR_HEIGHT) fill=(MARK) {}
            }
        }
    }
}
