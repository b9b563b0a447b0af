//! Files that are read several times, and must stay as they are.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::error::{Error, Result};

/// What a file looked like when the work began.
pub(super) struct FileStamp {
    path: PathBuf,
    seen: Option<(u64, SystemTime)>,
}

impl FileStamp {
    pub(super) fn new(path: PathBuf) -> FileStamp {
        FileStamp { seen: look_at(&path), path }
    }

    /// An error if the file looks otherwise now.
    pub(super) fn check(&self) -> Result<()> {
        match look_at(&self.path) == self.seen {
            true => Ok(()),
            false => Err(Error::io(format!(
                "`{}` changed while it was read: keep the file as it is until the work ends, and \
                 begin again",
                self.path.display()
            ))),
        }
    }
}

/// The length of a file and when it was written.
fn look_at(path: &PathBuf) -> Option<(u64, SystemTime)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}
