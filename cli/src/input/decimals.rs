//! Decimals in text, read exactly: no digit is rounded away.

use polars::prelude::{
    Column, DataType, Expr, Field, Int128Chunked, IntoColumn, IntoSeries, NewChunkedArray,
    PolarsResult, UInt32Chunked, polars_err,
};

const DIGITS: usize = 38;

pub(super) fn decimal_of(scale: usize) -> DataType {
    DataType::Decimal(DIGITS, scale)
}

/// The digits after the point that each text needs, as a column. What is no decimal needs none.
pub(super) fn scales(texts: Expr) -> Expr {
    let scales = |column: Column| {
        let scale = |text: &str| Decimal::parse(text).map_or(0, |decimal| decimal.scale as u32);
        let scales = column.str()?.iter().map(|text| text.map(scale));
        Ok(UInt32Chunked::from_iter_options(column.name().clone(), scales).into_column())
    };
    texts.map(scales, |_, field| Ok(Field::new(field.name().clone(), DataType::UInt32)))
}

pub(super) fn decimals(column: &Column, dtype: &DataType, scale: usize) -> PolarsResult<Column> {
    let read = |text: &str| match text.trim() {
        "" => Ok(None),
        // Missing, as among floats.
        text if text.eq_ignore_ascii_case("nan") => Ok(None),
        text => Decimal::parse(text).and_then(|d| d.at(scale)).map(Some).ok_or_else(|| {
            polars_err!(ComputeError: "could not parse `{text}` as dtype `{dtype}` at column '{}'",
                column.name())
        }),
    };
    let values = column.str()?.iter().map(|text| text.map_or(Ok(None), read));
    let values = values.collect::<PolarsResult<Vec<Option<i128>>>>()?;
    let values = Int128Chunked::from_slice_options(column.name().clone(), &values);
    Ok(values.into_decimal_unchecked(DIGITS, scale).into_series().into_column())
}

/// `digits / 10^scale`, with the least scale.
#[derive(Debug, PartialEq)]
struct Decimal {
    digits: i128,
    scale: usize,
}

impl Decimal {
    /// Reads `-12.50` or `1.25e-3`; `None` if it is no decimal, or has more than 38 digits.
    fn parse(text: &str) -> Option<Decimal> {
        let text = text.trim();
        let (number, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, number) = match number.as_bytes().first()? {
            b'-' => (true, &number[1..]),
            b'+' => (false, &number[1..]),
            _ => (false, number),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        if all().next().is_none() || !all().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = all().skip_while(|byte| *byte == b'0').count();
        let zeros = all().rev().take_while(|byte| *byte == b'0').count();
        if significant == 0 {
            return Some(Decimal { digits: 0, scale: 0 });
        }
        let kept = significant - zeros;
        if kept > DIGITS {
            return None;
        }
        let digits = all().skip_while(|byte| *byte == b'0').take(kept);
        let digits = digits.fold(0, |sum: i128, byte| sum * 10 + i128::from(byte - b'0'));
        let digits = if negative { -digits } else { digits };
        // Digits after the point, but for the zeros at the end; below 0 where the number is whole.
        let scale = i64::try_from(fraction.len()).ok()? - i64::try_from(zeros).ok()?;
        let scale = scale - i64::from(exponent);
        let factor = power_of_ten(usize::try_from((-scale).max(0)).ok()?)?;
        let digits = digits.checked_mul(factor)?;
        let fits = |d: &Decimal| d.digits.unsigned_abs() < 10u128.pow(38) && d.scale <= DIGITS;
        Some(Decimal { digits, scale: usize::try_from(scale.max(0)).ok()? }).filter(fits)
    }

    /// The number times `10^scale`, if that is whole and has at most 38 digits.
    fn at(&self, scale: usize) -> Option<i128> {
        let factor = power_of_ten(scale.checked_sub(self.scale)?)?;
        let value = self.digits.checked_mul(factor)?;
        (value.unsigned_abs() < 10u128.pow(38)).then_some(value)
    }
}

fn power_of_ten(power: usize) -> Option<i128> {
    10i128.checked_pow(u32::try_from(power).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_is_kept_and_no_zero_that_says_nothing() {
        for (text, digits, scale) in [
            ("1.009", 1009, 3),
            ("1.00", 1, 0),
            ("-0.50", -5, 1),
            (" +12 ", 12, 0),
            (".25", 25, 2),
            ("7.", 7, 0),
            ("000", 0, 0),
            ("1200", 1200, 0),
            ("1.25e-3", 125, 5),
            ("1.25E3", 1250, 0),
            ("-99999999999999999999999999999999999999", 1 - 10i128.pow(38), 0),
        ] {
            assert_eq!(Decimal::parse(text), Some(Decimal { digits, scale }), "{text}");
        }
        for text in ["", ".", "-", "1,5", "1.2.3", "nan", "1e", "e5", "1e40", "0x1", "--1", "1e-40"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal::parse(&"9".repeat(39)), None);
        assert_eq!(Decimal::parse("1.009").and_then(|d| d.at(2)), None);
        assert_eq!(Decimal::parse("1.5").and_then(|d| d.at(2)), Some(150));
        assert_eq!(Decimal::parse("5").and_then(|d| d.at(38)), None);
    }
}
