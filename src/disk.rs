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
    let Place { target, old } = Place::of(path)?;
    // To put a file in the place of a device or a pipe would destroy it.
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut buffer = BufWriter::new(OpenOptions::new().write(true).open(&target)?);
        fill(&mut buffer)?;
        return buffer.flush();
    }

    let (file, temporary) = Temporary::beside(&target)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    let mut buffer = BufWriter::new(file);
    fill(&mut buffer)?;
    buffer.into_inner()?.sync_all()?;
    temporary.rename(&target)
}

/// Has a file filled by its name, a hidden one beside `path`, and gives it that name when it is
/// whole. It is not synced: what a crash of the machine takes of a table can be made again, and
/// to wait for a large one to reach the disk may take longer than to make it.
#[cfg(feature = "polars")]
pub(crate) fn replace_whole(path: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let failed = |e: io::Error| {
        let message = format!("cannot write `{}`: {}", path.display(), remedy(path, &e));
        Error::io(message).caused_by(e)
    };
    let Place { target, old } = Place::of(path).map_err(failed)?;
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(&target);
    }
    let (file, temporary) = Temporary::beside(&target).map_err(failed)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions()).map_err(failed)?;
    }
    drop(file);
    fill(&temporary.path)?;
    temporary.rename(&target).map_err(failed)
}

/// Where a file is to stand, and what stands there.
struct Place {
    target: PathBuf,
    old: Option<fs::Metadata>,
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        // A link keeps pointing where it does: what is replaced is the file it points to.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let old = fs::metadata(&target).ok();
        let is_folder = old.as_ref().is_some_and(fs::Metadata::is_dir);
        if is_folder || target.file_name().is_none() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Place { target, old })
    }
}

/// The folder a path is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A hidden file, removed unless it has been renamed.
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    fn beside(target: &Path) -> io::Result<(File, Temporary)> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".gaintree-{}-{count}", process::id()));
            let path = folder(target).join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Temporary { path, renamed: false })),
                // Left by a killed process that had our number: take the next name.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing better can be done about a file that will not go.
            let _ = fs::remove_file(&self.path);
        }
    }
}
