//! Text with holes.

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
