//! Where results go, checked before any work: the folder is there, the ending of the name is known, and
//! the name is neither an input's nor another result's.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use gaintree::AtomicFile;
use polars::prelude::{DataFrame, PolarsError, PolarsResult};

use super::forms::is_foreign;
use super::picture::Picture;
use super::standard::to_standard_output;
use super::table::{check_dtypes, encode};
use crate::args::shared::Ground;
use crate::args::show::Form;
use crate::input::FileFormat;
use crate::process::{Failure, Result};

#[derive(Debug)]
pub enum Output {
    /// Standard output; tables as csv.
    Standard,
    Table(PathBuf, FileFormat),
    /// The picture of a table.
    Picture(PathBuf, Form, Ground),
    /// The page of a table.
    Page(PathBuf),
    /// A model, a page or another form than that of a table.
    Form(PathBuf),
}

/// The places of a run's results: each has one of its own, and none takes the place of an input.
#[derive(Default)]
pub struct Places {
    inputs: Vec<PathBuf>,
    /// The flags that named a place, and the file; `None` is standard output.
    given: Vec<(&'static str, Option<PathBuf>)>,
}

impl Places {
    pub fn protect(&mut self, input: &Path) {
        self.inputs.push(input.to_path_buf());
    }

    /// Where a table goes that a flag names. `None` where no output was named.
    pub fn table(&mut self, flag: &'static str, out: Option<&str>) -> Result<Option<Output>> {
        let output = match out {
            None => return Ok(None),
            Some("-") => Output::Standard,
            Some(out) => Output::Table(out.into(), FileFormat::of_output(Path::new(out))?),
        };
        self.own(flag, output).map(Some)
    }

    /// Where a table goes, or its picture: a name that ends in `.svg` or `.png` asks for that.
    pub fn table_or_picture(
        &mut self,
        flag: &'static str,
        out: Option<&str>,
        ground: Ground,
    ) -> Result<Option<Output>> {
        match out.map(|out| (out, Form::of(Path::new(out)))) {
            Some((out, Some(form @ (Form::Svg | Form::Png)))) => {
                form.check(out)?;
                self.own(flag, Output::Picture(out.into(), form, ground)).map(Some)
            }
            Some((out, None)) if is_foreign(Path::new(out)) => Form::Svg.check(out).map(|()| None),
            _ => self.table(flag, out),
        }
    }

    /// Where a table goes, or its picture, or its page: a name that ends in `.html` asks for that.
    pub fn table_picture_or_page(
        &mut self,
        flag: &'static str,
        out: Option<&str>,
        ground: Ground,
    ) -> Result<Option<Output>> {
        match out.filter(|out| Form::of(Path::new(out)) == Some(Form::Html)) {
            Some(out) => {
                Form::Html.check(out)?;
                self.own(flag, Output::Page(out.into())).map(Some)
            }
            None => self.table_or_picture(flag, out, ground),
        }
    }

    pub fn form(&mut self, flag: &'static str, out: &str, form: Form) -> Result<Output> {
        form.check(out)?;
        self.own(flag, if out == "-" { Output::Standard } else { Output::Form(out.into()) })
    }

    /// Where a table goes in a folder that may yet have to be made.
    pub fn in_folder(&self, folder: &Path, name: &OsStr) -> Result<Output> {
        let path = folder.join(name);
        let format = FileFormat::of_output(&path)?;
        if folder.exists() {
            check_path(&path, &self.inputs)?;
        }
        Ok(Output::Table(path, format))
    }

    /// An output, if it can be written and no other flag named its place.
    fn own(&mut self, flag: &'static str, output: Output) -> Result<Output> {
        let path = output.path();
        path.map_or(Ok(()), |path| check_path(path, &self.inputs))?;
        let is_same = |other: &&(&str, Option<PathBuf>)| match (path, &other.1) {
            (None, None) => true,
            (Some(a), Some(b)) => same_file(a, b),
            _ => false,
        };
        if let Some((other, _)) = self.given.iter().find(is_same) {
            return Err(Failure::usage(format!(
                "{other} and {flag} name one place: give one of them another name"
            )));
        }
        self.given.push((flag, path.map(Path::to_path_buf)));
        Ok(output)
    }
}

impl Output {
    /// The file; `None` is standard output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Output::Standard => None,
            Output::Table(path, _)
            | Output::Picture(path, ..)
            | Output::Page(path)
            | Output::Form(path) => Some(path),
        }
    }

    pub fn is_picture(&self) -> bool {
        matches!(self, Output::Picture(..))
    }

    /// Writes a table, or its picture or page where that is asked for.
    pub fn write(&self, table: &DataFrame, picture: Picture) -> Result<()> {
        match *self {
            Output::Picture(_, Form::Png, ground) => self.write_bytes(&picture.pixels_on(ground)?),
            Output::Picture(_, _, ground) => self.write_text(&picture.draw_on(ground)?),
            Output::Page(_) => self.write_text(&picture.draw()?),
            Output::Standard | Output::Table(..) | Output::Form(..) => self.write_table(table),
        }
    }

    pub fn write_table(&self, df: &DataFrame) -> Result<()> {
        let format = match self {
            Output::Table(_, format) => *format,
            _ => FileFormat::Csv(b',', None),
        };
        check_dtypes(df.schema(), format)?;
        self.fill(|out| encode(df, format, out))
    }

    pub fn write_text(&self, text: &str) -> Result<()> {
        self.write_bytes(text.as_bytes())
    }

    pub fn write_bytes(&self, bytes: &[u8]) -> Result<()> {
        self.fill(|out| Ok(out.write_all(bytes)?))
    }

    fn fill(&self, write: impl FnOnce(&mut dyn Write) -> PolarsResult<()>) -> Result<()> {
        match self.path() {
            None => to_standard_output(write),
            Some(path) => AtomicFile::write(path, write).map_err(|e: PolarsError| {
                Failure::work(format!("cannot write `{}`: {e}", path.display()))
            }),
        }
    }
}

/// Whether a file of this name can be written, as far as can be told beforehand.
fn check_path(path: &Path, inputs: &[PathBuf]) -> Result<()> {
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

/// Whether two names are of one file, existing or to be written.
fn same_file(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        fs::canonicalize(path)
            .ok()
            .or_else(|| Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?)))
    };
    place(a).is_some_and(|a| Some(a) == place(b))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
