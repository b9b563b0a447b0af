//! The texts and the bar of a node: what its card says, and its tooltip.

use super::visible::VisibleNode;
use crate::data::dtype::Value;
use crate::plot::elements::axis::position_between;
use crate::plot::elements::colors::{Palette, RAIL};
use crate::plot::elements::text::{clean, count, counted, figure, isolated, percent, rate, short};
use crate::spec::Missing;
use crate::tree::rule::Test;
use crate::tree::rule_text::SHOWN_LEVELS;
use crate::tree::{Split, TreeData};

/// Classes a tooltip names before it counts the rest.
const TOOLTIP_CLASSES: usize = 12;
/// Names of levels a label begins with; it gives fewer where they do not fit.
const LABEL_LEVELS: usize = 6;
/// Names of levels that a label's tooltip gives. A set of ids has a million, which would make the
/// picture larger than the data.
const EMBEDDED_LEVELS: usize = 100;
/// Nodes of a smaller share of the rows do not stretch the scale of the bars.
const SCALE: f64 = 0.01;

/// A tree, its colours and the scale of its bars.
pub(crate) struct NodeTexts<'t> {
    pub(crate) tree: &'t TreeData,
    pub(crate) palette: Palette,
    /// The least and greatest that a regression bar shows.
    range: (f64, f64),
    /// The share of the event that fills a bar.
    most: f64,
}

pub(crate) struct NodeCard {
    /// The answer and how sure it is.
    pub(crate) answer: (String, String),
    /// Rows and their share.
    pub(crate) rows: (String, String),
    /// The gain, or what is folded.
    pub(crate) last: String,
    /// The answer and the rows, where there is room for one line.
    pub(crate) in_short: (String, String),
    pub(crate) tooltip: String,
}

pub(crate) enum NodeBar {
    /// (offset, width, colour) of each class.
    Classes(Vec<(f64, f64, &'static str)>),
    /// How far the event's share reaches, its colour, and where its share in all rows is.
    Event { to: f64, color: &'static str, base: f64 },
    /// Where the mean is, and one deviation about it.
    Mean { at: f64, from: f64, to: f64 },
}

impl<'t> NodeTexts<'t> {
    pub(crate) fn new(tree: &'t TreeData, event: Option<usize>) -> Self {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        let palette = Palette::of_totals(&tree.class_totals(), event);
        let mut most = 0.0;
        for (id, node) in (0u32..).zip(tree.node_slice()) {
            if let Some(mean) = tree.mean(id) {
                let deviation = node.impurity.sqrt();
                range = (range.0.min(mean - deviation), range.1.max(mean + deviation));
            }
            if let Some(event) = palette.event
                && tree.weight(id) >= SCALE * tree.weight(0)
            {
                most = f64::max(most, event.share(&tree.counts_before_class_weights(id)));
            }
        }
        NodeTexts { tree, palette, range, most }
    }

    pub(crate) fn event_share(&self, id: u32) -> Option<f64> {
        let event = self.palette.event?;
        Some(event.share(&self.tree.counts_before_class_weights(id)))
    }

    /// What the bars show, where they are about one class.
    pub(crate) fn scale(&self) -> Option<String> {
        let event = self.palette.event?;
        Some(format!(
            "bars: share of {}, up to {}; upright: its share in all rows, {}",
            self.event_name()?,
            rate(self.most),
            rate(event.base)
        ))
    }

    pub(crate) fn event_name(&self) -> Option<String> {
        let class = self.palette.event?.class?;
        Some(isolated(&clean(&self.tree.schema().class_text(class))))
    }

    /// The event's share in a node and its lift, where the picture is about one class.
    fn event(&self, id: u32) -> Option<(String, String)> {
        let (event, share) = (self.palette.event?, self.event_share(id)?);
        let lift = figure(event.lift(share), 2);
        Some((format!("{} {}", self.event_name()?, rate(share)), format!("lift {lift}")))
    }

    /// A node's answer in a line, and where the picture is about one class, its share.
    pub(crate) fn line(&self, id: u32) -> String {
        let (answer, how) = self.answer(id);
        match self.event(id) {
            Some((share, _)) if share.starts_with(&format!("{answer} ")) => share,
            Some((share, _)) => format!("{answer} · {share}"),
            None => format!("{answer} {how}"),
        }
    }

    /// The colour of a leaf's frame.
    pub(crate) fn color(&self, id: u32) -> &'static str {
        match (self.palette.event, self.event_share(id)) {
            (Some(event), Some(share)) => event.color(share),
            _ if self.tree.is_regression() => RAIL,
            _ => self.palette.color(self.tree.majority(id)),
        }
    }

    pub(crate) fn card(&self, shown: &VisibleNode) -> NodeCard {
        let tree = self.tree;
        let node = &tree.node_slice()[shown.id as usize];
        let share = tree.weight(shown.id) / tree.weight(0);
        let (what, how) = self.answer(shown.id);
        let last = match (&node.split, shown.folded) {
            (_, Some(f)) => format!("⋯ {} below", counted(f.leaves, "leaf")),
            (Some(split), None) => format!("gain {}", figure(split.gain, 3)),
            (None, None) => String::new(),
        };
        // A leaf's answer is its head.
        let kind = if tree.is_regression() { "mean" } else { "probability" };
        let is_leaf = node.split.is_none();
        let in_short = match self.event(shown.id) {
            Some((event, _)) => event,
            None if is_leaf => how.clone(),
            None => format!("{what} {how}"),
        };
        let in_short = (in_short, self.rows(shown.id));
        let what = if is_leaf { kind.to_string() } else { what };
        let answer = self.event(shown.id).unwrap_or((what, how));
        let rows = (self.rows(shown.id), percent(share));
        NodeCard { answer, rows, last, in_short, tooltip: self.tooltip(shown) }
    }

    /// A node's rows; where the tree sends parts of rows, they are more than their weight.
    fn rows(&self, id: u32) -> String {
        let n = self.tree.node_slice()[id as usize].n;
        let in_part = self.tree.spec().weight.is_none() && self.tree.weight(id) != n as f64;
        format!("{}{}", counted(n, "row"), if in_part { " in part" } else { "" })
    }

    /// The answer, and its probability or deviation. A probability that is weighted by class says so.
    pub(crate) fn answer(&self, id: u32) -> (String, String) {
        let tree = self.tree;
        match tree.mean(id) {
            Some(mean) => {
                let deviation = tree.node_slice()[id as usize].impurity.sqrt();
                (figure(mean, tree.mean_digits(5)), format!("± {}", figure(deviation, 3)))
            }
            None => {
                let class = tree.majority(id);
                let name = isolated(&clean(&tree.schema().class_text(class)));
                let weighted =
                    if tree.schema().class_weights.is_empty() { "" } else { " weighted" };
                (name, format!("{}{weighted}", percent(tree.probability(id, class))))
            }
        }
    }

    /// The head of a card: the rule of an inner node (of a multiway one, or where it does not
    /// fit, its feature), the answer of a leaf.
    pub(crate) fn head(&self, id: u32, fits: impl Fn(&str) -> bool) -> String {
        match &self.tree.node_slice()[id as usize].split {
            None => self.answer(id).0,
            Some(split) if matches!(split.rule.test, Test::Each(_)) => self.name(split),
            Some(split) => {
                let name = self.name(split);
                let rules =
                    self.conditions(split, 1).map(|condition| format!("{name} {condition}"));
                first_fit(rules.chain([name.clone()]), fits)
            }
        }
    }

    pub(crate) fn name(&self, split: &Split) -> String {
        isolated(&clean(&self.tree.feature(split).name))
    }

    /// A branch's condition; a cut of many digits is rounded.
    fn condition(&self, split: &Split, branch: u32, shown: usize) -> String {
        let exact = split.rule.condition(self.tree.feature(split), branch, shown);
        match &split.rule.test {
            Test::AtLeast(Value::Float(_)) => short(&exact),
            Test::AtLeast(_)
            | Test::Equals(_)
            | Test::In { .. }
            | Test::Each(_)
            | Test::IsMissing => clean(&exact),
        }
    }

    /// A branch's condition, ever shorter: with fewer levels.
    fn conditions(&self, split: &Split, branch: u32) -> impl Iterator<Item = String> {
        (0..=LABEL_LEVELS).rev().map(move |shown| self.condition(split, branch, shown))
    }

    /// The label of a branch: `>= 2.45`, `in {a, b, +12} or missing`, `missing`; a shorter one
    /// where it does not fit.
    pub(crate) fn label(&self, split: &Split, branch: u32, fits: impl Fn(&str) -> bool) -> String {
        let or = self.or_missing(split, branch);
        let labels = self.conditions(split, branch).map(|condition| {
            format!("{}{or}", condition.strip_prefix("is ").unwrap_or(&condition))
        });
        first_fit(labels, fits)
    }

    /// What holds of the rows in a branch, exactly but for the levels of long sets.
    pub(crate) fn exactly(&self, split: &Split, branch: u32) -> String {
        let condition = split.rule.condition(self.tree.feature(split), branch, EMBEDDED_LEVELS);
        format!("{} {}{}", self.name(split), clean(&condition), self.or_missing(split, branch))
    }

    /// What holds of the rows in a branch, with at most `shown` names of levels.
    pub(crate) fn what(&self, split: &Split, branch: u32, shown: usize) -> String {
        let condition = self.condition(split, branch, shown);
        format!("{} {condition}{}", self.name(split), self.or_missing(split, branch))
    }

    fn or_missing(&self, split: &Split, branch: u32) -> &'static str {
        split.rule.or_missing(self.tree.feature(split), branch)
    }

    pub(crate) fn bar(&self, id: u32, width: f64) -> NodeBar {
        if let (Some(event), Some(share)) = (self.palette.event, self.event_share(id)) {
            let at = |share: f64| width * if self.most > 0.0 { share / self.most } else { 0.0 };
            let (to, base) = (at(share).min(width), at(event.base));
            return NodeBar::Event { to, color: event.color(share), base };
        }
        let Some(mean) = self.tree.mean(id) else {
            return NodeBar::Classes(self.palette.segments(self.tree.class_counts(id), width));
        };
        let deviation = self.tree.node_slice()[id as usize].impurity.sqrt();
        let position = |x: f64| position_between(x, self.range).clamp(0.0, 1.0) * width;
        NodeBar::Mean {
            at: position(mean),
            from: position(mean - deviation),
            to: position(mean + deviation),
        }
    }

    /// All about a node, a line each.
    fn tooltip(&self, shown: &VisibleNode) -> String {
        let tree = self.tree;
        let node = &tree.node_slice()[shown.id as usize];
        let mut lines = vec![format!("node {}: {}", shown.id, self.rows(shown.id))];
        if tree.weight(shown.id) != node.n as f64 {
            lines.push(format!("weight {}", figure(tree.weight(shown.id), 6)));
        }
        if let Some(split) = &node.split {
            let summary = clean(&split.rule.short_summary(tree.feature(split), SHOWN_LEVELS));
            let approximate = if split.approximate { ", approximate" } else { "" };
            lines.push(format!("{summary} (gain {}{approximate})", figure(split.gain, 6)));
            let parts = tree.spec().missing == Missing::Fractional;
            if parts && tree.feature(split).has_missing {
                lines.push("a row without a value goes every way, in parts".to_string());
            }
        }
        if let Some(mean) = tree.mean(shown.id) {
            let deviation = figure(node.impurity.sqrt(), 4);
            lines.push(format!("mean {}, deviation {deviation}", figure(mean, 6)));
        }
        let counts = tree.class_counts(shown.id);
        let mut classes: Vec<usize> = (0..counts.len()).filter(|&c| counts[c] > 0.0).collect();
        classes.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]));
        let own = tree.counts_before_class_weights(shown.id);
        let n: f64 = own.iter().sum();
        for &class in classes.iter().take(TOOLTIP_CLASSES) {
            let name = clean(&tree.schema().class_text(class));
            let mut line = format!("{name}: {} ({})", weight(own[class]), percent(own[class] / n));
            if !tree.schema().class_weights.is_empty() {
                let share = percent(tree.probability(shown.id, class));
                line.push_str(&format!(", {share} weighted"));
            }
            lines.push(line);
        }
        if classes.len() > TOOLTIP_CLASSES {
            lines.push(format!("and {} more classes", classes.len() - TOOLTIP_CLASSES));
        }
        if let Some(f) = shown.folded {
            let (leaves, levels) = (counted(f.leaves, "leaf"), counted(f.depth.into(), "level"));
            lines.push(format!("folded: {}, {leaves}, {levels}", counted(f.nodes, "node")));
        }
        lines.join("\n")
    }
}

/// The first text that fits, or the last.
fn first_fit(texts: impl Iterator<Item = String>, fits: impl Fn(&str) -> bool) -> String {
    let mut last = String::new();
    for text in texts {
        if fits(&text) {
            return text;
        }
        last = text;
    }
    last
}

/// A class count; weights have fractions.
fn weight(x: f64) -> String {
    if x.fract() == 0.0 && x < 1e15 { count(x as u64) } else { figure(x, 6) }
}
