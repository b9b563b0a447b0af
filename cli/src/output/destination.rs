//! Where one result goes, checked before any work: the folder is there, the ending of the name is
//! known, and the name is none of the inputs'.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use gaintree::AtomicFile;
use polars::prelude::{DataFrame, PolarsError};

use super::dtypes::check_dtypes;
use super::picture::Picture;
use super::standard::to_standard_output;
use super::table::encode;
use super::text_format::{BinaryFormat, TextFormat, is_foreign};
use crate::args::Ground;
use crate::input::FileFormat;
use crate::process::{Failure, Result};

#[derive(Debug)]
pub enum Output {
    /// Standard output; tables as csv.
    Standard,
    Table(PathBuf, FileFormat),
    /// A model, a page, a picture or other text.
    Text(PathBuf),
    /// A picture in pixels, or an ONNX model.
    Binary(PathBuf),
}

impl Output {
    /// Where a table goes. `None` where no output was named.
    pub fn of_table(out: Option<&str>, inputs: &[&Path]) -> Result<Option<Output>> {
        let Some(path) = out.map(Path::new) else { return Ok(None) };
        if path == Path::new("-") {
            return Ok(Some(Output::Standard));
        }
        let format = FileFormat::of_output(path)?;
        check_path(path, inputs)?;
        Ok(Some(Output::Table(path.to_path_buf(), format)))
    }

    /// Where a table goes, or its picture: a name that ends in `.svg` or `.png` asks for that.
    pub fn of_table_or_picture(out: Option<&str>, inputs: &[&Path]) -> Result<Option<Output>> {
        match out {
            Some(out) if TextFormat::of(Path::new(out)) == Some(TextFormat::Svg) => {
                Output::of_text(out, inputs, TextFormat::Svg).map(Some)
            }
            Some(out) if BinaryFormat::of(Path::new(out)) == Some(BinaryFormat::Png) => {
                Output::of_binary(out, inputs, BinaryFormat::Png).map(Some)
            }
            Some(out) if is_foreign(Path::new(out)) => {
                TextFormat::Svg.check(Path::new(out)).map(|()| None)
            }
            _ => Output::of_table(out, inputs),
        }
    }

    /// Where a text of this format goes.
    pub fn of_text(out: &str, inputs: &[&Path], format: TextFormat) -> Result<Output> {
        if out == "-" {
            return Ok(Output::Standard);
        }
        let path = Path::new(out);
        format.check(path)?;
        check_path(path, inputs)?;
        Ok(Output::Text(path.to_path_buf()))
    }

    /// Where what is not text goes.
    pub fn of_binary(out: &str, inputs: &[&Path], format: BinaryFormat) -> Result<Output> {
        let (path, title, ending) = (Path::new(out), format.title(), format.ending());
        if out != "-" {
            if BinaryFormat::of(path) != Some(format) {
                return Err(Failure::usage(format!(
                    "output `{out}`: {title} is written, but the ending of its name says another \
                     format; name it `{}`",
                    path.with_extension(ending).display()
                )));
            }
            format.check(&format!("output `{out}`"))?;
            check_path(path, inputs)?;
            return Ok(Output::Binary(path.to_path_buf()));
        }
        format.check(&format!("--as {ending}"))?;
        if io::stdout().is_terminal() {
            return Err(Failure::usage(format!(
                "a terminal cannot show {title}: name a file, -o tree.{ending}, or send it to \
                 another program by a pipe",
            )));
        }
        Ok(Output::Standard)
    }

    /// Where a table goes in a folder that may yet have to be made.
    pub fn in_folder(folder: &Path, name: &OsStr, inputs: &[&Path]) -> Result<Output> {
        let path = folder.join(name);
        let format = FileFormat::of_output(&path)?;
        if folder.exists() {
            check_path(&path, inputs)?;
        }
        Ok(Output::Table(path, format))
    }

    /// The file; `None` is standard output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Output::Standard => None,
            Output::Table(path, _) | Output::Text(path) | Output::Binary(path) => Some(path),
        }
    }

    /// The file of a picture, where that is what is written of a table.
    pub fn picture(&self) -> Option<&Path> {
        match self {
            Output::Standard | Output::Table(..) => None,
            Output::Text(path) | Output::Binary(path) => Some(path),
        }
    }

    /// Writes a table, or where a text or pixels are to be written its picture.
    pub fn write(&self, table: &DataFrame, (picture, ground): (Picture, Ground)) -> Result<()> {
        match self {
            Output::Standard | Output::Table(..) => self.write_table(table),
            Output::Text(_) => self.write_text(&picture.draw_on(ground)?),
            Output::Binary(_) => self.write_bytes(&picture.pixels_on(ground)?),
        }
    }

    pub fn write_table(&self, df: &DataFrame) -> Result<()> {
        let format = match self {
            Output::Table(_, format) => *format,
            Output::Standard | Output::Text(_) | Output::Binary(_) => FileFormat::Csv(b',', None),
        };
        check_dtypes(df.schema(), format)?;
        match self.path() {
            None => to_standard_output(|out| encode(df, format, out)),
            Some(path) => AtomicFile::write(path, |file| encode(df, format, file))
                .map_err(|e| cannot_write(path, &e)),
        }
    }

    pub fn write_text(&self, text: &str) -> Result<()> {
        self.write_bytes(text.as_bytes())
    }

    pub fn write_bytes(&self, bytes: &[u8]) -> Result<()> {
        let Some(path) = self.path() else {
            return to_standard_output(|out| Ok(out.write_all(bytes)?));
        };
        AtomicFile::write(path, |file| Ok(file.write_all(bytes)?))
            .map_err(|e: PolarsError| cannot_write(path, &e))
    }
}

fn cannot_write(path: &Path, e: &PolarsError) -> Failure {
    Failure::work(format!("cannot write `{}`: {e}", path.display()))
}

/// Whether a file of this name can be written, as far as can be told beforehand.
fn check_path(path: &Path, inputs: &[&Path]) -> Result<()> {
    let (folder, name) = (folder(path), path.display());
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(Failure::work(format!(
            "output `{name}`: there is no folder `{folder}`; make it first"
        )));
    }
    if path.is_dir() {
        return Err(Failure::work(format!("output `{name}` is a folder; name a file in it")));
    }
    match inputs.iter().find(|input| same_file(input, path)) {
        Some(input) => Err(Failure::usage(format!(
            "output `{name}` is the input `{}`: give it another name",
            input.display()
        ))),
        None => Ok(()),
    }
}

/// Checks that outputs, each the value of a flag, go to different places.
pub fn check_distinct(outputs: &[(&str, Option<&Output>)]) -> Result<()> {
    let named: Vec<_> =
        outputs.iter().filter_map(|(flag, output)| Some((flag, (*output)?.path()))).collect();
    for (at, (flag, path)) in named.iter().enumerate() {
        let same = |other: &Option<&Path>| match (path, other) {
            (None, None) => true,
            (Some(a), Some(b)) => same_file(a, b),
            _ => false,
        };
        if let Some((other, _)) = named[..at].iter().find(|(_, other)| same(other)) {
            return Err(Failure::usage(format!(
                "{other} and {flag} name one place: give one of them another name"
            )));
        }
    }
    Ok(())
}

/// Whether two names are of one file, existing or to be written.
fn same_file(a: &Path, b: &Path) -> bool {
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
