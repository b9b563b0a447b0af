//! The text of a csv file before Polars reads it: its columns' names, and blank lines, which Polars
//! takes for rows without a value.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use polars::prelude::{
    PlSmallStr, PolarsError, PolarsResult, ScanSources, polars_bail, polars_ensure, polars_err,
};

use super::csv_records::{Record, records};
use super::file_format::Packing;
use super::numerals::Numerals;

/// What to do with a file of another encoding.
pub(super) const TO_UTF8: &str =
    "convert the file (iconv -f ISO-8859-1 -t UTF-8, if it is of Latin-1)";

const CHUNK: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct CsvText {
    pub names: Vec<PlSmallStr>,
    /// The text, if it is not that of the file.
    held: Option<ScanSources>,
}

impl CsvText {
    pub fn read(
        path: &Path,
        separator: u8,
        packing: Option<Packing>,
        numerals: Numerals,
    ) -> PolarsResult<CsvText> {
        let unpacked = packing.map(|packing| unpack(path, packing)).transpose()?;
        let text = || open(path, unpacked.as_deref());
        let names = names(text()?, separator)?;
        // In a file of one column a blank line is a missing value.
        let is_clean =
            names.len() == 1 || !may_have_blank_lines(text()?)? || !has_blank_lines(text()?)?;
        let held = match is_clean {
            _ if !numerals.are_plain() => Some(numerals.make_plain(text()?, separator)?),
            true => unpacked,
            false => Some(without_blank_lines(text()?)?),
        };
        let held = held.map(|text| ScanSources::Buffers(Arc::new([text.into()])));
        Ok(CsvText { names, held })
    }

    pub fn source(&self, path: &Path) -> PolarsResult<ScanSources> {
        Ok(match &self.held {
            Some(text) => text.clone(),
            None => ScanSources::Files(Arc::new([File::open(path)?])),
        })
    }
}

pub(super) fn text_of(path: &Path, packing: Option<Packing>) -> PolarsResult<Box<dyn BufRead>> {
    let file = File::open(path)?;
    Ok(match packing {
        None => Box::new(BufReader::new(file)),
        Some(Packing::Gzip) => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        Some(Packing::Zstd) => Box::new(BufReader::new(zstd::Decoder::new(file)?)),
    })
}

pub(super) fn two_columns(name: &str) -> PolarsError {
    polars_err!(
        ComputeError: "two columns are named `{name}`, so that nobody knows which is meant: name \
        them apart, or take one out"
    )
}

fn unpack(path: &Path, packing: Packing) -> PolarsResult<Vec<u8>> {
    let mut text = Vec::new();
    text_of(path, Some(packing))?.read_to_end(&mut text)?;
    polars_ensure!(!text.is_empty(), NoData: "the file is empty");
    Ok(text)
}

fn open<'a>(path: &Path, held: Option<&'a [u8]>) -> PolarsResult<Box<dyn BufRead + 'a>> {
    Ok(match held {
        Some(text) => Box::new(text),
        None => Box::new(BufReader::with_capacity(CHUNK, File::open(path)?)),
    })
}

/// The columns' names, which are all different.
fn names(mut text: impl BufRead, separator: u8) -> PolarsResult<Vec<PlSmallStr>> {
    let start = text.fill_buf()?;
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        polars_bail!(ComputeError: "it is UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
    }
    let mut records = records(text);
    let is_header = |record: &std::io::Result<Record>| !record.as_ref().is_ok_and(Record::is_blank);
    let Some(header) = records.find(is_header).transpose()? else {
        polars_bail!(NoData: "the file is empty");
    };
    if header.text().is_none() {
        polars_bail!(ComputeError: "line {} is not UTF-8: {TO_UTF8}", header.line);
    }
    if header.has_lone_cr() {
        polars_bail!(
            ComputeError: "its lines end in CR alone, as on old Macs: convert the file \
            (tr '\\r' '\\n' < old > new)"
        );
    }
    if let Some(other) = header.text().and_then(|line| line.strip_prefix("sep="))
        && other.chars().count() == 1
    {
        polars_bail!(
            ComputeError: "its first line, `sep={other}`, is no header: take the line out, and read \
            the file with --separator '{other}'"
        );
    }
    let names = header.fields(separator);
    let mut seen = HashSet::new();
    if let Some(name) = names.iter().find(|name| !name.is_empty() && !seen.insert(name.as_str())) {
        return Err(two_columns(name));
    }
    // Columns without a name get one, all but the first, as in Polars.
    let mut nameless = (0..).map(|n: usize| match n {
        0 => String::new(),
        n => format!("_duplicated_{}", n - 1),
    });
    let named = names.into_iter().map(|name| match name.is_empty() {
        true => nameless.next().unwrap_or_default(),
        false => name,
    });
    Ok(named.map(PlSmallStr::from).collect())
}

/// Whether a line break follows another, be it in quotes. This is quick.
fn may_have_blank_lines(mut text: impl BufRead) -> PolarsResult<bool> {
    // The last two bytes of the chunk before; a text begins after a line break, as it were.
    let mut bytes = vec![b' ', b' '];
    loop {
        let chunk = text.fill_buf()?;
        let read = chunk.len();
        bytes.extend_from_slice(chunk);
        if read == 0 {
            bytes.push(b' ');
        }
        let threes = bytes.iter().zip(&bytes[1..]).zip(bytes.get(2..).unwrap_or_default());
        let is_blank = |found, ((a, b), c): ((&u8, &u8), &u8)| {
            found | ((*a == b'\n') & ((*b == b'\n') | ((*b == b'\r') & (*c == b'\n'))))
        };
        // No shortcut, so that many bytes are looked at together.
        if threes.fold(false, is_blank) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        text.consume(read);
        bytes.drain(..bytes.len() - 2);
    }
}

fn has_blank_lines(text: impl BufRead) -> PolarsResult<bool> {
    for record in records(text) {
        if record?.is_blank() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn without_blank_lines(text: impl BufRead) -> PolarsResult<Vec<u8>> {
    let mut kept = Vec::new();
    for record in records(text) {
        let record = record?;
        if !record.is_blank() {
            kept.extend_from_slice(record.bytes());
            kept.push(b'\n');
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_found_wherever_chunks_end() {
        for (text, expected) in [
            ("x,y\n1,2\n", false),
            ("x,y\n1,2\n\n", true),
            ("x,y\n\n1,2", true),
            ("x,y\r\n\r\n1,2\r\n", true),
            ("x,y\r\n1,2\r\n\r\n", true),
            ("x,y\n \n1,2\n", false),
            ("x,y\r1,2\r\n", false),
        ] {
            for capacity in 1..text.len() {
                let chunks = BufReader::with_capacity(capacity, text.as_bytes());
                assert_eq!(may_have_blank_lines(chunks).expect("read"), expected, "{text:?}");
            }
            assert_eq!(has_blank_lines(text.as_bytes()).expect("read"), expected, "{text:?}");
        }
        let quoted = "x,y\n\"a\n\nb\",2\n";
        assert!(may_have_blank_lines(quoted.as_bytes()).expect("read"));
        assert!(!has_blank_lines(quoted.as_bytes()).expect("read"));
    }
}
