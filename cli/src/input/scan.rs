//! Files of one schema, read into one frame.

use std::collections::HashSet;
use std::path::PathBuf;

use gaintree::Budget;
use polars::prelude::{DataFrame, DataType, LazyFrame, Schema, UnionArgs, concat};

use super::Input;
use super::dtypes::readable;
use super::file::{Fault, InferFrom, try_to};
use super::folders::add_folders;
use super::numbers_in_text::TextNote;
use super::rows::{Rows, row_name_in};
use super::shared_columns::{Others, SharedColumns};
use crate::process::{Failure, QueryFailure, Result};

pub struct Scan {
    /// Each file, and the schema it is read with.
    files: Vec<(Input, Schema)>,
    /// Whether several files were named; these may be only some of them.
    of_several: bool,
    columns: SharedColumns,
    /// The dtypes that text is read with, whatever it looks like.
    given: Schema,
    /// Why columns that look like numbers are text, the first of each column.
    notes: Vec<TextNote>,
}

impl Scan {
    /// Reads the schemas of the files. For text they are inferred, but for the columns that are given.
    pub fn new(inputs: Vec<Input>, given: Schema) -> Result<Scan> {
        Scan::with(inputs, given, InferFrom::FirstRows, Others::Refused)
    }

    /// As [`new`](Self::new), without the columns that only some of the files have. All need the columns
    /// that are named.
    pub fn with_columns(inputs: Vec<Input>, given: Schema, needed: &[&str]) -> Result<Scan> {
        let scan = Scan::with(inputs, given, InferFrom::FirstRows, Others::LeftOut)?;
        needed.iter().try_for_each(|name| scan.check_shared(name))?;
        Ok(scan)
    }

    fn with(inputs: Vec<Input>, given: Schema, rows: InferFrom, others: Others) -> Result<Scan> {
        let mut files = Vec::with_capacity(inputs.len());
        let mut notes: Vec<TextNote> = Vec::new();
        for mut input in inputs {
            let mut schema = input.attempt(|| input.schema(rows))?;
            for (name, dtype) in schema.iter_mut() {
                let readable = readable(dtype);
                if readable != *dtype {
                    input.casts.insert(name.clone(), readable.clone());
                    *dtype = readable;
                }
            }
            input.check_separator(&schema)?;
            if input.is_text() {
                let found = input.attempt(|| input.find_numbers(&mut schema, &given, rows))?;
                // The reader would make up columns that are not there.
                for (name, dtype) in given.iter() {
                    if let Some(inferred) = schema.get_mut(name) {
                        *inferred = input.text_dtype(dtype, inferred);
                    }
                }
                input.attempt(|| input.widen_decimals(&mut schema, rows))?;
                input.padded.extend(found.padded);
                for note in found.notes {
                    if notes.iter().all(|other| other.column != note.column) {
                        notes.push(note);
                    }
                }
            }
            files.push((input, schema));
        }
        add_folders(&mut files, &given);
        forgive_blanks(&mut files)?;
        let columns = SharedColumns::of(&mut files, others)?;
        Ok(Scan { of_several: files.len() > 1, files, columns, given, notes })
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.schema.contains(column)
    }

    /// Checks that a column is not one that only some of the files have.
    pub fn check_shared(&self, column: &str) -> Result<()> {
        match self.columns.left_out.get(column) {
            Some(lacking) => Err(Failure::work(format!(
                "input `{lacking}` lacks the column `{column}`: files read together all need the \
                 columns that are read"
            ))),
            None => Ok(()),
        }
    }

    pub fn empty(&self) -> DataFrame {
        DataFrame::empty_with_schema(&self.columns.schema)
    }

    pub fn is_text(&self) -> bool {
        self.files.iter().any(|(input, _)| input.is_text())
    }

    pub fn describe(&self) -> String {
        match self.files.as_slice() {
            [(one, _)] => one.name(),
            many => format!("{} files", many.len()),
        }
    }

    pub fn rows(&self) -> Option<u64> {
        self.files.iter().map(|(input, _)| input.rows()).sum()
    }

    /// The name of a row, counted from 0, by its position in the files.
    pub fn row_name(&self, row: usize) -> Result<String> {
        let counted = |(input, schema): &(Input, Schema)| {
            let rows = input.attempt(|| input.count(schema))?;
            Ok::<_, Failure>((input.clone(), rows))
        };
        let counted = self.files.iter().map(counted).collect::<Result<Vec<_>>>()?;
        Ok(row_name_in(&counted, self.of_several, row))
    }

    pub fn width(&self) -> usize {
        self.columns.schema.len()
    }

    pub fn split(self) -> impl Iterator<Item = Scan> {
        let (given, columns) = (self.given, self.columns);
        self.files.into_iter().map(move |file| Scan {
            files: vec![file],
            of_several: self.of_several,
            columns: columns.clone(),
            given: given.clone(),
            notes: Vec::new(),
        })
    }

    /// A query for the rows of all files, in order, with all columns.
    fn query(&self) -> Result<LazyFrame> {
        let names = self.names(None);
        let queries =
            self.files.iter().map(|(input, schema)| input.attempt(|| input.query(&names, schema)));
        let queries: Vec<LazyFrame> = queries.collect::<Result<_>>()?;
        match <[LazyFrame; 1]>::try_from(queries) {
            Ok([one]) => Ok(one),
            Err(many) => {
                Ok(concat(many, UnionArgs { maintain_order: true, ..Default::default() })?)
            }
        }
    }

    /// Queries for the rows of all files, in order, each within a budget as far as the formats let it.
    fn parts(&self, budget: &Budget) -> Result<Vec<LazyFrame>> {
        let names = self.names(None);
        let parts = self.files.iter().map(|(input, schema)| input.parts(&names, schema, budget));
        Ok(parts.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Does `work` with the query; it needs some columns or all. If a late value of a csv file has
    /// another dtype than the first ones, `work` is done again with dtypes inferred from all rows.
    /// Other errors of rows are looked for in each file, so that the message names it.
    pub fn with_query<R>(
        &self,
        columns: Option<&[&str]>,
        mut work: impl FnMut(LazyFrame) -> Result<R, QueryFailure>,
    ) -> Result<R> {
        self.attempt(columns, |scan| work(scan.query()?))
    }

    /// As [`with_query`](Self::with_query), with queries for parts of the rows that stay within a
    /// budget, and the paths of the files.
    pub fn with_parts<R>(
        &self,
        columns: Option<&[&str]>,
        budget: &Budget,
        mut work: impl FnMut(Vec<LazyFrame>, &[PathBuf]) -> Result<R, QueryFailure>,
    ) -> Result<R> {
        let paths: Vec<PathBuf> = self.files.iter().map(|(input, _)| input.path.clone()).collect();
        self.attempt(columns, |scan| work(scan.parts(budget)?, &paths))
    }

    fn attempt<R>(
        &self,
        columns: Option<&[&str]>,
        mut work: impl FnMut(&Scan) -> Result<R, QueryFailure>,
    ) -> Result<R> {
        let mut done = work(self);
        let mut inferred = None;
        if matches!(done, Err(QueryFailure::Rows(_)))
            && let Some(scan) = self.infer_from_all_rows()?
        {
            done = work(&scan);
            inferred = Some(scan);
        }
        done.map_err(|failure| match failure {
            QueryFailure::Rows(what) => inferred.as_ref().unwrap_or(self).blame(columns, what),
            QueryFailure::Other(failure) => failure,
        })
    }

    /// These files with dtypes inferred from all rows; `None` if the dtypes stay.
    fn infer_from_all_rows(&self) -> Result<Option<Scan>> {
        if !self.files.iter().any(|(input, _)| input.format.is_csv()) {
            return Ok(None);
        }
        let inputs = self.files.iter().map(|(input, _)| input.clone()).collect();
        let others = self.columns.others;
        let scan = Scan::with(inputs, self.given.clone(), InferFrom::AllRows, others)?;
        let the_same =
            scan.files.iter().zip(&self.files).all(|(a, b)| a.1 == b.1 && a.0.padded == b.0.padded);
        Ok((!the_same).then_some(scan))
    }

    /// The failure of the first file that cannot be read to its end; if all can, `what`.
    fn blame(&self, columns: Option<&[&str]>, what: String) -> Failure {
        let names = self.names(columns);
        let read = |(input, schema): &(Input, Schema)| {
            let fault = try_to(|| input.read_past(&names, schema)).err()?;
            Some(input.failure(fault, Some(schema)))
        };
        self.files.iter().find_map(read).unwrap_or_else(|| Failure::work(what))
    }

    /// The columns that are named, or all, in the order of the first file.
    fn names(&self, columns: Option<&[&str]>) -> Vec<&str> {
        let wanted = columns.map(|columns| columns.iter().copied().collect::<HashSet<_>>());
        let names = self.columns.schema.iter_names().map(|name| name.as_str());
        names.filter(|name| wanted.as_ref().is_none_or(|wanted| wanted.contains(name))).collect()
    }

    pub fn notes(&self, columns: Option<&[&str]>) -> Vec<String> {
        let names = columns.map(|columns| columns.iter().copied().collect::<HashSet<_>>());
        let is_read = |note: &&TextNote| {
            names.as_ref().is_none_or(|names| names.contains(note.column.as_str()))
        };
        self.notes.iter().filter(is_read).map(|note| note.text.clone()).collect()
    }

    /// The rows of all files, in order, and notes on them; all columns, or the ones named.
    pub fn read(&self, columns: Option<&[&str]>) -> Result<(Rows, Vec<String>)> {
        let unread = match self.read_as_inferred(columns) {
            Ok(rows) => return Ok((rows, self.notes(columns))),
            Err(unread) => unread,
        };
        // The line is looked for where the failure is told.
        let failure = |(input, schema, fault): Unread| input.failure(fault, Some(schema));
        // A value past the sample may have another dtype: a first fraction, say.
        match self.infer_from_all_rows()? {
            Some(scan) => {
                let rows = scan.read_as_inferred(columns).map_err(failure)?;
                Ok((rows, scan.notes(columns)))
            }
            None => Err(failure(unread)),
        }
    }

    fn read_as_inferred(&self, columns: Option<&[&str]>) -> Result<Rows, Unread<'_>> {
        // Columns stand as in the first file, whatever their order in the others.
        let names = self.names(columns);
        let mut all = Rows::default();
        for (input, schema) in &self.files {
            let add = |df| all.add(input.clone(), df);
            let read = try_to(|| input.read(&names, schema).and_then(add));
            read.map_err(|fault| (input, schema, fault))?;
        }
        Ok(all)
    }
}

/// A file that could not be read, the schema it was read with, and why.
type Unread<'s> = (&'s Input, &'s Schema, Fault);

/// A csv column without a value is inferred as text. Another file's dtype counts instead.
fn forgive_blanks(files: &mut [(Input, Schema)]) -> Result<()> {
    for at in 0..files.len() {
        let (input, schema) = &files[at];
        if !input.format.is_csv() {
            continue;
        }
        let is_text = |name: &str, schema: &Schema| schema.get(name) == Some(&DataType::String);
        let mut blank = Vec::new();
        for name in schema.iter_names().filter(|name| is_text(name, schema)) {
            let disputed = files.iter().any(|(_, s)| s.contains(name) && !is_text(name, s));
            if disputed && input.attempt(|| input.is_blank(name, schema))? {
                blank.push(name.clone());
            }
        }
        for name in blank {
            files[at].1.insert(name, DataType::Null);
        }
    }
    Ok(())
}
