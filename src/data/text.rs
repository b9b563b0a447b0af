//! Values as text and back: the form cuts and class labels have in tables, rules and models.

use crate::data::dtype::{DType, TimeUnit, Value};
use crate::data::time_zone;

impl DType {
    /// A value in the column's own type: a date as a date, a zoned time in its zone.
    pub fn show(&self, value: &Value) -> String {
        match (self, value) {
            (DType::Datetime { unit, zone: Some(zone) }, Value::Int(x)) => {
                let per = unit.per_second();
                let offset = time_zone::offset_seconds(x.div_euclid(per), zone);
                format!(
                    "{}{}",
                    datetime(x + i128::from(offset) * per, *unit),
                    time_zone::suffix(offset)
                )
            }
            _ => self.write(value),
        }
    }

    /// A value as text that [`parse`](Self::parse) returns to the same value; times are UTC.
    pub fn write(&self, value: &Value) -> String {
        match (self, value) {
            (DType::Decimal { scale, .. }, Value::Int(x)) => decimal(*x, *scale),
            (DType::Date, Value::Int(x)) => date(*x),
            (DType::Datetime { unit, .. }, Value::Int(x)) => datetime(*x, *unit),
            (DType::Duration { unit }, Value::Int(x)) => duration(*x, *unit),
            (DType::Time, Value::Int(x)) => clock(*x, TimeUnit::Nanoseconds),
            (DType::F32, Value::Float(x)) => float(*x, shortest(*x as f32, x.abs())),
            (DType::F16, Value::Float(x)) => float(*x, half::f16::from_f64(*x).to_string()),
            (_, Value::Float(x)) => float(*x, shortest(*x, x.abs())),
            (_, Value::Int(x)) => x.to_string(),
            (_, Value::Unsigned(x)) => x.to_string(),
            (_, Value::Text(x)) => x.clone(),
        }
    }

    /// Reads what [`write`](Self::write) wrote.
    pub fn parse(&self, text: &str) -> Option<Value> {
        match self {
            DType::F16 | DType::F32 | DType::F64 => {
                let x: f64 = text.parse().ok()?;
                // A narrower float is written by its own shortest digits: read it as such.
                let x = match self {
                    DType::F16 => half::f16::from_f64(x).to_f64(),
                    DType::F32 => f64::from(text.parse::<f32>().ok()?),
                    _ => x,
                };
                (!x.is_nan()).then_some(Value::Float(x))
            }
            DType::Decimal { scale, .. } => parse_decimal(text, *scale).map(Value::Int),
            DType::Date => parse_date(text).map(Value::Int),
            DType::Datetime { unit, .. } => {
                let (day, time) = text.split_once(' ')?;
                let day = parse_date(day)?.checked_mul(86_400 * unit.per_second())?;
                Some(Value::Int(day.checked_add(parse_clock(time, *unit)?)?))
            }
            DType::Duration { unit } => parse_duration(text, *unit).map(Value::Int),
            DType::Time => parse_clock(text, TimeUnit::Nanoseconds).map(Value::Int),
            DType::U128 => text.parse().ok().map(Value::Unsigned),
            d if d.is_integer() => text.parse().ok().map(Value::Int),
            _ => Some(Value::Text(text.to_string())),
        }
        .filter(|value| self.holds(value))
    }

    /// Whether a value lies in this dtype's range.
    fn holds(&self, value: &Value) -> bool {
        match value {
            Value::Int(_) if self.is_wide() => true,
            Value::Int(x) => match self.key_of_value(value) {
                Some(key) => self.value_of_key(key) == Value::Int(*x),
                None => false,
            },
            _ => true,
        }
    }

    /// The nearest `f64`, for drawing; `None` where the value has no place on a line.
    pub fn threshold(&self, value: &Value) -> Option<f64> {
        match (self, value) {
            (_, Value::Float(x)) => Some(*x),
            (DType::Decimal { scale, .. }, Value::Int(x)) => decimal(*x, *scale).parse().ok(),
            (_, Value::Int(x)) => Some(*x as f64),
            (_, Value::Unsigned(x)) => Some(*x as f64),
            (_, Value::Text(_)) => None,
        }
    }
}

/// The shortest digits that read back to the same float of its width, with an exponent beyond
/// everyday sizes.
fn shortest(x: impl std::fmt::Display + std::fmt::LowerExp, size: f64) -> String {
    if size != 0.0 && !(1e-5..1e16).contains(&size) { format!("{x:e}") } else { x.to_string() }
}

fn float(x: f64, digits: String) -> String {
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    digits
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
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let mut parts = rest.splitn(3, '-').map(number);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let days = days_of(sign * year, month, day);
    // A day that does not exist (13th month, 30 February) comes back as another.
    (year < 1_000_000_000 && civil(days) == (sign * year, month, day)).then_some(days)
}

fn number(text: &str) -> Option<i128> {
    (!text.is_empty() && text.len() <= 20 && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

fn datetime(x: i128, unit: TimeUnit) -> String {
    let day = 86_400 * unit.per_second();
    format!("{} {}", date(x.div_euclid(day)), clock(x.rem_euclid(day), unit))
}

/// `HH:MM:SS` and as much of the fraction as there is.
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
    let mut parts = whole.splitn(3, ':').map(number);
    let (h, m, s) = (parts.next()??, parts.next()??, parts.next()??);
    let digits = unit.per_second().ilog10() as usize;
    if h > 1_000_000 || m > 59 || s > 59 || part.len() > digits {
        return None;
    }
    let part = if part.is_empty() { 0 } else { number(&format!("{part:0<digits$}"))? };
    Some((h * 3600 + m * 60 + s) * unit.per_second() + part)
}

/// `-3d 04:05:06.7`.
fn duration(x: i128, unit: TimeUnit) -> String {
    let day = 86_400 * unit.per_second();
    let (sign, x) = if x < 0 { ("-", -x) } else { ("", x) };
    format!("{sign}{}d {}", x / day, clock(x % day, unit))
}

fn parse_duration(text: &str, unit: TimeUnit) -> Option<i128> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (days, time) = rest.split_once("d ")?;
    let days = number(days)?.checked_mul(86_400 * unit.per_second())?;
    Some(sign * days.checked_add(parse_clock(time, unit)?)?)
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
