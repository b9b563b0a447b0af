//! A table in plain text. No row or column is left out to fit a screen, and no cell is cut.

use console::measure_text_width;
use polars::prelude::{AnyValue, Column, DataFrame};

use crate::output::json_of;
use crate::process::one_line;

/// Decimals of a figure.
const DECIMALS: usize = 6;

/// A wider cell sticks out of its column: were all others padded to it, a list of ten thousand
/// levels in one row would be paid for in every row.
const WIDEST: usize = 100;

/// The columns of these names, those of them there are, as lines of text.
pub fn table(df: &DataFrame, names: &[&str]) -> String {
    let columns = names.iter().filter_map(|name| df.column(name).ok());
    let columns: Vec<TextColumn> = columns.map(TextColumn::of).collect();
    lines(&columns, df.height())
}

/// All columns.
pub fn whole_table(df: &DataFrame) -> String {
    let columns: Vec<TextColumn> = df.columns().iter().map(TextColumn::of).collect();
    lines(&columns, df.height())
}

/// Counts of each row name by each column name, with a heading for the row names.
pub fn matrix(heading: &str, rows: &[String], columns: &[String], counts: &[u64]) -> String {
    let names = std::iter::once(heading).chain(rows.iter().map(String::as_str));
    let mut all = vec![TextColumn::new(names.map(one_line).collect(), false)];
    for (place, name) in columns.iter().enumerate() {
        let mut lines = vec![one_line(name)];
        let of_column = counts.iter().skip(place).step_by(columns.len());
        lines.extend(of_column.map(ToString::to_string));
        all.push(TextColumn::new(lines, true));
    }
    lines(&all, rows.len())
}

/// A column as text: its name, then its cells.
struct TextColumn {
    lines: Vec<String>,
    width: usize,
    right: bool,
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
        let decimals = if whole && greatest > 1.0 { 0 } else { DECIMALS };
        let mut lines = vec![one_line(column.name())];
        lines.extend(values().map(|value| cell(&value, decimals)));
        TextColumn::new(lines, column.dtype().is_numeric())
    }

    fn new(lines: Vec<String>, right: bool) -> TextColumn {
        let widths = lines.iter().map(|line| measure_text_width(line));
        let width = widths.filter(|&width| width <= WIDEST).max().unwrap_or(0);
        TextColumn { lines, width, right }
    }
}

fn cell(value: &AnyValue, decimals: usize) -> String {
    match (value.get_str(), value) {
        (Some(text), _) => one_line(text),
        (None, AnyValue::Null) => "-".to_string(),
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
        (None, value) => value.to_string(),
    }
}

/// A figure to so many decimals; one too small for them shows that it is not 0.
fn number(x: f64, decimals: usize) -> String {
    if x != 0.0 && x.abs() < 0.5 * 0.1f64.powi(DECIMALS as i32) {
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
