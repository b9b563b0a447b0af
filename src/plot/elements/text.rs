//! How wide text is, and what of it fits: pictures are drawn without knowing the reader's font.

/// The widths of common sans-serif fonts differ; these are of a wide one, in ems, so that text
/// rather leaves a gap than runs out of its box.
fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | '\\' | '"' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' | '±' => 1.0,
        '<' | '>' | '=' | '+' | '_' | '~' => 0.84,
        'a'..='z' => 0.63,
        '0'..='9' => 0.64,
        ' '..='~' => 0.75,
        c if is_zero_width(c) => 0.0,
        // Ideographs, kana, hangul, full-width forms and pictographs fill a square.
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{20000}'..='\u{3fffd}' => 1.05,
        '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' => 1.4,
        _ => 0.85,
    }
}

/// Marks that stand on the character before them, joiners and direction marks.
fn is_zero_width(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// Numbers of more characters than this are rounded to [`DIGITS`].
const PLAIN: usize = 8;
const DIGITS: usize = 6;

/// Bold text is wider by this.
const BOLD: f64 = 1.12;

/// The most a text takes, in the unit of its font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// The most a bold text takes.
pub(crate) fn bold_width(text: &str, size: f64) -> f64 {
    width(text, size) * BOLD
}

/// As much of the beginning of a text as fits, with an ellipsis where it is not all.
pub(crate) fn fit(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_string();
    }
    let mut left = room - width("…", size);
    let mut end = 0;
    for (at, c) in text.char_indices() {
        left -= em(c) * size;
        if left < 0.0 {
            break;
        }
        end = at + c.len_utf8();
    }
    format!("{}…", text[..end].trim_end())
}

/// As much of the beginning of a bold text as fits.
pub(crate) fn bold_fit(text: &str, room: f64, size: f64) -> String {
    fit(text, room, size * BOLD)
}

/// A text without what XML cannot hold or a line cannot show.
pub(crate) fn clean(text: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_control() => ' ',
        // Not characters, or marks that would reorder what stands beside the text.
        '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        '\u{2028}' | '\u{2029}' => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}

/// A name that keeps its own direction inside a line of another.
pub(crate) fn isolated(name: &str) -> String {
    let is_rtl = |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}');
    match name.chars().any(is_rtl) {
        true => format!("\u{2068}{name}\u{2069}"),
        false => name.to_string(),
    }
}

/// A number to this many significant digits, with an exponent beyond everyday sizes.
pub(crate) fn figure(x: f64, digits: usize) -> String {
    let text = format!("{x:.*e}", digits.saturating_sub(1));
    match text.parse::<f64>() {
        // A number of everyday size, or 0 (not -0), in full.
        Ok(x) if x == 0.0 || (1e-4..1e9).contains(&x.abs()) => (x + 0.0).to_string(),
        Ok(x) => format!("{x:e}"),
        Err(_) => text,
    }
}

/// A share as a percentage; only nothing is 0.0, and only all is 100.0.
pub(crate) fn percent(share: f64) -> String {
    match share {
        s if 0.0 < s && s < 0.0005 => "< 0.1 %".to_string(),
        s if (0.9995..1.0).contains(&s) => "> 99.9 %".to_string(),
        s => format!("{:.1} %", 100.0 * s),
    }
}

/// A share as a percentage with two digits or more, also where it is small.
pub(crate) fn rate(share: f64) -> String {
    match share {
        s if 0.0 < s && s < 0.01 => format!("{} %", figure(100.0 * s, 2)),
        s => percent(s),
    }
}

/// A text whose last word is a number, as `x >= 0.1`, with the number rounded where it has many digits.
pub(crate) fn short(text: &str) -> String {
    let (before, number) = text.rsplit_once(' ').map_or(("", text), |(b, n)| (b, n));
    let rounded = match number.parse::<f64>() {
        Ok(x) if x.is_finite() && number.len() > PLAIN => figure(x, DIGITS),
        Ok(_) | Err(_) => return clean(text),
    };
    if before.is_empty() { rounded } else { clean(&format!("{before} {rounded}")) }
}

/// A rule with bounds, as in `0.1 <= x < 0.2`, that are rounded where they have many digits.
pub(crate) fn rounded_bounds(rule: &str) -> String {
    let words: Vec<&str> = rule.split(' ').collect();
    let is_bound = |at: usize| {
        let after_sign = at > 0 && ["<", ">="].contains(&words[at - 1]);
        after_sign || words.get(at + 1) == Some(&"<=")
    };
    // Every digit of a whole number tells.
    let rounded = |(at, word): (usize, &&str)| match is_bound(at) && word.contains('.') {
        true => short(word),
        false => word.to_string(),
    };
    words.iter().enumerate().map(rounded).collect::<Vec<_>>().join(" ")
}

/// A count with its thousands apart.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 row", "2,000 rows".
pub(crate) fn counted(n: u64, what: &str) -> String {
    let plural = match (n, what) {
        (1, _) => what.to_string(),
        (_, "leaf") => "leaves".to_string(),
        _ => format!("{what}s"),
    };
    format!("{} {plural}", count(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_fits_and_says_so() {
        for text in [
            "short",
            "a_column_with_a_very_long_name",
            "職業と学歴と年収の列",
            "مستوى التعليم العالي",
        ] {
            for room in [20.0, 60.0, 120.0, 1000.0] {
                let shown = fit(text, room, 12.0);
                assert!(width(&shown, 12.0) <= room, "{shown} in {room}");
                assert_eq!(shown != text, shown.ends_with('…'), "{shown}");
            }
        }
        assert_eq!(fit("abcdef", 0.0, 12.0), "…");
    }

    #[test]
    fn shares_do_not_round_to_all_or_nothing() {
        let texts = [0.0, 0.0004, 0.0005, 0.5, 0.9994, 0.99996, 1.0].map(percent);
        let expected = ["0.0 %", "< 0.1 %", "0.1 %", "50.0 %", "99.9 %", "> 99.9 %", "100.0 %"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn bounds_are_rounded_and_levels_are_not() {
        for (rule, shown) in [
            ("x < 0.123456789 or missing", "x < 0.123457 or missing"),
            (
                "0.123456789 <= x < 2.5 and y >= -7.123456789",
                "0.123457 <= x < 2.5 and y >= -7.12346",
            ),
            ("x == 0.123456789", "x == 0.123456789"),
            ("x in {0.123456789, b}", "x in {0.123456789, b}"),
            ("x >= 123456789012", "x >= 123456789012"),
            ("", ""),
        ] {
            assert_eq!(rounded_bounds(rule), shown);
        }
    }

    #[test]
    fn numbers_of_many_digits_are_rounded() {
        let texts = ["x >= 0.000205043324510313", "14.5", "a b < 1234.56789012", "e == 2018-01-01"];
        let shown = ["x >= 0.000205043", "14.5", "a b < 1234.57", "e == 2018-01-01"];
        assert_eq!(texts.map(short), shown);
        assert_eq!(
            [0.0, 0.000_123, 0.0044, 0.0165, 1.0].map(rate),
            ["0.0 %", "0.012 %", "0.44 %", "1.7 %", "100.0 %"]
        );
    }

    #[test]
    fn counts_are_grouped() {
        let texts = [0, 7, 999, 1_000, 1_234_567].map(count);
        assert_eq!(texts, ["0", "7", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn nothing_reorders_its_neighbours() {
        assert_eq!(clean("a\u{0}b\nc\u{202e}d"), "a b c d");
    }
}
