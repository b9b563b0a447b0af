//! The scale of `f64` that the values of a feature are compared on.
//!
//! On its scale each rule of a feature holds of the same values as on its dtype; a missing value
//! is NaN. Floats are themselves. So are integers and times if every cut is below 2^53: a larger
//! value may be rounded, but never across such a cut. Any other ordered value is ranked among the
//! feature's cuts, and a level is its index among the feature's levels.

use std::borrow::Borrow;

use hashbrown::HashMap;

use crate::data::column_data::{ColumnData, MISSING};
use crate::data::dtype::{DType, Kind, Value};
use crate::data::other_dtype::cuts_at_or_below;
use crate::error::Result;
use crate::score::cells::{UNSEEN, convert, level_indices};
use crate::tree::rule::Test;
use crate::tree::{Feature, Schema, Split};

#[derive(Debug)]
pub(crate) enum Scale {
    /// The value itself; the cuts are distinct and ascend.
    Identity(Vec<Value>),
    /// The number of cuts at or below the value.
    CutRank(SortedCuts),
    /// The index of the level, or the number of levels for one that training did not have.
    LevelIndex,
}

/// The distinct cuts of a feature, ascending.
#[derive(Debug)]
pub(crate) enum SortedCuts {
    Keys(Vec<u64>),
    Wide(Vec<i128>),
    Text(Vec<String>),
    /// Indices among an enum's categories, and the index of each category.
    Enum(Vec<usize>, HashMap<String, usize>),
}

impl Scale {
    /// The scales of the used features of trees that share a schema, by one pass over their splits;
    /// `c log c` in the cuts.
    pub(crate) fn of_used<'t>(
        schema: &Schema,
        splits: impl Iterator<Item = &'t Split>,
        used: &[u32],
    ) -> Vec<Scale> {
        let mut cuts = vec![Vec::new(); schema.features.len()];
        for split in splits {
            if let Test::AtLeast(cut) = &split.rule.test {
                cuts[split.rule.feature as usize].push(cut);
            }
        }
        let scale = |&position: &u32| {
            Scale::new(&schema.features[position as usize], &cuts[position as usize])
        };
        used.iter().map(scale).collect()
    }

    fn new(feature: &Feature, cuts: &[&Value]) -> Scale {
        if feature.kind == Kind::Nominal {
            return Scale::LevelIndex;
        }
        let dtype = &feature.dtype;
        if let DType::Enum { categories } = dtype {
            let indices: HashMap<String, usize> = categories.iter().cloned().zip(0..).collect();
            let index = |cut: &&Value| indices.get(text(cut)?).copied();
            return Scale::CutRank(SortedCuts::Enum(
                distinct(cuts.iter().filter_map(index)),
                indices,
            ));
        }
        if dtype.is_text() || *dtype == DType::Boolean {
            let texts = cuts.iter().filter_map(|cut| text(cut)).map(str::to_string);
            return Scale::CutRank(SortedCuts::Text(distinct(texts)));
        }
        if cuts.iter().all(|cut| cut.exact_f64().is_some()) {
            let mut cuts: Vec<Value> = cuts.iter().map(|&cut| cut.clone()).collect();
            cuts.sort_by(|a, b| a.nearest_f64().total_cmp(&b.nearest_f64()));
            cuts.dedup();
            return Scale::Identity(cuts);
        }
        Scale::CutRank(match dtype.is_wide() {
            true => {
                SortedCuts::Wide(distinct(cuts.iter().filter_map(|cut| dtype.wide_of_value(cut))))
            }
            false => {
                SortedCuts::Keys(distinct(cuts.iter().filter_map(|cut| dtype.key_of_value(cut))))
            }
        })
    }

    /// A cut on the scale. A cut of another dtype than the feature's, which neither growth nor a
    /// model file can give, is NaN: no value is at or above it.
    pub(crate) fn cut(&self, dtype: &DType, cut: &Value) -> f64 {
        let rank = match self {
            Scale::Identity(_) => cut.exact_f64(),
            Scale::LevelIndex => None,
            Scale::CutRank(SortedCuts::Keys(cuts)) => {
                dtype.key_of_value(cut).map(|key| rank(cuts, &key))
            }
            Scale::CutRank(SortedCuts::Wide(cuts)) => {
                dtype.wide_of_value(cut).map(|key| rank(cuts, &key))
            }
            Scale::CutRank(SortedCuts::Text(cuts)) => text(cut).map(|text| rank(cuts, text)),
            Scale::CutRank(SortedCuts::Enum(cuts, indices)) => {
                text(cut).and_then(|text| indices.get(text)).map(|index| rank(cuts, index))
            }
        };
        rank.unwrap_or(f64::NAN)
    }

    /// The cells of a batch, whose dtype the feature's accepts, on the scale.
    ///
    /// # Errors
    /// As encoding: more rows than 32 bits number.
    pub(crate) fn convert(
        &self,
        feature: &Feature,
        from: &DType,
        cells: ColumnData,
    ) -> Result<Vec<f64>> {
        if !feature.dtype.holds_values_of(from) && feature.kind == Kind::Ordered {
            return Ok(self.among_cuts(&feature.dtype, from, &cells));
        }
        Ok(match self {
            Scale::LevelIndex => {
                let unseen = feature.levels.len() as f64;
                let number = |index| match index {
                    MISSING => f64::NAN,
                    UNSEEN => unseen,
                    index => f64::from(index),
                };
                level_indices(feature, from, cells)?.into_iter().map(number).collect()
            }
            Scale::Identity(_) => match cells {
                ColumnData::Keys(keys, missing) => {
                    numbers(&keys, missing, |&key| from.value_of_key(key).nearest_f64())
                }
                ColumnData::Wide(keys, missing) => {
                    numbers(&keys, missing, |&key| from.value_of_wide(key).nearest_f64())
                }
                cells @ (ColumnData::Text(..) | ColumnData::Missing(_)) => {
                    vec![f64::NAN; cells.len()]
                }
            },
            Scale::CutRank(cuts) => cuts.ranks(convert(cells, from, &feature.dtype)),
        })
    }

    /// Cells of a dtype that has values between the feature's: the highest cut at or below each
    /// stands for it.
    fn among_cuts(&self, dtype: &DType, from: &DType, cells: &ColumnData) -> Vec<f64> {
        let cuts: Vec<Value> = match self {
            Scale::Identity(cuts) => cuts.clone(),
            Scale::CutRank(SortedCuts::Keys(keys)) => {
                keys.iter().map(|&key| dtype.value_of_key(key)).collect()
            }
            Scale::CutRank(SortedCuts::Wide(keys)) => {
                keys.iter().map(|&key| dtype.value_of_wide(key)).collect()
            }
            Scale::CutRank(SortedCuts::Text(_) | SortedCuts::Enum(..)) | Scale::LevelIndex => {
                Vec::new()
            }
        };
        let on_scale = cuts.iter().map(|cut| self.cut(dtype, cut));
        let by_n_cuts: Vec<f64> = std::iter::once(f64::NEG_INFINITY).chain(on_scale).collect();
        let n_cuts = cuts_at_or_below(cells, from, &cuts, dtype).into_iter();
        n_cuts.map(|n| n.map_or(f64::NAN, |n| by_n_cuts[n])).collect()
    }
}

impl SortedCuts {
    fn ranks(&self, cells: ColumnData) -> Vec<f64> {
        match (self, cells) {
            (SortedCuts::Keys(cuts), ColumnData::Keys(keys, missing)) => {
                numbers(&keys, missing, |key| rank(cuts, key))
            }
            (SortedCuts::Wide(cuts), ColumnData::Wide(keys, missing)) => {
                numbers(&keys, missing, |key| rank(cuts, key))
            }
            (SortedCuts::Text(cuts), ColumnData::Text(ids, texts)) => {
                by_id(&ids, texts.iter().map(|text| rank(cuts, text)).collect())
            }
            (SortedCuts::Enum(cuts, indices), ColumnData::Text(ids, texts)) => {
                // A text that is no category has no position in the order: it is missing.
                let of = |text: &String| indices.get(text).map_or(f64::NAN, |i| rank(cuts, i));
                by_id(&ids, texts.iter().map(of).collect())
            }
            // Only missing values; a dtype the feature accepts gives no other cells.
            (_, cells) => vec![f64::NAN; cells.len()],
        }
    }
}

fn text(value: &Value) -> Option<&str> {
    if let Value::Text(text) = value { Some(text) } else { None }
}

fn distinct<T: Ord>(cuts: impl Iterator<Item = T>) -> Vec<T> {
    let mut cuts: Vec<T> = cuts.collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn rank<T: Ord + ?Sized>(cuts: &[impl Borrow<T>], value: &T) -> f64 {
    cuts.partition_point(|cut| cut.borrow() <= value) as f64
}

fn numbers<K>(keys: &[K], missing: Option<Vec<bool>>, number: impl Fn(&K) -> f64) -> Vec<f64> {
    let is_missing = |row: usize| missing.as_ref().is_some_and(|m| m[row]);
    let of = |(row, key)| if is_missing(row) { f64::NAN } else { number(key) };
    keys.iter().enumerate().map(of).collect()
}

/// Each row's number, given the number of each id.
fn by_id(ids: &[u32], of: Vec<f64>) -> Vec<f64> {
    ids.iter().map(|&id| if id == MISSING { f64::NAN } else { of[id as usize] }).collect()
}
