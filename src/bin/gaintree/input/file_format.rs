//! File formats, by the endings of names.

use std::fmt;
use std::path::Path;

use crate::process::{Failure, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
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

impl FileFormat {
    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<FileFormat> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "parquet" => FileFormat::Parquet,
            "csv" => FileFormat::Csv,
            "ndjson" | "jsonl" => FileFormat::Ndjson,
            "json" => FileFormat::Json,
            "ipc" | "arrow" | "feather" => FileFormat::Ipc,
            _ => return None,
        })
    }

    pub fn of_output(path: &Path) -> Result<FileFormat> {
        FileFormat::of(path).ok_or_else(|| {
            Failure::usage(format!(
                "output `{}`: name it with {WRITTEN} at its end",
                path.display()
            ))
        })
    }

    pub fn of_input(path: &Path) -> Result<FileFormat> {
        FileFormat::of(path).filter(|f| *f != FileFormat::Json).ok_or_else(|| {
            Failure::usage(format!(
                "input `{}`: its name has to end in {READ}, which says how to read it",
                path.display()
            ))
        })
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileFormat::Parquet => "parquet",
            FileFormat::Csv => "csv",
            FileFormat::Ndjson => "ndjson",
            FileFormat::Json => "json",
            FileFormat::Ipc => "ipc",
        })
    }
}
