//! What a terminal can show that a pipe should not hold: bars, colours, lines cut to its width.

use console::{Style, Term, measure_text_width, truncate_str};
use gaintree::Tree;
use gaintree::engine::TextLine;

use crate::failure::one_line;

/// ColumnData of a bar.
const CELLS: usize = 10;
/// Okabe & Ito's colours in the palette of 256, for the classes in order.
const COLORS: [u8; 7] = [25, 214, 36, 175, 75, 166, 227];
/// What tells classes apart without colours.
const SHADES: [char; 7] = ['█', '▒', '░', '▓', '▚', '▞', '▪'];
/// Classes past these, together.
const OTHER: (u8, char) = (245, '·');
/// A condition is not cut below this.
const LEAST: usize = 12;

/// A terminal.
pub struct Screen {
    pub width: usize,
    pub colored: bool,
}

impl Screen {
    /// The terminal that standard output is; `None` where it is something else.
    pub fn of_standard_output() -> Option<Screen> {
        let term = Term::stdout();
        let width = term.is_term().then(|| usize::from(term.size().1))?;
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let colored = !set("NO_COLOR") && term.features().colors_supported();
        Some(Screen { width, colored })
    }

    /// Whether no line of a text is too long.
    pub fn holds(&self, text: &str) -> bool {
        text.lines().all(|line| measure_text_width(line) <= self.width)
    }

    /// The lines of a text, cut to the width.
    pub fn cut(&self, text: &str) -> String {
        text.lines().map(|line| format!("{}\n", truncate_str(line, self.width, "…"))).collect()
    }

    /// The tree as [`Tree::to_text`] draws it, each line after a bar of its classes.
    pub fn tree(&self, tree: &Tree, max_depth: u32) -> String {
        let classes = Classes::of(tree);
        let mut text = format!("{}\n{}", one_line(&tree.headline()), self.legend(tree, &classes));
        for line in tree.text_lines(max_depth) {
            text.push_str(&self.line(tree, &classes, &line));
            text.push('\n');
        }
        let folded = tree.node_slice().iter().filter(|node| node.depth > max_depth).count();
        if folded > 0 {
            text.push_str(&format!("… {folded} nodes below depth {max_depth} are folded\n"));
        }
        self.cut(&text)
    }

    fn legend(&self, tree: &Tree, classes: &Classes) -> String {
        if tree.is_regression() {
            return String::new();
        }
        let name = |&class: &usize| {
            format!(
                "{} {}",
                self.cells(classes, class, 2),
                one_line(&tree.schema().class_text(class))
            )
        };
        let mut names: Vec<String> = classes.marked.iter().map(name).collect();
        if classes.marked.len() < tree.schema().classes.len() {
            names.push(format!("{} others", self.cells(classes, usize::MAX, 2)));
        }
        format!("{}\n", names.join("   "))
    }

    /// A node's line. What is too long is the condition: the answer is seen to its end.
    fn line(&self, tree: &Tree, classes: &Classes, line: &TextLine) -> String {
        let bar =
            if tree.is_regression() { String::new() } else { self.bar(tree, classes, line.node) };
        let (what, answer) = (one_line(&line.what), one_line(&line.answer));
        let others = [bar.as_str(), &line.rails, ": ", &answer];
        let taken: usize = others.iter().map(|part| measure_text_width(part)).sum();
        let room = self.width.saturating_sub(taken).max(LEAST);
        let what = truncate_str(&what, room, "…");
        format!("{bar}{}{what}: {answer}", line.rails)
    }

    /// The shares of a node's classes.
    fn bar(&self, tree: &Tree, classes: &Classes, node: u32) -> String {
        let share = |class: usize| tree.probability(node, class);
        let mut bar = String::new();
        let (mut done, mut sum) = (0, 0.0);
        let mut fill = |class: usize, share: f64| {
            sum += share;
            let end = (sum * CELLS as f64).round() as usize;
            let n = end.min(CELLS).saturating_sub(done);
            done += n;
            bar.push_str(&self.cells(classes, class, n));
        };
        classes.marked.iter().for_each(|&class| fill(class, share(class)));
        let marked: f64 = classes.marked.iter().map(|&class| share(class)).sum();
        fill(usize::MAX, 1.0 - marked);
        bar + " "
    }

    fn cells(&self, classes: &Classes, class: usize, n: usize) -> String {
        let at = classes.marked.iter().position(|&c| c == class);
        let (color, shade) = at.map_or(OTHER, |at| (COLORS[at], SHADES[at]));
        match self.colored {
            true if n == 0 => String::new(),
            true => {
                let style = Style::new().color256(color).force_styling(true);
                style.apply_to("█".repeat(n)).to_string()
            }
            false => String::from_iter(std::iter::repeat_n(shade, n)),
        }
    }
}

/// The classes that have a mark of their own, in class order: the heaviest, if they are many.
struct Classes {
    marked: Vec<usize>,
}

impl Classes {
    fn of(tree: &Tree) -> Classes {
        let mut marked: Vec<usize> = (0..tree.schema().classes.len()).collect();
        let weights = tree.class_counts(0);
        marked.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        marked.truncate(COLORS.len());
        marked.sort_unstable();
        Classes { marked }
    }
}

/// A bar of a share of so many cells, to an eighth of one.
pub fn meter(share: f64, cells: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let eighths = (share * cells as f64 * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
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
                let text = Screen { width, colored }.tree(&tree(), 20);
                assert!(text.lines().all(|line| measure_text_width(line) <= width), "{text}");
                assert_eq!(text.contains('\u{1b}'), colored, "{text}");
            }
        }
    }

    #[test]
    fn what_is_cut_is_the_condition() {
        let text = Screen { width: 60, colored: false }.tree(&tree(), 20);
        let lines: Vec<&str> = text.lines().collect();
        // Both texts are in order of class: q has no dark cells in the last leaf's bar.
        assert!(lines[2].starts_with("██████▒▒▒▒ all rows: q (62.5 % of 8)"), "{text}");
        assert!(lines[3].starts_with("▒▒▒▒▒▒▒▒▒▒ ├─ a_feature_with"), "{text}");
        assert!(lines[3].ends_with("…: は (100.0 % of 3)"), "{text}");
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn meters_grow_by_eighths() {
        let bars = [0.0, 0.01, 0.5, 0.99, 1.0, f64::NAN].map(|share| meter(share, 8));
        assert_eq!(bars, ["", "▏", "████", "███████▉", "████████", ""]);
    }
}
