//! A table in a file format.

use std::io::Write;

use polars::prelude::{
    CsvWriter, DataFrame, IpcWriter, JsonFormat, JsonWriter, ParquetWriter, PolarsResult, SerWriter,
};

use super::nested_json::flatten;
use crate::input::FileFormat;

pub(super) fn encode(df: &DataFrame, format: FileFormat, out: &mut dyn Write) -> PolarsResult<()> {
    // Columns are shared, not copied. The writers ask for `&mut` because they may rechunk.
    let mut df = df.clone();
    match format {
        FileFormat::Parquet => ParquetWriter::new(out).finish(&mut df).map(drop),
        FileFormat::Ipc => IpcWriter::new(out).finish(&mut df),
        FileFormat::Csv => CsvWriter::new(out).finish(&mut flatten(&df)?),
        FileFormat::Ndjson => {
            JsonWriter::new(out).with_json_format(JsonFormat::JsonLines).finish(&mut df)
        }
        FileFormat::Json => JsonWriter::new(out).with_json_format(JsonFormat::Json).finish(&mut df),
    }
}
