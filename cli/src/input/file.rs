//! One input file: its schema and its rows, or an error that names it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::sync::Arc;

use gaintree::{Budget, scan_parquet_in_parts, scan_parquet_within};
use polars::io::HiveOptions;
use polars::prelude::{
    DataFrame, DataType, Engine, Expr, IpcScanOptions, LazyCsvReader, LazyFileListReader,
    LazyFrame, LazyJsonLineReader, NullValues, ParquetReader, PlSmallStr, PlanCallback,
    PolarsError, PolarsResult, ScanSources, Schema, SchemaRef, SerReader, UnifiedScanArgs, len,
    polars_bail, polars_ensure,
};

use super::Input;
use super::csv_text::{CsvText, two_columns};
use super::decimals::{decimal_of, scales};
use super::dtypes::cast_from_text;
use super::file_format::FileFormat;
use super::json_keys::doubled_key;
use super::numbers_in_text::{FoundNumbers, Texts, texts_of, with_numbers};
use crate::process::{Failure, Result, catch_panic};

/// Rows a csv file's dtypes are inferred from first. Inferring is much slower than reading.
const SAMPLE: usize = 10_000;

/// Which rows of a csv file its dtypes are inferred from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InferFrom {
    /// A later row of another dtype then cannot be read.
    FirstRows,
    AllRows,
}

/// Why Polars could not read a file.
pub(super) enum Fault {
    Said(PolarsError),
    Panicked(String),
}

/// Runs a step of reading.
pub(super) fn try_to<R>(step: impl FnOnce() -> PolarsResult<R>) -> Result<R, Fault> {
    match catch_panic(step) {
        Ok(done) => done.map_err(Fault::Said),
        Err(panic) => Err(Fault::Panicked(panic.message)),
    }
}

impl Input {
    pub(super) fn is_text(&self) -> bool {
        self.format.is_text()
    }

    /// Runs a step of reading; its error names the file.
    pub(super) fn attempt<R>(&self, step: impl FnOnce() -> PolarsResult<R>) -> Result<R> {
        try_to(step).map_err(|fault| self.failure(fault, None))
    }

    /// The failure of a step, with the dtypes of a schema if it had some; it names the file. The line
    /// is looked for.
    pub(super) fn failure(&self, fault: Fault, schema: Option<&Schema>) -> Failure {
        let what = match fault {
            Fault::Said(e) => self.explain(gaintree::Error::from(e).to_string(), schema),
            Fault::Panicked(message) => panicked(&message),
        };
        Failure::work(format!("cannot read `{}` as {}: {what}", self.name(), self.format))
    }

    pub(super) fn schema(&self, rows: InferFrom) -> PolarsResult<Schema> {
        polars_ensure!(self.path.metadata()?.len() > 0, NoData: "the file is empty");
        if self.format.is_csv() && rows == InferFrom::FirstRows {
            let reader = self.csv(None)?.with_infer_schema_length(Some(SAMPLE));
            let schema = Arc::unwrap_or_clone(reader.finish()?.collect_schema()?);
            if self.sample_suffices(&schema).unwrap_or(false) {
                return Ok(schema);
            }
        }
        if self.format == FileFormat::Ndjson {
            self.check_keys()?;
        }
        Ok(Arc::unwrap_or_clone(self.scan(None)?.collect_schema()?))
    }

    /// Refuses an ndjson file with two columns of one name, as far as its first line tells.
    fn check_keys(&self) -> PolarsResult<()> {
        let mut line = String::new();
        BufReader::new(File::open(&self.path)?).read_line(&mut line)?;
        match doubled_key(&line) {
            Some(name) => Err(two_columns(&name)),
            None => Ok(()),
        }
    }

    /// Whether the sample has a value in each column. One without may have any dtype further down.
    fn sample_suffices(&self, schema: &Schema) -> PolarsResult<bool> {
        let sample = self.texts(self.read_schema(schema), InferFrom::FirstRows)?.collect()?;
        let blank = sample.columns().iter().any(|c| c.null_count() == c.len());
        Ok(sample.height() < SAMPLE || !blank)
    }

    pub(super) fn is_blank(&self, name: &str, schema: &Schema) -> PolarsResult<bool> {
        let df = self.read(&[name], schema)?;
        Ok(df.columns().iter().all(|c| c.null_count() == c.len()))
    }

    /// Reads columns of text as numbers where all values are some, which Polars does not see in csv if
    /// one is `nan` or has a space beside it.
    pub(super) fn find_numbers(
        &self,
        schema: &mut Schema,
        given: &Schema,
        rows: InferFrom,
    ) -> PolarsResult<FoundNumbers> {
        let mut found = FoundNumbers::default();
        let may_be = |name: &PlSmallStr| given.get(name).is_none_or(DataType::is_primitive_numeric);
        let texts = schema.iter().filter(|(name, dtype)| dtype.is_string() && may_be(name));
        let names: Vec<PlSmallStr> = texts.map(|(name, _)| name.clone()).collect();
        if names.is_empty() {
            return Ok(found);
        }
        let read_schema = self.read_schema(schema);
        let names = match self.format.is_csv() {
            true => names,
            false => with_numbers(names, |schema| self.ndjson(Some(schema)), &read_schema)?,
        };
        let texts = self.texts(read_schema, rows)?;
        let texts = texts.select(names.into_iter().map(Expr::Column).collect::<Vec<_>>());
        for column in texts.collect()?.columns() {
            match texts_of(column, self.format)? {
                Texts::Numbers { dtype, padded } => {
                    schema.insert(column.name().clone(), dtype);
                    found.padded.extend(padded.then(|| column.name().clone()));
                }
                Texts::Noted(note) => found.notes.push(note),
                Texts::Words => {}
            }
        }
        Ok(found)
    }

    fn texts(&self, schema: Schema, rows: InferFrom) -> PolarsResult<LazyFrame> {
        match self.format.is_csv() && rows == InferFrom::FirstRows {
            true => self.csv(Some(Arc::new(schema)))?.with_n_rows(Some(SAMPLE)).finish(),
            false => self.scan(Some(Arc::new(schema))),
        }
    }

    /// The dtype to read a column with, given one and the one its text looks like. Integers may have
    /// fractions or `nan` among them; decimals keep all digits of both.
    pub(super) fn text_dtype(&self, given: &DataType, inferred: &DataType) -> DataType {
        match self.format.is_csv() && given.is_integer() && inferred.is_float() {
            true => decimal_of(0),
            false => given.clone(),
        }
    }

    /// Gives the decimals of the schema as many digits after the point as the text has.
    pub(super) fn widen_decimals(&self, schema: &mut Schema, rows: InferFrom) -> PolarsResult<()> {
        let decimals = schema.iter().filter(|(_, dtype)| matches!(dtype, DataType::Decimal(..)));
        let decimals: Vec<_> = decimals.map(|(name, _)| name.clone()).collect();
        if decimals.is_empty() {
            return Ok(());
        }
        let texts = self.texts(self.read_schema(schema), rows)?;
        let scale = |name| scales(Expr::Column(name)).max();
        let scales: Vec<Expr> = decimals.into_iter().map(scale).collect();
        let scales = texts.select(scales).collect_with_engine(Engine::Streaming)?.unwrap_single();
        for needed in scales.columns() {
            let (needed, dtype) = (needed.u32()?.first(), schema.get_mut(needed.name()));
            if let (Some(needed), Some(DataType::Decimal(_, scale))) = (needed, dtype) {
                *scale = (*scale).max(needed as usize);
            }
        }
        Ok(())
    }

    /// The columns of these names, in their order and with the dtypes of the schema.
    pub(super) fn read(&self, names: &[&str], schema: &Schema) -> PolarsResult<DataFrame> {
        self.query(names, schema)?.collect()
    }

    /// Reads the columns to their end and keeps nothing.
    pub(super) fn read_past(&self, names: &[&str], schema: &Schema) -> PolarsResult<()> {
        let past = self.query(names, schema)?;
        let past = past.sink_batches(PlanCallback::new(|_| Ok(false)), false, None)?;
        past.collect_with_engine(Engine::Streaming).map(drop)
    }

    pub(super) fn query(&self, names: &[&str], schema: &Schema) -> PolarsResult<LazyFrame> {
        let rows = self.scan(Some(Arc::new(self.read_schema(schema))))?;
        self.columns(rows, names, schema)
    }

    /// Queries for the columns, one after the other. Each has so few rows that its reading stays
    /// within a budget, as far as the format lets it.
    pub(super) fn parts(
        &self,
        names: &[&str],
        schema: &Schema,
        budget: &Budget,
    ) -> Result<Vec<LazyFrame>> {
        if self.format != FileFormat::Parquet {
            return Ok(vec![self.attempt(|| self.query(names, schema))?]);
        }
        let parts = scan_parquet_within(&self.path, budget)?.into_iter();
        parts.map(|rows| self.attempt(|| self.columns(rows, names, schema))).collect()
    }

    fn columns(&self, rows: LazyFrame, names: &[&str], schema: &Schema) -> PolarsResult<LazyFrame> {
        let column = |name: &&str| {
            // `col` would take `*` and `^…$` for patterns.
            let column = Expr::Column((*name).into());
            if let Some(dtype) = self.casts.get(*name) {
                // Of an extension type; any other column stays as it is.
                return column.ext().storage().strict_cast(dtype.clone());
            }
            match schema.get(name).filter(|dtype| self.is_cast_from_text(name, dtype)) {
                None => column,
                Some(dtype) => cast_from_text(column, dtype.clone()),
            }
        };
        let of_folders = self.folders.iter().filter_map(|c| Some(c.value(schema.get(&c.name)?)));
        let rows = rows.with_columns(of_folders.collect::<PolarsResult<Vec<_>>>()?);
        Ok(rows.select(names.iter().map(column).collect::<Vec<_>>()))
    }

    pub(super) fn rows(&self) -> Option<u64> {
        let parquet =
            (self.format == FileFormat::Parquet).then(|| File::open(&self.path).ok())??;
        ParquetReader::new(parquet).num_rows().ok().map(|rows| rows as u64)
    }

    pub(super) fn count(&self, schema: &Schema) -> PolarsResult<usize> {
        let rows = self.scan(Some(Arc::new(self.read_schema(schema))))?.select([len()]);
        let rows = rows.collect_with_engine(Engine::Streaming)?.unwrap_single();
        rows.columns().first().map_or(Ok(0), |n| n.get(0)?.try_extract())
    }

    /// Dtypes that Polars writes to a format, but cannot read from it, or not exactly; and columns of
    /// numbers with blanks behind them.
    fn is_cast_from_text(&self, name: &str, dtype: &DataType) -> bool {
        match self.format {
            FileFormat::Csv(..) if self.padded.contains(name) => dtype.is_primitive_numeric(),
            FileFormat::Csv(..) => matches!(dtype, DataType::Time | DataType::Decimal(..)),
            FileFormat::Ndjson => matches!(
                dtype,
                DataType::Time
                    | DataType::Decimal(..)
                    | DataType::Int128
                    | DataType::UInt128
                    | DataType::Float16
            ),
            FileFormat::Parquet | FileFormat::Json | FileFormat::Ipc => false,
        }
    }

    /// The schema Polars reads with, before columns are cast.
    fn read_schema(&self, schema: &Schema) -> Schema {
        let mut schema = schema.clone();
        self.folders.iter().for_each(|column| drop(schema.shift_remove(&column.name)));
        for (name, dtype) in schema.iter_mut() {
            if self.is_cast_from_text(name, dtype) {
                *dtype = DataType::String;
            }
        }
        schema
    }

    fn csv(&self, schema: Option<SchemaRef>) -> PolarsResult<LazyCsvReader> {
        let FileFormat::Csv(separator, packing) = self.format else {
            polars_bail!(ComputeError: "it is no csv file");
        };
        let text = match self.csv_text.get() {
            Some(text) => text,
            None => {
                let text = CsvText::read(&self.path, separator, packing, self.numerals)?;
                self.csv_text.get_or_init(|| text)
            }
        };
        let reader = LazyCsvReader::new_with_sources(text.source(&self.path)?);
        let reader = reader.with_infer_schema_length(None);
        let nulls: Vec<_> = self.csv.null_values.iter().map(|text| text.as_str().into()).collect();
        let nulls = (!nulls.is_empty()).then_some(NullValues::AllColumns(nulls));
        let reader = reader.with_separator(separator).with_null_values(nulls);
        // Polars leaves doubled quotes in names as they are.
        let reader = match schema {
            None => reader.with_column_names_overwrite(text.names.clone().into()),
            Some(_) => reader,
        };
        Ok(reader.with_try_parse_dates(true).with_schema(schema))
    }

    /// Says of a column that a folder names where it is from.
    pub(super) fn whence(&self, column: &str) -> &'static str {
        let is_of_folder = self.folders.iter().any(|folder| folder.name == column);
        if is_of_folder { " (by its folder's name)" } else { "" }
    }

    /// Checks that a csv file of one column is not one of several with another separator.
    pub(super) fn check_separator(&self, schema: &Schema) -> Result<()> {
        let (true, None, [name]) =
            (self.format.is_csv(), self.csv.separator, &*schema.iter_names().collect::<Vec<_>>())
        else {
            return Ok(());
        };
        let parts = |separator: &char| name.matches(*separator).count();
        let other = [',', ';', '\t', '|'].into_iter().max_by_key(parts);
        match other.filter(|separator| parts(separator) > 0) {
            Some(separator) => Err(Failure::work(format!(
                "input `{}` has one column, `{name}`: with --separator {} it has {}",
                self.name(),
                if separator == '\t' { "tab".to_string() } else { format!("'{separator}'") },
                parts(&separator) + 1
            ))),
            None => Ok(()),
        }
    }

    /// The file, opened here: Polars takes a `*` in its name for a glob, and `s3:` for a cloud address.
    fn source(&self) -> PolarsResult<ScanSources> {
        Ok(ScanSources::Files(Arc::new([File::open(&self.path)?])))
    }

    fn scan(&self, schema: Option<SchemaRef>) -> PolarsResult<LazyFrame> {
        // The columns that folders name are added in one way for all formats.
        let hive_options = HiveOptions::new_disabled();
        match self.format {
            FileFormat::Parquet => scan_parquet_in_parts(&self.path),
            FileFormat::Ipc => LazyFrame::scan_ipc_sources(
                self.source()?,
                IpcScanOptions::default(),
                UnifiedScanArgs { hive_options, ..Default::default() },
            ),
            FileFormat::Csv(..) => self.csv(schema)?.finish(),
            FileFormat::Ndjson | FileFormat::Json => self.ndjson(schema)?.finish(),
        }
    }

    fn ndjson(&self, schema: Option<SchemaRef>) -> PolarsResult<LazyJsonLineReader> {
        Ok(LazyJsonLineReader::new_with_sources(self.source()?)
            .with_infer_schema_length(None::<NonZeroUsize>)
            .with_schema(schema))
    }
}

/// What a panic of Polars' readers says. A sound file may have a dtype that they know nothing of.
fn panicked(message: &str) -> String {
    match message.contains("Int256") {
        true => "a column of dtype decimal256 cannot be read: write the file without that column, \
                 or cast it to decimal128"
            .to_string(),
        false => format!("it is damaged: {message}"),
    }
}
