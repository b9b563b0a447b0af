//! Where results go. A file appears whole or not at all under its own name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use polars::prelude::{
    CsvWriter, DataFrame, IpcWriter, JsonFormat, JsonWriter, ParquetWriter, PolarsError,
    PolarsResult, SerWriter,
};
use tempfile::NamedTempFile;

use crate::ending;
use crate::failure::{Failure, Result};
use crate::format::Format;
use crate::json_text::flattened;

/// Where a table goes.
#[derive(Debug)]
pub enum Destination {
    /// Standard output, as csv.
    Standard,
    File(PathBuf, Format),
}

impl Destination {
    /// Where `-o` says, checked before any work: a folder that is there, an ending that is known,
    /// a name that is none of the inputs'. `None` where nothing was said.
    pub fn resolve(out: Option<&str>, inputs: &[&Path]) -> Result<Option<Destination>> {
        Ok(match out {
            None => None,
            Some("-") => Some(Destination::Standard),
            Some(out) => {
                let path = PathBuf::from(out);
                let format = Format::of_output(&path)?;
                check_place(&path, inputs)?;
                Some(Destination::File(path, format))
            }
        })
    }

    /// The file; `None` is standard output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Destination::Standard => None,
            Destination::File(path, _) => Some(path),
        }
    }

    pub fn write(&self, df: &DataFrame) -> Result<()> {
        match self {
            Destination::Standard => to_standard_output(|out| encode(df, Format::Csv, out)),
            Destination::File(path, format) => {
                let flat = |e| Failure::work(format!("cannot write `{}`: {e}", path.display()));
                write_whole(path, |file| encode(df, *format, file)).map_err(flat)
            }
        }
    }
}

/// Whether a file of this name can be written, as far as that can be told beforehand.
pub fn check_place(path: &Path, inputs: &[&Path]) -> Result<()> {
    let folder = folder(path);
    if !folder.is_dir() {
        return Err(Failure::work(format!(
            "output `{}`: there is no folder `{}`; make it first",
            path.display(),
            folder.display()
        )));
    }
    if path.is_dir() {
        return Err(Failure::work(format!(
            "output `{}` is a folder; name a file in it",
            path.display()
        )));
    }
    match inputs.iter().find(|input| same_file(input, path)) {
        Some(input) => Err(Failure::words(format!(
            "output `{}` is the input `{}`: give it another name",
            path.display(),
            input.display()
        ))),
        None => Ok(()),
    }
}

/// Whether two names are of one file, there or to be written.
pub fn same_file(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        fs::canonicalize(path)
            .ok()
            .or_else(|| Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?)))
    };
    place(a).is_some_and(|a| Some(a) == place(b))
}

/// The folder a path is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

pub fn encode(df: &DataFrame, format: Format, out: &mut dyn Write) -> PolarsResult<()> {
    // Columns are shared, not copied: the writers only ask for a frame they may rechunk.
    let mut df = df.clone();
    match format {
        Format::Parquet => ParquetWriter::new(out).finish(&mut df).map(drop),
        Format::Ipc => IpcWriter::new(out).finish(&mut df),
        Format::Csv => CsvWriter::new(out).finish(&mut flattened(&df)?),
        Format::Ndjson => {
            JsonWriter::new(out).with_json_format(JsonFormat::JsonLines).finish(&mut df)
        }
        Format::Json => JsonWriter::new(out).with_json_format(JsonFormat::Json).finish(&mut df),
    }
}

/// Writes a text to a file, whole or not at all.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    write_whole(path, |file| Ok(file.write_all(text.as_bytes())?))
        .map_err(|e| Failure::work(format!("cannot write `{}`: {e}", path.display())))
}

fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> PolarsResult<()>,
) -> PolarsResult<()> {
    if is_device(path) {
        let mut buffer = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        fill(&mut buffer)?;
        return Ok(buffer.flush()?);
    }
    let (path, temporary) = temporary(path)?;
    let mut buffer = BufWriter::new(temporary.as_file());
    fill(&mut buffer)?;
    buffer.flush()?;
    drop(buffer);
    File::sync_all(temporary.as_file())?;
    temporary.persist(&path).map_err(|e| e.error)?;
    Ok(())
}

/// Whether a device or a pipe stands there: to put a file in its place would destroy it.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file())
}

/// The place of a file, and a hidden one beside it that is to take that place.
pub fn temporary(path: &Path) -> io::Result<(PathBuf, NamedTempFile)> {
    // A link keeps pointing where it does: what is replaced is the file it points to.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gaintree-");
    // A temporary file is its owner's alone; a result is whoever's the umask says.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(folder(&path))?;
    ending::goes_with_the_run(temporary.path());
    if let Ok(old) = fs::metadata(&path) {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    Ok((path, temporary))
}

/// Prints a text to standard output.
pub fn print(text: &str) -> Result<()> {
    to_standard_output(|out| Ok(out.write_all(text.as_bytes())?))
}

/// Says something beside the results, on standard error.
pub fn note(text: &str) {
    // Where standard error is closed, nobody wants to know.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Standard output that remembers whether its reader has gone.
struct Standard<'a> {
    out: BufWriter<io::StdoutLock<'a>>,
    closed: bool,
}

impl Write for Standard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.watched(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.watched(done)
    }
}

impl Standard<'_> {
    fn watched<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        self.closed |= done.as_ref().is_err_and(|e| e.kind() == ErrorKind::BrokenPipe);
        done
    }
}

fn to_standard_output(fill: impl FnOnce(&mut dyn Write) -> PolarsResult<()>) -> Result<()> {
    let mut out = Standard { out: BufWriter::new(io::stdout().lock()), closed: false };
    let done = fill(&mut out).and_then(|()| out.flush().map_err(PolarsError::from));
    match done {
        Ok(()) => Ok(()),
        Err(_) if out.closed => Err(Failure::ClosedPipe),
        Err(e) => Err(Failure::work(format!("cannot write to standard output: {e}"))),
    }
}
