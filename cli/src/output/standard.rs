//! Standard output and standard error.

use std::io::{self, BufWriter, ErrorKind, Write};

use polars::prelude::{PolarsError, PolarsResult};

use crate::process::{Failure, Result};

pub fn print(text: &str) -> Result<()> {
    to_standard_output(|out| Ok(out.write_all(text.as_bytes())?))
}

/// Prints a line beside the results, on standard error.
pub fn note(text: &str) {
    // A closed standard error is not a failure.
    let _ = writeln!(io::stderr(), "{text}");
}

pub fn note_all(texts: impl IntoIterator<Item = impl AsRef<str>>) {
    texts.into_iter().for_each(|text| note(text.as_ref()));
}

pub(super) fn to_standard_output(
    fill: impl FnOnce(&mut dyn Write) -> PolarsResult<()>,
) -> Result<()> {
    let mut out = StandardOutput { out: BufWriter::new(io::stdout().lock()), closed: false };
    let done = fill(&mut out).and_then(|()| out.flush().map_err(PolarsError::from));
    match done {
        Ok(()) => Ok(()),
        Err(_) if out.closed => Err(Failure::ClosedPipe),
        Err(e) => Err(Failure::work(format!("cannot write to standard output: {e}"))),
    }
}

/// Standard output that remembers whether its reader has gone.
struct StandardOutput<'a> {
    out: BufWriter<io::StdoutLock<'a>>,
    closed: bool,
}

impl StandardOutput<'_> {
    fn watched<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        self.closed |= done.as_ref().is_err_and(|e| e.kind() == ErrorKind::BrokenPipe);
        done
    }
}

impl Write for StandardOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.watched(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.watched(done)
    }
}
