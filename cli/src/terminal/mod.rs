//! Results for people: tables, bars, colours, progress.

mod progress;
mod table;
mod tree;

pub use progress::Progress;
pub use table::{cells, fitted_table, names_of, narrowed_table, table, whole_table};

use console::{Term, measure_text_width, truncate_str};

/// A terminal, which can show bars, colours and lines cut to its width.
pub struct Terminal {
    pub width: usize,
    pub colored: bool,
}

impl Terminal {
    /// The terminal that standard output is; `None` where it is something else.
    pub fn of_standard_output() -> Option<Terminal> {
        let term = Term::stdout();
        let width = term.is_term().then(|| usize::from(term.size().1))?;
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let colored = !set("NO_COLOR") && term.features().colors_supported();
        Some(Terminal { width, colored })
    }

    pub fn fits(&self, text: &str) -> bool {
        text.lines().all(|line| measure_text_width(line) <= self.width)
    }

    pub fn cut(&self, text: &str) -> String {
        text.lines().map(|line| format!("{}\n", truncate_str(line, self.width, "…"))).collect()
    }
}

/// A bar of a share of `cells` cells, to an eighth of a cell.
pub fn meter(share: f64, cells: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let eighths = (share * cells as f64 * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::meter;

    #[test]
    fn meters_grow_by_eighths() {
        let bars = [0.0, 0.01, 0.5, 0.99, 1.0, f64::NAN].map(|share| meter(share, 8));
        assert_eq!(bars, ["", "▏", "████", "███████▉", "████████", ""]);
    }
}
