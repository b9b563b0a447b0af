//! The cells of a batch, in the terms of the model's feature.

use hashbrown::HashMap;

use crate::data::column::{Column, Levels};
use crate::data::column_data::{ColumnData, MISSING};
use crate::data::dtype::{DType, Kind, Value};
use crate::data::other_dtype;
use crate::error::Result;
use crate::tree::Feature;

/// The index of a level that the feature does not list.
pub(super) const UNSEEN: u32 = u32::MAX - 1;

/// The cells as keys of dtype `to`, which accepts `from`. A value that `to` cannot hold becomes
/// its highest key.
pub(super) fn convert(cells: ColumnData, from: &DType, to: &DType) -> ColumnData {
    match cells {
        ColumnData::Keys(keys, missing)
            if from != to && !(from.has_i64_keys() && to.has_i64_keys()) =>
        {
            recode(&keys, missing, to, |&key| from.value_of_key(key))
        }
        ColumnData::Wide(keys, missing) if from != to => {
            recode(&keys, missing, to, |&key| from.value_of_wide(key))
        }
        same @ (ColumnData::Keys(..)
        | ColumnData::Wide(..)
        | ColumnData::Text(..)
        | ColumnData::Missing(_)) => same,
    }
}

fn recode<K>(
    keys: &[K],
    missing: Option<Vec<bool>>,
    to: &DType,
    value: impl Fn(&K) -> Value,
) -> ColumnData {
    let values = keys.iter().map(value);
    if to.is_wide() {
        let keys = values.map(|v| to.wide_of_value(&v).unwrap_or(i128::MAX)).collect();
        ColumnData::Wide(keys, missing)
    } else {
        let keys = values.map(|v| to.key_of_value(&v).unwrap_or(u64::MAX)).collect();
        ColumnData::Keys(keys, missing)
    }
}

/// The index of each row's level among the levels of a nominal feature, looked up once per level:
/// [`MISSING`] or [`UNSEEN`] if it has none.
pub(super) fn level_indices(
    feature: &Feature,
    from: &DType,
    cells: ColumnData,
) -> Result<Vec<u32>> {
    if !feature.dtype.holds_values_of(from) {
        let unseen = feature.levels.len() as u32;
        let index = |index| if index == unseen { UNSEEN } else { index };
        let indices = other_dtype::level_indices(&cells, from, &feature.levels, &feature.dtype);
        return Ok(indices.into_iter().map(index).collect());
    }
    // Integers match by their text, which is the same in every width.
    let dtype = if from.is_integer() { from } else { &feature.dtype };
    let cells = convert(cells, from, dtype);
    let (ids, texts) = match cells {
        ColumnData::Missing(n) => return Ok(vec![MISSING; n]),
        ColumnData::Text(ids, texts) => (ids, texts),
        // Numbers taken as nominal match by their text, as they were encoded in training.
        cells @ (ColumnData::Keys(..) | ColumnData::Wide(..)) => {
            let name = feature.name.as_str();
            let column = Column::encode(name, dtype.clone(), Kind::Nominal, cells)?;
            let missing = column.missing_code();
            let ids = column.codes.by_row();
            let ids = ids.map(|c| if c == missing { MISSING } else { c }).collect();
            match column.info.levels {
                Levels::Text(texts) => (ids, texts),
                Levels::Keys(_) | Levels::Wide(_) => (ids, Vec::new()),
            }
        }
    };
    let known: HashMap<&str, u32> = feature.levels.iter().map(String::as_str).zip(0..).collect();
    let index = |text: &String| known.get(text.as_str()).copied().unwrap_or(UNSEEN);
    let indices: Vec<u32> = texts.iter().map(index).collect();
    Ok(ids.iter().map(|&id| if id == MISSING { MISSING } else { indices[id as usize] }).collect())
}
