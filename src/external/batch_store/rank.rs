//! The passes of a ranking: distinct values, and squares of the rows that have a value.

use rayon::prelude::*;

use super::cells::{Cells, CountedRows, feature_cells, kept_target};
use super::count::{add_moments, no_moments};
use super::node_slots::NodeSlots;
use super::row_nodes::RowNodes;
use super::tables::Tables;
use super::{RowBatch, RowBatches};
use crate::error::Result;
use crate::external::coding::Coding;
use crate::external::growing_tree::{Cell, GrowingTree};
use crate::external::key_range::KeyRange;
use crate::external::passes::changed;
use crate::external::rank_store::{LevelCount, LevelRequest, RatedMomentRequest};
use crate::external::row_store::Moments;
use crate::util::parallel;

/// The keys of a request that were seen, with repetitions.
enum SeenKeys {
    Narrow(Vec<u64>),
    Wide(Vec<i128>),
}

impl SeenKeys {
    fn new(is_wide: bool, rows: u64) -> SeenKeys {
        match is_wide {
            true => SeenKeys::Wide(Vec::with_capacity(rows as usize)),
            false => SeenKeys::Narrow(Vec::with_capacity(rows as usize)),
        }
    }

    fn len(&self) -> usize {
        match self {
            SeenKeys::Narrow(keys) => keys.len(),
            SeenKeys::Wide(keys) => keys.len(),
        }
    }

    /// Takes the known keys of some rows within some ranges.
    fn take(&mut self, cells: &Cells, rows: &[u32], ranges: &[KeyRange]) {
        let known = rows.iter().filter_map(|&row| match cells.of(row as usize) {
            Cell::Known(key) => KeyRange::any_has(ranges, key).then_some(key),
            Cell::Missing => None,
        });
        match self {
            SeenKeys::Narrow(keys) => keys.extend(known.map(|key| key as u64)),
            SeenKeys::Wide(keys) => keys.extend(known),
        }
    }

    fn count(self) -> LevelCount {
        fn distinct<K: Ord + Send>(mut keys: Vec<K>) -> LevelCount {
            keys.par_sort_unstable();
            let rows = keys.len() as u64;
            keys.dedup();
            LevelCount { rows, levels: keys.len() as u64 }
        }
        match self {
            SeenKeys::Narrow(keys) => distinct(keys),
            SeenKeys::Wide(keys) => distinct(keys),
        }
    }
}

pub(super) fn count_levels(
    batches: &mut dyn RowBatches,
    tree: &GrowingTree,
    requests: &[LevelRequest],
    tables: &Tables,
    row_nodes: &mut RowNodes,
) -> Result<Vec<LevelCount>> {
    let mut wanted = row_nodes.begin(tree, tables.rows, batches.features().len());
    let mut node_slots = NodeSlots::new(tree.nodes.len());
    requests.iter().for_each(|of| wanted[of.column as usize] = true);
    let is_wide = |of: &LevelRequest| batches.features()[of.column as usize].dtype.is_wide();
    let seen = |of: &LevelRequest| SeenKeys::new(is_wide(of), of.rows);
    let mut work: Vec<(&LevelRequest, usize, SeenKeys)> =
        requests.iter().map(|of| (of, node_slots.slot(of.node), seen(of))).collect();
    let mut n_rows = 0;
    batches.read(&wanted, &mut |mut batch: RowBatch| {
        let (kept, target) = kept_target(&mut batch)?;
        n_rows += target.len() as u64;
        let cells = feature_cells(&mut batch, kept.as_deref(), tables)?;
        let nodes = row_nodes.follow(tree, target.len(), &cells);
        let slots = node_slots.rows(&nodes);
        parallel::try_map(&mut work, |(of, slot, seen)| {
            if let Some(cells) = &cells[of.column as usize] {
                seen.take(cells, slots.of(*slot), &of.ranges);
            }
            // More rows than were counted before may be far more.
            match seen.len() as u64 <= of.rows {
                true => Ok(()),
                false => Err(changed("there are more rows in some bins")),
            }
        })
        .map(drop)
    })?;
    tables.check_rows(n_rows)?;
    Ok(work.into_iter().map(|(_, _, seen)| seen.count()).collect())
}

/// One pass that sums squares.
pub(super) fn rated_moments(
    batches: &mut dyn RowBatches,
    tree: &GrowingTree,
    requests: &[RatedMomentRequest],
    coding: &Coding,
    tables: &Tables,
    row_nodes: &mut RowNodes,
) -> Result<Vec<Moments>> {
    let dtype = batches.target().dtype.clone();
    let mut wanted = row_nodes.begin(tree, tables.rows, batches.features().len());
    let mut node_slots = NodeSlots::new(tree.nodes.len());
    let slot_of: Vec<usize> = requests.iter().map(|of| node_slots.slot(of.node)).collect();
    requests.iter().filter_map(|of| of.known_in).for_each(|column| wanted[column as usize] = true);
    let mut moments: Vec<Moments> = requests.iter().map(|_| no_moments()).collect();
    let mut n_rows = 0;
    batches.read(&wanted, &mut |mut batch: RowBatch| {
        let rows = CountedRows::new(&mut batch, &dtype, coding, tables)?;
        n_rows += rows.n_rows as u64;
        let cells = feature_cells(&mut batch, rows.kept.as_deref(), tables)?;
        let nodes = row_nodes.follow(tree, rows.n_rows, &cells);
        let slots = node_slots.rows(&nodes);
        let work = requests.iter().zip(&slot_of).zip(&mut moments);
        parallel::for_each(work, |((of, &slot), moments)| {
            let cells = of.known_in.and_then(|column| cells[column as usize].as_ref());
            let is_rated = |&row: &u32| {
                cells.is_none_or(|cells| matches!(cells.of(row as usize), Cell::Known(_)))
            };
            let rated = slots.of(slot).iter().copied().filter(is_rated);
            add_moments(moments, of.centre, &rows, rated);
        });
        Ok(())
    })?;
    tables.check_rows(n_rows)?;
    Ok(moments)
}
