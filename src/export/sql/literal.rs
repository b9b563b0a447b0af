//! Values as SQL literals that read back to the same value.

use super::Dialect;
use super::engines::Use;
use crate::data::dtype::{DType, TimeUnit, Value};
use crate::error::Result;

impl Dialect {
    /// The literal of a value; `what` names it in errors.
    pub(super) fn value(
        self,
        what: &str,
        dtype: &DType,
        value: &Value,
        how: Use,
    ) -> Result<String> {
        let what = format!("{what} ({dtype})");
        match (dtype, value) {
            (DType::Boolean, Value::Text(text)) => {
                Ok(self.engine().boolean(text == "true").to_string())
            }
            (_, Value::Text(text)) => self.text(&what, text, how),
            (_, Value::Float(x)) if x.is_infinite() && !self.engine().has_infinity() => {
                Err(self.cannot(&what, "its floats are finite: take the rows with infinity out"))
            }
            (_, Value::Float(x)) => Ok(match how {
                Use::Cut => self.engine().cut_float(*x, &float_text(*x)),
                Use::Equal | Use::Answer => self.float(*x),
            }),
            _ => match self.engine().typed_integer(dtype, value) {
                Some(literal) => Ok(literal),
                None => self.integer(&what, dtype, value, how),
            },
        }
    }

    /// The literal of what is an integer in memory.
    fn integer(self, what: &str, dtype: &DType, value: &Value, how: Use) -> Result<String> {
        let Value::Int(x) = *value else { return self.whole(what, dtype, value) };
        let engine = self.engine();
        match dtype {
            DType::Decimal { precision, scale } => engine
                .decimal(&dtype.write(value), *precision, *scale)
                .map_err(|why| self.cannot(what, why)),
            DType::Date => {
                let text = dtype.write(value);
                self.check_year(what, &text)?;
                Ok(engine.date(&text))
            }
            DType::Datetime { unit, zone } => {
                let (x, keeps) = self.in_its_unit(what, dtype, x, *unit, how)?;
                let text = DType::Datetime { unit: *unit, zone: None }.write(&Value::Int(x));
                self.check_year(what, &text)?;
                Ok(engine.timestamp(&text, zone.is_some(), keeps))
            }
            DType::Time => {
                let (x, keeps) = self.in_its_unit(what, dtype, x, TimeUnit::Nanoseconds, how)?;
                Ok(engine.time(&dtype.write(&Value::Int(x)), keeps))
            }
            DType::Duration { .. } => {
                let why = "intervals of months, days and seconds are no spans of time: fit the \
                           tree on an integer of seconds";
                Err(self.cannot(what, why))
            }
            _ => self.whole(what, dtype, value),
        }
    }

    /// An integer that means no more than that.
    fn whole(self, what: &str, dtype: &DType, value: &Value) -> Result<String> {
        let digits = dtype.write(value);
        match digits.parse::<i64>() {
            Ok(_) => Ok(digits),
            Err(_) => {
                self.engine().wide_integer(&digits, dtype).map_err(|why| self.cannot(what, why))
            }
        }
    }

    /// A time as a literal of the engine, and whether that is in nanoseconds. Where the engine has
    /// no such time, its first time at or after a cut does the same.
    fn in_its_unit(
        self,
        what: &str,
        dtype: &DType,
        x: i128,
        unit: TimeUnit,
        how: Use,
    ) -> Result<(i128, bool)> {
        let step = self.engine().time_step();
        let is_between = unit == TimeUnit::Nanoseconds && x.rem_euclid(step) != 0;
        let keeps = self.engine().keeps_nanoseconds(dtype, is_between, how);
        match how {
            _ if keeps || !is_between => Ok((x, keeps)),
            Use::Cut => Ok(((x.div_euclid(step) + 1) * step, keeps)),
            Use::Equal | Use::Answer => {
                Err(self.cannot(what, "it has no nanoseconds: round the column to microseconds"))
            }
        }
    }

    /// Years of other than four digits are written in each engine's own way.
    fn check_year(self, what: &str, text: &str) -> Result<()> {
        let year = text.split('-').next().unwrap_or("");
        if year.len() != 4 || year == "0000" {
            return Err(self.cannot(what, format!("{text} is not within the years 1 to 9999")));
        }
        Ok(())
    }

    /// An `f64`, exactly.
    pub(crate) fn float(self, x: f64) -> String {
        self.engine().float(x, &float_text(x))
    }

    fn text(self, what: &str, text: &str, how: Use) -> Result<String> {
        self.check_text(what, text)?;
        Ok(match how {
            Use::Answer => self.engine().text(text),
            Use::Cut | Use::Equal => self.engine().compared_text(text),
        })
    }

    /// No engine holds a NUL.
    pub(super) fn check_text(self, what: &str, text: &str) -> Result<()> {
        match text.contains('\0') {
            true => Err(self.cannot(what, format!("the text {text:?} has a NUL: mend the data"))),
            false => Ok(()),
        }
    }
}

fn float_text(x: f64) -> String {
    match x {
        _ if x.is_nan() => "NaN".to_string(),
        f64::INFINITY => "Infinity".to_string(),
        f64::NEG_INFINITY => "-Infinity".to_string(),
        _ => DType::F64.write(&Value::Float(x)),
    }
}
