//! The tree in DOT, the language of Graphviz.

use std::fmt::Write;

use crate::data::number_text::digits;
use crate::tree::rule_text::shorten_sets;
use crate::tree::{Split, TreeData};

/// The most levels of a set that a label names; it counts the others.
const SHOWN_LEVELS: usize = 3;
/// The width of an edge that all rows take, in points.
const THICKEST: f64 = 8.0;

impl TreeData {
    /// The tree in DOT, folded below `max_depth` (the root is at 0): `dot -Tpdf` draws it.
    /// Edges are as wide as their share of the rows, leaves are rounded, folded subtrees dashed.
    /// Where rows are divided among branches, nodes show their weight.
    ///
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// # use gaintree::prelude::*;
    /// # use polars::prelude::*;
    /// let df = df!["wind" => [8.5, 30.0, 12.0, 28.0], "play" => ["yes", "no", "yes", "no"]]?;
    /// let dot = df.fit_tree("play", &TreeSpec::cart())?.tree.to_dot(u32::MAX);
    /// assert!(dot.contains(r#"0 -> 2 [label=">= 20""#));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_dot(&self, max_depth: u32) -> String {
        let mut text = format!("digraph \"{}\" {{\n", escaped(&self.schema().target));
        text.push_str("  node [shape=box, fontname=\"sans-serif\"];\n");
        text.push_str("  edge [fontname=\"sans-serif\", color=\"#888888\"];\n");
        let (branch_of, shares_rows) = (self.branch_of_parent(), self.shares_rows());
        for (id, node) in self.node_slice().iter().enumerate() {
            if node.depth > max_depth {
                continue;
            }
            let style = match &node.split {
                None => ", style=rounded",
                Some(_) if node.depth == max_depth => ", style=dashed",
                Some(_) => "",
            };
            let label = self.dot_label(id as u32, node.split.as_ref(), shares_rows);
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {id} [label=\"{label}\"{style}];");
            let parent =
                node.parent.and_then(|p| Some((p, self.node_slice()[p as usize].split.as_ref()?)));
            if let Some((parent, split)) = parent {
                let (feature, branch) = (self.feature(split), branch_of[id]);
                let label = split.rule.condition(feature, branch, SHOWN_LEVELS)
                    + split.rule.or_missing(feature, branch);
                let share = self.weight(id as u32) / self.weight(0);
                let _ = writeln!(
                    text,
                    "  {parent} -> {id} [label=\"{}\", penwidth={:.1}];",
                    escaped(&label),
                    (THICKEST * share).max(0.5)
                );
            }
        }
        text.push_str("}\n");
        text
    }

    fn dot_label(&self, id: u32, split: Option<&Split>, shares_rows: bool) -> String {
        let n = self.node_slice()[id as usize].n;
        let answer = match self.mean(id) {
            Some(mean) => digits(mean, self.mean_digits(6)),
            None => {
                let weighted = !self.schema().class_weights.is_empty();
                let of = if weighted { " of the rows" } else { "" };
                format!("{} {}{of}", self.answer_text(id), self.share_text(id))
            }
        };
        let rows = match shares_rows {
            true => format!("weight {}", digits(self.weight(id), 6)),
            false => format!("{n} {}", if n == 1 { "row" } else { "rows" }),
        };
        match split {
            Some(split) => format!(
                "{}\\n{}\\n{rows}, gain {}",
                escaped(&shorten_sets(&split.rule.describe(self.feature(split)), SHOWN_LEVELS)),
                escaped(&answer),
                digits(split.gain, 3)
            ),
            None => format!("{}\\n{rows}", escaped(&answer)),
        }
    }
}

/// A text inside a quoted string of DOT.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
