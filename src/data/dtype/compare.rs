//! How values of one dtype lie among values of another, exactly: `3.5` lies between the integers 3
//! and 4, and a microsecond between two milliseconds. Nothing is rounded.

use std::cmp::Ordering;

use super::{DType, Value, key_of_value, value_of_key};

/// What values measure. Values of one quantity are compared whatever their dtypes.
#[derive(PartialEq, Eq)]
enum Quantity {
    Number,
    /// A datetime without a zone.
    LocalTime,
    /// A datetime with a zone, whichever.
    Instant,
    Duration,
}

impl DType {
    fn quantity(&self) -> Option<Quantity> {
        match self {
            DType::Datetime { zone: None, .. } => Some(Quantity::LocalTime),
            DType::Datetime { zone: Some(_), .. } => Some(Quantity::Instant),
            DType::Duration { .. } => Some(Quantity::Duration),
            number if number.may_be_number() => Some(Quantity::Number),
            _ => None,
        }
    }

    /// Whether a column of dtype `other` can be scored where this one was fitted.
    pub(crate) fn accepts(&self, other: &DType) -> bool {
        match (self, other) {
            (_, DType::Null) => true,
            (a, b) if a.is_text() && b.is_text() => true,
            (a, b) => a == b || (a.quantity().is_some() && a.quantity() == b.quantity()),
        }
    }

    /// Whether the keys of an accepted dtype become keys of this one without rounding, each by
    /// itself. If not, cuts are brought to the other dtype: [`key_at_or_above`](Self::key_at_or_above).
    pub(crate) fn holds_values_of(&self, other: &DType) -> bool {
        match (self, other) {
            (DType::F64, DType::F32 | DType::F16) | (DType::F32, DType::F16) => true,
            (DType::Decimal { scale: a, .. }, DType::Decimal { scale: b, .. }) => a == b,
            (DType::Datetime { unit: a, .. }, DType::Datetime { unit: b, .. }) => a == b,
            (a, b) if a.is_integer() && b.is_integer() => true,
            (a, b) if a.quantity().is_some() && b.quantity().is_some() => a == b,
            _ => true,
        }
    }

    /// The units of this dtype in one, or in a second: a power of ten.
    fn units_in_one(&self) -> u128 {
        match self {
            DType::Decimal { scale, .. } => 10u128.pow((*scale).min(38) as u32),
            DType::Datetime { unit, .. } | DType::Duration { unit } => {
                unit.per_second().unsigned_abs()
            }
            _ => 1,
        }
    }

    /// The least key of this dtype whose value is at or above a value of the same
    /// quantity, and whether it is that value; keys of 64 bits are widened. `None` where every
    /// value is below.
    pub(crate) fn key_at_or_above(&self, value: &Value, of: &DType) -> Option<(i128, bool)> {
        if self.is_float() {
            return self.float_at_or_above(value, of);
        }
        let is_negative = is_negative(value);
        // Keys out of range are the nearest there are.
        let lowest = || Some((key_of_value(self, &Value::Int(i128::MIN))?, false));
        let Some((units, has_rest)) = self.truncated(value, of) else {
            return if is_negative { lowest() } else { None };
        };
        let units = if is_negative { units } else { units.checked_add(has_rest.into())? };
        let rounded_up = match i128::try_from(units) {
            Ok(units) if is_negative => Value::Int(-units),
            Ok(units) => Value::Int(units),
            Err(_) if is_negative => Value::Int(i128::MIN),
            Err(_) => Value::Unsigned(units),
        };
        let key = key_of_value(self, &rounded_up)?;
        match magnitude(&value_of_key(self, key)) == units {
            true => Some((key, !has_rest)),
            false if is_negative => lowest(),
            false => None,
        }
    }

    fn float_at_or_above(&self, value: &Value, of: &DType) -> Option<(i128, bool)> {
        let key = |x: f64| self.key_of_value(&Value::Float(x));
        let order = |key: u64| match self.value_of_key(key) {
            Value::Float(x) => compare(x, value, of),
            _ => Ordering::Equal,
        };
        let (lowest, highest) = (key(f64::NEG_INFINITY)?, key(f64::INFINITY)?);
        // The nearest float is at most a few off.
        let mut least = key(of.threshold(value)?)?;
        while least < highest && order(least).is_lt() {
            least += 1;
        }
        while least > lowest && order(least - 1).is_ge() {
            least -= 1;
        }
        // No value has the key of the negative zero.
        if self.value_of_key(least) == Value::Float(0.0) {
            least = key(0.0)?;
        }
        let order = order(least);
        order.is_ge().then_some((least.into(), order.is_eq()))
    }

    /// The size of a value in whole units of this dtype, and whether there is a rest; `None` where they
    /// are too many.
    fn truncated(&self, value: &Value, of: &DType) -> Option<(u128, bool)> {
        let (to, from) = (self.units_in_one(), of.units_in_one());
        let size = magnitude(value);
        match value {
            Value::Float(x) => float_in_units(x.abs(), to),
            Value::Int(_) | Value::Unsigned(_) if to >= from => {
                Some((size.checked_mul(to / from)?, false))
            }
            Value::Int(_) | Value::Unsigned(_) => {
                Some((size / (from / to), !size.is_multiple_of(from / to)))
            }
            Value::Text(_) => None,
        }
    }
}

fn is_negative(value: &Value) -> bool {
    match value {
        Value::Float(x) => *x < 0.0,
        Value::Int(x) => *x < 0,
        Value::Unsigned(_) | Value::Text(_) => false,
    }
}

/// The size of an integer.
fn magnitude(value: &Value) -> u128 {
    match value {
        Value::Int(x) => x.unsigned_abs(),
        Value::Unsigned(x) => *x,
        Value::Float(_) | Value::Text(_) => 0,
    }
}

/// A non-negative float as whole units of `1 / units_in_one`, and whether there is a rest.
/// `units_in_one` is a power of ten. `None` where there are too many units.
fn float_in_units(x: f64, units_in_one: u128) -> Option<(u128, bool)> {
    if x.is_infinite() {
        return None;
    }
    if units_in_one == 1 {
        // Exact, as `as` saturates only from 2^128 on.
        return (x < 2f64.powi(128)).then_some((x as u128, x.fract() > 0.0));
    }
    // No float has more decimals.
    const DECIMALS: usize = 1074;
    let text = format!("{x:.DECIMALS$}");
    let (whole, part) = text.split_once('.')?;
    let (units, rest) = part.split_at(units_in_one.ilog10() as usize);
    let units = format!("{whole}{units}").parse().ok()?;
    Some((units, rest.bytes().any(|digit| digit != b'0')))
}

/// The order of a float and a value.
fn compare(x: f64, value: &Value, of: &DType) -> Ordering {
    if let Value::Float(y) = value {
        return x.partial_cmp(y).unwrap_or(Ordering::Equal);
    }
    let sign = (x < 0.0, is_negative(value));
    match sign {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (true, true) | (false, false) => {}
    }
    let by_size = match float_in_units(x.abs(), of.units_in_one()) {
        None => Ordering::Greater,
        Some((of_x, has_rest)) => of_x.cmp(&magnitude(value)).then(has_rest.cmp(&false)),
    };
    if sign.0 { by_size.reverse() } else { by_size }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::TimeUnit;
    use super::*;

    /// A value's sign and decimal digits, padded so that their text compares as numbers do.
    fn exact(value: &Value, dtype: &DType) -> (bool, String) {
        let (is_negative, text) = match value {
            Value::Float(x) if x.is_infinite() => (*x < 0.0, "9".repeat(400)),
            Value::Float(x) => (*x < 0.0, format!("{:.1074}", x.abs())),
            Value::Int(x) => {
                let places = dtype.units_in_one().ilog10() as usize;
                let digits = format!("{:0>width$}", x.unsigned_abs(), width = places + 1);
                let (whole, part) = digits.split_at(digits.len() - places);
                (*x < 0, format!("{whole}.{part}"))
            }
            other => (false, format!("{other:?}").replace(|c: char| !c.is_ascii_digit(), "")),
        };
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        (is_negative, format!("{whole:0>400}.{part:0<1074}"))
    }

    fn order((a, x): &(bool, String), (b, y): &(bool, String)) -> Ordering {
        match (a, b) {
            (false, false) => x.cmp(y),
            (true, true) => y.cmp(x),
            (a, b) => b.cmp(a),
        }
    }

    fn number() -> impl Strategy<Value = (DType, Value)> {
        let whole = prop_oneof![
            -3..4i128,
            any::<i64>().prop_map(i128::from),
            (-3..4i128, 40..64u32).prop_map(|(near, power)| (1 << power) + near),
        ];
        let float = prop_oneof![
            any::<f64>().prop_filter("NaN is missing", |x| !x.is_nan()),
            (-40..40i32).prop_map(|x| f64::from(x) / 8.0),
            (-400..400i32).prop_map(|x| f64::from(x) / 100.0),
            whole.clone().prop_map(|x| x as f64),
            prop::sample::select(vec![0.0, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e39]),
        ];
        prop_oneof![
            float.clone().prop_map(|x| (DType::F64, Value::Float(x))),
            float.clone().prop_map(|x| (DType::F32, Value::Float((x as f32).into()))),
            float.prop_map(|x| (DType::F16, Value::Float(half::f16::from_f64(x).to_f64()))),
            whole
                .clone()
                .prop_map(|x| (DType::I64, Value::Int(x.clamp(i64::MIN.into(), i64::MAX.into())))),
            whole.clone().prop_map(|x| (DType::U64, Value::Int(x.clamp(0, u64::MAX.into())))),
            any::<i128>().prop_map(|x| (DType::I128, Value::Int(x))),
            any::<u128>().prop_map(|x| (DType::U128, Value::Unsigned(x))),
            (whole, 0..20usize).prop_map(|(x, scale)| {
                (DType::Decimal { precision: 38, scale }, Value::Int(x))
            }),
        ]
    }

    fn check(
        (of, value): (DType, Value),
        (dtype, other): (DType, Value),
    ) -> Result<(), TestCaseError> {
        let key = key_of_value(&dtype, &other).expect("a value of its dtype");
        let least = dtype.key_at_or_above(&value, &of);
        let expected = order(&exact(&other, &dtype), &exact(&value, &of));
        prop_assert_eq!(
            least.is_some_and(|(least, _)| key >= least),
            expected.is_ge(),
            "{:?}",
            least
        );
        prop_assert_eq!(least == Some((key, true)), expected.is_eq(), "{:?}", least);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn numbers_of_two_dtypes_compare_exactly(value in number(), other in number()) {
            check(value, other)?;
        }

        #[test]
        fn times_of_two_units_compare_exactly(
            (a, b) in (-9_000_000..9_000_000i128, -9_000_000..9_000_000i128),
            units in prop::sample::select(vec![
                (TimeUnit::Nanoseconds, TimeUnit::Microseconds),
                (TimeUnit::Milliseconds, TimeUnit::Nanoseconds),
            ]),
        ) {
            let dtype = |unit| DType::Datetime { unit, zone: None };
            check((dtype(units.0), Value::Int(a)), (dtype(units.1), Value::Int(b)))?;
            check((dtype(units.0), Value::Int(1_000_000 * b)), (dtype(units.1), Value::Int(b)))?;
            check((dtype(units.0), Value::Int(b)), (dtype(units.1), Value::Int(1_000 * b)))?;
        }
    }

    #[test]
    fn one_quantity_is_accepted() {
        let datetime =
            |unit, zone: Option<&str>| DType::Datetime { unit, zone: zone.map(str::to_string) };
        let (ns, ms) = (TimeUnit::Nanoseconds, TimeUnit::Milliseconds);
        let decimal = |scale| DType::Decimal { precision: 9, scale };
        for (a, b, accepted) in [
            (DType::I64, DType::F32, true),
            (DType::F32, DType::F64, true),
            (decimal(2), decimal(3), true),
            (decimal(2), DType::U128, true),
            (datetime(ns, Some("UTC")), datetime(ms, Some("Europe/Berlin")), true),
            (datetime(ns, None), datetime(ms, None), true),
            (datetime(ns, None), datetime(ns, Some("UTC")), false),
            (datetime(ns, None), DType::Date, false),
            (DType::I64, DType::Duration { unit: ns }, false),
            (DType::I64, DType::Boolean, false),
            (DType::I64, DType::String, false),
            (DType::Date, DType::Null, true),
        ] {
            assert_eq!(a.accepts(&b), accepted, "{a} {b}");
            assert!(b == DType::Null || b.accepts(&a) == accepted, "{b} {a}");
        }
    }
}
