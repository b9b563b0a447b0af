//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::error::{Error, Result};

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

/// Writes a file as [`AtomicFile::write`] does; its error names the path.
pub(crate) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    AtomicFile::write(path, fill).map_err(|e| cannot_write(path, e))
}

pub(crate) fn cannot_write(path: &Path, e: io::Error) -> Error {
    Error::io(format!("cannot write `{}`: {e}", path.display())).caused_by(e)
}

/// A file that appears under its name whole or not at all.
///
/// It is written under a hidden name (`.gaintree-*`) beside its path and renamed by
/// [`commit`](Self::commit). Dropped before that, it is removed and what stood at the path stays.
/// A link at the path keeps pointing where it does, a replaced file keeps its permissions, and a
/// device or a pipe is written to as it is.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    /// `None` for a device or a pipe.
    hidden: Option<Hidden>,
}

impl AtomicFile {
    /// Opens the hidden file.
    ///
    /// # Errors
    /// The folder is absent or may not be written to, or the path is a folder.
    pub fn create(path: impl AsRef<Path>) -> io::Result<AtomicFile> {
        let path = path.as_ref();
        open(path).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound if !folder(path).is_dir() => {
                let what =
                    format!("there is no folder `{}`; make it first", folder(path).display());
                io::Error::new(e.kind(), what)
            }
            io::ErrorKind::IsADirectory => {
                io::Error::new(e.kind(), "it is a folder; name a file in it")
            }
            io::ErrorKind::PermissionDenied => {
                let folder = folder(path).display();
                let what = format!("folder `{folder}` may not be written to; choose another");
                io::Error::new(e.kind(), what)
            }
            _ => e,
        })
    }

    /// What is written to. Hand this on rather than the name: a file opened by its name, in
    /// another thread, may come into being again after it has been removed.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file its name. Its bytes may reach the disk later.
    ///
    /// # Errors
    /// The file cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        self.hidden.map_or(Ok(()), Hidden::rename)
    }

    /// Writes a file through a buffer, has it reach the disk, and gives it its name.
    ///
    /// # Errors
    /// As [`create`](Self::create), and the errors of `fill` and of writing.
    pub fn write<E: From<io::Error>>(
        path: impl AsRef<Path>,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        let atomic = AtomicFile::create(path)?;
        let mut buffer = BufWriter::new(&atomic.file);
        fill(&mut buffer)?;
        buffer.flush()?;
        drop(buffer);
        // A pipe cannot be synced.
        if atomic.hidden.is_some() {
            atomic.file.sync_all()?;
        }
        Ok(atomic.commit()?)
    }
}

/// Removes the hidden files that are being written in this process: for a program that ends on a
/// signal, where nothing is dropped.
///
/// It waits a twentieth of a second at most, and allocates only for long paths, so that it can be
/// called where memory has run out.
pub fn remove_unfinished_files() {
    // Whoever holds the list is changing it, which takes no time unless its thread is stopped.
    for _ in 0..50 {
        if let Ok(unfinished) = UNFINISHED.try_lock() {
            unfinished.iter().for_each(|path| drop(fs::remove_file(path)));
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open(path: &Path) -> io::Result<AtomicFile> {
    // A link keeps pointing where it does: what is replaced is the file it points to.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let old = fs::metadata(&target).ok();
    let is_folder = old.as_ref().is_some_and(fs::Metadata::is_dir);
    if is_folder || target.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let file = OpenOptions::new().write(true).open(&target)?;
        return Ok(AtomicFile { file, hidden: None });
    }
    let (file, hidden) = Hidden::beside(target)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    Ok(AtomicFile { file, hidden: Some(hidden) })
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// The name of a file that is to take the place of another; removed unless it has.
#[derive(Debug)]
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
            // Known before it is there: a signal may come at once.
            unfinished().push(path.clone());
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Hidden { path, target, renamed: false })),
                Err(e) => {
                    unfinished().retain(|other| *other != path);
                    // Left by a killed process that had our number: take the next name.
                    if e.kind() != io::ErrorKind::AlreadyExists {
                        return Err(e);
                    }
                }
            }
        }
    }

    fn rename(mut self) -> io::Result<()> {
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
        unfinished().retain(|path| *path != self.path);
    }
}
