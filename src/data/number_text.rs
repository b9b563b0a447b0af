//! Numbers as text.

/// A number to `n` significant digits.
pub(crate) fn digits(x: f64, n: usize) -> String {
    let text = format!("{x:.*e}", n - 1);
    text.parse::<f64>().map_or(text, |x| x.to_string())
}
