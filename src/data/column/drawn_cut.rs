//! Cuts that are drawn between two levels of a column.

use super::{ColumnInfo, Levels};
use crate::data::dtype::{DType, Value, value_of_key};

impl ColumnInfo {
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
}
