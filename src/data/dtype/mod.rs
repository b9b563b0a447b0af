//! The dtypes of columns, and the order-preserving integer keys their values become.
//!
//! A key orders as its value does, so that sorting, ranking, halving an interval and comparing
//! with a cut are all done on integers and nothing of integer kind passes through a float.

use std::fmt;

use half::f16;
use serde::{Deserialize, Serialize};

/// The dtype of a column, by the names Polars gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)] // the variants say it
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
    /// A 128-bit integer counted in units of `10^-scale`.
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
    /// Units in a second.
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

/// Whether a feature's levels have an order the tree may cut.
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
        f.write_str(match self {
            DType::Null => "null",
            DType::Boolean => "bool",
            DType::I8 => "i8",
            DType::I16 => "i16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::I128 => "i128",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::U64 => "u64",
            DType::U128 => "u128",
            DType::F16 => "f16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::Decimal { precision, scale } => {
                return write!(f, "decimal[{precision},{scale}]");
            }
            DType::Date => "date",
            DType::Datetime { unit, zone: None } => return write!(f, "datetime[{}]", unit.text()),
            DType::Datetime { unit, zone: Some(zone) } => {
                return write!(f, "datetime[{}, {zone}]", unit.text());
            }
            DType::Duration { unit } => return write!(f, "duration[{}]", unit.text()),
            DType::Time => "time",
            DType::String => "str",
            DType::Categorical => "cat",
            DType::Enum { .. } => "enum",
        })
    }
}

impl DType {
    /// The kind of a feature of this dtype unless a spec says otherwise.
    pub fn kind(&self) -> Kind {
        match self {
            DType::Boolean | DType::String | DType::Categorical | DType::Enum { .. } => {
                Kind::Nominal
            }
            _ => Kind::Ordered,
        }
    }

    /// Text of any sort: these are interchangeable where their texts are equal.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, DType::String | DType::Categorical | DType::Enum { .. })
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self, DType::F16 | DType::F32 | DType::F64)
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(
            self,
            DType::I8
                | DType::I16
                | DType::I32
                | DType::I64
                | DType::I128
                | DType::U8
                | DType::U16
                | DType::U32
                | DType::U64
                | DType::U128
        )
    }

    /// Whether a target of this dtype may be regressed on.
    pub(crate) fn may_be_number(&self) -> bool {
        self.is_integer() || self.is_float() || matches!(self, DType::Decimal { .. })
    }

    /// Whether the distinct values may stand for classes.
    pub(crate) fn may_be_classes(&self) -> bool {
        self.is_integer() || self.is_text() || matches!(self, DType::Boolean | DType::Null)
    }

    /// Whether keys of this dtype need 128 bits.
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self, DType::I128 | DType::U128 | DType::Decimal { .. })
    }

    /// Whether keys of this dtype are those of the value as an `i64`.
    pub(crate) fn has_i64_keys(&self) -> bool {
        self.is_integer() && !self.is_wide() && *self != DType::U64
    }

    /// Whether a column of dtype `other` can be scored where this one was fitted.
    pub(crate) fn accepts(&self, other: &DType) -> bool {
        match (self, other) {
            (_, DType::Null) => true,
            (a, b) if a.is_integer() && b.is_integer() => true,
            (a, b) if a.is_text() && b.is_text() => true,
            (DType::F64, DType::F32 | DType::F16) | (DType::F32, DType::F16) => true,
            (DType::Decimal { scale: a, .. }, DType::Decimal { scale: b, .. }) => a == b,
            (a, b) => a == b,
        }
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

const SIGN: u64 = 1 << 63;

/// The key of an `f64`, or `None` for NaN, which is missing. `-0.0` has the key of `0.0`.
#[inline]
pub fn key_of_f64(x: f64) -> Option<u64> {
    if x.is_nan() {
        return None;
    }
    let bits = (x + 0.0).to_bits(); // -0.0 + 0.0 is 0.0
    Some(if bits & SIGN == 0 { bits | SIGN } else { !bits })
}

/// The key of an `f32`, or `None` for NaN.
#[inline]
pub fn key_of_f32(x: f32) -> Option<u64> {
    if x.is_nan() {
        return None;
    }
    let bits = (x + 0.0).to_bits();
    Some(u64::from(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }))
}

/// The key of an `f16`, or `None` for NaN.
#[inline]
pub fn key_of_f16(x: f16) -> Option<u64> {
    if x.is_nan() {
        return None;
    }
    let bits = if x.to_bits() == 0x8000 { 0 } else { x.to_bits() };
    Some(u64::from(if bits >> 15 == 0 { bits | 1 << 15 } else { !bits }))
}

/// The key of a signed integer of up to 64 bits, a date or a time.
#[inline]
pub fn key_of_i64(x: i64) -> u64 {
    (x as u64) ^ SIGN
}

fn f64_of_key(key: u64) -> f64 {
    f64::from_bits(if key & SIGN != 0 { key & !SIGN } else { !key })
}

fn f32_of_key(key: u64) -> f32 {
    let key = key as u32;
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

fn f16_of_key(key: u64) -> f16 {
    let key = key as u16;
    f16::from_bits(if key >> 15 == 1 { key & !(1 << 15) } else { !key })
}

/// A `u128` as the `i128` of the same order.
#[inline]
pub fn wide_key_of_u128(x: u128) -> i128 {
    (x ^ (1 << 127)) as i128
}

impl DType {
    /// The value of a key of this dtype.
    pub(crate) fn value_of_key(&self, key: u64) -> Value {
        match self {
            DType::F64 => Value::Float(f64_of_key(key)),
            DType::F32 => Value::Float(f64::from(f32_of_key(key))),
            DType::F16 => Value::Float(f16_of_key(key).to_f64()),
            DType::U64 => Value::Int(i128::from(key)),
            _ => Value::Int(i128::from((key ^ SIGN) as i64)),
        }
    }

    /// The key of a value of this dtype; one beyond its range takes the nearest key, which
    /// every cut compares with as it would with the value.
    pub(crate) fn key_of_value(&self, value: &Value) -> Option<u64> {
        match (self, value) {
            (DType::F64, Value::Float(x)) => key_of_f64(*x),
            (DType::F32, Value::Float(x)) => key_of_f32(*x as f32),
            (DType::F16, Value::Float(x)) => key_of_f16(f16::from_f64(*x)),
            (DType::U64, Value::Int(x)) => Some((*x).clamp(0, i128::from(u64::MAX)) as u64),
            (DType::U64, Value::Unsigned(x)) => Some((*x).min(u128::from(u64::MAX)) as u64),
            (_, Value::Unsigned(x)) => Some(key_of_i64((*x).min(i64::MAX as u128) as i64)),
            (_, Value::Int(x)) => {
                Some(key_of_i64((*x).clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64))
            }
            _ => None,
        }
    }

    pub(crate) fn value_of_wide(&self, key: i128) -> Value {
        match self {
            DType::U128 => Value::Unsigned((key as u128) ^ (1 << 127)),
            _ => Value::Int(key),
        }
    }

    pub(crate) fn wide_of_value(&self, value: &Value) -> Option<i128> {
        match (self, value) {
            (DType::U128, Value::Unsigned(x)) => Some(wide_key_of_u128(*x)),
            (DType::U128, Value::Int(x)) => Some(wide_key_of_u128((*x).max(0) as u128)),
            (_, Value::Unsigned(x)) => Some(i128::try_from(*x).unwrap_or(i128::MAX)),
            (_, Value::Int(x)) => Some(*x),
            _ => None,
        }
    }

    /// The key of the cut between two neighbouring keys: true, at and above it, goes right.
    ///
    /// Floats are cut at `lo/2 + hi/2` in their own width, or at `hi` where rounding would put
    /// that on `lo`; everything else at `lo + ceil((hi - lo)/2)` in its integer type.
    pub(crate) fn cut_key(&self, lo: u64, hi: u64) -> u64 {
        let middle = match self {
            DType::F64 => key_of_f64(f64_of_key(lo) / 2.0 + f64_of_key(hi) / 2.0),
            DType::F32 => key_of_f32(f32_of_key(lo) / 2.0 + f32_of_key(hi) / 2.0),
            // Not by way of `f16::from_f64`, which drops bits that tell a tie from what is near.
            DType::F16 => {
                let two = f16::from_f32_const(2.0);
                key_of_f16(f16_of_key(lo) / two + f16_of_key(hi) / two)
            }
            _ => Some(lo + (hi - lo).div_ceil(2)),
        };
        // -inf and +inf have no middle (NaN): the upper one is the cut.
        middle.filter(|&m| lo < m && m <= hi).unwrap_or(hi)
    }

    /// [`cut_key`](Self::cut_key) for keys of 128 bits.
    pub(crate) fn cut_wide(lo: i128, hi: i128) -> i128 {
        let span = hi.wrapping_sub(lo) as u128;
        lo.wrapping_add(span.div_ceil(2) as i128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(a: f64, b: f64) -> f64 {
        let key = |x| key_of_f64(x).expect("not NaN");
        match DType::F64.value_of_key(DType::F64.cut_key(key(a), key(b))) {
            Value::Float(x) => x,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn cuts_at_the_edges_of_the_types() {
        assert_eq!(cut(1.0, 2.0), 1.5);
        assert_eq!(cut(-1.7e308, 1.7e308), 0.0);
        assert_eq!(cut(1.0, 1.0f64.next_up()), 1.0f64.next_up());
        assert_eq!(cut(f64::NEG_INFINITY, f64::INFINITY), f64::INFINITY);
        assert_eq!(cut(1.0, f64::INFINITY), f64::INFINITY);
        assert_eq!(cut(f64::NEG_INFINITY, 1.0), 1.0);
        assert_eq!(cut(0.0, f64::from_bits(1)), f64::from_bits(1));
        assert_eq!(DType::cut_wide(i128::MIN, i128::MAX), 0);
        assert_eq!(DType::U64.cut_key(u64::MAX - 2, u64::MAX), u64::MAX - 1);
        assert_eq!(DType::I64.cut_key(key_of_i64(i64::MIN), key_of_i64(i64::MAX)), key_of_i64(0));
    }

    /// The `f16` nearest to a number in its range, the even one of two: of ten binary digits after
    /// the first, down to 2^-24.
    fn nearest_f16(x: f64) -> f64 {
        let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let unit = 2f64.powi(exponent.max(-14) - 10);
        (x / unit).round_ties_even() * unit
    }

    proptest! {
        /// The first pair's middle is just beside that of two neighbours; the second has a half
        /// that is rounded before it is added.
        #[test]
        fn halves_are_cut_at_the_nearest_half(
            pair in prop_oneof![
                1 => Just([-23936.0, -8.0078125].map(f16::from_f32)),
                1 => Just([0.00011450052, -0.00011432171].map(f16::from_f32)),
                8 => any::<[u16; 2]>().prop_map(|bits| bits.map(f16::from_bits)),
            ],
        ) {
            prop_assume!(pair.iter().all(|x| x.is_finite()));
            let [a, b] = pair.map(|x| key_of_f16(x).expect("not NaN"));
            let (lo, hi) = (a.min(b), a.max(b));
            prop_assume!(lo < hi);
            let [a, b] = pair.map(|x| nearest_f16(x.to_f64() / 2.0));
            let middle = key_of_f16(f16::from_f64(nearest_f16(a + b)));
            prop_assert_eq!(DType::F16.cut_key(lo, hi), middle.filter(|&m| m > lo).unwrap_or(hi));
        }

        #[test]
        fn keys_order_and_return_as_values_do(a: f64, b: f64, c: f32, d: i64, e: u128) {
            if let (Some(ka), Some(kb)) = (key_of_f64(a), key_of_f64(b)) {
                prop_assert_eq!(a.partial_cmp(&b), Some(ka.cmp(&kb)));
                prop_assert_eq!(DType::F64.value_of_key(ka), Value::Float(a));
                if ka < kb {
                    let m = DType::F64.cut_key(ka, kb);
                    prop_assert!(ka < m && m <= kb);
                }
            }
            if let Some(kc) = key_of_f32(c) {
                prop_assert_eq!(DType::F32.value_of_key(kc), Value::Float(f64::from(c)));
            }
            prop_assert_eq!(DType::I64.value_of_key(key_of_i64(d)), Value::Int(i128::from(d)));
            prop_assert_eq!(DType::U128.value_of_wide(wide_key_of_u128(e)), Value::Unsigned(e));
        }
    }
}
