//! What code says of a field, and lines of numbers.

use std::fmt::Display;

use super::field::Field;
use crate::export::cells::cells;
use crate::export::comment::comment;

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
