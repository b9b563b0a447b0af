//! What code says of its model, and lines of numbers.

use std::fmt::Display;

use super::field::Field;
use crate::export::cells::cells;
use crate::export::comment::comment;
use crate::export::origin::{ABSENT_LEVELS, Origin, VERSION};

/// What the code is of, as lines of a comment.
pub(super) fn about(origin: &Origin) -> Vec<String> {
    let lines = [
        format!("A {}.", origin.model(comment)),
        format!("SHA-256 of the model file: {}.", origin.sha256),
        format!("Written by gaintree {VERSION}."),
        format!("Missing: {}.", origin.missing),
        format!("Absent: {ABSENT_LEVELS}."),
    ];
    lines.iter().flat_map(|line| wrapped(line)).collect()
}

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

/// A text in lines of at most 96 characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line += word,
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 96 => {
                line.push(' ');
                *line += word;
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
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
