//! One value of a column.

/// One value of a feature, in its own width and unit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A float of any width (a narrower one is held exactly).
    Float(f64),
    /// An integer, or the integer behind a decimal, a date or a time.
    Int(i128),
    /// A `u128`.
    Unsigned(u128),
    /// Text of any sort, and `true` or `false`.
    Text(String),
}
