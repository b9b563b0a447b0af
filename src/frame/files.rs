//! Scoring parquet files into one.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use polars::error::{PolarsError, PolarsResult};
use polars::io::HiveOptions;
use polars::prelude::{
    Engine, FileWriteFormat, LazyFrame, PlRefPath, PlanCallback, ScanArgsParquet, SinkDestination,
    SinkTarget, UnifiedSinkArgs,
};

use super::polars_error;
use super::verbs::column;
use crate::adapter::{ScoreReport, ScoreSpec};
use crate::disk;
use crate::error::{Error, Result};
use crate::tree::Tree;

impl Tree {
    /// Scores the rows of parquet files, in the order they are named, into one parquet file.
    ///
    /// It streams: memory is bounded by batches, not by rows. Only the kept columns and those
    /// the tree uses are read; rows keep their order; row groups have statistics. The output
    /// appears whole under its name, or not at all: it is written to a hidden file beside it.
    ///
    /// ```no_run
    /// # use gaintree::{ScoreSpec, Tree};
    /// let tree = Tree::load("churn.tree.json")?;
    /// let met = tree.score_parquet(["a.parquet", "b.parquet"], "scored.parquet", &ScoreSpec::default())?;
    /// println!("{} rows", met.rows);
    /// # Ok::<(), gaintree::Error>(())
    /// ```
    ///
    /// # Errors
    /// No input, inputs of unlike columns, a file that cannot be read or written, and as
    /// [`score_with`](Self::score_with).
    pub fn score_parquet<P: AsRef<Path>>(
        &self,
        inputs: impl IntoIterator<Item = P>,
        output: impl AsRef<Path>,
        spec: &ScoreSpec,
    ) -> Result<ScoreReport> {
        let inputs: Vec<P> = inputs.into_iter().collect();
        let paths: Vec<PlRefPath> =
            inputs.iter().map(|path| local(path.as_ref())).collect::<Result<_>>()?;
        if paths.is_empty() {
            return Err(Error::spec("no input file is named: name at least one"));
        }
        let scored = self.score_lazy(scan(paths.clone()).map_err(polars_error)?, spec)?;
        let output = output.as_ref();
        disk::replace_whole(output, |temporary| {
            let target = SinkTarget::Path(local(temporary)?);
            let format = FileWriteFormat::Parquet(Arc::default());
            let sink = SinkDestination::File { target };
            let sink = scored.frame.clone().sink(sink, format, UnifiedSinkArgs::default());
            let ran = sink.and_then(|sink| sink.collect_with_engine(Engine::Streaming));
            ran.map(drop).map_err(|e| {
                let named = inputs.iter().zip(paths);
                let damaged = named.filter(|_| !is_of_the_place(&e)).find_map(|(input, path)| {
                    Some((input.as_ref(), self.read_past(path, spec).err()?))
                });
                let message = match &damaged {
                    Some((path, e)) => format!("cannot read `{}`: {}", path.display(), said(e)),
                    None => format!("cannot score into `{}`: {}", output.display(), said(&e)),
                };
                Error::io(message).caused_by(damaged.map_or(e, |(_, e)| e))
            })
        })?;
        Ok(scored.report())
    }

    /// Reads what is needed of one file, to its end, and keeps nothing.
    fn read_past(&self, path: PlRefPath, spec: &ScoreSpec) -> PolarsResult<()> {
        let mut rows = scan(vec![path])?;
        if let Some(keep) = &spec.keep {
            let used = self.used_features().into_iter();
            let used = used.map(|f| self.schema().features[f as usize].name.as_str());
            let kept =
                keep.iter().map(String::as_str).filter(|name| !used.clone().any(|u| u == *name));
            rows = rows.select(used.clone().chain(kept).map(column).collect::<Vec<_>>());
        }
        let past = rows.sink_batches(PlanCallback::new(|_| Ok(false)), false, None)?;
        past.collect_with_engine(Engine::Streaming).map(drop)
    }
}

/// The rows of files, one after the other.
fn scan(paths: Vec<PlRefPath>) -> PolarsResult<LazyFrame> {
    // A name with a star in it is only a name, and folders named `key=value` add no column.
    let hive_options = HiveOptions::new_disabled();
    let args = ScanArgsParquet { glob: false, hive_options, ..Default::default() };
    LazyFrame::scan_parquet_files(paths.into(), args)
}

/// Whether it is for want of room, and not for what was read. The parquet writer has only the
/// system's words for it.
fn is_of_the_place(e: &PolarsError) -> bool {
    use ErrorKind::*;
    let kinds = [StorageFull, QuotaExceeded, FileTooLarge, ReadOnlyFilesystem];
    match e {
        PolarsError::IO { error, .. } => kinds.contains(&error.kind()),
        e => e.to_string().contains("No space left on device"),
    }
}

/// Polars adds advice for programs after the first paragraph.
fn said(e: &PolarsError) -> String {
    e.to_string().split("\n\n").next().unwrap_or_default().to_string()
}

/// The path of a file here: Polars would take `s3:…` for a place in a cloud.
fn local(path: &Path) -> Result<PlRefPath> {
    let failed = |e| Error::io(format!("cannot open `{}`: {e}", path.display())).caused_by(e);
    let absolute = std::fs::canonicalize(path).map_err(failed)?;
    PlRefPath::try_from_path(&absolute).map_err(polars_error)
}
