//! A query that is run again and again, over files that must stay as they are.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;
use std::time::SystemTime;

use polars::prelude::{
    DataFrame, DataType, Engine, LazyFrame, PlanCallback, PolarsResult, SchemaRef, len,
};

use crate::adapters::frame::columns::column;
use crate::error::{Error, Result};
use crate::verbs::FrameReader;

/// The rows of a query, or of several one after the other.
pub(super) struct WatchedQuery {
    parts: Vec<LazyFrame>,
    schema: SchemaRef,
    files: Vec<FileStamp>,
}

impl WatchedQuery {
    /// Queries of the same columns that read `files`; a reading fails if one of these has changed.
    pub(super) fn new(mut parts: Vec<LazyFrame>, files: &[PathBuf]) -> Result<WatchedQuery> {
        let files = files.iter().cloned().map(FileStamp::new).collect();
        let schema = match parts.first_mut() {
            Some(part) => part.collect_schema()?,
            None => SchemaRef::default(),
        };
        Ok(WatchedQuery { parts, schema, files })
    }

    /// Some columns, by a reading that finds the files as they were, before and after.
    fn watched<T>(
        &self,
        names: &[&str],
        read: impl FnOnce(Vec<LazyFrame>) -> Result<T>,
    ) -> Result<T> {
        self.files.iter().try_for_each(FileStamp::check)?;
        let columns: Vec<_> = names.iter().map(|name| column(name)).collect();
        let parts = self.parts.iter().map(|rows| rows.clone().select(columns.clone()));
        let read = read(parts.collect())?;
        self.files.iter().try_for_each(FileStamp::check)?;
        Ok(read)
    }
}

impl FrameReader for WatchedQuery {
    type Frame = DataFrame;

    fn empty(&self) -> DataFrame {
        DataFrame::empty_with_schema(&self.schema)
    }

    fn n_rows(&mut self) -> Result<u64> {
        let counted = |rows: &LazyFrame| -> Result<u64> {
            let count = rows.clone().select([len()]).collect()?;
            Ok(count.columns()[0].cast(&DataType::UInt64)?.u64()?.first().unwrap_or(0))
        };
        self.parts.iter().map(counted).sum()
    }

    fn read(&mut self, names: &[&str], first: Option<u32>) -> Result<DataFrame> {
        let schema = &self.schema;
        self.watched(names, |parts| {
            let names = names.iter().copied();
            let mut whole = DataFrame::empty_with_schema(schema).select(names)?;
            for rows in parts {
                let left = first.map(|first| first.saturating_sub(whole.height() as u32));
                let rows = match left {
                    Some(0) => break,
                    Some(left) => rows.limit(left),
                    None => rows,
                };
                whole.vstack_mut_owned(rows.collect()?)?;
            }
            Ok(whole)
        })
    }

    fn read_batches(
        &mut self,
        names: &[&str],
        rows_at_once: u32,
        take: &mut (dyn FnMut(DataFrame) -> Result<()> + Send),
    ) -> Result<()> {
        self.watched(names, |parts| {
            // At most one batch waits.
            let (send, batches) = sync_channel(1);
            let make = move || -> PolarsResult<()> {
                // A query stops once nobody takes its batches, and the next one does not begin.
                let is_over = Arc::new(AtomicBool::new(false));
                for rows in parts {
                    if is_over.load(Relaxed) {
                        break;
                    }
                    let (send, is_over) = (send.clone(), is_over.clone());
                    let put = PlanCallback::new(move |df: DataFrame| {
                        is_over.fetch_or(send.send(df).is_err(), Relaxed);
                        Ok(is_over.load(Relaxed))
                    });
                    let rows_at_once = NonZeroUsize::new(rows_at_once as usize);
                    let query = rows.sink_batches(put, true, rows_at_once)?;
                    query.collect_with_engine(Engine::Streaming)?;
                }
                Ok(())
            };
            let run = std::thread::spawn(make);
            let taken = batches.iter().try_for_each(take);
            drop(batches);
            let ran = run.join().map_err(|_| Error::data("the query for rows ended early"))?;
            taken?;
            Ok(ran?)
        })
    }
}

/// What a file looked like when the work began.
struct FileStamp {
    path: PathBuf,
    seen: Option<(u64, SystemTime)>,
}

impl FileStamp {
    fn new(path: PathBuf) -> FileStamp {
        FileStamp { seen: look_at(&path), path }
    }

    /// An error if the file looks otherwise now.
    fn check(&self) -> Result<()> {
        match look_at(&self.path) == self.seen {
            true => Ok(()),
            false => Err(Error::io(format!(
                "`{}` changed while it was read: keep the file as it is until the work ends, and \
                 begin again",
                self.path.display()
            ))),
        }
    }
}

/// The length of a file and when it was written.
fn look_at(path: &PathBuf) -> Option<(u64, SystemTime)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}
