//! Numbers among the texts of a csv column: what is read as a number, and the odd text that makes a
//! column of numbers nominal.

use std::collections::HashMap;

use polars::prelude::{Column, DataType, PolarsResult};

/// Columns are looked at further if so many of their first values are numbers.
const FIRST: usize = 100;

/// What the values of a column of text are.
#[derive(Debug, PartialEq)]
pub(super) enum Texts {
    /// Numbers, of this dtype.
    Numbers(DataType),
    /// Numbers, but for a few.
    Odd(OddTexts),
    Words,
}

/// The texts that stand among numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct OddTexts {
    column: String,
    /// The most frequent first.
    texts: Vec<String>,
    n: usize,
    n_values: usize,
}

impl OddTexts {
    pub fn column(&self) -> &str {
        &self.column
    }

    pub fn note(&self) -> String {
        const SHOWN: usize = 3;
        let few = &self.texts[..self.texts.len().min(SHOWN)];
        let named = few.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
        let more = if self.texts.len() > SHOWN { " and others" } else { "" };
        format!(
            "column `{}` is taken as text, each value a level, for {named}{more} among its numbers \
             ({:.2} % of {} values): --null-values {} takes them as missing",
            self.column,
            100.0 * self.n as f64 / self.n_values as f64,
            self.n_values,
            few.join(",")
        )
    }
}

/// Finds out what a column of text holds.
pub(super) fn texts_of(column: &Column) -> PolarsResult<Texts> {
    let (mut numbers, mut whole, mut odd, mut n_odd) = (0usize, true, HashMap::new(), 0usize);
    // Blanks are missing where numbers are read.
    let values = || column.str().map(|texts| texts.iter().flatten().map(str::trim_start));
    for text in values()?.filter(|text| !text.is_empty()) {
        match text.parse::<f64>() {
            Ok(_) => {
                // A column of the word `nan` alone is one of words.
                numbers += usize::from(text.contains(|c: char| c.is_ascii_digit()));
                whole &= text.parse::<i64>().is_ok();
            }
            Err(_) => {
                n_odd += 1;
                *odd.entry(text).or_insert(0usize) += 1;
            }
        }
        if n_odd > numbers && n_odd + numbers >= FIRST {
            return Ok(Texts::Words);
        }
    }
    Ok(match (numbers, n_odd) {
        (0, _) => Texts::Words,
        (_, 0) => Texts::Numbers(if whole { DataType::Int64 } else { DataType::Float64 }),
        // One in ten may be a code of its own.
        _ if n_odd * 10 > n_odd + numbers => Texts::Words,
        _ => {
            let mut texts: Vec<(&str, usize)> = odd.into_iter().collect();
            texts.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
            Texts::Odd(OddTexts {
                column: column.name().to_string(),
                texts: texts.into_iter().map(|(text, _)| text.trim_end().to_string()).collect(),
                n: n_odd,
                n_values: n_odd + numbers,
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_words() {
        let of = |texts: &[&str]| texts_of(&Column::new("x".into(), texts)).expect("texts");
        assert_eq!(of(&["1", " 2", "  "]), Texts::Numbers(DataType::Int64));
        assert_eq!(of(&["1", "nan", "Inf", "+2"]), Texts::Numbers(DataType::Float64));
        assert_eq!(of(&["nan", "inf"]), Texts::Words);
        assert_eq!(of(&["1", "a", "2"]), Texts::Words);
        let mut texts = vec!["7"; 38];
        texts.extend(["NA", "?", "NA"]);
        let Texts::Odd(odd) = of(&texts) else { panic!("{:?}", of(&texts)) };
        assert_eq!(
            (odd.texts.clone(), odd.n, odd.n_values),
            (vec!["NA".into(), "?".into()], 3, 41)
        );
        assert!(odd.note().contains("7.32 % of 41 values"), "{}", odd.note());
        assert!(odd.note().contains("--null-values NA,? "), "{}", odd.note());
    }
}
