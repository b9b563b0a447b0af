//! File formats by the endings of their names.

use std::fmt;
use std::path::Path;

use crate::failure::{Failure, Result};

/// A format a table is read from or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Parquet,
    Csv,
    Ndjson,
    Json,
    Ipc,
}

/// What may stand at the end of an output's name.
const WRITTEN: &str = ".parquet, .csv, .ndjson (.jsonl), .json or .ipc (.arrow, .feather)";
/// What may stand at the end of an input's name.
const READ: &str = ".parquet, .csv, .ndjson (.jsonl) or .ipc (.arrow, .feather)";

impl Format {
    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<Format> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "parquet" => Format::Parquet,
            "csv" => Format::Csv,
            "ndjson" | "jsonl" => Format::Ndjson,
            "json" => Format::Json,
            "ipc" | "arrow" | "feather" => Format::Ipc,
            _ => return None,
        })
    }

    pub fn of_output(path: &Path) -> Result<Format> {
        Format::of(path).ok_or_else(|| {
            Failure::words(format!(
                "output `{}`: name it with {WRITTEN} at its end",
                path.display()
            ))
        })
    }

    pub fn of_input(path: &Path) -> Result<Format> {
        Format::of(path).filter(|f| *f != Format::Json).ok_or_else(|| {
            Failure::words(format!(
                "input `{}`: its name has to end in {READ}, which says how to read it",
                path.display()
            ))
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::Ndjson => "ndjson",
            Format::Json => "json",
            Format::Ipc => "ipc",
        })
    }
}
