//! The reasons of an answer as text.

use std::fmt;

use super::row::{PathStep, RowReasons};
use crate::data::number_text::digits;
use crate::data::plain_text::{one_line, plain_text};
use crate::tree::rule_text::{SHOWN_LEVELS, shorten_sets};

/// The steps shown at either end of a longer path.
const SHOWN_STEPS: usize = 20;

/// Longer values are cut.
const SHOWN_CHARS: usize = 30;

impl fmt::Display for RowReasons {
    /// The answer, the path with what each step changes, and what would change the answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_answer(f)?;
        writeln!(f)?;
        self.write_path(f)?;
        writeln!(f)?;
        self.write_changes(f)
    }
}

impl RowReasons {
    fn write_answer(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.mean, self.probability) {
            (Some(mean), _) => write!(f, "{}", self.figure_text(mean))?,
            (None, Some(share)) => {
                let class = plain_text(&self.prediction);
                write!(f, "{class} (probability {})", self.figure_text(share))?;
            }
            (None, None) => f.write_str(&plain_text(&self.prediction))?,
        }
        match self.stops {
            true => writeln!(f, ", node {}, which has no branch for its value", self.leaf)?,
            false => writeln!(f, ", leaf {}", self.leaf)?,
        }
        if self.in_parts {
            writeln!(
                f,
                "a value is missing, so the row goes down several branches in parts: the path is that of \
                 the largest"
            )?;
        }
        Ok(())
    }

    fn write_path(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match (self.mean, self.path.last()) {
            (None, Some(last)) => format!("probability of {}", plain_text(&last.prediction)),
            _ => "mean".to_string(),
        };
        let line = |step: &PathStep| {
            let value = match (&step.condition, &step.value) {
                (None, _) => String::new(),
                (Some(_), None) => "missing".to_string(),
                (Some(_), Some(value)) => one_line(value, SHOWN_CHARS),
            };
            let change = step.change.map(|change| self.change_text(change)).unwrap_or_default();
            let condition = step.condition.as_deref().unwrap_or("all rows");
            let condition = short_rule(condition);
            [condition, value, step.n.to_string(), self.figure_text(step.figure), change]
        };
        let headings = ["path", "its value", "rows", &what, "change"].map(str::to_string);
        let hidden = self.path.len().saturating_sub(2 * SHOWN_STEPS);
        let (first, last) = match hidden {
            0 => (self.path.as_slice(), [].as_slice()),
            _ => (&self.path[..SHOWN_STEPS], &self.path[self.path.len() - SHOWN_STEPS..]),
        };
        let mut lines = vec![headings];
        lines.extend(first.iter().map(line));
        if hidden > 0 {
            let more = format!("… {hidden} steps");
            lines.push([more, String::new(), String::new(), String::new(), String::new()]);
        }
        lines.extend(last.iter().map(line));
        write_lines(f, &lines, 2)
    }

    fn write_changes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changes.is_empty() {
            return writeln!(f, "no leaf gives another answer");
        }
        let is_class = self.mean.is_none();
        let (what, figure) = if is_class { ("class", "probability") } else { ("mean", "mean") };
        // A mean has no class beside it.
        let line = |cells: [String; 5]| {
            let mut cells = cells.to_vec();
            if !is_class {
                cells.remove(1);
            }
            cells
        };
        let title = format!("what would change the {what}");
        let mut lines = vec![line([&title, what, figure, "rows", "leaf"].map(String::from))];
        lines.extend(self.changes.iter().map(|change| {
            line([
                short_rule(&change.change),
                one_line(&change.prediction, SHOWN_CHARS),
                self.figure_text(change.figure),
                change.n.to_string(),
                change.leaf.to_string(),
            ])
        }));
        write_lines(f, &lines, if is_class { 2 } else { 1 })
    }

    fn figure_text(&self, figure: f64) -> String {
        match self.mean {
            Some(_) => digits(figure, self.mean_digits),
            None => format!("{figure:.4}"),
        }
    }

    fn change_text(&self, change: f64) -> String {
        let sign = if change < 0.0 { "-" } else { "+" };
        format!("{sign}{}", self.figure_text(change.abs()))
    }
}

/// A rule with few levels of a set named, on one line.
fn short_rule(rule: &str) -> String {
    plain_text(&shorten_sets(rule, SHOWN_LEVELS)).into_owned()
}

/// Lines of cells in columns. The first `left` columns begin at the left.
fn write_lines(
    f: &mut fmt::Formatter<'_>,
    lines: &[impl AsRef<[String]>],
    left: usize,
) -> fmt::Result {
    let width_of = |cell: &String| cell.chars().count();
    let mut widths: Vec<usize> = Vec::new();
    for line in lines.iter().map(AsRef::as_ref) {
        widths.resize(widths.len().max(line.len()), 0);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(width_of(cell));
        }
    }
    for line in lines.iter().map(AsRef::as_ref) {
        let mut text = String::new();
        for (at, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - width_of(cell));
            let parts = if at < left { [cell, gap.as_str()] } else { [gap.as_str(), cell] };
            text.push_str(if at > 0 { "  " } else { "" });
            text.extend(parts);
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    Ok(())
}
