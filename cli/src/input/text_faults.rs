//! What is wrong with a text file, and in which line: Polars says it without the line.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;

use polars::prelude::{DataType, PolarsResult, Schema};
use serde_json::{Map, Value};

use super::Input;
use super::csv_records::{Record, records};
use super::csv_text::{TO_UTF8, text_of};
use super::file_format::FileFormat;
use super::numerals::Numerals;

/// What Polars says before and after a value that has not the dtype of its column.
const NO_VALUE: [(&str, &str); 2] =
    [("could not parse `", "` as dtype `"), ("cannot parse '", "' (")];

const STREAM: [u8; 4] = [0xff; 4];

impl Input {
    /// What Polars says, with the line and the column it is about and what to do.
    pub(super) fn explain(&self, what: String, schema: Option<&Schema>) -> String {
        let text = |packing| text_of(&self.path, packing);
        let found = match self.format {
            FileFormat::Csv(separator, packing) => {
                text(packing).and_then(|text| csv_fault(text, separator, &what))
            }
            FileFormat::Ndjson | FileFormat::Json => {
                text(None).and_then(|text| json_fault(text, &what, schema))
            }
            FileFormat::Ipc => ipc_fault(&self.path),
            FileFormat::Parquet => Ok(None),
        };
        found.ok().flatten().unwrap_or(what)
    }

    /// Says that the line of a row, counted from 0, has fewer fields than the header: Polars reads the
    /// others as missing.
    pub(super) fn short_line(&self, row: usize) -> Option<String> {
        let FileFormat::Csv(separator, packing) = self.format else { return None };
        let mut lines = records(text_of(&self.path, packing).ok()?).map_while(Result::ok);
        let n_fields = |record: &Record| record.raw_fields(separator).count();
        let n_columns = n_fields(&lines.find(|line| !line.is_blank())?);
        let mut lines = lines.filter(|line| n_columns == 1 || !line.is_blank());
        let line = lines.nth(row)?;
        let found = n_fields(&line);
        (found < n_columns)
            .then(|| format!("line {}, which has {found} of {n_columns} fields", line.line))
    }
}

fn value_of(what: &str) -> Option<&str> {
    NO_VALUE.iter().find_map(|(before, after)| {
        let rest = what.split_once(before)?.1;
        Some(rest.split_once(after)?.0)
    })
}

fn csv_fault(text: impl BufRead, separator: u8, what: &str) -> PolarsResult<Option<String>> {
    let mut names: Option<Vec<String>> = None;
    let is_ragged = what.contains("found more fields");
    let is_not_utf8 = what.contains("invalid utf-8");
    let value = value_of(what);
    if !is_ragged && !is_not_utf8 && value.is_none() {
        return Ok(None);
    }
    for record in records(text) {
        let record = record?;
        let line = record.line;
        if is_not_utf8 && record.text().is_none() {
            return Ok(Some(format!("line {line} is not UTF-8: {TO_UTF8}")));
        }
        if record.has_open_quote() {
            return Ok(Some(format!(
                "line {line} has a quote that is not closed, so that what follows is one value: close \
                 it, or double a quote that is part of a value"
            )));
        }
        if record.is_blank() {
            continue;
        }
        let fields = record.fields(separator);
        let Some(names) = &names else {
            names = Some(fields);
            continue;
        };
        if is_ragged && fields.len() > names.len() {
            return Ok(Some(format!(
                "line {line} has {} fields, and the header {}: take out what is too much, or put \
                 a field with a separator in it into quotes",
                fields.len(),
                names.len()
            )));
        }
        if let Some(value) = value {
            let mut named = names.iter().zip(&fields);
            let is_it = |(name, field): &(&String, &String)| {
                field.trim() == value.trim_matches('"').trim()
                    && what.contains(&format!("'{name}'"))
            };
            if let Some((name, field)) = named.find(is_it) {
                let dtype = what.split("as dtype `").nth(1).and_then(|rest| rest.split('`').next());
                let dtype = dtype.unwrap_or("its dtype");
                return Ok(Some(format!(
                    "column `{name}`: could not parse `{field}` as {dtype} in line {line}: {}",
                    remedy(field, dtype)
                )));
            }
        }
    }
    Ok(None)
}

/// What to do about a text that is no value of a dtype.
fn remedy(field: &str, dtype: &str) -> String {
    if let Some(remedy) = beyond(field, dtype) {
        return remedy;
    }
    let is_number = dtype.starts_with(['i', 'u', 'f']);
    let way = Numerals::COMMON.into_iter().find(|way| way.plain(field).is_some());
    match way.filter(|_| is_number) {
        Some(way) => format!("if numbers are written so, read the file with {}", way.flags()),
        None => "mend the value, or leave it empty where it is missing, or name such texts with \
                 --null-values"
            .to_string(),
    }
}

/// What to do about an integer that is out of the range of an integer dtype.
fn beyond(text: &str, dtype: &str) -> Option<String> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_whole && dtype.starts_with(['i', 'u'])).then(|| {
        format!(
            "it is out of the range of {dtype}: fit the model on a column of a wider dtype, or leave \
             the value empty"
        )
    })
}

fn ipc_fault(path: &Path) -> PolarsResult<Option<String>> {
    let mut start = [0; 4];
    File::open(path)?.read_exact(&mut start)?;
    Ok((start == STREAM).then(|| {
        "it is an Arrow stream, which has no footer: write it as an Arrow file (polars: write_ipc; \
         pyarrow: pyarrow.ipc.new_file) or as Parquet"
            .to_string()
    }))
}

fn json_fault(
    text: impl BufRead,
    what: &str,
    schema: Option<&Schema>,
) -> PolarsResult<Option<String>> {
    let value = value_of(what);
    for (line, text) in (1..).zip(text.split(b'\n')) {
        let text = text?;
        let Ok(text) = str::from_utf8(&text) else {
            return Ok(Some(format!("line {line} is not UTF-8: {TO_UTF8}")));
        };
        if line == 1 && text.starts_with('\u{feff}') {
            return Ok(Some(
                "it begins with a byte order mark: take it out (sed '1s/^\\xef\\xbb\\xbf//')"
                    .to_string(),
            ));
        }
        if text.trim().is_empty() {
            continue;
        }
        let object: Map<String, Value> = match serde_json::from_str(text) {
            Ok(object) => object,
            Err(e) => {
                // Its own position is that in the line.
                let e = e.to_string();
                let e = e.split(" at line ").next().unwrap_or_default();
                return Ok(Some(format!("line {line} is not a JSON object: {e}")));
            }
        };
        let Some(value) = value else { continue };
        let is_it = |name: &str, found: &Value| {
            let text = found.as_str().map_or_else(|| found.to_string(), str::to_string);
            let expected = schema.and_then(|schema| schema.get(name));
            text == value && expected.is_none_or(|dtype| *dtype != DataType::String)
        };
        if let Some((name, found)) = object.iter().find(|(name, found)| is_it(name, found)) {
            let dtype = schema.and_then(|schema| schema.get(name)).map(ToString::to_string);
            let dtype = dtype.unwrap_or("its dtype".to_string());
            let remedy = beyond(&found.to_string(), &dtype)
                .unwrap_or_else(|| "mend the value, or write null where it is missing".to_string());
            return Ok(Some(format!(
                "column `{name}`: could not parse `{found}` as {dtype} in line {line}: {remedy}"
            )));
        }
    }
    Ok(None)
}
