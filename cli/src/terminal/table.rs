//! A table in plain text. No row or column is left out to fit a screen; long texts are cut.

use console::{measure_text_width, truncate_str};
use gaintree::engine::{SHOWN_LEVELS, shorten_sets};
use polars::prelude::{AnyValue, Column, DataFrame};

use super::Terminal;
use crate::output::{json_of, text_of};
use crate::process::one_line;

const DECIMALS: usize = 6;

/// Columns of rules, whose sets of levels are shortened.
const RULES: [&str; 4] = ["rule", "gini_rule", "missing_to", "worst_bin"];
const LEAST_WIDTH: usize = 12;
/// A wider cell sticks out of its column: were all others padded to it, a list of ten thousand
/// levels in one row would be paid for in every row.
const WIDEST: usize = 100;

/// The columns of these names, as far as there are any, as lines of text.
pub fn table(df: &DataFrame, names: &[&str]) -> String {
    lines(&text_columns(df, names), df.height())
}

fn text_columns(df: &DataFrame, names: &[&str]) -> Vec<TextColumn> {
    names.iter().filter_map(|name| df.column(name).ok()).map(TextColumn::of).collect()
}

/// A [`table`] for the terminal that standard output may be: texts are cut to its width.
pub fn fitted_table(df: &DataFrame, names: &[&str]) -> String {
    let Some(terminal) = Terminal::of_standard_output() else { return table(df, names) };
    let mut columns = text_columns(df, names);
    fit(&mut columns, terminal.width);
    terminal.cut(&lines(&columns, df.height()))
}

/// A [`fitted_table`] without some columns, in this order, until the others fit the terminal with
/// their texts cut no shorter than `readable`.
pub fn narrowed_table(
    df: &DataFrame,
    mut names: Vec<&str>,
    left_out: &[&str],
    readable: usize,
) -> String {
    if let Some(terminal) = Terminal::of_standard_output() {
        leave_out(df, &mut names, left_out, [readable, terminal.width]);
    }
    fitted_table(df, &names)
}

/// Leaves out as few columns, in this order, as lets the others fit a width.
fn leave_out(
    df: &DataFrame,
    names: &mut Vec<&str>,
    left_out: &[&str],
    [readable, width]: [usize; 2],
) {
    for name in left_out {
        let taken = |c: &TextColumn| if c.right { c.width } else { c.width.min(readable) } + 2;
        let least: usize = text_columns(df, names).iter().map(taken).sum();
        if least <= width + 2 {
            break;
        }
        names.retain(|other| other != name);
    }
}

pub fn whole_table(df: &DataFrame) -> String {
    fitted_table(df, &names_of(df))
}

pub fn names_of(df: &DataFrame) -> Vec<&str> {
    df.columns().iter().map(|column| column.name().as_str()).collect()
}

/// Cuts the widest columns of text until lines are no wider than this, or all are narrow.
fn fit(columns: &mut [TextColumn], width: usize) {
    loop {
        let taken: usize = columns.iter().map(|column| column.width + 2).sum();
        let texts = columns.iter_mut().filter(|column| !column.right);
        let widest = texts.max_by_key(|column| column.width).filter(|c| c.width > LEAST_WIDTH);
        match widest {
            Some(widest) if taken > width + 2 => {
                widest
                    .cut((widest.width - 1).min(widest.width.saturating_sub((taken - width) / 2)));
            }
            _ => return,
        }
    }
}

/// Lines of cells below headings: the first column to the left, the others to the right.
pub fn cells(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let column = |(at, heading): (usize, &&str)| {
        let cells = rows.iter().map(|row| one_line(&row[at]));
        TextColumn::new([one_line(heading)].into_iter().chain(cells).collect(), at > 0)
    };
    let columns: Vec<TextColumn> = headings.iter().enumerate().map(column).collect();
    lines(&columns, rows.len())
}

struct TextColumn {
    lines: Vec<String>,
    width: usize,
    right: bool,
    /// Whether a text is cut at its front: a rule begins with a feature's name and ends with its cut.
    keeps_end: bool,
}

impl TextColumn {
    fn of(column: &Column) -> TextColumn {
        let values = || (0..column.len()).map(|row| column.get(row).unwrap_or(AnyValue::Null));
        // Counts and weights without fractions are easier to read without decimals.
        let (mut whole, mut greatest) = (true, 0.0f64);
        for x in values().filter(|v| v.is_float()).filter_map(|v| v.extract::<f64>()) {
            whole &= x.fract() == 0.0;
            greatest = greatest.max(x.abs());
        }
        let decimals = if whole && greatest > 1.0 { 0 } else { decimals(column) };
        let mut lines = vec![one_line(column.name())];
        lines.extend(values().map(|value| cell(&value, decimals)));
        let is_rule = RULES.contains(&column.name().as_str());
        if is_rule {
            lines.iter_mut().for_each(|line| *line = shorten_sets(line, SHOWN_LEVELS));
        }
        TextColumn { keeps_end: is_rule, ..TextColumn::new(lines, column.dtype().is_numeric()) }
    }

    fn cut(&mut self, width: usize) {
        self.width = width.max(LEAST_WIDTH);
        for line in &mut self.lines {
            *line = match self.keeps_end {
                true => cut_front(line, self.width),
                false => truncate_str(line, self.width, "…").into_owned(),
            };
        }
    }

    fn new(lines: Vec<String>, right: bool) -> TextColumn {
        let widths = lines.iter().map(|line| measure_text_width(line));
        let width = widths.filter(|&width| width <= WIDEST).max().unwrap_or(0);
        TextColumn { lines, width, right, keeps_end: false }
    }
}

fn cut_front(text: &str, width: usize) -> String {
    if measure_text_width(text) <= width {
        return text.to_string();
    }
    let mut starts = text.char_indices().map(|(at, _)| at).skip(1);
    let end = starts.find(|&at| measure_text_width(&text[at..]) < width);
    format!("…{}", &text[end.unwrap_or(text.len())..])
}

/// The decimals at which figures that differ print differently.
fn decimals(column: &Column) -> usize {
    const SAME: f64 = 1e-6;
    const MOST: usize = 12;
    let Ok(figures) = column.f64() else { return DECIMALS };
    let mut figures: Vec<f64> = figures.iter().flatten().filter(|x| x.is_finite()).collect();
    figures.sort_by(f64::total_cmp);
    let mut decimals = DECIMALS;
    for (a, b) in figures.iter().zip(figures.iter().skip(1)) {
        let differ = b - a > SAME * a.abs().max(b.abs());
        while differ && decimals < MOST && number(*a, decimals) == number(*b, decimals) {
            decimals += 1;
        }
    }
    decimals
}

fn cell(value: &AnyValue, decimals: usize) -> String {
    match (value.get_str(), value) {
        (Some(text), _) => one_line(text),
        (None, AnyValue::Null) => "-".to_string(),
        (None, AnyValue::List(texts))
            if texts.len() > SHOWN_LEVELS && texts.dtype().is_string() =>
        {
            let first = json_of(&AnyValue::List(texts.head(Some(SHOWN_LEVELS)))).to_string();
            format!("{},+{}]", first.trim_end_matches(']'), texts.len() - SHOWN_LEVELS)
        }
        (None, AnyValue::List(_) | AnyValue::Array(..) | AnyValue::Struct(..)) => {
            json_of(value).to_string()
        }
        (None, value) if value.is_float() => {
            number(value.extract::<f64>().unwrap_or(f64::NAN), decimals)
        }
        // Polars groups digits when it prints an integer; `extract` gives it plain.
        (None, value) if value.is_integer() => {
            value.extract::<i128>().map_or_else(|| value.to_string(), |int| int.to_string())
        }
        (None, value) => text_of(value),
    }
}

/// A figure to this many decimals; one too small for them shows that it is not 0.
fn number(x: f64, decimals: usize) -> String {
    if x != 0.0 && x.abs() < 0.5 * 0.1f64.powi(decimals.max(DECIMALS) as i32) {
        format!("{x:.1e}")
    } else {
        format!("{x:.decimals$}")
    }
}

fn lines(columns: &[TextColumn], height: usize) -> String {
    let mut text = String::new();
    for row in 0..=height {
        let mut line = String::new();
        for column in columns {
            let cell = column.lines.get(row).map_or("", String::as_str);
            let gap = " ".repeat(column.width.saturating_sub(measure_text_width(cell)));
            let (before, after) =
                if column.right { (gap.as_str(), "") } else { ("", gap.as_str()) };
            line.extend([before, cell, after, "  "]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::prelude::df;

    #[test]
    fn figures_that_differ_print_differently() {
        let alphas = [0.0, 1.21e-5, 1.23e-5, 0.25, 0.1 + 0.2, 0.3];
        let text = table(&df!["alpha" => alphas].expect("a frame"), &["alpha"]);
        let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.dedup();
        assert_eq!(lines.len(), 6, "{text}");
        assert!(text.contains("0.0000121") && text.contains("0.3000000"), "{text}");
    }

    #[test]
    fn a_narrow_terminal_keeps_what_is_not_left_out() {
        let long = "a_column_with_a_very_long_name";
        let df = df!["name" => [long], "n" => [1_000_000], "gain" => [0.25], "score" => [0.5]];
        let df = df.expect("a frame");
        for (width, kept) in [
            (80, &["name", "n", "gain", "score"][..]),
            (45, &["name", "gain", "score"]),
            (35, &["name", "score"]),
            (10, &["name", "score"]),
        ] {
            let mut names = names_of(&df);
            leave_out(&df, &mut names, &["n", "gain"], [24, width]);
            assert_eq!(names, kept, "{width}");
        }
    }

    #[test]
    fn long_texts_are_cut_to_the_width() {
        let levels: Vec<String> = (0..40).map(|level| format!("level {level}")).collect();
        let rule = format!("x in {{{}}}", levels.join(", "));
        let df = df!["n" => [1, 2], "rule" => [rule.as_str(), "x < 3"], "y" => ["a".repeat(50), "b".into()]];
        let df = df.expect("a frame");
        let whole = table(&df, &["n", "rule", "y"]);
        assert!(whole.contains("level 5, +34}"), "{whole}");
        let mut columns: Vec<TextColumn> = df.columns().iter().map(TextColumn::of).collect();
        fit(&mut columns, 60);
        let text = lines(&columns, 2);
        assert!(text.lines().all(|line| measure_text_width(line) <= 60), "{text}");
        assert!(text.contains("x < 3") && text.contains("level 5, +34}"), "{text}");
        assert!(text.contains("aaaaa…"), "{text}");
    }
}
