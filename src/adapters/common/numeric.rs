//! Numeric columns: chunks of native values, which both faces read in place.
//!
//! A face matches a column's type once and calls a [`NumericReader`] with typed chunks; what
//! follows is generic, without a decision per row.

use std::ops::Range;

use half::f16;

use crate::data::column_data::ColumnData;
use crate::data::dtype::{key_of_f16, key_of_f32, key_of_f64, key_of_i64, wide_key_of_u128};

/// The native type of a numeric [`PhysicalType`](crate::engine::dtype::PhysicalType).
pub(crate) trait Numeric: Copy {
    /// `i128` if the type has 128 bits, otherwise `u64`.
    type Key: Default;
    /// The order-preserving key; `None` for NaN, which is missing.
    fn key(self) -> Option<Self::Key>;
    /// The nearest `f64`.
    fn number(self) -> f64;
    /// Keys as the engine takes them.
    fn column_data(keys: Vec<Self::Key>, missing: Option<Vec<bool>>) -> ColumnData;
}

macro_rules! numeric {
    ($($type:ty => $data:ident of $key:ty, |$x:ident| $key_of:expr, $number:expr;)*) => {$(
        impl Numeric for $type {
            type Key = $key;

            #[inline(always)]
            fn key(self) -> Option<$key> {
                let $x = self;
                $key_of
            }

            #[inline(always)]
            fn number(self) -> f64 {
                let $x = self;
                $number
            }

            fn column_data(keys: Vec<$key>, missing: Option<Vec<bool>>) -> ColumnData {
                ColumnData::$data(keys, missing)
            }
        }
    )*};
}

numeric! {
    i8 => Keys of u64, |x| Some(key_of_i64(x.into())), f64::from(x);
    i16 => Keys of u64, |x| Some(key_of_i64(x.into())), f64::from(x);
    i32 => Keys of u64, |x| Some(key_of_i64(x.into())), f64::from(x);
    i64 => Keys of u64, |x| Some(key_of_i64(x)), x as f64;
    i128 => Wide of i128, |x| Some(x), x as f64;
    u8 => Keys of u64, |x| Some(key_of_i64(x.into())), f64::from(x);
    u16 => Keys of u64, |x| Some(key_of_i64(x.into())), f64::from(x);
    u32 => Keys of u64, |x| Some(key_of_i64(x.into())), f64::from(x);
    u64 => Keys of u64, |x| Some(x), x as f64;
    u128 => Wide of i128, |x| Some(wide_key_of_u128(x)), x as f64;
    f16 => Keys of u64, |x| key_of_f16(x), x.to_f64();
    f32 => Keys of u64, |x| key_of_f32(x), f64::from(x);
    f64 => Keys of u64, |x| key_of_f64(x), x;
}

/// Some of a column's values, as they lie in memory.
#[derive(Clone, Copy)]
pub(crate) struct NumericChunk<'a, S> {
    pub(crate) values: &'a [S],
    /// Which values are not null; `None` if all are.
    pub(crate) validity: Option<Validity<'a>>,
}

/// A bitmap, lowest bit first; a chunk's bits start at bit `offset`.
#[derive(Clone, Copy)]
pub(crate) struct Validity<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) offset: usize,
}

impl Validity<'_> {
    fn is_null(self, at: usize) -> bool {
        let bit = self.offset + at;
        self.bytes[bit / 8] >> (bit % 8) & 1 == 0
    }

    /// Turns the null ones of numbers into NaN; the first is that of value `start`. It does so
    /// eight at a time and without branches, which scattered nulls would make mispredicted.
    fn nan_out(self, numbers: &mut [f64], start: usize) {
        for (numbers, at) in numbers.chunks_mut(8).zip((self.offset + start..).step_by(8)) {
            let bytes = [at / 8, at / 8 + 1].map(|i| self.bytes.get(i).copied().unwrap_or(0));
            let nulls = !(u16::from_le_bytes(bytes) >> (at % 8));
            for (i, x) in numbers.iter_mut().enumerate() {
                let all_or_none = 0u64.wrapping_sub(u64::from(nulls >> i & 1));
                *x = f64::from_bits(x.to_bits() | all_or_none);
            }
        }
    }
}

/// What reads a numeric column; `native` turns a stored value into the dtype's native one.
pub(crate) trait NumericReader {
    type Output;
    fn read<'a, S: Copy + 'a, N: Numeric>(
        self,
        chunks: impl Iterator<Item = NumericChunk<'a, S>> + Clone,
        native: impl Fn(S) -> N,
    ) -> Self::Output;
}

/// Reads all values as keys.
pub(crate) struct KeyReader;

impl NumericReader for KeyReader {
    type Output = ColumnData;

    fn read<'a, S: Copy + 'a, N: Numeric>(
        self,
        chunks: impl Iterator<Item = NumericChunk<'a, S>> + Clone,
        native: impl Fn(S) -> N,
    ) -> ColumnData {
        let n = chunks.clone().map(|chunk| chunk.values.len()).sum();
        let mut missing = nulls(chunks.clone(), n);
        let mut keys = Vec::with_capacity(n);
        for &stored in chunks.flat_map(|chunk| chunk.values) {
            let key = native(stored).key();
            if key.is_none() {
                // Most columns have no missing value and no mask.
                missing.get_or_insert_with(|| vec![false; n])[keys.len()] = true;
            }
            keys.push(key.unwrap_or_default());
        }
        N::column_data(keys, missing)
    }
}

/// Which values are null; `None` if none is.
fn nulls<'a, S: 'a>(
    chunks: impl Iterator<Item = NumericChunk<'a, S>> + Clone,
    n: usize,
) -> Option<Vec<bool>> {
    chunks.clone().find(|chunk| chunk.validity.is_some())?;
    let mut nulls = Vec::with_capacity(n);
    for chunk in chunks {
        match chunk.validity {
            Some(validity) => nulls.extend((0..chunk.values.len()).map(|at| validity.is_null(at))),
            None => nulls.resize(nulls.len() + chunk.values.len(), false),
        }
    }
    Some(nulls)
}

/// Writes the values of some rows as numbers, NaN for nulls.
pub(crate) struct NumberReader<'n> {
    pub(crate) rows: Range<usize>,
    pub(crate) numbers: &'n mut Vec<f64>,
}

impl NumericReader for NumberReader<'_> {
    type Output = ();

    fn read<'a, S: Copy + 'a, N: Numeric>(
        self,
        chunks: impl Iterator<Item = NumericChunk<'a, S>> + Clone,
        native: impl Fn(S) -> N,
    ) {
        let NumberReader { rows, numbers } = self;
        numbers.clear();
        numbers.reserve(rows.len());
        let mut start = 0;
        for chunk in chunks {
            let end = start + chunk.values.len();
            let (from, to) = (rows.start.max(start), rows.end.min(end));
            if from < to {
                let (from, to) = (from - start, to - start);
                let before = numbers.len();
                numbers.extend(chunk.values[from..to].iter().map(|&x| native(x).number()));
                if let Some(validity) = chunk.validity {
                    validity.nan_out(&mut numbers[before..], from);
                }
            }
            start = end;
        }
    }
}

/// The values of some rows, if they lie in one chunk and none there is null.
pub(crate) fn contiguous<'a>(
    chunks: impl Iterator<Item = NumericChunk<'a, f64>>,
    rows: &Range<usize>,
) -> Option<&'a [f64]> {
    let mut start = 0;
    for chunk in chunks {
        if rows.start < start + chunk.values.len() || rows.is_empty() {
            let values = chunk.values.get(rows.start - start..rows.end - start)?;
            return chunk.validity.is_none().then_some(values);
        }
        start += chunk.values.len();
    }
    None
}
