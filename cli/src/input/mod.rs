//! Input files: from arguments to paths, to one schema, to one frame.

mod csv_records;
mod csv_text;
mod decimals;
mod dtypes;
mod file;
mod file_format;
mod folders;
mod json_keys;
mod numbers_in_text;
mod numerals;
mod rows;
mod scan;
mod shared_columns;
mod standard;
mod text_faults;
mod words;

pub use dtypes::{model_dtypes, text_dtypes};
pub use file_format::{FileFormat, Packing};
pub use rows::Rows;
pub use scan::Scan;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use csv_text::CsvText;
use folders::FolderColumn;
use numerals::Numerals;
use polars::prelude::{DataType, PlSmallStr};
use tempfile::NamedTempFile;
use words::files;

use crate::args::shared::{CsvArgs, ModelArgs};
use crate::process::{Failure, Result};

/// A file that is there, and how to read it.
#[derive(Clone, Debug)]
pub struct Input {
    pub path: PathBuf,
    format: FileFormat,
    csv: CsvArgs,
    numerals: Numerals,
    folders: Vec<FolderColumn>,
    /// What keeps the rows of standard input, at `path`.
    standard: Option<Arc<NamedTempFile>>,
    /// What columns are cast to as they are read: another file's dtype, or a zone that Polars knows.
    casts: HashMap<PlSmallStr, DataType>,
    /// Columns of numbers with blanks behind them, which Polars does not parse.
    padded: HashSet<PlSmallStr>,
    /// Once it was read.
    csv_text: Arc<OnceLock<CsvText>>,
}

impl Input {
    fn new(path: PathBuf, format: FileFormat, csv: &CsvArgs) -> Result<Input> {
        let format = match (format, csv.separator) {
            (FileFormat::Csv(_, packing), Some(given)) => FileFormat::Csv(given, packing),
            (format, _) => format,
        };
        Ok(Input {
            path,
            format,
            csv: csv.clone(),
            numerals: Numerals::of(csv)?,
            folders: Vec::new(),
            standard: None,
            casts: HashMap::new(),
            padded: HashSet::new(),
            csv_text: Arc::default(),
        })
    }

    fn of_standard_input(csv: &CsvArgs) -> Result<Input> {
        let (kept, format) = standard::keep()?;
        let input = Input::new(kept.path().to_path_buf(), format, csv)?;
        Ok(Input { standard: Some(Arc::new(kept)), ..input })
    }

    pub fn name(&self) -> String {
        match self.standard {
            Some(_) => "standard input".to_string(),
            None => self.path.display().to_string(),
        }
    }

    /// The name without folders; standard input has none.
    pub fn file_name(&self) -> Option<&OsStr> {
        self.path.file_name().filter(|_| self.standard.is_none())
    }
}

/// The files that the arguments name, in their order; the files of one folder or glob are sorted.
pub fn resolve(arguments: &[String], csv: &CsvArgs) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for argument in arguments {
        if argument == standard::WORD {
            inputs.push(Input::of_standard_input(csv)?);
            continue;
        }
        for path in files(argument)? {
            let format = FileFormat::of_input(&path)?;
            inputs.push(Input::new(path, format, csv)?);
        }
    }
    Ok(inputs)
}

pub fn check_order(files: &ModelArgs) -> Result<()> {
    let (model, first) = (Path::new(&files.model), &files.input[0]);
    let is_table = FileFormat::of(model).is_some_and(|format| format != FileFormat::Json);
    match is_table && FileFormat::of(Path::new(first)) == Some(FileFormat::Json) {
        false => Ok(()),
        true => Err(Failure::usage(format!(
            "`{}` stands where the model does: name the model first, as in `{first} {}`",
            files.model, files.model
        ))),
    }
}
