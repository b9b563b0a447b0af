//! The tree as indented text.

use std::fmt::{self, Write};

use crate::tree::{Split, Tree};

/// How deep [`Tree`]'s `Display` draws before it folds.
const SHOWN_DEPTH: u32 = 20;

impl fmt::Display for Tree {
    /// The tree as [`to_text`](Tree::to_text) draws it to a depth of 20.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draw(f, SHOWN_DEPTH)
    }
}

impl Tree {
    /// The tree as indented text, folded below `max_depth`: a line a node, with what holds of
    /// its rows, its class, the class's share and the rows.
    pub fn to_text(&self, max_depth: u32) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = self.draw(&mut text, max_depth);
        text
    }

    fn draw(&self, out: &mut impl Write, max_depth: u32) -> fmt::Result {
        writeln!(
            out,
            "{} tree of `{}`: {} nodes, {} leaves, depth {}",
            self.spec().algorithm.name(),
            self.schema().target,
            self.n_nodes(),
            self.n_leaves(),
            self.depth()
        )?;
        let branch_of = self.branch_of_parent();
        // The rails left of a node of each depth; preorder keeps those of its ancestors.
        let mut rails = vec![String::new()];
        let mut folded = 0;
        for (id, node) in self.node_slice().iter().enumerate() {
            if node.depth > max_depth {
                folded += 1;
                continue;
            }
            let depth = node.depth as usize;
            let parent = node.parent.and_then(|p| self.node_slice()[p as usize].split.as_ref());
            rails.truncate(depth + 1);
            let below = match parent {
                None => {
                    out.write_str("all rows")?;
                    String::new()
                }
                Some(split) => {
                    let last = branch_of[id] as usize + 1 == split.branches.len();
                    let what = split.rule.describe_branch(self.feature(split), branch_of[id]);
                    write!(out, "{}{} {what}", rails[depth], if last { "└─" } else { "├─" })?;
                    format!("{}{}", rails[depth], if last { "   " } else { "│  " })
                }
            };
            rails.push(below);
            self.answer(out, id as u32, node.split.as_ref().filter(|_| node.depth == max_depth))?;
        }
        if folded > 0 {
            writeln!(out, "… {folded} nodes below depth {max_depth} are folded")?;
        }
        Ok(())
    }

    fn answer(&self, out: &mut impl Write, node: u32, fold: Option<&Split>) -> fmt::Result {
        let n = self.node_slice()[node as usize].n;
        if self.is_regression() {
            let spread = self.node_slice()[node as usize].impurity.sqrt();
            let mean = self.mean(node).unwrap_or(f64::NAN);
            write!(out, ": {} (± {} of {n})", digits(mean, 6), digits(spread, 3))?;
        } else {
            let share = 100.0 * self.probability(node, self.majority(node));
            write!(out, ": {} ({share:.1} % of {n})", self.answer_text(node))?;
        }
        let approximate =
            self.node_slice()[node as usize].split.as_ref().is_some_and(|s| s.approximate);
        writeln!(
            out,
            "{}{}",
            if approximate { " (approximate)" } else { "" },
            if fold.is_some() { " …" } else { "" }
        )
    }
}

/// A number to so many significant digits: more would claim what it does not know.
pub(super) fn digits(x: f64, n: usize) -> String {
    let text = format!("{x:.*e}", n - 1);
    text.parse::<f64>().map_or(text, |x| x.to_string())
}
