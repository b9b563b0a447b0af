//! What code says of a field, lines of items, and text with holes.

use std::fmt::Display;

use super::field::Field;
use crate::export::comment::{cells, comment};

impl Field<'_> {
    /// What the column is, for a comment.
    pub(super) fn about(&self) -> String {
        let dtype = &self.feature.dtype;
        let name = comment(&self.feature.name);
        let dtype_text = comment(&dtype.to_string());
        match cells(dtype).as_str() {
            "the value" => format!("`{name}` ({dtype_text})"),
            cells => format!("`{name}` ({dtype_text}): {cells}"),
        }
    }
}

/// Items in lines of at most 96 characters, indented by four, a comma after each.
pub(super) fn listed<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    let mut width = usize::MAX;
    for item in items {
        let item = item.to_string();
        if width.saturating_add(item.len() + 2) > 96 {
            text += if text.is_empty() { "    " } else { "\n    " };
            width = 4;
        } else {
            text.push(' ');
            width += 1;
        }
        text += &item;
        text.push(',');
        width += item.len() + 1;
    }
    text
}

/// A float that reads back exactly. NaN, the infinity and its negative have these names.
pub(super) fn float(x: f64, [nan, infinity, negative]: [&str; 3]) -> String {
    match x {
        f64::INFINITY => infinity.to_string(),
        f64::NEG_INFINITY => negative.to_string(),
        _ if x.is_nan() => nan.to_string(),
        _ => format!("{x:?}"),
    }
}

/// A template with each `$KEY` replaced, of capital letters, by its value. Values are taken as they are:
/// a `$KEY` in one is left.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split('$');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(part.len());
        let (key, rest) = part.split_at(end);
        match values.iter().find(|(name, _)| *name == key) {
            Some((_, value)) => text += value,
            None => text = text + "$" + key,
        }
        text += rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_as_they_are() {
        let values = [("A", "$B"), ("B", "x")];
        assert_eq!(fill("$A_row $B$B, $C $", &values), "$B_row xx, $C $");
    }
}
