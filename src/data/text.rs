//! Values as text and back: the form of cuts and class labels in tables, rules and models.

use crate::data::dtype::{DType, TimeUnit, Value};

impl DType {
    /// A value in the column's own type: a date as a date, a zoned time in its zone.
    pub fn show(&self, value: &Value) -> String {
        let (DType::Datetime { unit, zone: Some(zone) }, Value::Int(x)) = (self, value) else {
            return self.write(value);
        };
        let offset = offset_seconds(x.div_euclid(unit.per_second()), zone);
        let local = datetime(x + i128::from(offset) * unit.per_second(), *unit);
        format!("{local}{}", offset_suffix(offset))
    }

    /// A value as text that [`parse`](Self::parse) reads back to the same value; times are UTC.
    pub fn write(&self, value: &Value) -> String {
        match (value, self) {
            (Value::Text(x), _) => x.clone(),
            (Value::Unsigned(x), _) => x.to_string(),
            (Value::Float(x), _) if x.is_infinite() => if *x > 0.0 { "inf" } else { "-inf" }.into(),
            (Value::Float(x), DType::F16) => half::f16::from_f64(*x).to_string(),
            (Value::Float(x), DType::F32) => shortest(*x as f32, x.abs()),
            (Value::Float(x), _) => shortest(*x, x.abs()),
            (Value::Int(x), DType::Decimal { scale, .. }) => decimal(*x, *scale),
            (Value::Int(x), DType::Date) => date(*x),
            (Value::Int(x), DType::Datetime { unit, .. }) => datetime(*x, *unit),
            (Value::Int(x), DType::Duration { unit }) => duration(*x, *unit),
            (Value::Int(x), DType::Time) => clock(*x, TimeUnit::Nanoseconds),
            (Value::Int(x), _) => x.to_string(),
        }
    }

    /// The value that [`write`](Self::write) wrote; `None` if the text is not one of this dtype.
    pub fn parse(&self, text: &str) -> Option<Value> {
        // Narrow floats are read at their own width, as they were written with its digits.
        let value = match self {
            DType::F16 => Value::Float(half::f16::from_f64(text.parse().ok()?).to_f64()),
            DType::F32 => Value::Float(text.parse::<f32>().ok()?.into()),
            DType::F64 => Value::Float(text.parse().ok()?),
            DType::Decimal { scale, .. } => Value::Int(parse_decimal(text, *scale)?),
            DType::Date => Value::Int(parse_date(text)?),
            DType::Datetime { unit, .. } => Value::Int(parse_days(text, " ", parse_date, *unit)?),
            DType::Duration { unit } => {
                let (sign, text) = parse_sign(text);
                Value::Int(sign * parse_days(text, "d ", parse_digits, *unit)?)
            }
            DType::Time => Value::Int(parse_clock(text, TimeUnit::Nanoseconds)?),
            DType::U128 => Value::Unsigned(text.parse().ok()?),
            DType::I8 | DType::I16 | DType::I32 | DType::I64 | DType::I128 => integer(text)?,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => integer(text)?,
            DType::Null | DType::Boolean => Value::Text(text.to_string()),
            DType::String | DType::Categorical | DType::Enum { .. } => {
                Value::Text(text.to_string())
            }
        };
        self.holds(&value).then_some(value)
    }

    /// Whether a value is in the range of this dtype's keys, and not NaN.
    fn holds(&self, value: &Value) -> bool {
        match value {
            Value::Float(x) => !x.is_nan(),
            Value::Int(_) if !self.is_wide() => {
                self.key_of_value(value).is_some_and(|key| self.value_of_key(key) == *value)
            }
            Value::Int(_) | Value::Unsigned(_) | Value::Text(_) => true,
        }
    }

    /// The nearest `f64`, for plots; `None` for text.
    pub fn threshold(&self, value: &Value) -> Option<f64> {
        match (value, self) {
            (Value::Float(x), _) => Some(*x),
            (Value::Int(x), DType::Decimal { scale, .. }) => decimal(*x, *scale).parse().ok(),
            (Value::Int(x), _) => Some(*x as f64),
            (Value::Unsigned(x), _) => Some(*x as f64),
            (Value::Text(_), _) => None,
        }
    }
}

/// The seconds east of UTC of `zone` at a moment, in seconds since 1970-01-01 UTC; 0 if zone or
/// moment are unknown. Only builds with the feature `zones` know zones (`polars` has it); others
/// print UTC.
#[cfg(feature = "zones")]
fn offset_seconds(moment: i128, zone: &str) -> i32 {
    use chrono::{DateTime, Offset, TimeZone};
    let Ok(zone) = zone.parse::<chrono_tz::Tz>() else { return 0 };
    let moment = i64::try_from(moment).ok().and_then(|s| DateTime::from_timestamp(s, 0));
    moment.map_or(0, |m| zone.offset_from_utc_datetime(&m.naive_utc()).fix().local_minus_utc())
}

#[cfg(not(feature = "zones"))]
fn offset_seconds(_moment: i128, _zone: &str) -> i32 {
    0
}

/// `+02:00`, or `Z` for no offset.
fn offset_suffix(offset: i32) -> String {
    if offset == 0 {
        return "Z".to_string();
    }
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// The shortest digits that read back to the same float of its width; very large and very small
/// numbers with an exponent.
fn shortest(x: impl std::fmt::Display + std::fmt::LowerExp, size: f64) -> String {
    if size != 0.0 && !(1e-5..1e16).contains(&size) { format!("{x:e}") } else { x.to_string() }
}

fn decimal(x: i128, scale: usize) -> String {
    let digits = format!("{:0>width$}", x.unsigned_abs(), width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    let sign = if x < 0 { "-" } else { "" };
    if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

fn parse_decimal(text: &str, scale: usize) -> Option<i128> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() != scale || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    format!("{whole}{part}").parse().ok()
}

/// Proleptic Gregorian year, month and day of a day count from 1970-01-01
/// (Howard Hinnant, "chrono-compatible low-level date algorithms").
fn civil(days: i128) -> (i128, i128, i128) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    (year, month, day_of_year - (153 * m + 2) / 5 + 1)
}

/// The inverse of [`civil`].
fn days_of(year: i128, month: i128, day: i128) -> i128 {
    let y = year - i128::from(month <= 2);
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn date(days: i128) -> String {
    let (year, month, day) = civil(days);
    let sign = if year < 0 { "-" } else { "" };
    format!("{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs())
}

fn parse_date(text: &str) -> Option<i128> {
    let (sign, text) = parse_sign(text);
    let mut parts = text.splitn(3, '-').map(parse_digits);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let days = days_of(sign * year, month, day);
    // A day that does not exist (13th month, 30 February) gives another date.
    (year < 1_000_000_000 && civil(days) == (sign * year, month, day)).then_some(days)
}

fn parse_sign(text: &str) -> (i128, &str) {
    text.strip_prefix('-').map_or((1, text), |text| (-1, text))
}

fn parse_digits(text: &str) -> Option<i128> {
    (!text.is_empty() && text.len() <= 20 && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

fn datetime(x: i128, unit: TimeUnit) -> String {
    let day = 86_400 * unit.per_second();
    format!("{} {}", date(x.div_euclid(day)), clock(x.rem_euclid(day), unit))
}

/// `HH:MM:SS` and the fraction without trailing zeros.
fn clock(x: i128, unit: TimeUnit) -> String {
    let per = unit.per_second();
    let (seconds, part) = (x.div_euclid(per), x.rem_euclid(per));
    let mut text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if part != 0 {
        let digits = per.ilog10() as usize;
        text.push_str(format!(".{part:0digits$}").trim_end_matches('0'));
    }
    text
}

fn parse_clock(text: &str, unit: TimeUnit) -> Option<i128> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = whole.splitn(3, ':').map(parse_digits);
    let (h, m, s) = (parts.next()??, parts.next()??, parts.next()??);
    let digits = unit.per_second().ilog10() as usize;
    if h > 1_000_000 || m > 59 || s > 59 || part.len() > digits {
        return None;
    }
    let part = if part.is_empty() { 0 } else { parse_digits(&format!("{part:0<digits$}"))? };
    Some((h * 3600 + m * 60 + s) * unit.per_second() + part)
}

/// `-3d 04:05:06.7`.
fn duration(x: i128, unit: TimeUnit) -> String {
    let day = 86_400 * unit.per_second();
    let (sign, x) = if x < 0 { ("-", -x) } else { ("", x) };
    format!("{sign}{}d {}", x / day, clock(x % day, unit))
}

/// Days, a separator, and a time of day.
fn parse_days(
    text: &str,
    separator: &str,
    days: fn(&str) -> Option<i128>,
    unit: TimeUnit,
) -> Option<i128> {
    let (day, time) = text.split_once(separator)?;
    let days = days(day)?.checked_mul(86_400 * unit.per_second())?;
    days.checked_add(parse_clock(time, unit)?)
}

fn integer(text: &str) -> Option<Value> {
    text.parse().ok().map(Value::Int)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dtypes() -> Vec<DType> {
        let units = [TimeUnit::Nanoseconds, TimeUnit::Microseconds, TimeUnit::Milliseconds];
        let mut all = vec![DType::I64, DType::Time, DType::Date];
        all.extend(units.map(|unit| DType::Datetime { unit, zone: None }));
        all.extend(units.map(|unit| DType::Duration { unit }));
        all
    }

    #[test]
    fn values_read_as_people_write_them() {
        let day = DType::Date;
        assert_eq!(day.write(&Value::Int(19_723)), "2024-01-01");
        assert_eq!(day.parse("2024-02-30"), None);
        let at = DType::Datetime { unit: TimeUnit::Milliseconds, zone: None };
        assert_eq!(at.write(&Value::Int(-1)), "1969-12-31 23:59:59.999");
        let money = DType::Decimal { precision: 10, scale: 2 };
        assert_eq!(money.write(&Value::Int(-5)), "-0.05");
        assert_eq!(money.parse("-0.05"), Some(Value::Int(-5)));
        let span = DType::Duration { unit: TimeUnit::Microseconds };
        assert_eq!(span.write(&Value::Int(-90_000_500_000)), "-1d 01:00:00.5");
        assert_eq!(DType::F32.write(&Value::Float(f64::from(0.1f32))), "0.1");
        assert_eq!(DType::F64.write(&Value::Float(1.7e308)), "1.7e308");
        assert_eq!(DType::I8.parse("400"), DType::I64.parse("400"), "one key for all widths");
    }

    proptest! {
        #[test]
        fn written_values_read_back(x: i64, y: f64, z: f32, w: i128, scale in 0usize..38) {
            for dtype in dtypes() {
                let bounded = match dtype {
                    DType::Date => x % 1_000_000_000,
                    DType::Time => x.rem_euclid(86_400_000_000_000),
                    _ => x,
                };
                let value = Value::Int(i128::from(bounded));
                let text = dtype.write(&value);
                prop_assert_eq!(dtype.parse(&text), Some(value), "{} {}", dtype, text);
            }
            for (dtype, y) in [(DType::F64, y), (DType::F32, f64::from(z))] {
                if !y.is_nan() {
                    let text = dtype.write(&Value::Float(y));
                    prop_assert_eq!(dtype.parse(&text), Some(Value::Float(y)));
                }
            }
            let dtype = DType::Decimal { precision: 38, scale };
            let text = dtype.write(&Value::Int(w));
            prop_assert_eq!(dtype.parse(&text), Some(Value::Int(w)));
        }
    }
}
