//! One input file: its schema and its rows, or an error that names it.

use std::fs::File;
use std::num::NonZeroUsize;
use std::sync::Arc;

use gaintree::scan_parquet_in_parts;
use polars::io::HiveOptions;
use polars::prelude::{
    DataFrame, DataType, Engine, Expr, IpcScanOptions, LazyCsvReader, LazyFileListReader,
    LazyFrame, LazyJsonLineReader, ParquetReader, PlanCallback, PolarsResult, ScanArgsParquet,
    ScanSources, Schema, SchemaRef, SerReader, UnifiedScanArgs, polars_ensure,
};

use super::Input;
use super::dtypes::cast_from_text;
use crate::crash;
use crate::failure::{Failure, Result};
use crate::format::Format;

/// Rows of a csv file that are looked at first: to tell a dtype takes a value many times longer
/// than to read it.
const SAMPLE: usize = 10_000;

/// How much of a csv file is looked at to tell its dtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The first rows. A later one of another dtype then cannot be read.
    Sample,
    /// All rows.
    Whole,
}

impl Input {
    /// Whether dtypes are only what the text looks like.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.format, Format::Csv | Format::Ndjson | Format::Json)
    }

    /// Runs a step of reading, and says of which file it was if it fails.
    pub(super) fn attempt<R>(&self, step: impl FnOnce() -> PolarsResult<R>) -> Result<R> {
        let what = match crash::caught(step) {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(e)) => e.to_string(),
            Err(crash) => format!("it is damaged: {}", crash.what),
        };
        // Polars adds advice for programs after the first paragraph.
        let what = what.split("\n\n").next().unwrap_or_default();
        let to_do = match what.starts_with("could not parse") {
            true => ": mend the value, or leave it empty where it is missing",
            false => "",
        };
        let path = self.path.display();
        Err(Failure::work(format!("cannot read `{path}` as {}: {what}{to_do}", self.format)))
    }

    pub(super) fn schema(&self, look: Look) -> PolarsResult<Schema> {
        polars_ensure!(self.path.metadata()?.len() > 0, NoData: "the file is empty");
        if self.format == Format::Csv && look == Look::Sample {
            let schema = self.infer(Some(SAMPLE))?;
            if self.sample_tells(&schema).unwrap_or(false) {
                return Ok(schema);
            }
        }
        Ok(Arc::unwrap_or_clone(self.scan(None)?.collect_schema()?))
    }

    /// Whether the sample has a value in each column; one without may be anything further down.
    fn sample_tells(&self, schema: &Schema) -> PolarsResult<bool> {
        let sample = self.csv(Some(Arc::new(self.read_schema(schema))))?;
        let sample = sample.with_n_rows(Some(SAMPLE)).finish()?.collect()?;
        let blank = sample.columns().iter().any(|c| c.null_count() == c.len());
        Ok(sample.height() < SAMPLE || !blank)
    }

    /// Whether a column that was taken for text has no value.
    pub(super) fn is_blank(&self, name: &str, schema: &Schema) -> PolarsResult<bool> {
        let df = self.read(&[name], schema)?;
        Ok(df.columns().iter().all(|c| c.null_count() == c.len()))
    }

    /// The columns of these names, in their order and with the dtypes of the schema.
    pub(super) fn read(&self, names: &[&str], schema: &Schema) -> PolarsResult<DataFrame> {
        let rows = self.scan(Some(Arc::new(self.read_schema(schema))))?;
        rows.select(self.columns(names, schema)).collect()
    }

    /// Reads them to their end and keeps nothing.
    pub(super) fn read_past(&self, names: &[&str], schema: &Schema) -> PolarsResult<()> {
        let past = self.query(names, schema)?;
        let past = past.sink_batches(PlanCallback::new(|_| Ok(false)), false, None)?;
        past.collect_with_engine(Engine::Streaming).map(drop)
    }

    /// A query for them that streams.
    pub(super) fn query(&self, names: &[&str], schema: &Schema) -> PolarsResult<LazyFrame> {
        let rows = match self.format {
            Format::Parquet => scan_parquet_in_parts(&self.path)?,
            _ => self.scan(Some(Arc::new(self.read_schema(schema))))?,
        };
        Ok(rows.select(self.columns(names, schema)))
    }

    /// The columns of these names, with the dtypes of the schema.
    fn columns(&self, names: &[&str], schema: &Schema) -> Vec<Expr> {
        let column = |name: &&str| {
            // `col` would take `*` and `^…$` for patterns.
            let column = Expr::Column((*name).into());
            match schema.get(name).filter(|dtype| self.is_cast_from_text(dtype)) {
                None => column,
                Some(dtype) => cast_from_text(column, dtype.clone()),
            }
        };
        names.iter().map(column).collect()
    }

    /// Rows, where a file of this format says so.
    pub(super) fn rows(&self) -> Option<u64> {
        let parquet = (self.format == Format::Parquet).then(|| File::open(&self.path).ok())??;
        ParquetReader::new(parquet).num_rows().ok().map(|rows| rows as u64)
    }

    /// Dtypes that Polars writes to a format, and infers from it, but cannot read.
    fn is_cast_from_text(&self, dtype: &DataType) -> bool {
        match self.format {
            Format::Csv => *dtype == DataType::Time,
            Format::Ndjson => matches!(
                dtype,
                DataType::Time
                    | DataType::Decimal(..)
                    | DataType::Int128
                    | DataType::UInt128
                    | DataType::Float16
            ),
            _ => false,
        }
    }

    /// The schema by which Polars reads what is to have this one.
    fn read_schema(&self, schema: &Schema) -> Schema {
        let mut schema = schema.clone();
        for dtype in schema.iter_values_mut().filter(|dtype| self.is_cast_from_text(dtype)) {
            *dtype = DataType::String;
        }
        schema
    }

    /// The dtypes that the first rows of a csv file look like, or all.
    fn infer(&self, rows: Option<usize>) -> PolarsResult<Schema> {
        let mut lazy = self.csv(None)?.with_infer_schema_length(rows).finish()?;
        Ok(Arc::unwrap_or_clone(lazy.collect_schema()?))
    }

    fn csv(&self, schema: Option<SchemaRef>) -> PolarsResult<LazyCsvReader> {
        let reader = LazyCsvReader::new_with_sources(self.source()?);
        let reader = reader.with_infer_schema_length(None);
        Ok(reader.with_try_parse_dates(true).with_schema(schema))
    }

    /// The file, opened here: Polars would take a name with a `*` for a glob, and one that begins
    /// with `s3:` for something in a cloud.
    fn source(&self) -> PolarsResult<ScanSources> {
        Ok(ScanSources::Files(Arc::new([File::open(&self.path)?])))
    }

    /// A query for the file.
    fn scan(&self, schema: Option<SchemaRef>) -> PolarsResult<LazyFrame> {
        // Folders named `key=value` add no columns.
        let hive_options = HiveOptions::new_disabled();
        match self.format {
            Format::Parquet => LazyFrame::scan_parquet_sources(
                self.source()?,
                ScanArgsParquet { hive_options, ..Default::default() },
            ),
            Format::Ipc => LazyFrame::scan_ipc_sources(
                self.source()?,
                IpcScanOptions::default(),
                UnifiedScanArgs { hive_options, ..Default::default() },
            ),
            Format::Csv => self.csv(schema)?.finish(),
            Format::Ndjson | Format::Json => LazyJsonLineReader::new_with_sources(self.source()?)
                .with_infer_schema_length(None::<NonZeroUsize>)
                .with_schema(schema)
                .finish(),
        }
    }
}
