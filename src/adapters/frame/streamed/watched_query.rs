//! A query that is run again and again, over files that must stay as they are.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;

use polars::prelude::{DataFrame, DataType, Engine, LazyFrame, PlanCallback, SchemaRef, len};

use super::file_stamp::FileStamp;
use crate::adapters::frame::columns::column;
use crate::adapters::frame::frame_reader::FrameReader;
use crate::error::{Error, Result};

/// The rows of a query.
pub(super) struct WatchedQuery {
    rows: LazyFrame,
    schema: SchemaRef,
    files: Vec<FileStamp>,
}

impl WatchedQuery {
    /// A query that reads `files`. Each reading ends in an error if one of them has changed.
    pub(super) fn new(mut rows: LazyFrame, files: &[PathBuf]) -> Result<WatchedQuery> {
        let files = files.iter().cloned().map(FileStamp::new).collect();
        let schema = rows.collect_schema()?;
        Ok(WatchedQuery { rows, schema, files })
    }

    /// Some columns, by a reading that finds the files as they were, before and after.
    fn watched<T>(&self, names: &[&str], read: impl FnOnce(LazyFrame) -> Result<T>) -> Result<T> {
        self.files.iter().try_for_each(FileStamp::check)?;
        let columns: Vec<_> = names.iter().map(|name| column(name)).collect();
        let read = read(self.rows.clone().select(columns))?;
        self.files.iter().try_for_each(FileStamp::check)?;
        Ok(read)
    }
}

impl FrameReader for WatchedQuery {
    fn empty(&self) -> DataFrame {
        DataFrame::empty_with_schema(&self.schema)
    }

    fn n_rows(&mut self) -> Result<u64> {
        let count = self.rows.clone().select([len()]).collect()?;
        Ok(count.columns()[0].cast(&DataType::UInt64)?.u64()?.first().unwrap_or(0))
    }

    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<DataFrame> {
        self.watched(names, |rows| {
            let rows = match first {
                Some(first) => rows.limit(first),
                None => rows,
            };
            Ok(rows.collect()?)
        })
    }

    fn read_batches(
        &mut self,
        names: &[&str],
        rows_at_once: u32,
        take: &mut (dyn FnMut(DataFrame) -> Result<()> + Send),
    ) -> Result<()> {
        self.watched(names, |rows| {
            // At most one batch waits.
            let (send, batches) = sync_channel(1);
            // The query stops once nobody takes its batches.
            let put = PlanCallback::new(move |df: DataFrame| Ok(send.send(df).is_err()));
            let query = rows.sink_batches(put, true, NonZeroUsize::new(rows_at_once as usize))?;
            let run = std::thread::spawn(|| query.collect_with_engine(Engine::Streaming).map(drop));
            let taken = batches.iter().try_for_each(take);
            drop(batches);
            let ran = run.join().map_err(|_| Error::data("the query for rows ended early"))?;
            taken?;
            Ok(ran?)
        })
    }
}
