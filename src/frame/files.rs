//! Scoring parquet files into one.

use std::path::Path;
use std::sync::Arc;

use polars::io::HiveOptions;
use polars::prelude::{
    Engine, FileWriteFormat, LazyFrame, PlRefPath, ScanArgsParquet, SinkDestination, SinkTarget,
    UnifiedSinkArgs,
};

use super::polars_error;
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
        let paths: Vec<PlRefPath> =
            inputs.into_iter().map(|path| local(path.as_ref())).collect::<Result<_>>()?;
        if paths.is_empty() {
            return Err(Error::spec("no input file is named: name at least one"));
        }
        // A name with a star in it is only a name, and folders named `key=value` add no column.
        let hive_options = HiveOptions::new_disabled();
        let args = ScanArgsParquet { glob: false, hive_options, ..Default::default() };
        let input = LazyFrame::scan_parquet_files(paths.into(), args).map_err(polars_error)?;
        let scored = self.score_lazy(input, spec)?;
        let output = output.as_ref();
        disk::replace_whole(output, |temporary| {
            let target = SinkTarget::Path(local(temporary)?);
            let format = FileWriteFormat::Parquet(Arc::default());
            let sink = SinkDestination::File { target };
            let sink = scored.frame.clone().sink(sink, format, UnifiedSinkArgs::default());
            let ran = sink.and_then(|sink| sink.collect_with_engine(Engine::Streaming));
            let failed = |e: polars::error::PolarsError| {
                let message = format!("cannot score into `{}`: {e}", output.display());
                Error::io(message).caused_by(e)
            };
            ran.map(drop).map_err(failed)
        })?;
        Ok(scored.report())
    }
}

/// The path of a file here: Polars would take `s3:…` for a place in a cloud.
fn local(path: &Path) -> Result<PlRefPath> {
    let failed = |e| Error::io(format!("cannot open `{}`: {e}", path.display())).caused_by(e);
    let absolute = std::fs::canonicalize(path).map_err(failed)?;
    PlRefPath::try_from_path(&absolute).map_err(polars_error)
}
