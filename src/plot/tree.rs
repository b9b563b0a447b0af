//! The tree as a picture: cards joined by branches as thick as their rows.

use maud::{Markup, html};

use super::card::{Bar, Card, Cards};
use super::colors::{CARD, FAINT, INK, MARK, RAIL};
use super::fold::Shown;
use super::layout::across;
use super::measure::{bold_fit, bold_width, clean, counted, fit, isolated, width};
use super::svg::{Drawing, legend, px};
use crate::tree::TreeData;

/// Which way a picture of a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The root is on top.
    Down,
    /// The root is on the left: for trees of many leaves.
    Right,
}

/// What a picture of a tree shows.
///
/// ```
/// use gaintree::{Direction, TreePicture};
/// let options = TreePicture::default().max_depth(4).direction(Direction::Down);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreePicture {
    /// Nodes below this depth are folded; `None` is no limit.
    pub max_depth: Option<u32>,
    /// At most so many leaves and folded subtrees are shown, the splits that gain most first;
    /// `None` is 32, or no limit where a `max_depth` is given.
    pub max_leaves: Option<usize>,
    /// Which way it grows; `None` is down where that is no wider than a page, else right.
    pub direction: Option<Direction>,
}

impl TreePicture {
    /// Folds what is below this depth; the root is at 0.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.max_depth = Some(depth);
        self
    }

    /// Shows at most so many leaves and folded subtrees.
    #[must_use]
    pub fn max_leaves(mut self, leaves: usize) -> Self {
        self.max_leaves = Some(leaves);
        self
    }

    /// Grows this way.
    #[must_use]
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = Some(direction);
        self
    }

    fn shown(&self, tree: &TreeData) -> Shown {
        let leaves = match (self.max_leaves, self.max_depth) {
            (Some(leaves), _) => leaves,
            (None, Some(_)) => usize::MAX / 2,
            (None, None) => SHOWN_LEAVES,
        };
        Shown::of(tree, self.max_depth.unwrap_or(u32::MAX), leaves)
    }
}

/// Ends that are shown unless it is said.
const SHOWN_LEAVES: usize = 32;
/// Up to so many pixels wide a tree grows down.
const PAGE: f64 = 1100.0;

/// Font sizes and the sizes of a card, in pixels.
const HEAD: f64 = 13.0;
const TEXT: f64 = 11.5;
const PAD: f64 = 9.0;
const CARD_HEIGHT: f64 = 84.0;
/// The widest and narrowest card.
const CARD_WIDTHS: (f64, f64) = (150.0, 288.0);
/// The widest label of a branch.
const LABEL: f64 = 180.0;
/// The line of a label.
const LABEL_HEIGHT: f64 = 19.0;
/// The branch of all rows would be so thick.
const THICKEST: f64 = 14.0;

impl TreeData {
    /// The tree as an SVG picture, which needs no font beyond the reader's sans-serif one: each
    /// node with its rule, rows, class shares and gain, each branch labelled and as thick as
    /// its share of the rows. Folded subtrees say what they hold. The same tree gives the same
    /// bytes. Linear in the nodes.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// # use gaintree::{prelude::*, TreePicture};
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [8.5, 30.0, 12.0, 28.0], "play" => ["yes", "no", "yes", "no"]]?;
    /// let svg = df.fit_tree("play", &TreeSpec::cart())?.tree.to_svg(&TreePicture::default());
    /// assert!(svg.starts_with("<svg") && svg.contains("&lt; 20"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_svg(&self, options: &TreePicture) -> String {
        drawing(self, options).document()
    }
}

pub(super) fn drawing(tree: &TreeData, options: &TreePicture) -> Drawing {
    let shown = options.shown(tree);
    let cards = Cards::new(tree);
    let plan = match options.direction {
        Some(direction) => Plan::new(&cards, &shown, direction),
        None => Some(Plan::new(&cards, &shown, Direction::Down))
            .filter(|plan| plan.size.0 <= PAGE)
            .unwrap_or_else(|| Plan::new(&cards, &shown, Direction::Right)),
    };
    let title = format!(
        "{} tree of {}",
        tree.spec().algorithm.name(),
        isolated(&clean(&tree.schema().target))
    );
    let sizes = (counted(tree.n_nodes() as u64, "node"), counted(tree.n_leaves() as u64, "leaf"));
    let mut about = format!("{}, {}, depth {}", sizes.0, sizes.1, tree.depth());
    if shown.nodes.len() < tree.n_nodes() {
        about = format!("{about}; {} shown, the rest folded", shown.nodes.len());
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
            @for at in 1..shown.nodes.len() { (plan.edge(at)) }
            @for (at, node) in shown.nodes.iter().enumerate() {
                (plan.label(&cards, at))
                (plan.card(&cards, at, &cards.card(node)))
            }
        }
    };
    Drawing { width, height: top + plan.size.1, title: format!("{title}: {about}"), body }
}

/// Where everything stands.
struct Plan<'s> {
    shown: &'s Shown,
    direction: Direction,
    /// Each node's parent among the shown.
    parent: Vec<Option<usize>>,
    /// Upper left corners of the cards.
    corner: Vec<(f64, f64)>,
    card_width: f64,
    label_width: f64,
    thickness: Vec<f64>,
    labels: Vec<String>,
    size: (f64, f64),
}

impl<'s> Plan<'s> {
    fn new(cards: &Cards, shown: &'s Shown, direction: Direction) -> Self {
        let tree = cards.tree;
        let mut parent = vec![None; shown.nodes.len()];
        let mut level = vec![0usize; shown.nodes.len()];
        let mut labels = vec![String::new(); shown.nodes.len()];
        let mut widest = CARD_WIDTHS.0;
        for (at, node) in shown.nodes.iter().enumerate() {
            let card = cards.card(node);
            let lines = [&card.answer, &card.rows].map(|(a, b)| width(&format!("{a}  {b}"), TEXT));
            let head = bold_width(&cards.head(node.id, head_fits), HEAD);
            let text = lines.into_iter().fold(head, f64::max);
            widest = f64::max(widest, text + 2.0 * PAD);
            for &child in &node.children {
                parent[child] = Some(at);
                level[child] = level[at] + 1;
            }
        }
        let card_width = widest.min(CARD_WIDTHS.1).ceil();
        let room = if direction == Direction::Down { card_width } else { LABEL };
        for (at, label) in labels.iter_mut().enumerate() {
            let split = parent[at].and_then(|p| split_of(tree, &shown.nodes[p]));
            if let Some(split) = split {
                let fits = |text: &str| width(text, TEXT) <= room;
                *label = fit(&cards.label(split, shown.nodes[at].branch, fits), room, TEXT);
            }
        }
        let label_width = labels.iter().map(|l| width(l, TEXT)).fold(0.0, f64::max).ceil();
        let x = across(shown);
        let share = |id: u32| tree.weight(id) / tree.weight(0);
        let thickness = shown.nodes.iter().map(|n| (THICKEST * share(n.id)).max(1.0)).collect();
        // One step along the tree, and one across it.
        let (along, over) = match direction {
            Direction::Down => (CARD_HEIGHT + LABEL_HEIGHT + 40.0, card_width + 18.0),
            Direction::Right => (card_width + label_width + 60.0, CARD_HEIGHT + 16.0),
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
        let size = (far.0 + card_width + PAD + 5.0, far.1 + CARD_HEIGHT + PAD + 5.0);
        Plan { shown, direction, parent, corner, card_width, label_width, thickness, labels, size }
    }

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

    fn label(&self, cards: &Cards, at: usize) -> Markup {
        let split = self.parent[at].and_then(|p| split_of(cards.tree, &self.shown.nodes[p]));
        let Some(split) = split else { return html! {} };
        let whole = cards.what(split, self.shown.nodes[at].branch, usize::MAX);
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

    fn card(&self, cards: &Cards, at: usize, card: &Card) -> Markup {
        let node = &self.shown.nodes[at];
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
                title { (card.story) }
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

fn head_fits(head: &str) -> bool {
    bold_width(head, HEAD) <= CARD_WIDTHS.1 - 2.0 * PAD
}

fn split_of<'t>(
    tree: &'t TreeData,
    node: &super::fold::ShownNode,
) -> Option<&'t crate::tree::Split> {
    tree.node_slice()[node.id as usize].split.as_ref()
}

/// The height of a bar.
const BAR_HEIGHT: &str = "9";

fn bar(bar: &Bar, room: f64) -> Markup {
    html! {
        @match bar {
            Bar::Classes(segments) => {
                @for (left, width, color) in segments {
                    rect x=(px(*left)) width=(px(*width)) height=(BAR_HEIGHT) fill=(color) {}
                }
            }
            Bar::Mean { at, from, to } => {
                rect y="3.5" width=(px(room)) height="2" fill=(RAIL) {}
                rect x=(px(*from)) y="2" width=(px(to - from)) height="5" fill="#56B4E9" {}
                rect x=(px(at - 1.5)) width="3" height=(BAR_HEIGHT) fill=(MARK) {}
            }
        }
    }
}
