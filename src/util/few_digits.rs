//! Numbers that print whole, so that what is read off a print says what it stood for.

use std::ops::Range;

/// Polars and the command print six decimals.
const DECIMALS: i32 = 6;
/// The further decimals that tell all floats of such a size apart.
const FINER: i32 = 11;
/// The greatest power of ten that is a float and has only floats below it.
const EXACT_POWER: i32 = 22;

/// The least number of few decimals in a range: of six, or of as many more as the range needs.
/// Numbers that do not print with six decimals have two digits if they are small, and five if they
/// are large. `None` for an empty range, and for one that begins at infinity.
pub(crate) fn few_digits(range: Range<f64>) -> Option<f64> {
    let (start, size) = (range.start, range.start.abs());
    let magnitude = size.log10().floor() as i32;
    let decimals = match size {
        0.0 => DECIMALS,
        _ if size < 5e-7 => 1 - magnitude,
        _ if size > 999_999.0 => 4 - magnitude,
        _ => DECIMALS,
    };
    if !start.is_finite() {
        return None;
    }
    (decimals..=decimals + FINER).find_map(|decimals| {
        let count = (start * 10f64.powi(decimals)).round();
        let numbers = [count, count + 1.0].map(|count| decimal(count, decimals));
        numbers.into_iter().find(|x| range.contains(x))
    })
}

/// The float of `count * 10^-decimals`, as its text is read.
fn decimal(count: f64, decimals: i32) -> f64 {
    match decimals {
        // Both are exact, and a quotient is rounded once (Clinger 1990).
        0..=EXACT_POWER => count / 10f64.powi(decimals),
        _ => format!("{count:.0}e{}", -decimals).parse().unwrap_or(f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_few_digits_are_in_the_range() {
        for (start, end, expected) in [
            (0.0, 1.0, Some(0.0)),
            (0.00034453, 0.0004, Some(0.000345)),
            (0.00034453, 0.00034487, Some(0.0003446)),
            (1.0 / 3.0, f64::INFINITY, Some(0.333334)),
            (-2.0 / 3.0, -0.5, Some(-0.666666)),
            (0.25, 0.26, Some(0.25)),
            (3.2341e-7, 1e-6, Some(3.3e-7)),
            (1_234_567.8, 2e6, Some(1_234_600.0)),
            (1_234_567.8, 1_234_567.9, Some(1_234_567.8)),
            (0.5, 0.5, None),
            (f64::INFINITY, f64::INFINITY, None),
            (1.234e-30, 1.0, Some(1.3e-30)),
            (1.234_567e30, 1e31, Some(1.2346e30)),
        ] {
            assert_eq!(few_digits(start..end), expected, "{start} {end}");
        }
        // Neighbours have no other number between them.
        let third = 1.0f64 / 3.0;
        let found = few_digits(third..third.next_up());
        assert!(found.is_none_or(|x| x == third), "{found:?}");
    }
}
