//! A feature after encoding: dense ordered codes, and the levels that turn a code back into a
//! value. Nothing past this file knows a dtype but to name a cut or to score.

use crate::dtype::{DType, Kind, Value};

/// A column encoded once. Codes `0..levels` follow the levels' order; missing has the code
/// `levels` itself, so it comes last.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) kind: Kind,
    pub(crate) levels: Levels,
    pub(crate) codes: Codes,
}

/// The distinct values, in level order.
#[derive(Clone, Debug)]
pub(crate) enum Levels {
    /// Order-preserving keys of the dtype.
    Keys(Vec<u64>),
    /// Keys of 128 bits.
    Wide(Vec<i128>),
    /// Text of nominal features, and of text taken as ordered.
    Text(Vec<String>),
}

/// Where the codes are kept.
#[derive(Clone, Debug)]
pub(crate) enum Codes {
    /// One code a row: few levels, counted into a table.
    ByRow(Vec<u16>),
    /// (code, row) in order of code, then row: many levels, walked in order.
    Sorted(Vec<Entry>),
}

/// One row of a sorted column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) code: u32,
    pub(crate) row: u32,
}

impl Column {
    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The column's dtype.
    pub fn dtype(&self) -> &DType {
        &self.dtype
    }

    /// How the tree takes it.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Distinct values, missing not counted.
    pub fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// Rows.
    pub fn len(&self) -> usize {
        match &self.codes {
            Codes::ByRow(codes) => codes.len(),
            Codes::Sorted(entries) => entries.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a missing value.
    pub(crate) fn missing_code(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The first row whose value is missing.
    pub(crate) fn first_missing(&self) -> Option<u32> {
        let missing = self.missing_code();
        match &self.codes {
            Codes::ByRow(codes) => {
                codes.iter().position(|&c| u32::from(c) == missing).map(|row| row as u32)
            }
            Codes::Sorted(entries) => {
                let at = entries.partition_point(|e| e.code < missing);
                entries.get(at).map(|e| e.row)
            }
        }
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

    /// The cut between two levels that are neighbours in some node.
    pub(crate) fn cut(&self, lo: u32, hi: u32) -> Value {
        let (lo, hi) = (lo as usize, hi as usize);
        match &self.levels {
            Levels::Keys(keys) => self.dtype.value_of_key(self.dtype.cut_key(keys[lo], keys[hi])),
            Levels::Wide(keys) => self.dtype.value_of_wide(DType::cut_wide(keys[lo], keys[hi])),
            // Between two texts there is none in the middle: the upper one is the cut.
            Levels::Text(levels) => Value::Text(levels[hi].clone()),
        }
    }

    /// Whether a level is at or above a cut of this column's dtype.
    pub(crate) fn is_at_least(&self, code: u32, cut: &Value) -> bool {
        let at = code as usize;
        match &self.levels {
            Levels::Keys(keys) => self.dtype.key_of_value(cut).is_some_and(|cut| keys[at] >= cut),
            Levels::Wide(keys) => self.dtype.wide_of_value(cut).is_some_and(|cut| keys[at] >= cut),
            // A cut of texts is itself a level, and levels are in order.
            Levels::Text(levels) => match cut {
                Value::Text(cut) => levels.iter().position(|l| l == cut).is_some_and(|c| at >= c),
                _ => false,
            },
        }
    }

    /// The text of a level.
    pub(crate) fn level_text(&self, code: u32) -> String {
        match &self.levels {
            Levels::Text(levels) => levels[code as usize].clone(),
            _ => self.dtype.show(&self.value(code)),
        }
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
