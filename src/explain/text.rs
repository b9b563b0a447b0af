//! The tree as indented text.

use std::fmt::{self, Write};

use crate::data::number_text::digits;
use crate::data::plain_text::plain_text;
use crate::data::target::rarer_class;
use crate::error::Result;
use crate::tree::rule_text::SHOWN_LEVELS;
use crate::tree::{Schema, TreeData};

/// The depth to which `Display` draws a tree.
const SHOWN_DEPTH: u32 = 20;

impl fmt::Display for TreeData {
    /// The tree as [`to_text`](TreeData::to_text) draws it to a depth of 20.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draw(f, SHOWN_DEPTH, self.rare_class())
    }
}

/// Classes whose weights are named.
const NAMED_CLASSES: usize = 6;

/// The most that a rare class has of all rows. The rounded share of the other class says little of it.
const RARE: f64 = 0.1;

impl TreeData {
    /// Whether a row was divided among branches, so that the nodes' weights add up and their rows
    /// do not.
    pub fn shares_rows(&self) -> bool {
        self.node_slice().iter().any(|node| {
            let branches = node.split.iter().flat_map(|split| &split.branches);
            let below: u64 = branches.map(|&branch| self.node_slice()[branch as usize].n).sum();
            node.split.is_some() && below != node.n
        })
    }

    /// What to know of the answers, lines under the headline: that rows are shared out among branches,
    /// and what weighs them.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.shares_rows() {
            remarks.push(
                "a row without the value that is asked for goes down every branch in part; `of` is \
                 a weight"
                    .to_string(),
            );
        }
        if let Some(weight) = &self.spec().weight {
            remarks.push(format!("answers are weighted by `{weight}`"));
        }
        let Schema { class_weights, .. } = self.schema();
        if !class_weights.is_empty() {
            let each = class_weights.iter().enumerate().take(NAMED_CLASSES);
            let mut of_class: Vec<String> = each
                .map(|(class, weight)| {
                    format!("{} × {}", self.schema().class_text(class), digits(*weight, 4))
                })
                .collect();
            if class_weights.len() > NAMED_CLASSES {
                of_class.push(format!("{} more", class_weights.len() - NAMED_CLASSES));
            }
            remarks.push(format!(
                "answers are weighted by class ({}): beside a weighted share stands the rows' own",
                of_class.join(", ")
            ));
        }
        remarks.iter().map(|remark| plain_text(remark).into_owned()).collect()
    }

    /// The share of a node's class: `62.5 %`, or `50.0 % weighted, 1.6 %` of the rows themselves where
    /// they are weighted by class.
    pub(crate) fn share_text(&self, node: u32) -> String {
        let class = self.majority(node);
        let share = 100.0 * self.probability(node, class);
        if self.schema().class_weights.is_empty() {
            return format!("{share:.1} %");
        }
        let counts = self.counts_before_class_weights(node);
        let own = 100.0 * counts[class] / counts.iter().sum::<f64>();
        format!("{share:.1} % weighted, {own:.1} %")
    }

    /// The share of an event in a node that predicts another class, by the rows' own weights: `,
    /// yes 1.6 %`; nothing where the node predicts it.
    fn beside_text(&self, node: u32, event: usize) -> String {
        if self.majority(node) == event {
            return String::new();
        }
        let counts = self.counts_before_class_weights(node);
        let share = 100.0 * counts[event] / counts.iter().sum::<f64>();
        let share = match share {
            // One decimal would leave no digits.
            s if s > 0.0 && s < 1.0 => digits(s, 2),
            s => format!("{s:.1}"),
        };
        format!(", {} {share} %", self.schema().class_text(event))
    }

    /// The tree as indented text, folded below `max_depth`: one line per node, with its condition,
    /// its class, the class's share and its rows (the weight of them, where rows without a value go
    /// down several branches). The rows' own share stands beside a share that is weighted by class.
    /// If one of two classes has at most a tenth of the rows, nodes that predict the other class
    /// show its share too.
    pub fn to_text(&self, max_depth: u32) -> String {
        self.text(max_depth, self.rare_class())
    }

    /// As [`to_text`](Self::to_text). If an `event` is named, each node that predicts another class shows
    /// the share of the event, whether it is rare or not.
    ///
    /// # Errors
    /// An event that is no class of the target.
    pub fn to_text_about(&self, max_depth: u32, event: Option<&str>) -> Result<String> {
        Ok(self.text(max_depth, self.shown_event(event)?))
    }

    /// The lines of [`to_text_about`](Self::to_text_about) in parts, to be laid out in another way.
    ///
    /// # Errors
    /// An event that is no class of the target.
    pub fn text_lines(&self, max_depth: u32, event: Option<&str>) -> Result<Vec<TextLine>> {
        Ok(self.lines(max_depth, self.shown_event(event)?).collect())
    }

    /// The event that is named, or else a rare class.
    fn shown_event(&self, named: Option<&str>) -> Result<Option<usize>> {
        match named {
            Some(event) => self.schema().class_of_event(event).map(Some),
            None => Ok(self.rare_class()),
        }
    }

    /// The rarer of two classes, if it is rare.
    fn rare_class(&self) -> Option<usize> {
        let totals = self.class_totals();
        let all: f64 = totals.iter().sum();
        rarer_class(&totals).filter(|&class| totals[class] <= RARE * all)
    }

    fn text(&self, max_depth: u32, event: Option<usize>) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = self.draw(&mut text, max_depth, event);
        text
    }

    /// The line over the tree: `CART tree of `species`: 9 nodes, 5 leaves, depth 3`.
    pub fn headline(&self) -> String {
        let (name, target) = (self.spec().algorithm.name(), plain_text(&self.schema().target));
        match (self.n_nodes(), self.n_leaves(), self.depth()) {
            (1, ..) => format!("{name} tree of `{target}`: 1 node, which is a leaf"),
            (nodes, leaves, depth) => {
                format!("{name} tree of `{target}`: {nodes} nodes, {leaves} leaves, depth {depth}")
            }
        }
    }

    fn draw(&self, out: &mut impl Write, max_depth: u32, event: Option<usize>) -> fmt::Result {
        writeln!(out, "{}", self.headline())?;
        self.remarks().iter().try_for_each(|remark| writeln!(out, "{remark}"))?;
        self.lines(max_depth, event).try_for_each(|line| writeln!(out, "{line}"))?;
        let folded = self.node_slice().iter().filter(|node| node.depth > max_depth).count();
        if folded > 0 {
            writeln!(out, "… {folded} nodes below depth {max_depth} are folded")?;
        }
        Ok(())
    }

    fn lines(&self, max_depth: u32, event: Option<usize>) -> impl Iterator<Item = TextLine> {
        let (branch_of, shares_rows) = (self.branch_of_parent(), self.shares_rows());
        // The rails left of a node at each depth: preorder has its ancestors' at hand.
        let mut rails = vec![String::new()];
        let nodes = (0u32..).zip(self.node_slice());
        nodes.filter(move |(_, node)| node.depth <= max_depth).map(move |(id, node)| {
            let depth = node.depth as usize;
            let parent = node.parent.and_then(|p| self.node_slice()[p as usize].split.as_ref());
            rails.truncate(depth + 1);
            let (own, below, what) = match parent {
                None => (String::new(), String::new(), "all rows".to_string()),
                Some(split) => {
                    let (feature, branch) = (self.feature(split), branch_of[id as usize]);
                    let last = branch as usize + 1 == split.branches.len();
                    let condition = split.rule.condition(feature, branch, SHOWN_LEVELS);
                    let missing = split.rule.or_missing(feature, branch);
                    let what = format!("{} {condition}{missing}", feature.name);
                    let (own, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                    (format!("{}{own}", rails[depth]), format!("{}{below}", rails[depth]), what)
                }
            };
            rails.push(below);
            let is_folded = node.depth == max_depth && node.split.is_some();
            let answer =
                self.text_answer(id, event, shares_rows) + if is_folded { " …" } else { "" };
            let [what, answer] = [what, answer].map(|text| plain_text(&text).into_owned());
            TextLine { node: id, rails: own, what, answer }
        })
    }

    /// How many digits of a mean tell the nodes apart, but `least` of them: down to a thousandth of
    /// the deviation of all rows.
    pub(crate) fn mean_digits(&self, least: usize) -> usize {
        let root = (self.mean(0), self.node_slice().first().map(|node| node.impurity.sqrt()));
        let (Some(mean), Some(deviation)) = root else { return least };
        let digits = (mean.abs() / deviation).log10().ceil() + 3.0;
        // A float has 17; without a deviation this is infinite, or no number.
        if digits.is_finite() { least.max(digits.min(17.0) as usize) } else { least }
    }

    fn text_answer(&self, node: u32, event: Option<usize>, shares_rows: bool) -> String {
        let n = match shares_rows {
            true if self.is_regression() => digits(self.weight(node), 6),
            true => digits(self.counts_before_class_weights(node).iter().sum(), 6),
            false => self.node_slice()[node as usize].n.to_string(),
        };
        let answer = match self.mean(node) {
            Some(mean) => {
                let deviation = self.node_slice()[node as usize].impurity.sqrt();
                format!("{} (± {} of {n})", digits(mean, self.mean_digits(6)), digits(deviation, 3))
            }
            None => {
                let beside = event.map(|event| self.beside_text(node, event)).unwrap_or_default();
                format!("{} ({} of {n}{beside})", self.answer_text(node), self.share_text(node))
            }
        };
        let approximate =
            self.node_slice()[node as usize].split.as_ref().is_some_and(|s| s.approximate);
        let approximate = if approximate { " (approximate)" } else { "" };
        format!("{answer}{approximate}")
    }
}

/// One node as a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLine {
    /// The node's id.
    pub node: u32,
    /// The tree lines left of it.
    pub rails: String,
    /// The condition on its branch.
    pub what: String,
    /// Its prediction with its share or deviation, and its rows.
    pub answer: String,
}

impl fmt::Display for TextLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}: {}", self.rails, self.what, self.answer)
    }
}
