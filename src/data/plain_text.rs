//! Text that a terminal only prints.

use std::borrow::Cow;

/// A text with its control characters escaped (`\n`, `\u{1b}`), on one line.
pub(crate) fn plain_text(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    plain.into()
}

/// A text as [`plain_text`], cut to `length` characters.
pub(crate) fn one_line(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", plain_text(&text[..end])),
        None => plain_text(text).into_owned(),
    }
}
