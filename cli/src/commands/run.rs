//! The course of a run, which most commands share: files are opened, rows are read, the work is done, and
//! its result is shown.

use gaintree::{FeatureSpec, Forest, Model, ModelColumns, columns_to_exclude};
use polars::prelude::{DataFrame, Schema};

use super::columns::name_columns;
use super::count;
use crate::args::shared::{
    CsvArgs, FeatureArgs, ModelArgs, ReportFormat, RowArgs, TableArgs, TargetArgs,
};
use crate::input::{self, Input, Rows, Scan, model_dtypes};
use crate::output::{Output, Picture, Places, RunReport, note, note_all, print, timed};
use crate::process::{Failure, Result};
use crate::terminal::Progress;

pub struct Run {
    pub report: RunReport,
    pub places: Places,
    pub progress: Progress,
}

impl Run {
    pub fn start(format: Option<ReportFormat>) -> Run {
        let (report, progress) = (RunReport::start(format), Progress::start());
        Run { report, places: Places::default(), progress }
    }

    /// Starts a run on the rows of a table.
    pub fn on_table(table: &TableArgs, format: Option<ReportFormat>) -> Result<(Run, Vec<Input>)> {
        let mut run = Run::start(format);
        let inputs = run.inputs(&table.input, &table.csv)?;
        Ok((run, inputs))
    }

    /// Starts a run of a model on rows.
    pub fn on_model(files: &ModelArgs, format: Option<ReportFormat>) -> Result<(Run, Vec<Input>)> {
        input::check_order(files)?;
        let mut run = Run::start(format);
        run.places.protect(files.model.as_ref());
        let inputs = run.inputs(&files.input, &files.csv)?;
        Ok((run, inputs))
    }

    pub fn inputs(&mut self, words: &[String], csv: &CsvArgs) -> Result<Vec<Input>> {
        let inputs = input::resolve(words, csv)?;
        inputs.iter().for_each(|input| self.places.protect(&input.path));
        Ok(inputs)
    }

    /// Adds to the columns to exclude what a table of `gaintree screen` says to leave out.
    pub fn add_excluded(&mut self, features: &mut FeatureArgs, csv: &CsvArgs) -> Result<()> {
        if let Some(screen) = &features.exclude_from {
            let inputs = self.inputs(std::slice::from_ref(screen), csv)?;
            // The report of the run is on other rows.
            let (lines, _) = Scan::new(inputs, Schema::default())?.read(None)?;
            features.exclude.extend(columns_to_exclude(&*lines)?);
        }
        Ok(())
    }

    pub fn scan(&mut self, inputs: Vec<Input>) -> Result<Scan> {
        timed(&mut self.report.read, || Scan::new(inputs, Schema::default()))
    }

    /// Opens files that need some columns of a model, and reads their text with the model's dtypes.
    pub fn scan_for(
        &mut self,
        model: &impl ModelColumns,
        inputs: Vec<Input>,
        columns: &[&str],
    ) -> Result<Scan> {
        let given = model_dtypes(model.schema(), columns);
        timed(&mut self.report.read, || Scan::with_columns(inputs, given, columns))
    }

    /// Opens files to judge a model by, and checks their columns before any row is read. Returns the
    /// forest too, if its trees are to answer out of bag.
    pub fn scan_to_judge<'m>(
        &mut self,
        model: &'m Model,
        inputs: Vec<Input>,
        out_of_bag: bool,
    ) -> Result<(Scan, Option<&'m Forest>)> {
        let scan = self.scan_for(model, inputs, &model.judged_columns())?;
        model.check_judged(&scan.empty())?;
        Ok((scan, out_of_bag_forest(model, out_of_bag)?))
    }

    /// Reads the columns that are named, or all.
    ///
    /// Where a named column is not there, the frame is empty but has all columns, so that the verb
    /// can say which one is meant before anything is read.
    pub fn read(&mut self, scan: &Scan, needed: Option<&[impl AsRef<str>]>) -> Result<Rows> {
        let needed: Option<Vec<&str>> =
            needed.map(|needed| needed.iter().map(AsRef::as_ref).collect());
        let rows = if needed.iter().flatten().any(|name| !scan.has(name)) {
            Rows::none(scan.empty())
        } else {
            self.progress.say(format!("reading {}", scan.describe()));
            let (rows, notes) = timed(&mut self.report.read, || scan.read(needed.as_deref()))?;
            note_all(&notes);
            rows
        };
        self.report.frame(&rows);
        Ok(rows)
    }

    /// As [`read`](Self::read), without the rows that have no target, if these are to be left out.
    pub fn read_known(
        &mut self,
        scan: &Scan,
        needed: Option<&[impl AsRef<str>]>,
        target: &str,
        rows: &RowArgs,
    ) -> Result<Rows> {
        let df = self.read(scan, needed)?;
        let Some(column) = df.column(target).ok().filter(|_| rows.drop_null_target) else {
            return Ok(df);
        };
        let mut known = column.is_not_null();
        if column.dtype().is_float() {
            known = known & column.as_materialized_series().is_not_nan()?;
        }
        let read = df.height();
        let kept = df.filter(known)?;
        if kept.height() < read {
            let dropped = count((read - kept.height()) as u64, "row");
            note(&format!("{dropped} of {read} without a `{target}` left out"));
        }
        Ok(kept)
    }

    pub fn read_used(&mut self, scan: &Scan, used: &[&str]) -> Result<Rows> {
        // A model without rules uses no column, and its rows are to be counted all the same.
        self.read(scan, Some(used).filter(|used| !used.is_empty()))
    }

    /// Reads the rows that a model is judged by, out of bag with their weights.
    pub fn read_judged(
        &mut self,
        scan: &Scan,
        model: &Model,
        out_of_bag: bool,
        rows: &RowArgs,
    ) -> Result<Rows> {
        let columns = match out_of_bag {
            // The draws are made again.
            true => model.weighted_columns(),
            false => model.judged_columns(),
        };
        self.read_known(scan, Some(&columns), &model.schema().target, rows)
    }

    /// Reads the rows to learn from, with the columns that a spec needs; its words become names.
    pub fn read_to_learn(
        &mut self,
        inputs: Vec<Input>,
        spec: &mut impl FeatureSpec,
        TargetArgs { target, rows, .. }: &TargetArgs,
    ) -> Result<Rows> {
        let scan = self.scan(inputs)?;
        name_columns(spec, &scan, target)?;
        self.read_known(&scan, spec.needed_columns(target).as_deref(), target, rows)
    }

    /// Writes a table where it is to go, or prints it as text.
    pub fn show(
        &mut self,
        df: &DataFrame,
        to: Option<&Output>,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        self.progress.end();
        timed(&mut self.report.write, || match to {
            Some(to) => to.write_table(df).map(|()| note_written(df, to)),
            None => print(&text()),
        })
    }

    pub fn show_picture(
        &mut self,
        df: &DataFrame,
        to: Option<&Output>,
        picture: Picture,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        let Some(to) = to else { return self.show(df, None, text) };
        timed(&mut self.report.write, || to.write(df, picture))?;
        self.progress.end();
        note_written(df, to);
        Ok(())
    }
}

/// The forest, if its trees are to answer the rows that they did not draw.
pub fn out_of_bag_forest(model: &Model, is_asked: bool) -> Result<Option<&Forest>> {
    match model {
        _ if !is_asked => Ok(None),
        Model::Forest(forest) => Ok(Some(forest)),
        Model::Tree(_) => {
            Err(Failure::usage("--out-of-bag is of a forest, and the model is one tree"))
        }
    }
}

pub fn note_written(df: &DataFrame, to: &Output) {
    let what = match to {
        Output::Picture(..) => "picture".to_string(),
        Output::Page(..) => "page".to_string(),
        _ => count(df.height() as u64, "row"),
    };
    if let Some(path) = to.path() {
        note(&format!("{what} -> {}", path.display()));
    }
}
