//! File formats, by the endings of names.

use std::fmt;
use std::path::Path;

use crate::process::{Failure, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    Parquet,
    /// Fields with this character between them, compressed or not.
    Csv(u8, Option<Packing>),
    Ndjson,
    Json,
    Ipc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Gzip,
    Zstd,
}

/// What may stand at the end of an output's name.
const WRITTEN: &str = ".parquet, .csv, .tsv (or .csv.gz, .csv.zst), .ndjson (.jsonl), .json or .ipc (.arrow, .feather)";
/// What may stand at the end of an input's name.
const READ: &str =
    ".parquet, .csv, .tsv (or .csv.gz, .csv.zst), .ndjson (.jsonl) or .ipc (.arrow, .feather)";

impl FileFormat {
    /// By the ending of a name, in any case.
    pub fn of(path: &Path) -> Option<FileFormat> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let packing = match ending.as_str() {
            "gz" => Packing::Gzip,
            "zst" => Packing::Zstd,
            plain => return FileFormat::of_ending(plain, None),
        };
        let inner = Path::new(path.file_stem()?).extension()?.to_str()?.to_ascii_lowercase();
        FileFormat::of_ending(&inner, Some(packing)).filter(|f| matches!(f, FileFormat::Csv(..)))
    }

    fn of_ending(ending: &str, packing: Option<Packing>) -> Option<FileFormat> {
        Some(match ending {
            "parquet" => FileFormat::Parquet,
            "csv" => FileFormat::Csv(b',', packing),
            "tsv" => FileFormat::Csv(b'\t', packing),
            "ndjson" | "jsonl" => FileFormat::Ndjson,
            "json" => FileFormat::Json,
            "ipc" | "arrow" | "feather" => FileFormat::Ipc,
            _ => return None,
        })
    }

    pub fn is_text(self) -> bool {
        matches!(self, FileFormat::Csv(..) | FileFormat::Ndjson | FileFormat::Json)
    }

    pub fn is_csv(self) -> bool {
        matches!(self, FileFormat::Csv(..))
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
            FileFormat::Csv(..) => "csv",
            FileFormat::Ndjson => "ndjson",
            FileFormat::Json => "json",
            FileFormat::Ipc => "ipc",
        })
    }
}
