//! Rankings of rows that are read in batches: of features that have no room.

use super::frame_batches::{FrameBatches, ROWS_AT_ONCE, counting_pool};
use super::frame_reader::FrameReader;
use super::group_keys::GroupKeys;
use crate::data::dtype::DType;
use crate::error::Result;
use crate::external::{BatchStore, StoreColumn, StoreRanking, rank_from_store};
use crate::spec::{Budget, RankSpec};
use crate::verbs::frame::Frame;
use crate::verbs::rank_outline::RankOutline;
use crate::verbs::table::FaceTable;

/// A ranking of rows that were read several times.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamedRanking<T = FaceTable> {
    /// The table of [`rank_gain`](crate::rank_gain), the same as of the rows in memory.
    pub ranking: T,
    /// How the target was taken, if it could be taken in another way; see
    /// [`target_note`](crate::target_note). A numeric target has none where features are counted.
    pub note: Option<String>,
    /// Rows of positive weight.
    pub rows: u64,
    /// Times that columns were read.
    pub readings: u32,
    /// The most bytes that columns, or counts of them, took at a time, by count.
    pub peak_bytes: u64,
}

/// Ranks the features of an outline by counts of their rows.
pub(super) fn rank_gain_in_batches<F: Frame>(
    rows: &mut dyn FrameReader<Frame = F>,
    outline: RankOutline,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<StreamedRanking<F::Table>> {
    let store_column = |(name, dtype): (&str, &DType)| StoreColumn {
        name: name.to_string(),
        dtype: dtype.clone(),
    };
    let features = outline.rated().into_iter().map(store_column);
    let groups = match &spec.by[..] {
        [] => None,
        by => {
            let (weight, monitor) = (spec.weight.as_deref(), spec.monitor.as_ref());
            Some(GroupKeys::read(rows, by, weight, ROWS_AT_ONCE, monitor)?)
        }
    };
    let n_groups_read = u32::from(groups.is_some());
    let batches = FrameBatches::of_features(rows, features.collect(), groups, outline.request())?;
    let group_feature = batches.group_feature();
    let mut store = BatchStore::new(batches, 0);
    // Beside counts, batches are in memory.
    let mut of_counts = budget.clone();
    of_counts.memory = budget.memory / 4 * 3;
    let pool = counting_pool::<F>(spec.threads)?;
    let StoreRanking { gains, target, report, .. } =
        pool.install(|| rank_from_store(&mut store, group_feature, spec, &of_counts))?;
    let groups = store.into_batches().into_groups()?;
    Ok(StreamedRanking {
        ranking: outline.ranking(&target, groups, gains).table::<F::Columns>()?,
        // Whether all its numbers are whole is not known.
        note: if target.labels().is_empty() { None } else { target.note(spec.task) },
        rows: report.rows,
        readings: report.passes + n_groups_read,
        peak_bytes: report.peak_bytes,
    })
}
