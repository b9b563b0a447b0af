//! The records of a csv file, read one by one: to name its columns and to say what is wrong where.

use std::io::{self, BufRead};

/// A line of a file, or several where a quoted field has line breaks in it.
pub(super) struct Record {
    pub line: usize,
    bytes: Vec<u8>,
}

impl Record {
    pub fn is_blank(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn has_open_quote(&self) -> bool {
        self.bytes.iter().filter(|byte| **byte == b'"').count() % 2 == 1
    }

    /// Whether a carriage return stands within, outside of quotes.
    pub fn has_lone_cr(&self) -> bool {
        let mut quoted = false;
        self.bytes.iter().any(|&byte| {
            quoted ^= byte == b'"';
            byte == b'\r' && !quoted
        })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn text(&self) -> Option<&str> {
        str::from_utf8(&self.bytes).ok()
    }

    pub fn raw_fields(&self, separator: u8) -> impl Iterator<Item = &[u8]> {
        let mut quoted = false;
        self.bytes.split(move |byte| {
            quoted ^= *byte == b'"';
            *byte == separator && !quoted
        })
    }

    /// The fields without their quotes; what is no UTF-8 is replaced.
    pub fn fields(&self, separator: u8) -> Vec<String> {
        let (mut fields, mut field, mut quoted) = (Vec::new(), Vec::new(), false);
        let mut bytes = self.bytes.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' if quoted && bytes.peek() == Some(&b'"') => {
                    bytes.next();
                    field.push(b'"');
                }
                b'"' if quoted || field.is_empty() => quoted = !quoted,
                _ if byte == separator && !quoted => fields.push(std::mem::take(&mut field)),
                _ => field.push(byte),
            }
        }
        fields.push(field);
        fields.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect()
    }
}

/// The records of a text, without what ends their lines and without a byte order mark.
pub(super) fn records(mut text: impl BufRead) -> impl Iterator<Item = io::Result<Record>> {
    let mut lines = 0;
    std::iter::from_fn(move || {
        let (line, mut bytes) = (lines + 1, Vec::new());
        loop {
            let read = match text.read_until(b'\n', &mut bytes) {
                Ok(read) => read,
                Err(e) => return Some(Err(e)),
            };
            lines += 1;
            let quotes = bytes.iter().filter(|byte| **byte == b'"').count();
            if read == 0 || quotes % 2 == 0 {
                break;
            }
        }
        if bytes.is_empty() {
            return None;
        }
        for end in [b'\n', b'\r'] {
            bytes.pop_if(|last| *last == end);
        }
        if line == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        Some(Ok(Record { line, bytes }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, Vec<String>)> {
        let records = records(text.as_bytes()).map(|record| record.expect("read"));
        records.map(|record| (record.line, record.fields(b','))).collect()
    }

    #[test]
    fn quotes_are_taken_off() {
        let names = |text: &str| read(text)[0].1.join("|");
        assert_eq!(names("a,\"height 6\"\"\",\"b,c\",d\r\n1,2,3,4\n"), "a|height 6\"|b,c|d");
        assert_eq!(names("\u{feff}x, y,z 6\"\n"), "x| y|z 6\"");
        assert_eq!(names("\"\",\"\"\"\","), "|\"|");
    }

    #[test]
    fn records_know_their_line() {
        let found = read("x,y\n\n\"a\nb\",1\r\n\r\nc,2");
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 2, 3, 5, 6]);
        assert_eq!(found[2].1, ["a\nb", "1"]);
        assert_eq!(found[3].1, [""]);
    }
}
