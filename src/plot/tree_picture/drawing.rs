//! Cards, edges and labels as SVG.

use std::collections::HashMap;

use maud::{Markup, html};

use super::distribution::{Distribution, ShownRows, distributions};
use super::node_text::{NodeBar, NodeCard, NodeTexts};
use super::plan::{BARS, HEAD, LABEL_HEIGHT, PAD, TEXT, TreePlan, head_fits};
use super::{Direction, TreePicture};
use crate::plot::elements::colors::{BAR, CARD, FAINT, INK, MARK, Palette, RAIL};
use crate::plot::elements::drawing::{Drawing, legend, px};
use crate::plot::elements::text::{bold_fit, clean, counted, fit, isolated, width};
use crate::tree::TreeData;

/// A tree grows down as long as it is at most this wide, in pixels.
const PAGE: f64 = 1100.0;

/// The picture of a tree whose colours are about a class, or about all of them.
/// With rows, the cards of inner nodes show what these hold of the rule's feature.
pub(crate) fn drawing(
    tree: &TreeData,
    options: &TreePicture,
    event: Option<usize>,
    rows: Option<&ShownRows>,
) -> Drawing {
    let visible = options.visible(tree);
    let cards = NodeTexts::new(tree, event);
    let distributions = rows.map_or_else(HashMap::new, |rows| distributions(tree, &visible, rows));
    let has_distributions = !distributions.is_empty();
    let plan =
        |direction| TreePlan::new(&cards, &visible, direction, options.compact, has_distributions);
    let plan = match options.direction {
        Some(direction) => plan(direction),
        None => Some(plan(Direction::Down))
            .filter(|plan| plan.size.0 <= PAGE)
            .unwrap_or_else(|| plan(Direction::Right)),
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
    let scale = cards.scale();
    let width = plan.size.0.max(if scale.is_some() { 450.0 } else { 360.0 });
    let below = if scale.is_some() { 62.0 } else { 46.0 };
    let entries = cards.palette.legend(|class| tree.schema().class_text(class));
    let (legend, legend_height) = legend(&entries, (PAD, below), width);
    let top = below + 6.0 + legend_height;
    let body = html! {
        text x=(PAD) y="22" font-size="16" font-weight="bold" fill=(INK) {
            (bold_fit(&title, width - 2.0 * PAD, 16.0))
        }
        text x=(PAD) y="40" font-size=(TEXT) fill=(FAINT) { (about) }
        @if let Some(scale) = scale {
            text x=(PAD) y="56" font-size=(TEXT) fill=(FAINT) { (fit(&scale, width - 2.0 * PAD, TEXT)) }
        }
        (legend)
        g transform={ "translate(0 " (px(top)) ")" } {
            @for at in 1..visible.nodes.len() { (plan.edge(at)) }
            @for (at, node) in visible.nodes.iter().enumerate() {
                (plan.label(&cards, at))
                (plan.card(&cards, at, &cards.card(node), distributions.get(&node.id)))
            }
        }
    };
    Drawing { width, height: top + plan.size.1, title: format!("{title}: {about}"), body }
}

impl TreePlan<'_> {
    /// The branch that leads to a node.
    fn edge(&self, at: usize) -> Markup {
        let Some(parent) = self.visible.nodes[at].parent else { return html! {} };
        let ((px0, py0), (x, y)) = (self.corner[parent], self.corner[at]);
        let path = match self.direction {
            Direction::Down => {
                let (x0, y0) = (px0 + self.card_width / 2.0, py0 + self.card_height);
                let (x1, y1) = (x + self.card_width / 2.0, y - LABEL_HEIGHT);
                let middle = px((y0 + y1) / 2.0);
                let (x0, y0, x1, y1) = (px(x0), px(y0), px(x1), px(y1));
                format!("M{x0} {y0}C{x0} {middle} {x1} {middle} {x1} {y1}")
            }
            Direction::Right => {
                let (x0, y0) = (px0 + self.card_width, py0 + self.card_height / 2.0);
                let (x1, y1) = (x - self.label_width - 12.0, y + self.card_height / 2.0);
                let (middle, end) = (px((x0 + x1) / 2.0), px(x));
                let (x0, y0, x1, y1) = (px(x0), px(y0), px(x1), px(y1));
                format!("M{x0} {y0}C{middle} {y0} {middle} {y1} {x1} {y1}H{end}")
            }
        };
        html! { path d=(path) fill="none" stroke=(RAIL) stroke-width=(px(self.thickness[at])) {} }
    }

    fn label(&self, cards: &NodeTexts, at: usize) -> Markup {
        let node = &self.visible.nodes[at];
        let Some(split) = self.visible.split_above(cards.tree, node) else { return html! {} };
        let exactly = cards.exactly(split, node.branch);
        let (x, y) = self.corner[at];
        let (x, y, anchor) = match self.direction {
            Direction::Down => (x + self.card_width / 2.0, y - 6.0, "middle"),
            Direction::Right => {
                let above = self.thickness[at] / 2.0 + 4.0;
                (x - 8.0, y + self.card_height / 2.0 - above, "end")
            }
        };
        html! {
            text x=(px(x)) y=(px(y)) text-anchor=(anchor) font-size=(TEXT) fill=(INK) {
                title { (exactly) }
                (self.labels[at])
            }
        }
    }

    fn card(
        &self,
        cards: &NodeTexts,
        at: usize,
        card: &NodeCard,
        distribution: Option<&Distribution>,
    ) -> Markup {
        let node = &self.visible.nodes[at];
        let (x, y) = self.corner[at];
        let room = self.card_width - 2.0 * PAD;
        let is_leaf = cards.tree.node_slice()[node.id as usize].split.is_none();
        let color = if is_leaf { cards.color(node.id) } else { RAIL };
        let stroke_width = if is_leaf { "1.5" } else { "1" };
        let box_at = |shift: f64| {
            html! {
                rect x=(px(shift)) y=(px(shift)) width=(px(self.card_width))
                    height=(px(self.card_height)) rx="6" fill=(CARD) stroke=(color)
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
                text x=(PAD) y=(if self.compact { "17" } else { "19" }) font-size=(HEAD) font-weight="bold" fill=(INK) {
                    (bold_fit(&cards.head(node.id, head_fits), room, HEAD))
                }
                g transform={ "translate(" (PAD) " " (if self.compact { 23 } else { 26 }) ")" } {
                    (bar(&cards.bar(node.id, room), room))
                }
                @if let Some(distribution) = distribution {
                    g transform={ "translate(" (PAD) " " (if self.compact { 34 } else { 40 }) ")" } {
                        (bars(distribution, &cards.palette, room))
                    }
                }
                g transform={ "translate(0 " (px(self.above_text)) ")" } {
                    @if self.compact { (two(44.0, &card.in_short)) } @else {
                        (two(48.0, &card.answer))
                        (two(62.0, &card.rows))
                        text x=(PAD) y="76" fill=(FAINT) { (fit(&card.last, room, TEXT)) }
                    }
                }
            }
        }
    }
}

/// The rows by the values of the rule's feature, and its cut.
fn bars(distribution: &Distribution, palette: &Palette, room: f64) -> Markup {
    let sum = |bar: &[f64]| bar.iter().sum::<f64>();
    let most = distribution.bars.iter().map(|bar| sum(bar)).fold(1.0, f64::max);
    let step = room / distribution.bars.len() as f64;
    let segments = |bar: &[f64]| {
        let height = BARS.0 * sum(bar) / most;
        match bar {
            [n] if *n > 0.0 => vec![(0.0, height, BAR)],
            // What is there is seen.
            _ => palette.segments(bar, height.max(1.0)),
        }
    };
    let cut = px(room * distribution.cut);
    html! {
        @for (at, bar) in distribution.bars.iter().enumerate() {
            @for (below, height, color) in segments(bar) {
                rect x=(px(at as f64 * step)) y=(px(BARS.0 - below - height)) width=(px(step * 0.86))
                    height=(px(height)) fill=(color) {}
            }
        }
        path d={ "M0 " (px(BARS.0)) "H" (px(room)) } stroke=(RAIL) {}
        line x1=(cut) x2=(cut) y1="-2" y2=(px(BARS.0 + 3.0)) stroke=(INK) stroke-width="1.5" {}
    }
}

const BAR_HEIGHT: &str = "9";

fn bar(bar: &NodeBar, room: f64) -> Markup {
    html! {
        @match bar {
            NodeBar::Classes(segments) => {
                @for (left, width, color) in segments {
                    rect x=(px(*left)) width=(px(*width)) height=(BAR_HEIGHT) fill=(color) {}
                }
            }
            NodeBar::Event { to, color, base } => {
                rect y="3.5" width=(px(room)) height="2" fill=(RAIL) {}
                rect width=(px(*to)) height=(BAR_HEIGHT) fill=(color) {}
                rect x=(px(base - 0.75)) y="-2" width="1.5" height="13" fill=(INK) {}
            }
            NodeBar::Mean { at, from, to } => {
                rect y="3.5" width=(px(room)) height="2" fill=(RAIL) {}
                rect x=(px(*from)) y="2" width=(px(to - from)) height="5" fill="#56B4E9" {}
                rect x=(px(at - 1.5)) width="3" height=(BAR_HEIGHT) fill=(MARK) {}
            }
        }
    }
}
