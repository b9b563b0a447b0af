//! A feature after encoding: dense ordered codes, and the levels that turn a code back into a
//! value. Nothing past this file knows a dtype but to name a cut or to score.

use crate::data::dtype::{DType, Kind, Value};

/// A column encoded once. Codes `0..levels` follow the levels' order (but where each row has a
/// level of its own); missing has the code `levels` itself, so it comes last.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) kind: Kind,
    pub(crate) levels: Levels,
    pub(crate) codes: Codes,
}

/// The distinct values, in order of code.
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
    /// Few levels: one code a row, counted into a table.
    ByRow(Vec<u8>),
    /// Many levels: walked in order.
    Sorted(Sorted),
}

/// A column of many levels: each row's code, and the rows in order of level, then row, those
/// without a value last. Eight bytes a row at most, of which growth moves four.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    pub(crate) codes: RowCodes,
    pub(crate) order: Vec<u32>,
}

/// Where each row's code is looked up.
#[derive(Clone, Debug)]
pub(crate) enum RowCodes {
    Listed(Vec<u32>),
    /// Nowhere: each row with a value has a level of its own, which goes by the row's number.
    /// Levels are in row order. Nothing is looked up, and nothing copied with the rows.
    Own(Absent),
}

/// The rows without a value.
#[derive(Clone, Debug)]
pub(crate) struct Absent {
    /// A bit a row; empty where every row has a value.
    bits: Vec<u64>,
    /// The code of a missing value.
    code: u32,
}

impl Absent {
    /// Of so many rows; the code of the others is above all of their numbers.
    pub(crate) fn of(rows: impl ExactSizeIterator<Item = u32>, n_rows: usize, code: u32) -> Self {
        let n_words = if rows.len() > 0 { n_rows.div_ceil(u64::BITS as usize) } else { 0 };
        let mut bits = vec![0; n_words];
        rows.for_each(|row| bits[(row / u64::BITS) as usize] |= 1 << (row % u64::BITS));
        Absent { bits, code }
    }

    #[inline(always)]
    fn contains(&self, row: u32) -> bool {
        let word = self.bits.get((row / u64::BITS) as usize);
        word.is_some_and(|word| word >> (row % u64::BITS) & 1 == 1)
    }

    /// The code of a missing value.
    pub(crate) fn code(&self) -> u32 {
        self.code
    }
}

impl RowCodes {
    /// A row's code.
    #[inline(always)]
    pub(crate) fn of(&self, row: u32) -> u32 {
        match self {
            RowCodes::Listed(codes) => codes[row as usize],
            RowCodes::Own(absent) if absent.contains(row) => absent.code,
            RowCodes::Own(_) => row,
        }
    }
}

impl Codes {
    /// Rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Codes::ByRow(codes) => codes.len(),
            Codes::Sorted(sorted) => sorted.order.len(),
        }
    }
}

impl Sorted {
    /// How many rows have a value; `missing` is the code of the others.
    pub(crate) fn n_known(&self, missing: u32) -> usize {
        self.order.partition_point(|&row| self.codes.of(row) < missing)
    }
}

/// How an entry of an order is laid out: the row in the low bits and above it the row's tag,
/// which is what a stat has to know of the row (its class). The tag saves a look-up at random
/// for every row of every column at every level of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryLayout {
    row_bits: u32,
}

impl EntryLayout {
    /// Rows alone.
    pub(crate) const ROWS: EntryLayout = EntryLayout { row_bits: u32::BITS };

    /// For so many rows and bits of tag; rows alone where both do not fit.
    pub(crate) fn new(n_rows: usize, tag_bits: u32) -> EntryLayout {
        let row_bits = usize::BITS - n_rows.saturating_sub(1).leading_zeros();
        if tag_bits > 0 && row_bits + tag_bits <= u32::BITS {
            EntryLayout { row_bits }
        } else {
            EntryLayout::ROWS
        }
    }

    pub(crate) fn has_tags(self) -> bool {
        self.row_bits < u32::BITS
    }

    #[inline(always)]
    pub(crate) fn entry(self, row: u32, tag: u32) -> u32 {
        row | (u64::from(tag) << self.row_bits) as u32
    }

    #[inline(always)]
    pub(crate) fn row(self, entry: u32) -> u32 {
        entry & ((1u64 << self.row_bits) - 1) as u32
    }

    /// The tag, where there is one.
    #[inline(always)]
    pub(crate) fn tag(self, entry: u32) -> u32 {
        entry.wrapping_shr(self.row_bits)
    }
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
        match &self.codes {
            // Rows without a value have a place among the levels too.
            Codes::Sorted(sorted) if matches!(sorted.codes, RowCodes::Own(_)) => {
                sorted.n_known(self.missing_code())
            }
            _ => self.levels.len(),
        }
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a missing value.
    pub(crate) fn missing_code(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Whether no two rows with a value share a level. It is only asked of many levels.
    pub(crate) fn is_distinct(&self) -> bool {
        match &self.codes {
            Codes::ByRow(_) => false,
            Codes::Sorted(sorted) => sorted.n_known(self.missing_code()) == self.n_levels(),
        }
    }

    /// The first row whose value is missing.
    pub(crate) fn first_missing(&self) -> Option<u32> {
        let missing = self.missing_code();
        match &self.codes {
            Codes::ByRow(codes) => {
                // Where 256 levels are all there is, none is missing. Most columns miss nothing,
                // which `contains` finds many bytes at a time.
                let missing =
                    u8::try_from(missing).ok().filter(|missing| codes.contains(missing))?;
                codes.iter().position(|&code| code == missing).map(|row| row as u32)
            }
            Codes::Sorted(sorted) => sorted.order.get(sorted.n_known(missing)).copied(),
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
