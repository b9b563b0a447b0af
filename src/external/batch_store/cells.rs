//! The cells of a batch as integers, and its rows as they count.

use hashbrown::HashMap;

use super::RowBatch;
use super::tables::{Listed, Tables};
use crate::data::column_data::{ColumnData, MISSING};
use crate::data::dtype::DType;
use crate::error::{Error, Result};
use crate::external::coding::{Coding, TargetCoding};
use crate::external::growing_tree::Cell;
use crate::external::passes::changed;
use crate::util::parallel;

pub(super) enum Cells {
    /// Codes of levels; [`MISSING`] is missing.
    Codes(Vec<u32>),
    /// Keys of 64 bits.
    Keys(Vec<u64>, Option<Vec<bool>>),
    /// Keys of 128 bits.
    Wide(Vec<i128>, Option<Vec<bool>>),
    Missing,
}

impl Cells {
    /// From a column's data; `listed` are the codes of its levels, if it has levels.
    pub(super) fn new(cells: ColumnData, listed: Option<&Listed>) -> Result<Cells> {
        let Some(listed) = listed else {
            return Ok(match cells {
                ColumnData::Keys(keys, missing) => Cells::Keys(keys, missing),
                ColumnData::Wide(keys, missing) => Cells::Wide(keys, missing),
                ColumnData::Text(..) | ColumnData::Missing(_) => Cells::Missing,
            });
        };
        match codes(&cells, listed) {
            Some(codes) => Ok(Cells::Codes(codes)),
            None => Err(changed("a feature has a new level")),
        }
    }

    #[inline]
    pub(super) fn of(&self, row: usize) -> Cell {
        let is_missing = |missing: &Option<Vec<bool>>| missing.as_ref().is_some_and(|m| m[row]);
        match self {
            Cells::Codes(codes) if codes[row] == MISSING => Cell::Missing,
            Cells::Codes(codes) => Cell::Known(codes[row].into()),
            Cells::Keys(_, missing) | Cells::Wide(_, missing) if is_missing(missing) => {
                Cell::Missing
            }
            Cells::Keys(keys, _) => Cell::Known(keys[row].into()),
            Cells::Wide(keys, _) => Cell::Known(keys[row]),
            Cells::Missing => Cell::Missing,
        }
    }
}

/// The code of each row by a list of values; `None` if a value is not listed.
pub(super) fn codes(cells: &ColumnData, listed: &Listed) -> Option<Vec<u32>> {
    fn of_keys<K: Copy + Eq + std::hash::Hash>(
        keys: &[K],
        missing: &Option<Vec<bool>>,
        code: impl Fn(K) -> Option<u32>,
    ) -> Option<Vec<u32>> {
        // A batch has few distinct values, and some are near each other.
        let mut known: HashMap<K, u32> = HashMap::new();
        let code = |(row, &key): (usize, &K)| {
            if missing.as_ref().is_some_and(|missing| missing[row]) {
                return Some(MISSING);
            }
            if let Some(&code) = known.get(&key) {
                return Some(code);
            }
            let found = code(key)?;
            known.insert(key, found);
            Some(found)
        };
        keys.iter().enumerate().map(code).collect()
    }
    match cells {
        ColumnData::Keys(keys, missing) => {
            of_keys(keys, missing, |key| listed.keys.get(&i128::from(key)).copied())
        }
        ColumnData::Wide(keys, missing) => {
            of_keys(keys, missing, |key| listed.keys.get(&key).copied())
        }
        ColumnData::Text(ids, texts) => {
            let code_of: Vec<Option<u32>> =
                texts.iter().map(|text| listed.texts.get(text).copied()).collect();
            let code = |&id: &u32| match id {
                MISSING => Some(MISSING),
                id => code_of[id as usize],
            };
            ids.iter().map(code).collect()
        }
        ColumnData::Missing(n) => Some(vec![MISSING; *n]),
    }
}

/// The rows of positive weight, and how each counts.
pub(super) struct CountedRows {
    /// Their indices in the batch; `None` if these are all.
    pub(super) kept: Option<Vec<u32>>,
    pub(super) n_rows: usize,
    pub(super) targets: Targets,
    /// `None` if each counts one.
    pub(super) units: Option<Vec<u64>>,
}

pub(super) enum Targets {
    Classes(Vec<u16>),
    Numbers { numbers: Vec<f64>, distances: Vec<i64> },
}

/// The indices of the rows of positive weight; `None` if these are all.
pub(super) fn kept_rows(weights: Option<&[f64]>) -> Option<Vec<u32>> {
    let weights = weights.filter(|weights| weights.contains(&0.0))?;
    let kept = (0..).zip(weights).filter(|(_, weight)| **weight > 0.0);
    Some(kept.map(|(row, _)| row).collect())
}

/// Takes the kept rows of a batch's target and weights; an error if its columns differ in length.
pub(super) fn kept_target(batch: &mut RowBatch) -> Result<(Option<Vec<u32>>, ColumnData)> {
    check_batch(batch)?;
    let kept = kept_rows(batch.weights.as_deref());
    let mut target = std::mem::replace(&mut batch.target, ColumnData::Missing(0));
    if let Some(kept) = &kept {
        target = target.take(kept);
        let of_kept = |weights: &Vec<f64>| kept.iter().map(|&row| weights[row as usize]).collect();
        batch.weights = batch.weights.as_ref().map(of_kept);
    }
    Ok((kept, target))
}

pub(super) fn classes_of(
    target: &ColumnData,
    tables: &Tables,
    class_of: &[u16],
) -> Result<Vec<u16>> {
    let indices = codes(target, &tables.classes);
    let class = |index: u32| class_of.get(index as usize).copied();
    let classes = indices.and_then(|indices| indices.into_iter().map(class).collect());
    classes.ok_or_else(|| changed("the target has a new class or a missing value"))
}

impl CountedRows {
    /// The rows of a batch as they count.
    pub(super) fn new(
        batch: &mut RowBatch,
        dtype: &DType,
        coding: &Coding,
        tables: &Tables,
    ) -> Result<CountedRows> {
        let (kept, target) = kept_target(batch)?;
        let n_rows = target.len();
        let targets = match &coding.target {
            TargetCoding::Classes { class_of, .. } => {
                Targets::Classes(classes_of(&target, tables, class_of)?)
            }
            TargetCoding::Numbers(scale) => {
                let numbers: Option<Vec<f64>> = target.numbers(dtype).into_iter().collect();
                let numbers = numbers.ok_or_else(|| changed("the target has a missing value"))?;
                let distances = numbers.iter().map(|&number| scale.distance(number)).collect();
                Targets::Numbers { numbers, distances }
            }
        };
        let class = |row: usize| match &targets {
            Targets::Classes(classes) => usize::from(classes[row]),
            Targets::Numbers { .. } => 0,
        };
        let weights = batch.weights.take();
        let weight = |row: usize| weights.as_ref().map_or(1.0, |weights| weights[row]);
        let units = coding.units.as_ref();
        let units = units
            .map(|coding| (0..n_rows).map(|row| coding.units(weight(row), class(row))).collect());
        Ok(CountedRows { kept, n_rows, targets, units })
    }

    #[inline]
    pub(super) fn units(&self, row: usize) -> u64 {
        self.units.as_ref().map_or(1, |units| units[row])
    }
}

/// The features of a batch that are wanted, kept rows alone.
pub(super) fn feature_cells(
    batch: &mut RowBatch,
    kept: Option<&[u32]>,
    tables: &Tables,
) -> Result<Vec<Option<Cells>>> {
    let take = |(cells, listed): (ColumnData, Option<&Listed>)| {
        let cells = match kept {
            Some(kept) => cells.take(kept),
            None => cells,
        };
        Cells::new(cells, listed)
    };
    let features = std::mem::take(&mut batch.features);
    parallel::try_map(features.into_iter().zip(&tables.features), |(cells, listed)| {
        cells.map(|cells| take((cells, listed.as_ref()))).transpose()
    })
}

fn check_batch(batch: &RowBatch) -> Result<()> {
    let n = batch.target.len();
    let features = batch.features.iter().flatten().all(|cells| cells.len() == n);
    match features && batch.weights.as_ref().is_none_or(|weights| weights.len() == n) {
        true => Ok(()),
        false => Err(Error::data("the columns of a batch have different lengths")),
    }
}
