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
