//! The dtypes of columns, their values, and the order-preserving integer keys of these.

mod compare;
mod cut;
mod drawn_cut;
pub(crate) mod keys;
mod physical;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use keys::{key_after, key_of_value, value_of_key};
pub use keys::{key_of_f16, key_of_f32, key_of_f64, key_of_i64, wide_key_of_u128};
pub(crate) use physical::PhysicalType;

/// The dtype of a column, with the names that Polars uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum DType {
    Null,
    Boolean,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F16,
    F32,
    F64,
    /// A 128-bit integer in units of `10^-scale`.
    Decimal {
        precision: usize,
        scale: usize,
    },
    /// Days since 1970-01-01.
    Date,
    /// Time units since 1970-01-01 (UTC where there is a zone).
    Datetime {
        unit: TimeUnit,
        zone: Option<String>,
    },
    Duration {
        unit: TimeUnit,
    },
    /// Nanoseconds since midnight.
    Time,
    String,
    Categorical,
    /// Text of a fixed set, in declared order.
    Enum {
        categories: Vec<String>,
    },
}

/// The unit of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum TimeUnit {
    #[serde(rename = "ns")]
    Nanoseconds,
    #[serde(rename = "us")]
    Microseconds,
    #[serde(rename = "ms")]
    Milliseconds,
}

impl TimeUnit {
    pub(crate) fn per_second(self) -> i128 {
        match self {
            TimeUnit::Nanoseconds => 1_000_000_000,
            TimeUnit::Microseconds => 1_000_000,
            TimeUnit::Milliseconds => 1_000,
        }
    }

    fn text(self) -> &'static str {
        match self {
            TimeUnit::Nanoseconds => "ns",
            TimeUnit::Microseconds => "μs",
            TimeUnit::Milliseconds => "ms",
        }
    }
}

/// Whether a feature's levels have an order that rules can cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Numbers, dates, times: rules are `x >= cut`.
    Ordered,
    /// Text, categoricals, booleans: rules are on levels.
    Nominal,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Ordered => "ordered",
            Kind::Nominal => "nominal",
        })
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use DType::*;
        match self {
            Boolean => f.write_str("bool"),
            String => f.write_str("str"),
            Categorical => f.write_str("cat"),
            Enum { .. } => f.write_str("enum"),
            Decimal { precision, scale } => write!(f, "decimal[{precision},{scale}]"),
            Datetime { unit, zone: None } => write!(f, "datetime[{}]", unit.text()),
            Datetime { unit, zone: Some(zone) } => write!(f, "datetime[{}, {zone}]", unit.text()),
            Duration { unit } => write!(f, "duration[{}]", unit.text()),
            Null | I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | F16 | F32 | F64
            | Date | Time => write!(f, "{}", format!("{self:?}").to_lowercase()),
        }
    }
}

impl DType {
    /// The kind of a feature of this dtype unless a spec says otherwise.
    pub fn kind(&self) -> Kind {
        use PhysicalType::*;
        match self.physical() {
            Bool | Text => Kind::Nominal,
            I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | F16 | F32 | F64 | Null => {
                Kind::Ordered
            }
        }
    }

    /// Whether the values are plain integers, not decimals, dates or times.
    pub(crate) fn is_integer(&self) -> bool {
        use DType::{I8, I16, I32, I64, I128, U8, U16, U32, U64, U128};
        matches!(self, I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128)
    }

    /// Whether the values are whole numbers: integers, and decimals without decimals.
    pub(crate) fn holds_integers(&self) -> bool {
        self.is_integer() || matches!(self, DType::Decimal { scale: 0, .. })
    }

    /// Whether a target of this dtype may be regressed on.
    pub(crate) fn may_be_number(&self) -> bool {
        self.is_integer() || self.is_float() || matches!(self, DType::Decimal { .. })
    }

    /// Whether the distinct values of a target of this dtype may be classes.
    pub(crate) fn may_be_classes(&self) -> bool {
        self.is_integer() || self.is_text() || matches!(self, DType::Boolean | DType::Null)
    }

    /// Whether a value's key is its integer as an `i64`.
    pub(crate) fn has_i64_keys(&self) -> bool {
        self.is_integer() && !self.is_wide() && *self != DType::U64
    }
}

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
