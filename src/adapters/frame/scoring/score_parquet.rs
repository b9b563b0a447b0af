//! Scoring Parquet files into one.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use polars::error::{PolarsError, PolarsResult};
use polars::io::utils::file::Writable;
use polars::prelude::{
    Engine, FileWriteFormat, LazyFrame, PlanCallback, SinkDestination, SinkTarget, SpecialEq,
    UnifiedSinkArgs,
};

use super::parquet_files::{named_inputs, row_name, scan_files};
use super::parquet_parts::{read_error, scan_parquet_in_parts};
use crate::adapters::frame::columns::column;
use crate::error::{Error, Result};
use crate::util::atomic_file::{self, AtomicFile};
use crate::verbs::model_ref::ModelRef;
use crate::verbs::{ScoreReport, ScoreSpec};

impl ModelRef<'_> {
    pub(super) fn score_parquet<P: AsRef<Path>>(
        self,
        inputs: impl IntoIterator<Item = P>,
        output: impl AsRef<Path>,
        spec: &ScoreSpec,
    ) -> Result<ScoreReport> {
        let inputs = named_inputs(inputs)?;
        let scored = self.score_lazy(scan_files(&inputs)?, spec)?;
        let output = output.as_ref();
        let cannot_write = |e| atomic_file::cannot_write(output, e);
        let file = AtomicFile::create(output).map_err(cannot_write)?;
        let format = FileWriteFormat::Parquet(Arc::default());
        sink_into(scored.frame.clone(), &file, format)
            .map_err(|e| self.run_error(e, &inputs, output, spec))?;
        file.commit().map_err(cannot_write)?;
        Ok(scored.report())
    }

    /// The error of a failed run: a damaged input, a value that may not be missing, or else the output.
    fn run_error(self, e: Error, inputs: &[PathBuf], output: &Path, spec: &ScoreSpec) -> Error {
        if !e.is_io() {
            let damaged =
                |path: &PathBuf| Some(read_error(path, self.read_to_end(path, spec).err()?));
            let missing = || self.missing_value(scan_files(inputs).ok()?).ok()?;
            if let Some(found) = inputs.iter().find_map(damaged).or_else(missing) {
                return found.with_row_name(|row| row_name(inputs, row));
            }
        }
        Error::io(format!("cannot score into `{}`: {e}", output.display())).caused_by(e)
    }

    /// Reads the needed columns of one file to the end, and keeps nothing.
    fn read_to_end(self, path: &Path, spec: &ScoreSpec) -> PolarsResult<()> {
        let mut rows = scan_parquet_in_parts(path)?;
        if let Some(keep) = &spec.keep {
            let used: Vec<&str> = self.used_names().collect();
            let kept = keep.iter().map(String::as_str).filter(|name| !used.contains(name));
            rows = rows.select(used.iter().copied().chain(kept).map(column).collect::<Vec<_>>());
        }
        let sink = rows.sink_batches(PlanCallback::new(|_| Ok(false)), false, None)?;
        sink.collect_with_engine(Engine::Streaming).map(drop)
    }
}

/// Runs a query on the streaming engine and writes its rows, in their order, into a file, which
/// the caller commits. Memory is bounded by batches, not by rows.
///
/// # Errors
/// [`is_io`](crate::Error::is_io) where the file has no room, [`is_data`](crate::Error::is_data) where the rows
/// cannot be read or worked on.
pub fn sink_into(query: LazyFrame, file: &AtomicFile, format: FileWriteFormat) -> Result<()> {
    let file = file.file().try_clone().map_err(PolarsError::from)?;
    let file = Mutex::new(Some(Writable::Local(file)));
    let target = SinkTarget::Dyn(SpecialEq::new(Arc::new(file)));
    let query = query.sink(SinkDestination::File { target }, format, UnifiedSinkArgs::default())?;
    query.collect_with_engine(Engine::Streaming)?;
    Ok(())
}
