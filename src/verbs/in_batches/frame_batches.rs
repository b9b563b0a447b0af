//! A table that is read in batches, as growth asks for them.

use rayon::ThreadPool;

use super::frame_reader::FrameReader;
use super::group_keys::GroupKeys;
use crate::data::column_data::{ColumnData, Source};
use crate::data::dtype::DType;
use crate::data::weights::check_weights;
use crate::error::{Error, Result};
use crate::external::{RowBatch, RowBatches, StoreColumn};
use crate::spec::Monitor;
use crate::util::monitoring::check_interrupt;
use crate::util::parallel;
use crate::util::pool::pool_of;
use crate::verbs::frame::{Frame, NamedColumns, Needed, RowGroups, find, free_name};
use crate::verbs::request::{Request, all_usable};

/// Rows of a batch: many enough to share out among threads, few enough for any budget.
pub(super) const ROWS_AT_ONCE: u32 = 1 << 17;

/// The columns of a table that a request is about.
pub(super) struct FrameBatches<'r, F: Frame> {
    rows: &'r mut dyn FrameReader<Frame = F>,
    columns: RequestedColumns<F::Columns>,
    monitor: Option<Monitor>,
}

struct RequestedColumns<C> {
    /// With that of the groups, which is the last, if there are groups.
    features: Vec<StoreColumn>,
    groups: Option<GroupKeys<C>>,
    target: StoreColumn,
    weight: Option<String>,
}

impl<'r, F: Frame> FrameBatches<'r, F> {
    /// Checks the request's columns, which must all be usable; no row is read.
    pub(super) fn new(rows: &'r mut dyn FrameReader<Frame = F>, request: &Request) -> Result<Self> {
        let empty = rows.empty().outline()?;
        let features = all_usable(request.features(&empty)?, &request.target)?;
        let features = features.iter().map(store_column).collect();
        FrameBatches::of_features(rows, features, None, request)
    }

    /// [`new`](Self::new) with some of the features and, if there are groups, with a row's group.
    pub(super) fn of_features(
        rows: &'r mut dyn FrameReader<Frame = F>,
        mut features: Vec<StoreColumn>,
        groups: Option<GroupKeys<F::Columns>>,
        request: &Request,
    ) -> Result<Self> {
        let empty = rows.empty().outline()?;
        if groups.is_some() {
            let is_taken = |name: &str| features.iter().any(|feature| feature.name == name);
            let name = free_name("group", is_taken);
            features.push(StoreColumn { name, dtype: DType::String });
        }
        let target = store_column(&find(&empty, "target", &request.target)?.usable("target")?);
        request.weights(&empty)?;
        let weight = request.weight.clone();
        let columns = RequestedColumns { features, groups, target, weight };
        Ok(FrameBatches { rows, columns, monitor: request.monitor.clone() })
    }

    pub(super) fn group_feature(&self) -> Option<u32> {
        self.columns.groups.as_ref().map(|_| self.columns.features.len() as u32 - 1)
    }

    /// The groups and their keys: one group of no keys, if there are no others.
    pub(super) fn into_groups(self) -> Result<RowGroups<<F::Columns as NamedColumns>::Keys>> {
        match self.columns.groups {
            Some(groups) => groups.into_groups(),
            None => self.rows.empty().outline()?.groups(&[], None),
        }
    }
}

fn store_column(column: &impl Source) -> StoreColumn {
    StoreColumn { name: column.name().to_string(), dtype: column.dtype().clone() }
}

/// The threads that count what is in a batch. They wait for batches, which threads of the face's pool
/// may have to make, so they are others.
pub(super) fn counting_pool<F: Frame>(threads: Option<usize>) -> Result<ThreadPool> {
    let available = || F::in_pool(None, || Ok(rayon::current_num_threads()));
    pool_of(threads.map_or_else(available, Ok)?)
}

impl<C: NamedColumns> RequestedColumns<C> {
    fn batch(&self, rows: &C, wanted: &[bool]) -> Result<RowBatch> {
        let of_groups = self.groups.as_ref().map(|groups| (self.features.len() - 1, groups));
        let columns = self.features.iter().enumerate().zip(wanted);
        let features = parallel::try_map(columns, |((at, of), wanted)| match of_groups {
            _ if !wanted => Ok(None),
            Some((last, groups)) if last == at => groups.cells(rows).map(Some),
            _ => cells(rows, of).map(Some),
        })?;
        let weights = match &self.weight {
            None => None,
            Some(name) => {
                let column = find(rows, "weight", name)?.usable("weight")?;
                let numbers = column.cells().numbers(column.dtype());
                let dtype = column.dtype().to_string();
                Some(check_weights(name, &dtype, numbers.into_iter())?)
            }
        };
        Ok(RowBatch { features, target: cells(rows, &self.target)?, weights })
    }
}

fn cells(rows: &impl NamedColumns, of: &StoreColumn) -> Result<ColumnData> {
    let column =
        rows.column_or_reason(&of.name).and_then(|column_or_reason| column_or_reason.column());
    match column.filter(|column| *column.dtype() == of.dtype) {
        Some(column) => Ok(column.cells()),
        None => Err(Error::data(format!(
            "column `{}` ({}) has another dtype in some rows: cast it first",
            of.name, of.dtype
        ))),
    }
}

impl<F: Frame> RowBatches for FrameBatches<'_, F> {
    fn features(&self) -> &[StoreColumn] {
        &self.columns.features
    }

    fn target(&self) -> &StoreColumn {
        &self.columns.target
    }

    fn weight(&self) -> Option<&str> {
        self.columns.weight.as_deref()
    }

    fn n_rows(&mut self) -> Result<Option<u64>> {
        self.rows.n_rows().map(Some)
    }

    fn read(
        &mut self,
        wanted: &[bool],
        take: &mut (dyn FnMut(RowBatch) -> Result<()> + Send),
    ) -> Result<()> {
        let FrameBatches { rows, columns, monitor } = self;
        let groups = columns.groups.as_ref().filter(|_| wanted.last() == Some(&true));
        let n_features = columns.features.len() - usize::from(columns.groups.is_some());
        let features = columns.features[..n_features].iter().zip(wanted);
        let features = features.filter(|(_, wanted)| **wanted);
        let names = features.map(|(feature, _)| feature.name.as_str());
        let names = names.chain(groups.into_iter().flat_map(GroupKeys::names));
        let names = names.chain([columns.target.name.as_str()]).chain(columns.weight.as_deref());
        let mut first = 0;
        rows.read_batches(&names.collect::<Vec<_>>(), ROWS_AT_ONCE, &mut |rows| {
            check_interrupt(monitor.as_ref())?;
            let rows = rows.columns(&Needed::All)?;
            let batch = columns.batch(&rows, wanted).map_err(|e| e.of_part(first))?;
            first += rows.n_rows();
            take(batch)
        })
    }
}
