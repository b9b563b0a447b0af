//! An encoded feature: dense ordered codes, and the levels that turn a code back into a value.
//! Later stages need a dtype only to name a cut and to score.

mod codes;
mod entry_layout;

use std::collections::HashMap;
use std::ops::Deref;

use crate::data::dtype::{DType, Kind, Value, value_of_key};
pub(crate) use codes::{Codes, MissingRows, RowCodes, Sorted};
pub(crate) use entry_layout::EntryLayout;

/// An encoded column: what its codes stand for, and the code of each row.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) info: ColumnInfo,
    pub(crate) codes: Codes,
}

/// A column without its rows. Codes follow the order of the levels, except in
/// `RowCodes::Identity`; missing has the code after all levels, so it comes last.
#[derive(Clone, Debug)]
pub struct ColumnInfo {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) kind: Kind,
    pub(crate) levels: Levels,
}

/// The distinct values, in code order.
#[derive(Clone, Debug)]
pub(crate) enum Levels {
    /// Order-preserving keys.
    Keys(Vec<u64>),
    /// Order-preserving keys of 128 bits.
    Wide(Vec<i128>),
    /// Levels of nominal features, and of text taken as ordered.
    Text(Vec<String>),
}

impl Deref for Column {
    type Target = ColumnInfo;

    fn deref(&self) -> &ColumnInfo {
        &self.info
    }
}

impl Column {
    /// The number of distinct values, not counting missing.
    pub fn n_levels(&self) -> usize {
        match &self.codes {
            // Rows without a value occupy an unused level.
            Codes::Sorted(sorted @ Sorted { codes: RowCodes::Identity(_), .. }) => {
                sorted.n_known(self.missing_code())
            }
            Codes::Sorted(_) | Codes::ByRow(_) => self.levels.len(),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no two rows share a value. Always false for few levels, where nobody needs it.
    pub(crate) fn is_distinct(&self) -> bool {
        match &self.codes {
            Codes::ByRow(_) => false,
            Codes::Sorted(sorted) => sorted.n_known(self.missing_code()) == self.n_levels(),
        }
    }

    pub(crate) fn first_missing(&self) -> Option<u32> {
        let missing = self.missing_code();
        match &self.codes {
            Codes::ByRow(codes) => {
                // With 256 levels none is missing. Most columns have no missing value, and
                // `contains` checks that with SIMD.
                let missing =
                    u8::try_from(missing).ok().filter(|missing| codes.contains(missing))?;
                codes.iter().position(|&code| code == missing).map(|row| row as u32)
            }
            Codes::Sorted(sorted) => sorted.order.get(sorted.n_known(missing)).copied(),
        }
    }

    #[cfg(any(feature = "polars", feature = "arrow"))]
    pub(crate) fn n_missing(&self) -> u64 {
        let missing = self.missing_code();
        let n = match &self.codes {
            // With 256 levels none is missing.
            Codes::ByRow(codes) => u8::try_from(missing)
                .map_or(0, |missing| codes.iter().filter(|&&code| code == missing).count()),
            Codes::Sorted(sorted) => sorted.order.len() - sorted.n_known(missing),
        };
        n as u64
    }
}

impl ColumnInfo {
    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The column's dtype.
    pub fn dtype(&self) -> &DType {
        &self.dtype
    }

    /// Whether the tree treats it as ordered or nominal.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn missing_code(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The value of a level.
    pub(crate) fn value(&self, code: u32) -> Value {
        let code = code as usize;
        match &self.levels {
            Levels::Keys(keys) => self.dtype.value_of_key(keys[code]),
            Levels::Wide(keys) => self.dtype.value_of_wide(keys[code]),
            Levels::Text(levels) => Value::Text(levels[code].clone()),
        }
    }

    /// The cut between two levels that are neighbours in a node.
    pub(crate) fn cut(&self, lo: u32, hi: u32) -> Value {
        let (lo, hi) = (lo as usize, hi as usize);
        match &self.levels {
            Levels::Keys(keys) => self.dtype.value_of_key(self.dtype.cut_key(keys[lo], keys[hi])),
            Levels::Wide(keys) => self.dtype.value_of_wide(DType::cut_wide(keys[lo], keys[hi])),
            // Two texts have no middle: the cut is the upper one.
            Levels::Text(levels) => Value::Text(levels[hi].clone()),
        }
    }

    /// Whether values lie between two levels, as for numbers and times. Texts only have an order.
    pub(crate) fn has_scale(&self) -> bool {
        match self.levels {
            Levels::Keys(_) | Levels::Wide(_) => true,
            Levels::Text(_) => false,
        }
    }

    /// The order-preserving key of a level; `None` for text.
    pub(crate) fn key_of_level(&self, code: u32) -> Option<i128> {
        match &self.levels {
            Levels::Keys(keys) => Some(keys[code as usize].into()),
            Levels::Wide(keys) => Some(keys[code as usize]),
            Levels::Text(_) => None,
        }
    }

    /// The key of a cut that lies above one level and up to another. The 64 random bits of `number`
    /// choose the place; `None` for text.
    pub(crate) fn drawn_key(&self, least: u32, greatest: u32, number: u64) -> Option<i128> {
        let (lo, hi) = (least as usize, greatest as usize);
        match &self.levels {
            Levels::Keys(keys) => Some(self.dtype.drawn_key(keys[lo], keys[hi], number).into()),
            Levels::Wide(keys) => Some(DType::drawn_wide(keys[lo], keys[hi], number)),
            Levels::Text(_) => None,
        }
    }

    /// The cut of [`drawn_key`](Self::drawn_key).
    pub(crate) fn drawn_cut(&self, least: u32, greatest: u32, number: u64) -> Option<Value> {
        Some(value_of_key(&self.dtype, self.drawn_key(least, greatest, number)?))
    }

    /// For each level the number of cuts at or below it; the cuts ascend and have this column's
    /// dtype.
    pub(crate) fn cuts_at_or_below(&self, cuts: &[Value]) -> Vec<u32> {
        fn counted<K: PartialOrd>(levels: impl Iterator<Item = K>, cuts: Vec<K>) -> Vec<u32> {
            levels.map(|level| cuts.partition_point(|cut| *cut <= level) as u32).collect()
        }
        let texts = || {
            cuts.iter().filter_map(|cut| match cut {
                Value::Text(text) => Some(text.as_str()),
                Value::Float(_) | Value::Int(_) | Value::Unsigned(_) => None,
            })
        };
        match (&self.levels, &self.dtype) {
            (Levels::Keys(keys), dtype) => {
                let cuts = cuts.iter().filter_map(|cut| dtype.key_of_value(cut));
                counted(keys.iter().copied(), cuts.collect())
            }
            (Levels::Wide(keys), dtype) => {
                let cuts = cuts.iter().filter_map(|cut| dtype.wide_of_value(cut));
                counted(keys.iter().copied(), cuts.collect())
            }
            (Levels::Text(levels), DType::Enum { categories }) => {
                let index: HashMap<&str, usize> =
                    categories.iter().map(String::as_str).zip(0..).collect();
                let cuts = texts().map(|cut| index.get(cut));
                counted(levels.iter().map(|level| index.get(level.as_str())), cuts.collect())
            }
            (Levels::Text(levels), _) => {
                counted(levels.iter().map(String::as_str), texts().collect())
            }
        }
    }

    pub(crate) fn level_text(&self, code: u32) -> String {
        self.dtype.show(&self.value(code))
    }
}

impl Levels {
    pub(crate) fn len(&self) -> usize {
        match self {
            Levels::Keys(keys) => keys.len(),
            Levels::Wide(keys) => keys.len(),
            Levels::Text(levels) => levels.len(),
        }
    }
}
