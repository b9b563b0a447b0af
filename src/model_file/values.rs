//! Values of a dtype, read from untrusted text.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::result::Result;

use super::layout::Cut;
use crate::data::dtype::{DType, PhysicalType, Value};
use crate::data::plain_text::one_line;

/// The digits a 128-bit decimal may have.
const DECIMAL_DIGITS: usize = 38;

/// Reads values of a valid dtype.
pub(super) struct ValueReader<'a> {
    dtype: &'a DType,
    /// The index of each category of an enum.
    declared: HashMap<&'a str, usize>,
}

impl<'a> ValueReader<'a> {
    pub(super) fn new(dtype: &'a DType) -> Result<Self, String> {
        if let DType::Decimal { precision, scale } = dtype
            && (!(1..=DECIMAL_DIGITS).contains(precision) || scale > precision)
        {
            return Err(format!(
                "{dtype} is no dtype; precision is from 1 to {DECIMAL_DIGITS}, scale no greater"
            ));
        }
        let mut declared = HashMap::new();
        if let DType::Enum { categories } = dtype {
            for (position, text) in categories.iter().enumerate() {
                if declared.insert(text.as_str(), position).is_some() {
                    return Err(format!("category {} is declared twice", named(text)));
                }
            }
        }
        Ok(ValueReader { dtype, declared })
    }

    /// The value of a text, which must be written exactly as [`DType::write`] does.
    pub(super) fn read(&self, text: &str) -> Result<Value, String> {
        use PhysicalType::*;
        let of_dtype = match self.dtype.physical() {
            Null => false,
            Bool => matches!(text, "true" | "false"),
            Text => !matches!(self.dtype, DType::Enum { .. }) || self.declared.contains_key(text),
            I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128 | F16 | F32 | F64 => true,
        };
        Some(text)
            .filter(|_| of_dtype)
            .and_then(|text| self.dtype.parse(text))
            .filter(|value| is_in_range(self.dtype, value) && self.dtype.write(value) == text)
            .ok_or_else(|| format!("{} is no value of {}", named(text), self.dtype))
    }

    /// The value of a cut.
    pub(super) fn read_cut(&self, cut: &Cut) -> Result<Value, String> {
        match cut {
            Cut::Number(x) if self.dtype.is_float() => {
                self.of_float(*x).ok_or_else(|| format!("{x} is no value of {}", self.dtype))
            }
            Cut::Text(text) if self.dtype.is_float() && text != "inf" && text != "-inf" => {
                Err(format!(
                    "cut {} of {} is a text; a finite one is a number",
                    named(text),
                    self.dtype
                ))
            }
            Cut::Number(x) => Err(format!("cut {x} of {} is a number, not a text", self.dtype)),
            Cut::Text(text) => self.read(text),
        }
    }

    /// A float of this width that either is `x` or has its digits.
    fn of_float(&self, x: f64) -> Option<Value> {
        // From the digits: rounded to 64 bits first, some narrow floats become their neighbours.
        let value = self.dtype.parse(&DType::F64.write(&Value::Float(x)))?;
        let same = value == Value::Float(x) || self.dtype.write(&value).parse() == Ok(x);
        same.then_some(value)
    }

    /// The order of two values in a target or among levels.
    pub(super) fn order(&self, a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Unsigned(a), Value::Unsigned(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => self.order_of_texts(a, b),
            _ => Ordering::Equal,
        }
    }

    /// The order of two levels of a nominal feature.
    pub(super) fn order_of_texts(&self, a: &str, b: &str) -> Ordering {
        match self.declared.is_empty() {
            true => a.cmp(b),
            false => self.declared.get(a).cmp(&self.declared.get(b)),
        }
    }
}

/// Whether an integer fits its width; [`DType::parse`] checks 64 bits at most.
fn is_in_range(dtype: &DType, value: &Value) -> bool {
    let &Value::Int(x) = value else { return true };
    match dtype {
        DType::I8 => i8::try_from(x).is_ok(),
        DType::I16 => i16::try_from(x).is_ok(),
        DType::I32 | DType::Date => i32::try_from(x).is_ok(),
        DType::U8 => u8::try_from(x).is_ok(),
        DType::U16 => u16::try_from(x).is_ok(),
        DType::U32 => u32::try_from(x).is_ok(),
        DType::I64 | DType::I128 | DType::U64 | DType::U128 | DType::Decimal { .. } => true,
        DType::Datetime { .. } | DType::Duration { .. } | DType::Time => true,
        // No integers.
        DType::Null | DType::Boolean | DType::F16 | DType::F32 | DType::F64 => true,
        DType::String | DType::Categorical | DType::Enum { .. } => true,
    }
}

/// A text of the file, quoted for messages.
pub(super) fn named(text: &str) -> String {
    format!("`{}`", one_line(text, 60))
}
