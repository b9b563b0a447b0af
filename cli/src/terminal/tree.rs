//! A tree in a terminal: each line after a bar of its classes.

use console::{Style, measure_text_width, truncate_str};
use gaintree::Tree;
use gaintree::engine::TextLine;

use super::Terminal;
use crate::process::{Result, one_line};

const CELLS: usize = 10;
/// Okabe & Ito's colours in the palette of 256, for the classes in order.
const COLORS: [u8; 7] = [25, 214, 36, 175, 75, 166, 227];
/// What tells classes apart without colours.
const SHADES: [char; 7] = ['█', '▒', '░', '▓', '▚', '▞', '▪'];
/// The classes past these, together.
const OTHER: (u8, char) = (245, '·');
const MIN_CONDITION: usize = 12;

impl Terminal {
    /// The tree as [`Tree::to_text_about`] draws it, each line after a bar of its classes.
    pub fn tree(&self, tree: &Tree, max_depth: u32, event: Option<&str>) -> Result<String> {
        let n_classes = tree.schema().classes.len();
        let marked = if tree.is_regression() { vec![] } else { heaviest_classes(tree) };
        let names = marked.iter().map(|&class| one_line(&tree.schema().class_text(class)));
        let names = names.enumerate().map(|(at, name)| (Some(at), name));
        let others = (marked.len() < n_classes).then(|| (None, "others".to_string()));
        let legend: Vec<String> = names
            .chain(others)
            .map(|(mark, name)| format!("{} {name}", self.cells(mark, 2)))
            .collect();
        let mut text = format!("{}\n", one_line(&tree.headline()));
        for remark in tree.remarks() {
            text.push_str(&format!("{}\n", one_line(&remark)));
        }
        if !legend.is_empty() {
            text.push_str(&format!("{}\n", legend.join("   ")));
        }
        for line in tree.text_lines(max_depth, event)? {
            let shares: Vec<f64> =
                marked.iter().map(|&class| tree.probability(line.node, class)).collect();
            text.push_str(&self.line(&shares, &line));
            text.push('\n');
        }
        let folded = tree.node_slice().iter().filter(|node| node.depth > max_depth).count();
        if folded > 0 {
            text.push_str(&format!("… {folded} nodes below depth {max_depth} are folded\n"));
        }
        Ok(self.cut(&text))
    }

    /// A node's line. Where it is too long the condition is cut, so that the answer shows.
    fn line(&self, shares: &[f64], line: &TextLine) -> String {
        let bar = if shares.is_empty() { String::new() } else { self.bar(shares) };
        let (what, answer) = (one_line(&line.what), one_line(&line.answer));
        let others = [bar.as_str(), &line.rails, ": ", &answer];
        let taken: usize = others.iter().map(|part| measure_text_width(part)).sum();
        let space = self.width.saturating_sub(taken).max(MIN_CONDITION);
        let what = truncate_str(&what, space, "…");
        format!("{bar}{}{what}: {answer}", line.rails)
    }

    /// The shares of the marked classes, then of all others.
    fn bar(&self, shares: &[f64]) -> String {
        let others = 1.0 - shares.iter().sum::<f64>();
        let marks = (0..shares.len()).map(Some).chain([None]);
        let (mut bar, mut done, mut sum) = (String::new(), 0, 0.0);
        for (mark, share) in marks.zip(shares.iter().chain([&others])) {
            sum += share;
            let end = ((sum * CELLS as f64).round() as usize).min(CELLS);
            bar.push_str(&self.cells(mark, end.saturating_sub(done)));
            done = done.max(end);
        }
        bar + " "
    }

    fn cells(&self, mark: Option<usize>, n: usize) -> String {
        let (color, shade) = mark.map_or(OTHER, |at| (COLORS[at], SHADES[at]));
        match self.colored {
            true if n == 0 => String::new(),
            true => {
                let style = Style::new().color256(color).force_styling(true);
                style.apply_to("█".repeat(n)).to_string()
            }
            false => shade.to_string().repeat(n),
        }
    }
}

/// The classes that have a mark of their own, in class order: the heaviest, if they are many.
fn heaviest_classes(tree: &Tree) -> Vec<usize> {
    let mut classes: Vec<usize> = (0..tree.schema().classes.len()).collect();
    let weights = tree.class_counts(0);
    classes.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    classes.truncate(COLORS.len());
    classes.sort_unstable();
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaintree::{TreeSpec, fit_tree};
    use polars::prelude::*;

    fn tree() -> Tree {
        let name = "a_feature_with_a_name_that_is_far_too_long_for_a_narrow_terminal";
        let df = df![name => [1, 2, 3, 4, 5, 6, 7, 8], "y" => ["は", "は", "は", "q", "q", "q", "q", "q"]];
        fit_tree(&df.expect("a frame"), "y", &TreeSpec::cart()).expect("a tree").tree
    }

    #[test]
    fn lines_are_no_wider_than_the_screen() {
        for width in [1, 10, 40, 60, 200] {
            for colored in [false, true] {
                let text = Terminal { width, colored }.tree(&tree(), 20, None).expect("text");
                assert!(text.lines().all(|line| measure_text_width(line) <= width), "{text}");
                assert_eq!(text.contains('\u{1b}'), colored, "{text}");
            }
        }
    }

    #[test]
    fn what_is_cut_is_the_condition() {
        let text = Terminal { width: 60, colored: false }.tree(&tree(), 20, None).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        // Both texts are in order of class: q has no dark cells in the last leaf's bar.
        assert!(lines[2].starts_with("██████▒▒▒▒ all rows: q (62.5 % of 8)"), "{text}");
        assert!(lines[3].starts_with("▒▒▒▒▒▒▒▒▒▒ ├─ a_feature_with"), "{text}");
        assert!(lines[3].ends_with("…: は (100.0 % of 3)"), "{text}");
        assert_eq!(lines.len(), 5);
    }
}
