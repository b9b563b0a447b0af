//! A query's rows in batches, as often as they are asked for.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;

use polars::prelude::{DataFrame, Engine, LazyFrame, PlanCallback};
use rayon::prelude::*;

use super::file_stamp::FileStamp;
use crate::adapters::common::request::{NamedColumns, Request, all_usable, find};
use crate::adapters::frame::columns::column;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::in_pool;
use crate::data::column_data::Source;
use crate::data::weights::check_weights;
use crate::error::{Error, Result};
use crate::external::{RowBatch, RowBatches, StoreColumn};

/// Rows of a batch: many enough to share out among threads, few enough for any budget.
const ROWS_AT_ONCE: NonZeroUsize = NonZeroUsize::new(1 << 17).unwrap();

/// The rows of a query.
pub(super) struct LazyBatches {
    rows: LazyFrame,
    features: Vec<StoreColumn>,
    target: StoreColumn,
    weight: Option<String>,
    files: Vec<FileStamp>,
}

impl LazyBatches {
    /// The rows of a query that reads `files`, which are watched. The request's columns are
    /// checked.
    pub(super) fn new(
        mut rows: LazyFrame,
        files: &[PathBuf],
        request: &Request,
    ) -> Result<LazyBatches> {
        let files = files.iter().cloned().map(FileStamp::new).collect();
        let schema = rows.collect_schema()?;
        let empty = DataFrame::empty_with_schema(&schema);
        let of = |column: &FrameColumn| StoreColumn {
            name: column.name().to_string(),
            dtype: column.dtype().clone(),
        };
        let features = all_usable(request.features(&empty)?, &request.target)?;
        let target = find(&empty, "target", &request.target)?.usable("target")?;
        request.weights(&empty)?;
        Ok(LazyBatches {
            rows,
            features: features.iter().map(of).collect(),
            target: of(&target),
            weight: request.weight.clone(),
            files,
        })
    }

    fn batch(&self, df: &DataFrame, wanted: &[bool]) -> Result<RowBatch> {
        let cells = |of: &StoreColumn| -> Result<_> {
            let column = df
                .column_or_reason(&of.name)
                .and_then(|column_or_reason| column_or_reason.column());
            match column.filter(|column| *column.dtype() == of.dtype) {
                Some(column) => Ok(column.cells()),
                None => Err(Error::data(format!(
                    "column `{}` ({}) has another dtype in some rows: cast it first",
                    of.name, of.dtype
                ))),
            }
        };
        let columns = self.features.par_iter().zip(wanted).with_max_len(1);
        let features = columns.map(|(of, wanted)| wanted.then(|| cells(of)).transpose());
        let weights = match &self.weight {
            None => None,
            Some(name) => {
                let column = find(df, "weight", name)?.usable("weight")?;
                let numbers = column.cells().numbers(column.dtype());
                let dtype = column.dtype().to_string();
                Some(check_weights(name, &dtype, numbers.into_iter())?)
            }
        };
        Ok(RowBatch {
            features: features.collect::<Result<_>>()?,
            target: cells(&self.target)?,
            weights,
        })
    }
}

impl RowBatches for LazyBatches {
    fn features(&self) -> &[StoreColumn] {
        &self.features
    }

    fn target(&self) -> &StoreColumn {
        &self.target
    }

    fn weight(&self) -> Option<&str> {
        self.weight.as_deref()
    }

    fn read(
        &mut self,
        wanted: &[bool],
        take: &mut (dyn FnMut(RowBatch) -> Result<()> + Send),
    ) -> Result<()> {
        self.files.iter().try_for_each(FileStamp::check)?;
        let features = self.features.iter().zip(wanted).filter(|(_, wanted)| **wanted);
        let names = features.map(|(feature, _)| feature.name.as_str());
        let names = names.chain([self.target.name.as_str()]).chain(self.weight.as_deref());
        let columns: Vec<_> = names.map(column).collect();
        let query = self.rows.clone().select(columns);
        // At most one batch waits.
        let (send, batches) = sync_channel(1);
        // The query stops once nobody takes its batches.
        let put = PlanCallback::new(move |df: DataFrame| Ok(send.send(df).is_err()));
        let query = query.sink_batches(put, true, Some(ROWS_AT_ONCE))?;
        // The batches are waited for outside the pool, whose threads may have to make them.
        let run = std::thread::spawn(|| query.collect_with_engine(Engine::Streaming).map(drop));
        let mut first = 0;
        let taken = batches.iter().try_for_each(|df| -> Result<()> {
            let batch = || self.batch(&df, wanted).map_err(|e| e.of_part(first));
            in_pool(None, || take(batch()?))?;
            first += df.height();
            Ok(())
        });
        drop(batches);
        let ran = run.join().map_err(|_| Error::data("the query for rows ended early"))?;
        taken?;
        ran?;
        self.files.iter().try_for_each(FileStamp::check)
    }
}
