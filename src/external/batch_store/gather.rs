//! One pass that fetches the rows of some nodes.

use super::cells::{Cells, CountedRows, Targets, feature_cells};
use super::node_slots::NodeSlots;
use super::row_nodes::RowNodes;
use super::tables::{Listed, Tables};
use super::{RowBatch, RowBatches};
use crate::data::column_data::{ColumnData, MISSING};
use crate::data::dtype::DType;
use crate::error::Result;
use crate::external::coding::{Coding, TargetCoding};
use crate::external::growing_tree::GrowingTree;
use crate::external::passes::changed;
use crate::external::row_store::{GatheredRows, GatheredTarget};

pub(super) fn gather(
    batches: &mut dyn RowBatches,
    tree: &GrowingTree,
    nodes: &[u32],
    coding: &Coding,
    tables: &Tables,
    row_nodes: &mut RowNodes,
) -> Result<Vec<GatheredRows>> {
    let dtypes: Vec<DType> = batches.features().iter().map(|f| f.dtype.clone()).collect();
    let target_dtype = batches.target().dtype.clone();
    // A gathered row has all columns, also those that no rule follows it by.
    row_nodes.begin(tree, tables.rows, dtypes.len());
    let wanted = vec![true; dtypes.len()];
    let mut node_slots = NodeSlots::new(tree.nodes.len());
    let slots_of_nodes: Vec<usize> = nodes.iter().map(|&node| node_slots.slot(node)).collect();
    let mut gathered = vec![no_rows(dtypes.len(), coding); nodes.len()];
    let mut n_rows = 0;
    batches.read(&wanted, &mut |mut batch: RowBatch| {
        let rows = CountedRows::new(&mut batch, &target_dtype, coding, tables)?;
        n_rows += rows.n_rows as u64;
        let keys = keys_of_levels(&batch, rows.kept.as_deref(), &dtypes, tables)?;
        let cells = feature_cells(&mut batch, rows.kept.as_deref(), tables)?;
        let slots = node_slots.rows(&row_nodes.follow(tree, rows.n_rows, &cells));
        let cells: Vec<Option<&Cells>> =
            keys.iter().zip(&cells).map(|(keys, cells)| keys.as_ref().or(cells.as_ref())).collect();
        for (of_node, &slot) in gathered.iter_mut().zip(&slots_of_nodes) {
            append_rows(of_node, slots.of(slot), &rows, &cells, &dtypes)?;
        }
        Ok(())
    })?;
    tables.check_rows(n_rows)?;
    // The text of each level, by code.
    let levels: Vec<Vec<&str>> =
        (0..dtypes.len()).map(|column| levels_of(tables, column)).collect();
    for (column, levels) in
        gathered.iter_mut().flat_map(|of_node| of_node.columns.iter_mut().zip(&levels))
    {
        let cells = std::mem::replace(column, ColumnData::Missing(0));
        *column = with_texts(cells, levels);
    }
    Ok(gathered)
}

/// The keys of columns of levels: rows are followed by the codes of levels, and gathered by keys.
fn keys_of_levels(
    batch: &RowBatch,
    kept: Option<&[u32]>,
    dtypes: &[DType],
    tables: &Tables,
) -> Result<Vec<Option<Cells>>> {
    let keys = |((cells, dtype), listed): ((&Option<ColumnData>, &DType), &Option<Listed>)| {
        let has_both = listed.is_some() && !is_text(dtype);
        let cells = cells.as_ref().filter(|_| has_both)?.clone();
        let cells = match kept {
            Some(kept) => cells.take(kept),
            None => cells,
        };
        Some(Cells::new(cells, None))
    };
    let columns = batch.features.iter().zip(dtypes).zip(&tables.features);
    columns.map(|of| keys(of).transpose()).collect()
}

fn no_rows(n_columns: usize, coding: &Coding) -> GatheredRows {
    GatheredRows {
        columns: vec![ColumnData::Missing(0); n_columns],
        target: match coding.target {
            TargetCoding::Classes { .. } => GatheredTarget::Classes(Vec::new()),
            TargetCoding::Numbers(_) => GatheredTarget::Numbers(Vec::new()),
        },
        units: coding.units.as_ref().map(|_| Vec::new()),
    }
}

/// Appends some rows of a batch. Levels of text stay codes as yet.
fn append_rows(
    gathered: &mut GatheredRows,
    some: &[u32],
    rows: &CountedRows,
    cells: &[Option<&Cells>],
    dtypes: &[DType],
) -> Result<()> {
    if some.is_empty() {
        return Ok(());
    }
    for ((column, cells), dtype) in gathered.columns.iter_mut().zip(cells).zip(dtypes) {
        let so_far = std::mem::replace(column, ColumnData::Missing(0));
        *column = match cells {
            Some(Cells::Codes(codes)) if is_text(dtype) => {
                append_codes(so_far, some.iter().map(|&row| codes[row as usize]))
            }
            Some(cells) => append(so_far, cells, some),
            None => so_far,
        };
    }
    match (&mut gathered.target, &rows.targets) {
        (GatheredTarget::Classes(to), Targets::Classes(from)) => {
            to.extend(some.iter().map(|&row| from[row as usize]));
        }
        (GatheredTarget::Numbers(to), Targets::Numbers { numbers, .. }) => {
            to.extend(some.iter().map(|&row| numbers[row as usize]));
        }
        _ => return Err(changed("the target is of another kind")),
    }
    if let Some(units) = &mut gathered.units {
        units.extend(some.iter().map(|&row| rows.units(row as usize)));
    }
    Ok(())
}

fn is_text(dtype: &DType) -> bool {
    dtype.is_text() || *dtype == DType::Boolean
}

fn levels_of(tables: &Tables, column: usize) -> Vec<&str> {
    let Some(listed) = &tables.features[column] else { return Vec::new() };
    let mut levels = vec![""; listed.texts.len()];
    for (text, &code) in &listed.texts {
        if let Some(level) = levels.get_mut(code as usize) {
            *level = text;
        }
    }
    levels
}

/// Codes are ids into a dictionary that comes at the end.
fn append_codes(so_far: ColumnData, codes: impl Iterator<Item = u32>) -> ColumnData {
    let mut ids = match so_far {
        ColumnData::Text(ids, _) => ids,
        other => vec![MISSING; other.len()],
    };
    ids.extend(codes);
    ColumnData::Text(ids, Vec::new())
}

/// Appends some cells of a batch. What has keys is appended in place.
fn append(so_far: ColumnData, cells: &Cells, rows: &[u32]) -> ColumnData {
    fn picked<K: Copy>(
        keys: &[K],
        missing: &Option<Vec<bool>>,
        rows: &[u32],
    ) -> (Vec<K>, Option<Vec<bool>>) {
        let of_rows = |missing: &Vec<bool>| rows.iter().map(|&row| missing[row as usize]).collect();
        (rows.iter().map(|&row| keys[row as usize]).collect(), missing.as_ref().map(of_rows))
    }
    let more = match (so_far, cells) {
        (ColumnData::Keys(mut keys, None), Cells::Keys(from, None)) => {
            keys.extend(rows.iter().map(|&row| from[row as usize]));
            return ColumnData::Keys(keys, None);
        }
        (so_far, Cells::Keys(keys, missing)) => {
            let (keys, mask) = picked(keys, missing, rows);
            (so_far, ColumnData::Keys(keys, mask))
        }
        (so_far, Cells::Wide(keys, missing)) => {
            let (keys, mask) = picked(keys, missing, rows);
            (so_far, ColumnData::Wide(keys, mask))
        }
        (so_far, Cells::Codes(_) | Cells::Missing) => (so_far, ColumnData::Missing(rows.len())),
    };
    match more {
        (so_far, more) if so_far.is_empty() => more,
        (so_far, more) => so_far.append(more),
    }
}

/// Codes become ids into the texts that are used, which are in level order.
fn with_texts(cells: ColumnData, levels: &[&str]) -> ColumnData {
    let ColumnData::Text(mut ids, _) = cells else { return cells };
    let mut new_ids = vec![MISSING; levels.len()];
    ids.iter().filter(|&&id| id != MISSING).for_each(|&id| new_ids[id as usize] = 0);
    let mut texts = Vec::new();
    for (new_id, level) in new_ids.iter_mut().zip(levels).filter(|(id, _)| **id == 0) {
        *new_id = texts.len() as u32;
        texts.push((*level).to_string());
    }
    ids.iter_mut().filter(|id| **id != MISSING).for_each(|id| *id = new_ids[*id as usize]);
    ColumnData::Text(ids, texts)
}
