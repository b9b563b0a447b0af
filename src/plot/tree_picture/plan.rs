//! The layout of a tree's picture: corners of cards, labels of branches, thickness of edges.

use super::Direction;
use super::node_text::NodeTexts;
use super::tidy_layout::across;
use super::visible::{VisibleNode, VisibleTree};
use crate::plot::elements::text::{bold_width, fit, width};

/// Font sizes and the sizes of a card, in pixels.
pub(super) const HEAD: f64 = 13.0;
pub(super) const TEXT: f64 = 11.5;
pub(super) const PAD: f64 = 9.0;
/// The height of a card with four lines, and of one with two.
const CARD_HEIGHTS: (f64, f64) = (84.0, 50.0);
/// The height of a distribution in a card, and of the space under it.
pub(super) const BARS: (f64, f64) = (30.0, 8.0);
/// Between a card and the next beside it, where the tree grows right.
const GAPS: (f64, f64) = (16.0, 8.0);
/// The widest and narrowest card.
const CARD_WIDTHS: (f64, f64) = (150.0, 288.0);
/// The widest label of a branch.
const LABEL: f64 = 180.0;
/// The line of a label.
pub(super) const LABEL_HEIGHT: f64 = 19.0;
/// The thickness of an edge that all rows take.
const MAX_THICKNESS: f64 = 14.0;

/// Places and sizes, in pixels.
pub(super) struct TreePlan<'s> {
    pub(super) visible: &'s VisibleTree,
    pub(super) direction: Direction,
    /// Upper left corners of the cards.
    pub(super) corner: Vec<(f64, f64)>,
    pub(super) card_width: f64,
    pub(super) card_height: f64,
    /// What a distribution takes of it, above the text.
    pub(super) above_text: f64,
    /// Whether a card has two lines.
    pub(super) compact: bool,
    pub(super) label_width: f64,
    pub(super) thickness: Vec<f64>,
    pub(super) labels: Vec<String>,
    pub(super) size: (f64, f64),
}

impl<'s> TreePlan<'s> {
    pub(super) fn new(
        cards: &NodeTexts,
        visible: &'s VisibleTree,
        direction: Direction,
        compact: bool,
        has_distributions: bool,
    ) -> Self {
        let tree = cards.tree;
        let (card_height, gap) = match compact {
            false => (CARD_HEIGHTS.0, GAPS.0),
            true => (CARD_HEIGHTS.1, GAPS.1),
        };
        let above_text = if has_distributions { BARS.0 + BARS.1 } else { 0.0 };
        let card_height = card_height + above_text;
        let card_width = card_width(cards, visible, compact);
        let label_limit = if direction == Direction::Down { card_width } else { LABEL };
        let labels = labels(cards, visible, label_limit);
        let label_width = labels.iter().map(|l| width(l, TEXT)).fold(0.0, f64::max).ceil();
        let x = across(visible);
        // Parents come first.
        let mut level = vec![0; visible.nodes.len()];
        for (at, node) in visible.nodes.iter().enumerate() {
            level[at] = node.parent.map_or(0, |parent| level[parent] + 1);
        }
        let share = |id: u32| tree.weight(id) / tree.weight(0);
        let thickness =
            visible.nodes.iter().map(|n| (MAX_THICKNESS * share(n.id)).max(1.0)).collect();
        // One step along the tree, and one across it.
        let (along, over) = match direction {
            Direction::Down => (card_height + LABEL_HEIGHT + 24.0 + gap, card_width + 18.0),
            Direction::Right => (card_width + label_width + 60.0, card_height + gap),
        };
        let corner: Vec<(f64, f64)> = x
            .iter()
            .zip(&level)
            .map(|(&x, &level)| match direction {
                Direction::Down => (PAD + x * over, PAD + level as f64 * along),
                Direction::Right => (PAD + level as f64 * along, PAD + x * over),
            })
            .collect();
        let far =
            corner.iter().fold((0.0, 0.0), |far, c| (f64::max(far.0, c.0), f64::max(far.1, c.1)));
        // A folded card has another behind it.
        let size = (far.0 + card_width + PAD + 5.0, far.1 + card_height + PAD + 5.0);
        TreePlan {
            visible,
            direction,
            corner,
            card_width,
            card_height,
            above_text,
            compact,
            label_width,
            thickness,
            labels,
            size,
        }
    }
}

/// The width of all cards: the widest text fits, within bounds.
fn card_width(cards: &NodeTexts, visible: &VisibleTree, compact: bool) -> f64 {
    let mut widest = CARD_WIDTHS.0;
    for node in &visible.nodes {
        let card = cards.card(node);
        let lines = match compact {
            false => vec![&card.answer, &card.rows],
            true => vec![&card.in_short],
        };
        let lines = lines.into_iter().map(|(a, b)| width(&format!("{a}  {b}"), TEXT));
        let head = bold_width(&cards.head(node.id, head_fits), HEAD);
        let text = lines.fold(head, f64::max);
        widest = f64::max(widest, text + 2.0 * PAD);
    }
    widest.min(CARD_WIDTHS.1).ceil()
}

/// The label of the branch to each visible node, at most `limit` wide; empty for the root.
fn labels(cards: &NodeTexts, visible: &VisibleTree, limit: f64) -> Vec<String> {
    let fits = |text: &str| width(text, TEXT) <= limit;
    let label = |node: &VisibleNode| {
        let label = |split| fit(&cards.label(split, node.branch, fits), limit, TEXT);
        visible.split_above(cards.tree, node).map_or_else(String::new, label)
    };
    visible.nodes.iter().map(label).collect()
}

pub(super) fn head_fits(head: &str) -> bool {
    bold_width(head, HEAD) <= CARD_WIDTHS.1 - 2.0 * PAD
}
