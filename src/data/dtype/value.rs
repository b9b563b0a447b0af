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

impl Value {
    /// The nearest `f64` of a number; NaN for text.
    pub(crate) fn nearest_f64(&self) -> f64 {
        match self {
            Value::Float(x) => *x,
            Value::Int(x) => *x as f64,
            Value::Unsigned(x) => *x as f64,
            Value::Text(_) => f64::NAN,
        }
    }

    /// A number as an `f64` that rounded integers compare with as the integers do; `None` for others.
    pub(crate) fn exact_f64(&self) -> Option<f64> {
        const LIMIT: u128 = 1 << 53;
        match self {
            Value::Int(x) if x.unsigned_abs() >= LIMIT => None,
            Value::Unsigned(x) if *x >= LIMIT => None,
            Value::Text(_) => None,
            Value::Int(_) | Value::Unsigned(_) | Value::Float(_) => Some(self.nearest_f64()),
        }
    }
}
