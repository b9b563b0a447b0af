//! Files that appear complete or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|e| {
        let remedy = match e.kind() {
            io::ErrorKind::NotFound => "there is no such file; check its path".to_string(),
            _ => remedy(&e),
        };
        Error::io(format!("cannot read `{}`: {remedy}", path.display())).caused_by(e)
    })
}

/// Writes a file under a hidden name beside `path` and renames it when it is complete and synced.
pub(crate) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let write = || {
        let (file, temp) = open(path)?;
        let mut buffer = BufWriter::new(file);
        fill(&mut buffer)?;
        let file = buffer.into_inner()?;
        temp.map_or(Ok(()), |temp| file.sync_all().and_then(|()| temp.rename()))
    };
    write().map_err(|e| cannot_write(path, e))
}

/// Lets `fill` write a hidden file beside `path`, and renames it when it is complete. `fill` gets
/// the open file: opened by name, it could be created again after its removal. The file is not
/// synced, as waiting for a large table to reach the disk can take longer than to compute it.
#[cfg(feature = "polars")]
pub(crate) fn replace_whole(path: &Path, fill: impl FnOnce(File) -> Result<()>) -> Result<()> {
    let (file, temp) = open(path).map_err(|e| cannot_write(path, e))?;
    fill(file)?;
    temp.map_or(Ok(()), TempFile::rename).map_err(|e| cannot_write(path, e))
}

fn cannot_write(path: &Path, e: io::Error) -> Error {
    let remedy = match e.kind() {
        io::ErrorKind::NotFound => {
            format!("there is no folder `{}`; make it first", folder(path).display())
        }
        io::ErrorKind::PermissionDenied => {
            format!("folder `{}` may not be written to; choose another", folder(path).display())
        }
        _ => remedy(&e),
    };
    Error::io(format!("cannot write `{}`: {remedy}", path.display())).caused_by(e)
}

fn remedy(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::IsADirectory => "it is a folder; name a file in it".to_string(),
        _ => e.to_string(),
    }
}

/// Opens a hidden file for `path`, or the device or pipe at `path` itself, which a rename would
/// destroy.
fn open(path: &Path) -> io::Result<(File, Option<TempFile>)> {
    // A symbolic link stays: the file it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let old = fs::metadata(&target).ok();
    let is_folder = old.as_ref().is_some_and(fs::Metadata::is_dir);
    if is_folder || target.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Ok((OpenOptions::new().write(true).open(&target)?, None));
    }
    let (file, temp) = TempFile::beside(target)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    Ok((file, Some(temp)))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A hidden file that will replace `target`; dropping it before that removes it.
struct TempFile {
    path: PathBuf,
    target: PathBuf,
    renamed: bool,
}

impl TempFile {
    fn beside(target: PathBuf) -> io::Result<(File, TempFile)> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".gaintree-{}-{count}", process::id()));
            let path = folder(&target).join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, TempFile { path, target, renamed: false })),
                // Left behind by a killed process of the same id: try the next name.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }

    fn rename(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.renamed {
            // A failed removal cannot be reported from `drop`.
            let _ = fs::remove_file(&self.path);
        }
    }
}
