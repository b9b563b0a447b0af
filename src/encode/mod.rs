//! Columns to codes: what an adapter hands over becomes a [`Column`] or a
//! [`Target`](crate::Target).
//!
//! An adapter (Polars, Arrow, a test) matches a column's dtype once and hands over [`ColumnData`];
//! everything after that is here.

pub(crate) mod dictionary;
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) mod interner;
pub(crate) mod sort;
pub(crate) mod table;
mod target;

use crate::data::column_data::{ColumnData, MISSING};
use dictionary::Dictionary;
use sort::argsort::{Order, argsort};
use sort::hashed_keys::numbered;
use sort::tagged_keys::{Rows, Tagged};

use crate::data::column::{Absent, Codes, Column, Levels, RowCodes, Sorted};
use crate::data::dtype::{DType, Kind};
use crate::error::{Error, Result};

/// The rows a table may have: row numbers and codes are 32 bits, and one is kept free.
pub(crate) const MAX_ROWS: usize = u32::MAX as usize - 1;

/// A feature that is not encoded yet.
#[derive(Clone, Debug)]
pub(crate) struct RawColumn {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) kind: Kind,
    pub(crate) cells: ColumnData,
}

impl RawColumn {
    /// # Errors
    /// Where there are more rows than 32 bits number.
    pub(crate) fn new(
        name: String,
        dtype: DType,
        kind: Kind,
        cells: ColumnData,
    ) -> Result<RawColumn> {
        if cells.len() > MAX_ROWS {
            return Err(Error::data(format!(
                "column `{name}` ({dtype}) has {} rows; at most {MAX_ROWS} can be used: take a \
                 sample",
                cells.len()
            )));
        }
        Ok(RawColumn { name, dtype, kind, cells })
    }

    /// An ordered column of keys no two of which are the same keeps them by row.
    ///
    /// Linear in the rows, plus `l log l` in the levels of text.
    pub(crate) fn encode(self) -> Column {
        let RawColumn { name, dtype, kind, cells } = self;
        let (levels, codes) = match cells {
            ColumnData::Keys(keys, missing) => {
                let (levels, codes) = narrow(keys, missing.as_deref(), kind == Kind::Ordered);
                (Levels::Keys(levels), codes)
            }
            ColumnData::Wide(keys, missing) => {
                let (levels, codes) = wide(&keys, missing.as_deref());
                (Levels::Wide(levels), codes)
            }
            ColumnData::Text(ids, texts) => {
                let (levels, codes) = text(&ids, texts, &dtype);
                (Levels::Text(levels), codes)
            }
            ColumnData::Missing(n) => (Levels::Keys(Vec::new()), Codes::ByRow(vec![0; n])),
        };
        let column = Column { name, dtype, kind, levels, codes };
        if kind == Kind::Nominal { column.with_text_levels() } else { column }
    }
}

impl Column {
    /// Encodes a feature. Linear in the rows, plus `l log l` in the levels of text.
    ///
    /// # Errors
    /// Where there are more rows than 32 bits number.
    pub fn encode(
        name: impl Into<String>,
        dtype: DType,
        kind: Kind,
        cells: ColumnData,
    ) -> Result<Column> {
        Ok(RawColumn::new(name.into(), dtype, kind, cells)?.encode().ranked())
    }

    /// The column with its levels in order, and codes that are their ranks.
    pub(crate) fn ranked(self) -> Column {
        match (self.levels, self.codes) {
            (Levels::Keys(keys), Codes::Sorted(sorted))
                if matches!(sorted.codes, RowCodes::Own(_)) =>
            {
                let n_known = sorted.n_known(keys.len() as u32);
                let (levels, codes) = from_order(sorted.order, n_known, |_, row| keys[row]);
                Column { levels: Levels::Keys(levels), codes, ..self }
            }
            (levels, codes) => Column { levels, codes, ..self },
        }
    }

    /// A nominal feature's levels are texts in text order, whatever its dtype.
    fn with_text_levels(self) -> Column {
        if let Levels::Text(_) = self.levels {
            return self;
        }
        let n = self.n_levels() as u32;
        let texts: Vec<String> = (0..n).map(|code| self.dtype.write(&self.value(code))).collect();
        let ids = self.codes.by_row().map(|c| if c == n { MISSING } else { c });
        let (levels, codes) = text(&ids.collect::<Vec<_>>(), texts, &self.dtype);
        Column { levels: Levels::Text(levels), codes, ..self }
    }
}

impl Codes {
    /// One code a row.
    pub(crate) fn by_row(&self) -> impl Iterator<Item = u32> {
        let code = |row| match self {
            Codes::ByRow(codes) => u32::from(codes[row]),
            Codes::Sorted(sorted) => sorted.codes.of(row as u32),
        };
        (0..self.len()).map(code)
    }
}

/// Columns of at most so many levels are counted into a table: with the missing value their
/// codes fit a byte, and the table the first-level cache.
const FEW_LEVELS: usize = u8::MAX as usize;

/// Levels and codes; `by_row` asks for levels by row where they are distinct: these and codes
/// that are rows cost no look-up at random.
fn narrow(keys: Vec<u64>, missing: Option<&[bool]>, by_row: bool) -> (Vec<u64>, Codes) {
    let column = Tagged { keys: &keys, missing, tags: Rows };
    let Some(extent) = column.extent() else {
        return (Vec::new(), Codes::ByRow(vec![0; keys.len()]));
    };
    let span = extent.max - extent.min;
    // Of bytes every one may be there, but then none is free for the missing value.
    let few = FEW_LEVELS + usize::from(missing.is_none());
    if span < few as u64 {
        return in_a_byte(&keys, missing, extent.min);
    }
    if is_small_range(span, keys.len()) {
        return in_a_small_range(&keys, missing, extent.min, span as usize);
    }
    if let Some((levels, codes)) = numbered(column, extent) {
        let codes = coded(codes.into_iter(), levels.len());
        return (levels, codes);
    }
    let Order { rows: order, keys: sorted, is_distinct } = argsort(column, extent);
    if by_row && is_distinct && extent.n_known > FEW_LEVELS {
        let without = order[extent.n_known..].iter().copied();
        let codes = RowCodes::Own(Absent::of(without, keys.len(), keys.len() as u32));
        return (keys, Codes::Sorted(Sorted { codes, order }));
    }
    match sorted {
        Some(sorted) => from_order(order, extent.n_known, |place, _| sorted[place]),
        None => from_order(order, extent.n_known, |_, row| keys[row]),
    }
}

/// Integers within a range below this, and below the rows, are found by a table of those
/// present, not sorted.
const SMALL_RANGE: u64 = 1 << 16;

/// Whether keys of so many rows, the highest `span` above the least, are within such a range.
pub(crate) fn is_small_range(span: u64, n_rows: usize) -> bool {
    span < SMALL_RANGE.min(n_rows as u64)
}

/// Levels within the range of a byte. Where all of the range is there, as of most small integers,
/// the way from the least of them is the code: a third off encoding a table of zeros and ones.
fn in_a_byte(keys: &[u64], missing: Option<&[bool]>, min: u64) -> (Vec<u64>, Codes) {
    let mut codes: Vec<u8> = keys.iter().map(|key| key.wrapping_sub(min) as u8).collect();
    let mut present = [false; 1 << u8::BITS];
    match missing {
        None => codes.iter().for_each(|&at| present[usize::from(at)] = true),
        Some(missing) => {
            let known = codes.iter().zip(missing).filter(|(_, missing)| !**missing);
            known.for_each(|(&at, _)| present[usize::from(at)] = true);
        }
    }
    let places = (0..present.len()).filter(|&at| present[at]);
    let mut code_of = [0; 1 << u8::BITS];
    let mut levels = Vec::new();
    for (code, at) in places.enumerate() {
        code_of[at] = code as u8;
        levels.push(min + at as u64);
    }
    if code_of[..levels.len()].iter().enumerate().any(|(at, &code)| usize::from(code) != at) {
        codes.iter_mut().for_each(|code| *code = code_of[usize::from(*code)]);
    }
    if let Some(missing) = missing {
        let rows = codes.iter_mut().zip(missing).filter(|(_, missing)| **missing);
        rows.for_each(|(code, _)| *code = levels.len() as u8);
    }
    (levels, Codes::ByRow(codes))
}

/// Levels within a small range, by such a table.
fn in_a_small_range(
    keys: &[u64],
    missing: Option<&[bool]>,
    min: u64,
    span: usize,
) -> (Vec<u64>, Codes) {
    let is_missing = |row: usize| missing.is_some_and(|m| m[row]);
    let mut present = vec![false; span + 1];
    for (row, key) in keys.iter().enumerate() {
        if !is_missing(row) {
            present[(key - min) as usize] = true;
        }
    }
    let levels: Vec<u64> = (0..=span).filter(|&i| present[i]).map(|i| min + i as u64).collect();
    let mut code_of = vec![0; span + 1];
    for (code, level) in levels.iter().enumerate() {
        code_of[(level - min) as usize] = code as u32;
    }
    let n_levels = levels.len();
    let code = |(row, key): (usize, &u64)| match is_missing(row) {
        true => n_levels as u32,
        false => code_of[(key - min) as usize],
    };
    (levels, coded(keys.iter().enumerate().map(code), n_levels))
}

/// Codes from the rows in order of key, which is of a place in it and the row there; the first
/// `n_known` of them have one.
fn from_order<K: PartialEq>(
    order: Vec<u32>,
    n_known: usize,
    key_at: impl Fn(usize, usize) -> K,
) -> (Vec<K>, Codes) {
    let mut levels: Vec<K> = Vec::with_capacity(n_known);
    let mut codes = vec![0; order.len()];
    for (place, &row) in order[..n_known].iter().enumerate() {
        let key = key_at(place, row as usize);
        if levels.last() != Some(&key) {
            levels.push(key);
        }
        codes[row as usize] = levels.len() as u32 - 1;
    }
    levels.shrink_to_fit();
    order[n_known..].iter().for_each(|&row| codes[row as usize] = levels.len() as u32);
    let codes = if levels.len() <= FEW_LEVELS {
        Codes::ByRow(codes.iter().map(|&code| code as u8).collect())
    } else {
        Codes::Sorted(Sorted { codes: RowCodes::Listed(codes), order })
    };
    (levels, codes)
}

fn wide(keys: &[i128], missing: Option<&[bool]>) -> (Vec<i128>, Codes) {
    let is_missing = |row: usize| missing.is_some_and(|m| m[row]);
    let known = || (0..keys.len()).filter(|&row| !is_missing(row));
    let (min, max) = known()
        .map(|row| keys[row])
        .fold((i128::MAX, i128::MIN), |(lo, hi), k| (lo.min(k), hi.max(k)));
    // Within 64 bits of the least they sort as narrow keys do.
    if min <= max && max.wrapping_sub(min) as u128 <= u128::from(u64::MAX) {
        let near: Vec<u64> = keys.iter().map(|k| k.wrapping_sub(min) as u64).collect();
        let (levels, codes) = narrow(near, missing, false);
        return (levels.iter().map(|&k| min + i128::from(k)).collect(), codes);
    }
    let mut order: Vec<u32> = known().map(|row| row as u32).collect();
    order.sort_unstable_by_key(|&row| (keys[row as usize], row));
    let n_known = order.len();
    order.extend((0..keys.len()).filter(|&row| is_missing(row)).map(|row| row as u32));
    from_order(order, n_known, |_, row| keys[row])
}

fn text(ids: &[u32], texts: Vec<String>, dtype: &DType) -> (Vec<String>, Codes) {
    let texts = Dictionary::new(ids, texts, dtype);
    let codes = coded(ids.iter().map(|&id| texts.code(id)), texts.levels.len());
    (texts.levels, codes)
}

/// The codes of the rows; many levels are put in order by counting.
fn coded(codes: impl ExactSizeIterator<Item = u32>, n_levels: usize) -> Codes {
    if n_levels <= FEW_LEVELS {
        return Codes::ByRow(codes.map(|code| code as u8).collect());
    }
    let codes: Vec<u32> = codes.collect();
    let order = order_by_counting(&codes, n_levels + 1);
    Codes::Sorted(Sorted { codes: RowCodes::Listed(codes), order })
}

/// The rows in order of code, then row, where all codes are below `n_codes`.
pub(crate) fn order_by_counting(codes: &[u32], n_codes: usize) -> Vec<u32> {
    let mut next = vec![0u32; n_codes + 1];
    codes.iter().for_each(|&code| next[code as usize + 1] += 1);
    for i in 1..next.len() {
        next[i] += next[i - 1];
    }
    let mut order = vec![0; codes.len()];
    for (row, &code) in codes.iter().enumerate() {
        let slot = &mut next[code as usize];
        order[*slot as usize] = row as u32;
        *slot += 1;
    }
    order
}
