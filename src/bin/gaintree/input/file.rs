//! One input file: its schema and its rows, or an error that names it.

use std::fs::File;
use std::io::Read;
use std::num::NonZeroUsize;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use gaintree::scan_parquet_in_parts;
use polars::io::HiveOptions;
use polars::prelude::{
    DataFrame, DataType, Engine, Expr, IpcScanOptions, LazyCsvReader, LazyFileListReader,
    LazyFrame, LazyJsonLineReader, NullValues, ParquetReader, PlanCallback, PolarsResult,
    ScanArgsParquet, ScanSources, Schema, SchemaRef, SerReader, UnifiedScanArgs, polars_ensure,
};

use super::Input;
use super::dtypes::cast_from_text;
use super::file_format::{FileFormat, Packing};
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

impl Input {
    /// Whether dtypes are inferred from text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.format, FileFormat::Csv(..) | FileFormat::Ndjson | FileFormat::Json)
    }

    /// Runs a step of reading; its error names the file.
    pub(super) fn attempt<R>(&self, step: impl FnOnce() -> PolarsResult<R>) -> Result<R> {
        let what = match catch_panic(step) {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(e)) => gaintree::Error::from(e).to_string(),
            Err(panic) => format!("it is damaged: {}", panic.message),
        };
        let remedy = match what.starts_with("could not parse") {
            true => ": mend the value, or leave it empty where it is missing",
            false => "",
        };
        let path = self.path.display();
        Err(Failure::work(format!("cannot read `{path}` as {}: {what}{remedy}", self.format)))
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
        Ok(Arc::unwrap_or_clone(self.scan(None)?.collect_schema()?))
    }

    /// Whether the sample has a value in each column. One without may have any dtype further down.
    fn sample_suffices(&self, schema: &Schema) -> PolarsResult<bool> {
        let sample = self.csv(Some(Arc::new(self.read_schema(schema))))?;
        let sample = sample.with_n_rows(Some(SAMPLE)).finish()?.collect()?;
        let blank = sample.columns().iter().any(|c| c.null_count() == c.len());
        Ok(sample.height() < SAMPLE || !blank)
    }

    /// Whether a column has no value.
    pub(super) fn is_blank(&self, name: &str, schema: &Schema) -> PolarsResult<bool> {
        let df = self.read(&[name], schema)?;
        Ok(df.columns().iter().all(|c| c.null_count() == c.len()))
    }

    /// The columns of these names, in their order and with the dtypes of the schema.
    pub(super) fn read(&self, names: &[&str], schema: &Schema) -> PolarsResult<DataFrame> {
        let rows = self.scan(Some(Arc::new(self.read_schema(schema))))?;
        rows.select(self.columns(names, schema)).collect()
    }

    /// Reads the columns to their end and keeps nothing.
    pub(super) fn read_past(&self, names: &[&str], schema: &Schema) -> PolarsResult<()> {
        let past = self.query(names, schema)?;
        let past = past.sink_batches(PlanCallback::new(|_| Ok(false)), false, None)?;
        past.collect_with_engine(Engine::Streaming).map(drop)
    }

    /// A query for the columns that streams.
    pub(super) fn query(&self, names: &[&str], schema: &Schema) -> PolarsResult<LazyFrame> {
        let rows = match self.format {
            FileFormat::Parquet => scan_parquet_in_parts(&self.path)?,
            FileFormat::Csv(..) | FileFormat::Ndjson | FileFormat::Json | FileFormat::Ipc => {
                self.scan(Some(Arc::new(self.read_schema(schema))))?
            }
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

    /// The number of rows, where the file says it.
    pub(super) fn rows(&self) -> Option<u64> {
        let parquet =
            (self.format == FileFormat::Parquet).then(|| File::open(&self.path).ok())??;
        ParquetReader::new(parquet).num_rows().ok().map(|rows| rows as u64)
    }

    /// Dtypes that Polars writes to a format, and infers from it, but cannot read.
    fn is_cast_from_text(&self, dtype: &DataType) -> bool {
        match self.format {
            FileFormat::Csv(..) => *dtype == DataType::Time,
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
        for dtype in schema.iter_values_mut().filter(|dtype| self.is_cast_from_text(dtype)) {
            *dtype = DataType::String;
        }
        schema
    }

    fn csv(&self, schema: Option<SchemaRef>) -> PolarsResult<LazyCsvReader> {
        let reader = LazyCsvReader::new_with_sources(self.source()?);
        let reader = reader.with_infer_schema_length(None);
        let nulls: Vec<_> = self.csv.null_values.iter().map(|text| text.as_str().into()).collect();
        let nulls = (!nulls.is_empty()).then_some(NullValues::AllColumns(nulls));
        let reader = reader.with_separator(self.separator()).with_null_values(nulls);
        Ok(reader.with_try_parse_dates(true).with_schema(schema))
    }

    fn separator(&self) -> u8 {
        match self.format {
            FileFormat::Csv(separator, _) => separator,
            FileFormat::Parquet | FileFormat::Ndjson | FileFormat::Json | FileFormat::Ipc => b',',
        }
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
                self.path.display(),
                if separator == '\t' { "tab".to_string() } else { format!("'{separator}'") },
                parts(&separator) + 1
            ))),
            None => Ok(()),
        }
    }

    /// The text of a compressed file.
    fn unpack(&self, packing: Packing) -> PolarsResult<ScanSources> {
        if let Some(unpacked) = self.unpacked.get() {
            return Ok(unpacked.clone());
        }
        let (file, mut text) = (File::open(&self.path)?, Vec::new());
        match packing {
            Packing::Gzip => MultiGzDecoder::new(file).read_to_end(&mut text)?,
            Packing::Zstd => zstd::Decoder::new(file)?.read_to_end(&mut text)?,
        };
        polars_ensure!(!text.is_empty(), NoData: "the file is empty");
        Ok(self.unpacked.get_or_init(|| ScanSources::Buffers(Arc::new([text.into()]))).clone())
    }

    /// The file, opened here: Polars takes a name with a `*` for a glob, and one that begins with
    /// `s3:` for a cloud address.
    fn source(&self) -> PolarsResult<ScanSources> {
        if let FileFormat::Csv(_, Some(packing)) = self.format {
            return self.unpack(packing);
        }
        Ok(ScanSources::Files(Arc::new([File::open(&self.path)?])))
    }

    /// A query for the file.
    fn scan(&self, schema: Option<SchemaRef>) -> PolarsResult<LazyFrame> {
        // Folders named `key=value` add no columns.
        let hive_options = HiveOptions::new_disabled();
        match self.format {
            FileFormat::Parquet => LazyFrame::scan_parquet_sources(
                self.source()?,
                ScanArgsParquet { hive_options, ..Default::default() },
            ),
            FileFormat::Ipc => LazyFrame::scan_ipc_sources(
                self.source()?,
                IpcScanOptions::default(),
                UnifiedScanArgs { hive_options, ..Default::default() },
            ),
            FileFormat::Csv(..) => self.csv(schema)?.finish(),
            FileFormat::Ndjson | FileFormat::Json => {
                LazyJsonLineReader::new_with_sources(self.source()?)
                    .with_infer_schema_length(None::<NonZeroUsize>)
                    .with_schema(schema)
                    .finish()
            }
        }
    }
}
