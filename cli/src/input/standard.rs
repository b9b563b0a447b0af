//! Rows that come by standard input. They are read several times, so they are kept in a file.

use std::io::{self, BufRead, IsTerminal};

use tempfile::NamedTempFile;

use super::file_format::{FileFormat, Packing};
use crate::process::{Failure, Result, remove_when_stopped};

pub(super) const WORD: &str = "-";

/// The file that keeps standard input, and its format. Dropped, the file is removed.
pub(super) fn keep() -> Result<(NamedTempFile, FileFormat)> {
    let mut rows = io::stdin().lock();
    if rows.is_terminal() {
        return Err(Failure::usage(
            "input `-` is standard input, and that is a terminal: pipe rows into it, or name a file",
        ));
    }
    let failed = |e: io::Error| Failure::work(format!("cannot read standard input: {e}"));
    let format = format_of(rows.fill_buf().map_err(failed)?);
    let kept = NamedTempFile::with_prefix(".gaintree-").and_then(|mut file| {
        remove_when_stopped(file.path());
        io::copy(&mut rows, &mut file)?;
        Ok(file)
    });
    let kept = kept.map_err(|e| {
        let folder = std::env::temp_dir();
        Failure::work(format!("cannot keep standard input in `{}`: {e}", folder.display()))
    })?;
    Ok((kept, format))
}

/// The format by the first bytes. Text that is no object of JSON is csv.
fn format_of(start: &[u8]) -> FileFormat {
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    let csv = |packing| FileFormat::Csv(b',', packing);
    match start {
        [b'P', b'A', b'R', b'1', ..] => FileFormat::Parquet,
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => FileFormat::Ipc,
        [0x1f, 0x8b, ..] => csv(Some(Packing::Gzip)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => csv(Some(Packing::Zstd)),
        _ if first == Some(&b'{') => FileFormat::Ndjson,
        _ => csv(None),
    }
}
