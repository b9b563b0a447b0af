//! The files that a word names: a file, a folder or a glob.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use glob::Pattern;

use super::file_format::FileFormat;
use crate::process::{Failure, Result};

/// The files that a word names; the files of a folder or glob are sorted.
pub(super) fn files(word: &str) -> Result<Vec<PathBuf>> {
    // A file may have a `[` or `*` in its name.
    match Path::new(word) {
        path if path.is_dir() => of_folder(word),
        path if path.exists() => Ok(vec![path.to_path_buf()]),
        path if !word.contains(['*', '?', '[']) => {
            // An ending that cannot be read would not be helped by a file.
            FileFormat::of_input(path)?;
            Err(Failure::work(format!("input `{word}`: there is no such file; check its path")))
        }
        _ => {
            let files = matched(word, word)?;
            match files.is_empty() {
                true => Err(Failure::work(format!("input `{word}`: the glob matches no file"))),
                false => Ok(files),
            }
        }
    }
}

/// The files of a folder and the folders in it, of one format. What begins with `.` or `_` is not
/// data, by the custom of Hadoop and Spark.
fn of_folder(word: &str) -> Result<Vec<PathBuf>> {
    let folder = Path::new(word);
    // Which of its files count stands in its log.
    if folder.join("_delta_log").is_dir() {
        return Err(Failure::work(format!(
            "input `{word}` is a Delta table, and some of its files may be out of date: write its \
             rows to a file first, as with Polars' scan_delta"
        )));
    }
    let pattern = Path::new(&Pattern::escape(word)).join("**/*");
    let mut files = matched(&pattern.to_string_lossy(), word)?;
    files.retain(|path| {
        let inside = path.strip_prefix(folder).unwrap_or(path);
        !inside.components().any(|part| is_no_data(part.as_os_str()))
    });
    let example = folder.join("*.parquet");
    let name_them = format!("name those to read, as in '{}'", example.display());
    let refused = |what: String| Err(Failure::work(format!("input `{word}` {what}")));
    let mut formats = Vec::new();
    for path in &files {
        match FileFormat::of_input(path) {
            Ok(format) => formats.push(format.to_string()),
            Err(_) => {
                let other = path.display();
                return refused(format!("holds `{other}`, which is no table: {name_them}"));
            }
        }
    }
    formats.sort();
    formats.dedup();
    match formats.as_slice() {
        [] => refused("is a folder without files of rows".into()),
        [_] => Ok(files),
        several => refused(format!("holds files of {}: {name_them}", several.join(" and "))),
    }
}

fn is_no_data(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") || name.starts_with(b"_") && !name.contains(&b'=')
}

fn matched(pattern: &str, word: &str) -> Result<Vec<PathBuf>> {
    let matches = glob::glob(pattern)
        .map_err(|e| Failure::usage(format!("input `{word}` is not a glob: {e}")))?;
    let mut files = matches
        .collect::<std::result::Result<Vec<PathBuf>, _>>()
        .map_err(|e| Failure::work(format!("input `{word}`: {e}")))?;
    files.retain(|path| !path.is_dir());
    files.sort();
    Ok(files)
}
