//! Scoring Parquet files into one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::error::PolarsResult;
use polars::prelude::{Engine, FileWriteFormat, PlanCallback};

use super::parquet_files::{named_inputs, scan_files};
use super::parquet_parts::{read_error, scan_parquet_in_parts};
use super::sink::sink_into;
use crate::adapters::common::{ScoreReport, ScoreSpec};
use crate::adapters::frame::columns::column;
use crate::error::{Error, Result};
use crate::fitted::Tree;
use crate::util::atomic_file::{self, AtomicFile};

impl Tree {
    /// Scores the rows of Parquet files, in the order they are named, into one Parquet file.
    ///
    /// Rows are streamed, so that memory is bounded by batches. Only the kept columns and those
    /// the tree uses are read; rows keep their order; row groups have statistics. The output
    /// appears whole or not at all: it is written to a hidden file beside its path first.
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

    /// The error of a failed run: an input that cannot be read to its end, or else the output.
    fn run_error(&self, e: Error, inputs: &[PathBuf], output: &Path, spec: &ScoreSpec) -> Error {
        let inputs = inputs.iter().filter(|_| !e.is_io());
        let mut damaged =
            inputs.filter_map(|path| Some(read_error(path, self.read_to_end(path, spec).err()?)));
        damaged.next().unwrap_or_else(|| {
            Error::io(format!("cannot score into `{}`: {e}", output.display())).caused_by(e)
        })
    }

    /// Reads the needed columns of one file to the end, and keeps nothing.
    fn read_to_end(&self, path: &Path, spec: &ScoreSpec) -> PolarsResult<()> {
        let mut rows = scan_parquet_in_parts(path)?;
        if let Some(keep) = &spec.keep {
            let used = self.used_features().into_iter();
            let used = used.map(|f| self.schema().features[f as usize].name.as_str());
            let kept =
                keep.iter().map(String::as_str).filter(|name| !used.clone().any(|u| u == *name));
            rows = rows.select(used.clone().chain(kept).map(column).collect::<Vec<_>>());
        }
        let sink = rows.sink_batches(PlanCallback::new(|_| Ok(false)), false, None)?;
        sink.collect_with_engine(Engine::Streaming).map(drop)
    }
}
