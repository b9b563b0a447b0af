//! One pass that counts bins, moments and values.

use std::sync::Arc;

use hashbrown::HashMap;

use super::bin_finder::BinFinder;
use super::cells::{Cells, CountedRows, Targets, feature_cells};
use super::node_slots::{NodeSlots, Slots};
use super::row_nodes::RowNodes;
use super::tables::Tables;
use super::{RowBatch, RowBatches};
use crate::data::column_data::MISSING;
use crate::error::Result;
use crate::external::coding::Coding;
use crate::external::growing_tree::Cell;
use crate::external::key_range::KeyRange;
use crate::external::row_store::{
    BinCounts, BinRequest, Bins, CountRequest, Counts, Moments, ValueCounts, ValueRequest,
};
use crate::util::parallel;

/// What is counted of one column: by slot, the index of a node among those that are asked about.
struct ColumnWork<'a> {
    column: usize,
    bins: Vec<BinWork<'a>>,
    values: Vec<ValueWork<'a>>,
}

struct BinWork<'a> {
    request: &'a BinRequest,
    /// Its index among the answers.
    index: usize,
    slot: usize,
    finder: Arc<Finder>,
    tally: Tally,
}

enum Tally {
    /// Rows of each bin and class, where each row counts one.
    Classes(Vec<u32>),
    Stats(BinCounts),
}

impl Tally {
    fn new(n_bins: usize, width: usize, of_numbers: bool, has_units: bool) -> Tally {
        if !of_numbers && !has_units {
            return Tally::Classes(vec![0; n_bins * width]);
        }
        Tally::Stats(BinCounts {
            rows: vec![0; n_bins],
            stats: vec![0; n_bins * width],
            spreads: vec![0; if of_numbers { n_bins } else { 0 }],
        })
    }

    fn counts(self, width: usize) -> BinCounts {
        match self {
            Tally::Classes(rows) => BinCounts {
                rows: rows
                    .chunks_exact(width)
                    .map(|bin| bin.iter().map(|&n| u64::from(n)).sum())
                    .collect(),
                stats: rows.into_iter().map(i128::from).collect(),
                spreads: Vec::new(),
            },
            Tally::Stats(counts) => counts,
        }
    }
}

struct ValueWork<'a> {
    request: &'a ValueRequest,
    index: usize,
    slot: usize,
    counts: HashMap<i128, (u64, Vec<i128>)>,
}

enum Finder {
    Levels(u32),
    Keys(BinFinder, u32),
    Wide(Vec<i128>),
}

impl Finder {
    fn new(bins: &Bins, is_wide: bool) -> Finder {
        match bins.starts() {
            None => Finder::Levels(bins.len() as u32),
            Some(starts) if is_wide => Finder::Wide(starts.to_vec()),
            Some(starts) => Finder::Keys(BinFinder::new(starts), bins.len() as u32),
        }
    }

    fn len(&self) -> usize {
        match self {
            Finder::Levels(n) | Finder::Keys(_, n) => *n as usize,
            Finder::Wide(starts) => starts.len() + 1,
        }
    }

    /// The bin of each of some rows; missing has the last one.
    fn bins(&self, cells: &Cells, rows: impl Iterator<Item = usize>) -> Vec<u32> {
        let missing = self.len() as u32;
        let is_missing =
            |of: &Option<Vec<bool>>, row: usize| of.as_ref().is_some_and(|missing| missing[row]);
        match (self, cells) {
            (Finder::Levels(n), Cells::Codes(codes)) => rows
                .map(|row| codes[row])
                .map(|code| if code == MISSING { missing } else { code.min(*n) })
                .collect(),
            (Finder::Keys(finder, _), Cells::Keys(keys, None)) => {
                rows.map(|row| finder.bin(keys[row])).collect()
            }
            (Finder::Keys(finder, _), Cells::Keys(keys, of)) => {
                let bin = |row| if is_missing(of, row) { missing } else { finder.bin(keys[row]) };
                rows.map(bin).collect()
            }
            (finder, cells) => {
                let bin = |row: usize| match cells.of(row) {
                    Cell::Missing => missing,
                    Cell::Known(key) => finder.bin_of(key),
                };
                rows.map(bin).collect()
            }
        }
    }

    fn bin_of(&self, key: i128) -> u32 {
        match self {
            Finder::Levels(_) => key as u32,
            Finder::Keys(finder, _) => finder.bin(key as u64),
            Finder::Wide(starts) => starts.partition_point(|&start| start <= key) as u32,
        }
    }
}

pub(super) fn count(
    batches: &mut dyn RowBatches,
    request: &CountRequest,
    coding: &Coding,
    tables: &Tables,
    row_nodes: &mut RowNodes,
) -> Result<Counts> {
    let width = coding.target.width();
    let dtype = batches.target().dtype.clone();
    let mut wanted = row_nodes.begin(request.tree, tables.rows, batches.features().len());
    let mut node_slots = NodeSlots::new(request.tree.nodes.len());
    let mut columns: Vec<ColumnWork> = (0..wanted.len())
        .map(|column| ColumnWork { column, bins: Vec::new(), values: Vec::new() })
        .collect();
    // Many nodes share bins.
    let mut finders: HashMap<*const Bins, Arc<Finder>> = HashMap::new();
    let is_wide: Vec<bool> = batches.features().iter().map(|f| f.dtype.is_wide()).collect();
    for (index, request) in request.bins.iter().enumerate() {
        let finder = finders.entry(Arc::as_ptr(&request.bins));
        let finder = Arc::clone(finder.or_insert_with(|| {
            Arc::new(Finder::new(&request.bins, is_wide[request.column as usize]))
        }));
        let n_bins = finder.len() + 1;
        let tally = Tally::new(n_bins, width, tables.target_is_number, coding.units.is_some());
        let slot = node_slots.slot(request.node);
        columns[request.column as usize].bins.push(BinWork { request, index, slot, finder, tally });
    }
    // What holds a finder from now on are the nodes that share it.
    drop(finders);
    for (index, request) in request.values.iter().enumerate() {
        let (slot, counts) = (node_slots.slot(request.node), HashMap::new());
        columns[request.column as usize].values.push(ValueWork { request, index, slot, counts });
    }
    let of_moments: Vec<usize> = request.moments.iter().map(|m| node_slots.slot(m.node)).collect();
    let mut moments: Vec<Moments> = request.moments.iter().map(|_| no_moments()).collect();
    columns.retain(|work| !work.bins.is_empty() || !work.values.is_empty());
    columns.iter().for_each(|work| wanted[work.column] = true);
    let mut n_rows = 0;
    batches.read(&wanted, &mut |mut batch: RowBatch| {
        let rows = CountedRows::new(&mut batch, &dtype, coding, tables)?;
        n_rows += rows.n_rows as u64;
        let cells = feature_cells(&mut batch, rows.kept.as_deref(), tables)?;
        let nodes = row_nodes.follow(request.tree, rows.n_rows, &cells);
        let slots = node_slots.rows(&nodes);
        parallel::for_each(&mut columns, |work| {
            if let Some(cells) = &cells[work.column] {
                count_column(work, cells, &rows, &slots, width);
            }
        });
        let asked = request.moments.iter().zip(&of_moments).zip(&mut moments);
        parallel::for_each(asked, |((request, &slot), moments)| {
            add_moments(moments, request.centre, &rows, slots.of(slot).iter().copied());
        });
        Ok(())
    })?;
    tables.check_rows(n_rows)?;
    let mut counts = Counts {
        bins: vec![BinCounts::default(); request.bins.len()],
        values: vec![ValueCounts::default(); request.values.len()],
        moments,
    };
    for work in columns {
        work.bins.into_iter().for_each(|work| counts.bins[work.index] = work.tally.counts(width));
        for work in work.values {
            let mut values: Vec<_> = work.counts.into_iter().collect();
            values.sort_unstable_by_key(|(key, _)| *key);
            let to = &mut counts.values[work.index];
            for (key, (rows, stat)) in values {
                to.keys.push(key);
                to.rows.push(rows);
                to.stats.extend_from_slice(&stat);
            }
        }
    }
    Ok(counts)
}

fn count_column(
    work: &mut ColumnWork,
    cells: &Cells,
    rows: &CountedRows,
    slots: &Slots,
    width: usize,
) {
    let mut known: Option<(*const Finder, Vec<u32>)> = None;
    for BinWork { request, slot, finder, tally, .. } in &mut work.bins {
        let of_slot = slots.of(*slot);
        let row_numbers = of_slot.iter().map(|&row| row as usize);
        let bins = match &known {
            // Bins of one node alone are looked up for its rows alone.
            _ if Arc::strong_count(finder) == 1 => finder.bins(cells, row_numbers.clone()),
            Some((of, bins)) if std::ptr::eq(*of, &**finder) => {
                row_numbers.clone().map(|row| bins[row]).collect()
            }
            _ => {
                let bins = finder.bins(cells, 0..rows.n_rows);
                let (_, bins) = known.insert((&**finder, bins));
                row_numbers.clone().map(|row| bins[row]).collect()
            }
        };
        let with_bins = row_numbers.zip(bins.iter().map(|&bin| bin as usize));
        match (tally, &rows.targets) {
            (Tally::Classes(counts), Targets::Classes(classes)) => {
                for (row, bin) in with_bins {
                    counts[bin * width + usize::from(classes[row])] += 1;
                }
            }
            (Tally::Stats(counts), Targets::Classes(classes)) => {
                for (row, bin) in with_bins {
                    counts.rows[bin] += 1;
                    counts.stats[bin * width + usize::from(classes[row])] +=
                        i128::from(rows.units(row));
                }
            }
            (Tally::Stats(counts), Targets::Numbers { distances, .. }) => {
                for (row, bin) in with_bins {
                    let units = i128::from(rows.units(row));
                    counts.rows[bin] += 1;
                    counts.stats[bin * 2] += units;
                    counts.stats[bin * 2 + 1] += units * i128::from(distances[row]);
                    let apart = distances[row].abs_diff(request.centre);
                    counts.spreads[bin] += units * i128::from(apart);
                }
            }
            // Rows of numbers have no classes to count.
            (Tally::Classes(_), Targets::Numbers { .. }) => {}
        }
    }
    for ValueWork { request, slot, counts, .. } in &mut work.values {
        for row in slots.of(*slot).iter().map(|&row| row as usize) {
            let Cell::Known(key) = cells.of(row) else { continue };
            if !KeyRange::any_has(&request.ranges, key) {
                continue;
            }
            let units = i128::from(rows.units(row));
            let (n, stat) = counts.entry(key).or_insert_with(|| (0, vec![0; width]));
            *n += 1;
            match &rows.targets {
                Targets::Classes(classes) => stat[usize::from(classes[row])] += units,
                Targets::Numbers { distances, .. } => {
                    stat[0] += units;
                    stat[1] += units * i128::from(distances[row]);
                }
            }
        }
    }
}

pub(super) fn no_moments() -> Moments {
    Moments {
        squares_high: 0,
        squares_low: 0,
        extremes: (i64::MAX, i64::MIN),
        least: f64::INFINITY,
    }
}

/// Adds the moments of some rows of a numeric target.
pub(super) fn add_moments(
    moments: &mut Moments,
    centre: i128,
    rows: &CountedRows,
    some: impl Iterator<Item = u32>,
) {
    let Targets::Numbers { numbers, distances } = &rows.targets else { return };
    for row in some.map(|row| row as usize) {
        let (distance, units) = (distances[row], u128::from(rows.units(row)));
        let apart = (i128::from(distance) - centre).unsigned_abs();
        let square = apart * apart;
        moments.squares_high += (square >> u64::BITS) * units;
        moments.squares_low += u128::from(square as u64) * units;
        let (least, greatest) = moments.extremes;
        moments.extremes = (least.min(distance), greatest.max(distance));
        moments.least = moments.least.min(numbers[row]);
    }
}
