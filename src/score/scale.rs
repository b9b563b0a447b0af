//! How the values of a feature become numbers that the tree can compare.
//!
//! Whatever its dtype, a feature is put on a scale of `f64` on which each of its rules holds of
//! the same values as before; a missing value is NaN. Floats are themselves. So are integers and
//! times as long as every cut is below 2^53: a larger value may be rounded, but never across such
//! a cut. Anything else that is ordered is ranked among the feature's cuts, and a level is its
//! place among the feature's levels.

use hashbrown::HashMap;

use crate::data::column::{Column, Levels};
use crate::data::column_data::{ColumnData, MISSING};
use crate::data::dtype::{DType, Kind, Value};
use crate::error::Result;
use crate::tree::rule::Test;
use crate::tree::{Feature, TreeData};

/// The scale of one feature.
#[derive(Debug)]
pub(super) enum Scale {
    /// The value itself.
    Numbers,
    /// The number of cuts at or below the value.
    Ranks(Cuts),
    /// The place of its level, or the number of levels for one that training did not have.
    RankBitmap,
}

/// The distinct cuts of a feature, ascending.
#[derive(Debug)]
pub(super) enum Cuts {
    Keys(Vec<u64>),
    Wide(Vec<i128>),
    Text(Vec<String>),
    /// RankBitmap among the categories, and the place of each category.
    Enum(Vec<usize>, HashMap<String, usize>),
}

/// The place of a level the training frame did not have.
pub(super) const UNSEEN: u32 = u32::MAX - 1;

impl Scale {
    /// The scales of the used features, by one pass over the nodes; `c log c` in the cuts.
    pub(super) fn of_used(tree: &TreeData, used: &[u32]) -> Vec<Scale> {
        let mut cuts = vec![Vec::new(); tree.schema.features.len()];
        for split in tree.nodes.iter().filter_map(|node| node.split.as_ref()) {
            if let Test::AtLeast(cut) = &split.rule.test {
                cuts[split.rule.feature as usize].push(cut);
            }
        }
        let scale =
            |&place: &u32| Scale::of(&tree.schema.features[place as usize], &cuts[place as usize]);
        used.iter().map(scale).collect()
    }

    fn of(feature: &Feature, cuts: &[&Value]) -> Scale {
        if feature.kind == Kind::Nominal {
            return Scale::RankBitmap;
        }
        let dtype = &feature.dtype;
        Scale::Ranks(match dtype {
            DType::Enum { categories } => {
                let places = categories.iter().cloned().zip(0..).collect();
                let place = |cut: &&Value| place_of(&places, cut);
                Cuts::Enum(distinct(cuts.iter().filter_map(place)), places)
            }
            DType::String | DType::Categorical | DType::Boolean => {
                Cuts::Text(distinct(cuts.iter().filter_map(|cut| text(cut)).map(str::to_string)))
            }
            _ if cuts.iter().all(|cut| exact(cut).is_some()) => return Scale::Numbers,
            _ if dtype.is_wide() => {
                Cuts::Wide(distinct(cuts.iter().filter_map(|cut| dtype.wide_of_value(cut))))
            }
            _ => Cuts::Keys(distinct(cuts.iter().filter_map(|cut| dtype.key_of_value(cut)))),
        })
    }

    /// A cut on the scale; one of another sort than its dtype cannot come from growth or a model
    /// file, and nothing is above it.
    pub(super) fn cut(&self, dtype: &DType, cut: &Value) -> f64 {
        let rank = match self {
            Scale::Numbers => return exact(cut).unwrap_or(f64::NAN),
            Scale::RankBitmap => None,
            Scale::Ranks(Cuts::Keys(cuts)) => dtype.key_of_value(cut).map(|key| rank(cuts, &key)),
            Scale::Ranks(Cuts::Wide(cuts)) => dtype.wide_of_value(cut).map(|key| rank(cuts, &key)),
            Scale::Ranks(Cuts::Text(cuts)) => text(cut).map(|text| text_rank(cuts, text)),
            Scale::Ranks(Cuts::Enum(cuts, places)) => {
                place_of(places, cut).map(|place| rank(cuts, &place))
            }
        };
        rank.unwrap_or(f64::NAN)
    }

    /// The cells of a batch, whose dtype the feature's accepts, on the scale.
    ///
    /// # Errors
    /// As encoding: more rows than 32 bits number.
    pub(super) fn numbers(
        &self,
        feature: &Feature,
        from: &DType,
        cells: ColumnData,
    ) -> Result<Vec<f64>> {
        Ok(match self {
            Scale::RankBitmap => {
                let unseen = feature.levels.len() as f64;
                let number = |place| match place {
                    MISSING => f64::NAN,
                    UNSEEN => unseen,
                    place => f64::from(place),
                };
                places(feature, from, cells)?.into_iter().map(number).collect()
            }
            Scale::Numbers => match cells {
                ColumnData::Keys(keys, missing) => {
                    numbers(&keys, missing, |&key| nearest(&from.value_of_key(key)))
                }
                ColumnData::Wide(keys, missing) => {
                    numbers(&keys, missing, |&key| nearest(&from.value_of_wide(key)))
                }
                cells => vec![f64::NAN; cells.len()],
            },
            Scale::Ranks(cuts) => cuts.ranks(convert(cells, from, &feature.dtype)),
        })
    }
}

impl Cuts {
    fn ranks(&self, cells: ColumnData) -> Vec<f64> {
        match (self, cells) {
            (Cuts::Keys(cuts), ColumnData::Keys(keys, missing)) => {
                numbers(&keys, missing, |key| rank(cuts, key))
            }
            (Cuts::Wide(cuts), ColumnData::Wide(keys, missing)) => {
                numbers(&keys, missing, |key| rank(cuts, key))
            }
            (Cuts::Text(cuts), ColumnData::Text(ids, texts)) => {
                let of: Vec<f64> = texts.iter().map(|text| text_rank(cuts, text)).collect();
                by_id(&ids, &of)
            }
            (Cuts::Enum(cuts, places), ColumnData::Text(ids, texts)) => {
                // A text that is no category has no place in the order: it is missing.
                let of = |text: &String| places.get(text).map_or(f64::NAN, |p| rank(cuts, p));
                by_id(&ids, &texts.iter().map(of).collect::<Vec<_>>())
            }
            // Nothing but missing values; a dtype the feature accepts gives no other cells.
            (_, cells) => vec![f64::NAN; cells.len()],
        }
    }
}

/// A cut as a number that integers may be rounded for.
fn exact(cut: &Value) -> Option<f64> {
    const LIMIT: u128 = 1 << 53;
    match cut {
        Value::Int(x) if x.unsigned_abs() >= LIMIT => None,
        Value::Unsigned(x) if *x >= LIMIT => None,
        Value::Text(_) => None,
        cut => Some(nearest(cut)),
    }
}

/// The nearest `f64` of a number.
fn nearest(value: &Value) -> f64 {
    match value {
        Value::Float(x) => *x,
        Value::Int(x) => *x as f64,
        Value::Unsigned(x) => *x as f64,
        Value::Text(_) => f64::NAN,
    }
}

fn text(value: &Value) -> Option<&str> {
    if let Value::Text(text) = value { Some(text) } else { None }
}

fn place_of(places: &HashMap<String, usize>, cut: &Value) -> Option<usize> {
    places.get(text(cut)?).copied()
}

fn distinct<T: Ord>(cuts: impl Iterator<Item = T>) -> Vec<T> {
    let mut cuts: Vec<T> = cuts.collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn rank<T: Ord>(cuts: &[T], value: &T) -> f64 {
    cuts.partition_point(|cut| cut <= value) as f64
}

fn text_rank(cuts: &[String], text: &str) -> f64 {
    cuts.partition_point(|cut| cut.as_str() <= text) as f64
}

fn numbers<K>(keys: &[K], missing: Option<Vec<bool>>, number: impl Fn(&K) -> f64) -> Vec<f64> {
    let is_missing = |row: usize| missing.as_ref().is_some_and(|m| m[row]);
    let of = |(row, key)| if is_missing(row) { f64::NAN } else { number(key) };
    keys.iter().enumerate().map(of).collect()
}

/// What is looked up once a text, for each row.
fn by_id(ids: &[u32], of: &[f64]) -> Vec<f64> {
    ids.iter().map(|&id| if id == MISSING { f64::NAN } else { of[id as usize] }).collect()
}

/// A batch's cells in the keys of the model's dtype, which accepts the batch's.
fn convert(cells: ColumnData, from: &DType, to: &DType) -> ColumnData {
    let same_keys = from == to || (from.has_i64_keys() && to.has_i64_keys());
    let widen = |missing| (missing, to.is_wide());
    match cells {
        ColumnData::Keys(keys, missing) if !same_keys => match widen(missing) {
            (missing, true) => {
                let wide = |&k: &u64| to.wide_of_value(&from.value_of_key(k)).unwrap_or(i128::MAX);
                ColumnData::Wide(keys.iter().map(wide).collect(), missing)
            }
            (missing, false) => {
                let key = |&k: &u64| to.key_of_value(&from.value_of_key(k)).unwrap_or(u64::MAX);
                ColumnData::Keys(keys.iter().map(key).collect(), missing)
            }
        },
        ColumnData::Wide(keys, missing) if from != to => match widen(missing) {
            (missing, true) => {
                let wide =
                    |&k: &i128| to.wide_of_value(&from.value_of_wide(k)).unwrap_or(i128::MAX);
                ColumnData::Wide(keys.iter().map(wide).collect(), missing)
            }
            (missing, false) => {
                let key = |&k: &i128| to.key_of_value(&from.value_of_wide(k)).unwrap_or(u64::MAX);
                ColumnData::Keys(keys.iter().map(key).collect(), missing)
            }
        },
        same => same,
    }
}

/// Each row's place in a nominal feature's levels, looked up once a level: [`MISSING`] or
/// [`UNSEEN`] where it has none.
pub(super) fn places(feature: &Feature, from: &DType, cells: ColumnData) -> Result<Vec<u32>> {
    // Integers match by their text, which is the same in every width.
    let dtype = if from.is_integer() { from } else { &feature.dtype };
    let cells = convert(cells, from, dtype);
    let known: HashMap<&str, u32> =
        feature.levels.iter().enumerate().map(|(i, l)| (l.as_str(), i as u32)).collect();
    let place = |text: &String| known.get(text.as_str()).copied().unwrap_or(UNSEEN);
    let (ids, texts) = match cells {
        ColumnData::Missing(n) => return Ok(vec![MISSING; n]),
        ColumnData::Text(ids, texts) => (ids, texts),
        // Numbers taken as nominal match by their text, as they were encoded in training.
        cells => {
            let name = feature.name.as_str();
            let column = Column::encode(name, dtype.clone(), Kind::Nominal, cells)?;
            let missing = column.missing_code();
            let ids = column.codes.by_row();
            let ids = ids.map(|c| if c == missing { MISSING } else { c }).collect();
            match column.levels {
                Levels::Text(texts) => (ids, texts),
                _ => (ids, Vec::new()),
            }
        }
    };
    let places: Vec<u32> = texts.iter().map(place).collect();
    Ok(ids.iter().map(|&id| if id == MISSING { MISSING } else { places[id as usize] }).collect())
}
