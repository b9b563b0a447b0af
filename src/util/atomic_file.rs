//! Files that appear whole or not at all.

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
        let what = match e.kind() {
            io::ErrorKind::NotFound => "there is no such file; check its path".to_string(),
            io::ErrorKind::IsADirectory => "it is a folder; name a file in it".to_string(),
            _ => e.to_string(),
        };
        Error::io(format!("cannot read `{}`: {what}", path.display())).caused_by(e)
    })
}

/// Writes a file under a hidden name beside `path`, and gives it that name when it is whole.
pub(crate) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    write(path, fill).map_err(|e| {
        let message = format!("cannot write `{}`: {}", path.display(), remedy(path, &e));
        Error::io(message).caused_by(e)
    })
}

fn remedy(path: &Path, e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => {
            format!("there is no folder `{}`; make it first", folder(path).display())
        }
        io::ErrorKind::IsADirectory => "it is a folder; name a file in it".to_string(),
        io::ErrorKind::PermissionDenied => {
            format!("folder `{}` may not be written to; choose another", folder(path).display())
        }
        _ => e.to_string(),
    }
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (file, hidden) = open(path)?;
    let mut buffer = BufWriter::new(file);
    fill(&mut buffer)?;
    let file = buffer.into_inner()?;
    match hidden {
        Some(hidden) => file.sync_all().and_then(|()| hidden.take_place()),
        None => Ok(()),
    }
}

/// Has a hidden file beside `path` filled, and gives it that name when it is whole. It is handed
/// over open: opened by its name it might come into being again after it has been removed. It is
/// not synced: what a crash of the machine takes of a table can be made again, and to wait for a
/// large one to reach the disk may take longer than to make it.
#[cfg(feature = "polars")]
pub(crate) fn replace_whole(path: &Path, fill: impl FnOnce(File) -> Result<()>) -> Result<()> {
    let failed = |e: io::Error| {
        let message = format!("cannot write `{}`: {}", path.display(), remedy(path, &e));
        Error::io(message).caused_by(e)
    };
    let (file, hidden) = open(path).map_err(failed)?;
    fill(file)?;
    hidden.map_or(Ok(()), |hidden| hidden.take_place().map_err(failed))
}

/// What is filled for `path`: a hidden file, or the device or the pipe that stands there, for to
/// put a file in its place would destroy it.
fn open(path: &Path) -> io::Result<(File, Option<Hidden>)> {
    // A link keeps pointing where it does: what is replaced is the file it points to.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let old = fs::metadata(&target).ok();
    let is_folder = old.as_ref().is_some_and(fs::Metadata::is_dir);
    if is_folder || target.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Ok((OpenOptions::new().write(true).open(&target)?, None));
    }
    let (file, hidden) = Hidden::beside(target)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    Ok((file, Some(hidden)))
}

/// The folder a path is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A hidden file that is to take the place of another, removed unless it has.
struct Hidden {
    path: PathBuf,
    target: PathBuf,
    renamed: bool,
}

impl Hidden {
    fn beside(target: PathBuf) -> io::Result<(File, Hidden)> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".gaintree-{}-{count}", process::id()));
            let path = folder(&target).join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Hidden { path, target, renamed: false })),
                // Left by a killed process that had our number: take the next name.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }

    fn take_place(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing better can be done about a file that will not go.
            let _ = fs::remove_file(&self.path);
        }
    }
}
