//! Numbers among the texts of a column of csv or ndjson: what is read as a number, and why a column
//! that looks like one of numbers is nominal.

use std::collections::HashMap;
use std::sync::Arc;

use polars::prelude::{
    Column, DataType, Engine, Expr, LazyFileListReader, LazyJsonLineReader, PlSmallStr,
    PolarsResult, Schema, SchemaRef,
};

use super::file_format::FileFormat;
use super::numerals::Numerals;

/// Columns are looked at further if this many of their first values are numbers.
const FIRST: usize = 100;

#[derive(Default)]
pub(super) struct FoundNumbers {
    /// Why some that look like numbers are text.
    pub notes: Vec<TextNote>,
    /// Columns of numbers with blanks behind them.
    pub padded: Vec<PlSmallStr>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Texts {
    /// Numbers, of this dtype; `padded` if some have blanks behind them.
    Numbers {
        dtype: DataType,
        padded: bool,
    },
    Noted(TextNote),
    Words,
}

/// Why a column is taken as text although it looks like one of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct TextNote {
    pub column: String,
    pub text: String,
}

/// Why a column with texts among its numbers is text; the most frequent texts come first.
fn because_of(texts: &[&str], (n_odd, n_values): (usize, usize), format: FileFormat) -> String {
    const SHOWN: usize = 3;
    let few = &texts[..texts.len().min(SHOWN)];
    let named = few.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    let more = if texts.len() > SHOWN { " and others" } else { "" };
    let remedy = match format.is_csv() {
        true => format!("--null-values {} takes them as missing", few.join(",")),
        false => "write null where a value is missing".to_string(),
    };
    let share = 100.0 * n_odd as f64 / n_values as f64;
    format!(
        "because of {named}{more} among its numbers ({share:.2} % of {n_values} values): {remedy}"
    )
}

fn simplest_flags(ways: &[Numerals]) -> String {
    let is_simplest = |way: &&Numerals| !ways.iter().any(|other| other.is_simpler(**way));
    let simplest = ways.iter().filter(is_simplest).map(|way| way.flags());
    simplest.collect::<Vec<_>>().join(" or ")
}

/// The columns of text in an ndjson file that have values that are numbers there.
pub(super) fn with_numbers(
    mut names: Vec<PlSmallStr>,
    rows: impl FnOnce(SchemaRef) -> PolarsResult<LazyJsonLineReader>,
    schema: &Schema,
) -> PolarsResult<Vec<PlSmallStr>> {
    let mut as_numbers = schema.clone();
    for name in &names {
        as_numbers.insert(name.clone(), DataType::Float64);
    }
    // What is no number is null.
    let rows = rows(Arc::new(as_numbers))?.with_ignore_errors(true).finish()?;
    let counts = names.iter().map(|name| Expr::Column(name.clone()).count());
    let counts = rows.select(counts.collect::<Vec<_>>());
    let counts = counts.collect_with_engine(Engine::Streaming)?.unwrap_single();
    let any = |count: &Column| Ok(count.get(0)?.try_extract::<u64>()? > 0);
    let any = counts.columns().iter().map(any).collect::<PolarsResult<Vec<bool>>>()?;
    let mut any = any.into_iter();
    names.retain(|_| any.next() == Some(true));
    Ok(names)
}

/// Finds out what a column of text in a file of this format holds. In ndjson it has values that are
/// numbers there.
pub(super) fn texts_of(column: &Column, format: FileFormat) -> PolarsResult<Texts> {
    let (mut numbers, mut whole, mut odd, mut n_odd) = (0usize, true, HashMap::new(), 0usize);
    let mut ways = if format.is_csv() { Numerals::COMMON.to_vec() } else { Vec::new() };
    let mut written = None;
    let mut padded = false;
    // Blanks are missing where numbers are read.
    let values = || column.str().map(|texts| texts.iter().flatten().map(str::trim_start));
    for text in values()?.filter(|text| !text.is_empty()) {
        let bare = text.trim_end();
        padded |= bare.len() < text.len();
        let text = if format.is_csv() { bare } else { text };
        ways.retain(|way| way.plain(text).is_some());
        match text.parse::<f64>() {
            Ok(_) => {
                // A column of the word `nan` alone is one of words.
                numbers += usize::from(text.contains(|c: char| c.is_ascii_digit()));
                whole &= text.parse::<i64>().is_ok();
            }
            Err(_) => {
                n_odd += 1;
                written.get_or_insert(text);
                *odd.entry(text).or_insert(0usize) += 1;
            }
        }
        let are_words = n_odd > numbers && n_odd + numbers >= FIRST && ways.is_empty();
        if are_words && format.is_csv() {
            return Ok(Texts::Words);
        }
    }
    let (name, n_values) = (column.name(), n_odd + numbers);
    let noted = |why: &str| {
        let text = format!("column `{name}` is taken as text, each value a level, {why}");
        Texts::Noted(TextNote { column: name.to_string(), text })
    };
    Ok(match (numbers, written) {
        (_, Some(text)) if !ways.is_empty() => {
            let flags = simplest_flags(&ways);
            noted(&format!("such as `{text}`: with {flags} its values are numbers"))
        }
        (0, _) => Texts::Words,
        (_, None) if !format.is_csv() => noted(
            "because some of its numbers are in quotes: write numbers without quotes, and null where a \
             value is missing",
        ),
        (_, None) => Texts::Numbers {
            dtype: if whole { DataType::Int64 } else { DataType::Float64 },
            padded,
        },
        // One in ten may be a code of its own. In csv nothing says that the others are numbers.
        _ if format.is_csv() && n_odd * 10 > n_values => Texts::Words,
        _ => {
            let mut texts: Vec<(&str, usize)> = odd.into_iter().collect();
            texts.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
            let texts: Vec<&str> = texts.into_iter().map(|(text, _)| text.trim_end()).collect();
            noted(&because_of(&texts, (n_odd, n_values), format))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_words() {
        let csv = FileFormat::Csv(b',', None);
        let of = |texts: &[&str]| texts_of(&Column::new("x".into(), texts), csv).expect("texts");
        let numbers = |dtype, padded| Texts::Numbers { dtype, padded };
        assert_eq!(of(&["1", " 2", "  "]), numbers(DataType::Int64, false));
        assert_eq!(of(&["1", "2 ", ""]), numbers(DataType::Int64, true));
        assert_eq!(of(&["1", "nan", "Inf", "+2"]), numbers(DataType::Float64, false));
        assert_eq!(of(&["nan", "inf"]), Texts::Words);
        assert_eq!(of(&["1", "a", "2"]), Texts::Words);
        let mut texts = vec!["7"; 38];
        texts.extend(["NA", "?", "NA"]);
        let note = |texts: &[&str]| match of(texts) {
            Texts::Noted(note) => note.text,
            other => panic!("{other:?}"),
        };
        let odd = note(&texts);
        assert!(odd.contains("`NA`, `?` among its numbers (7.32 % of 41 values)"), "{odd}");
        assert!(odd.contains("--null-values NA,? "), "{odd}");
        for (texts, flags) in [
            (["1,5", "2"], "with --decimal-comma its"),
            (["1,234", "2"], "with --decimal-comma or --thousands , its"),
            (["1,234.5", "12"], "with --thousands , its"),
            (["1.234,5", "12"], "with --decimal-comma --thousands . its"),
            (["1 234", "2"], "with --thousands \" \" its"),
        ] {
            assert!(note(&texts).contains(flags), "{}", note(&texts));
        }
        assert_eq!(of(&["1,5", "2.5"]), Texts::Words);
    }
}
