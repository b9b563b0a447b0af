//! Columns of few levels, packed side by side.
//!
//! ```text
//!            byte 0      byte 1           byte 2      ...  byte 7
//! row 0   [  x0 code  |  x1 + 3 * x2  |  x3 code  |       ]   8 bytes a row
//! row 1   [  x0 code  |  x1 + 3 * x2  |  x3 code  |       ]
//!
//! slots   [ x0: 0 1 2 | x1: 0 1 2 | x2: 0 1 | x3: ... ]       one stat a slot
//! ```
//!
//! One load of a row's record counts the row in all columns of a pack. Columns of very few codes
//! share a byte: their codes are the digits of a mixed-radix number. The histogram of a pack has
//! a slot for each code of each column; a byte's value names one slot per column in it.

use std::ops::Range;

use crate::grow::SMALL_NODE;
use crate::util::parallel::{self, PART};

/// Bytes of a record: histograms of more columns would not fit the cache.
const BYTES: usize = 8;

pub(crate) type Record = [u8; BYTES];

/// Numbers of a pack's histogram, unless a column alone has more: they fit the second-level cache.
const MAX_HISTOGRAM: usize = 1 << 15;

/// Values of a byte of several columns. Among few rows a longer table would exceed the rows.
const MAX_VALUES: usize = 1 << u8::BITS;
const MAX_VALUES_OF_FEW_ROWS: usize = 32;

/// Up to eight bytes a row that hold the codes of some columns.
pub(crate) struct PackedColumns {
    /// The columns, in order.
    pub(crate) columns: Vec<u32>,
    /// One record a row.
    pub(crate) records: Vec<Record>,
    pub(crate) bytes: Vec<PackedByte>,
    /// The first slot of each column here, and the end of the last one.
    pub(crate) starts: Vec<usize>,
}

pub(crate) struct PackedByte {
    /// Their indices in the pack.
    pub(crate) members: Range<usize>,
    /// The members' slots for each value of the byte in turn.
    pub(crate) slots: Vec<usize>,
}

pub(crate) struct ByteColumn {
    pub(crate) column: u32,
    pub(crate) codes: Vec<u8>,
    /// Codes, missing included.
    pub(crate) n_codes: usize,
}

impl PackedColumns {
    /// Packs columns in order, in as many packs as needed; a stat is `width` numbers.
    pub(crate) fn pack(columns: Vec<ByteColumn>, width: usize) -> Vec<PackedColumns> {
        let bytes = assign_bytes(columns, width);
        let n_packs = bytes.len().div_ceil(BYTES);
        let evenly = bytes.len().div_ceil(n_packs.max(1));
        let mut packs: Vec<Vec<Vec<Digit>>> = Vec::new();
        let mut open = Vec::new();
        let mut n_codes = 0;
        for digits in bytes {
            let more: usize = digits.iter().map(|digit| digit.n_codes).sum();
            let is_full = open.len() == evenly || (n_codes + more) * width > MAX_HISTOGRAM;
            if is_full && !open.is_empty() {
                packs.push(std::mem::take(&mut open));
                n_codes = 0;
            }
            n_codes += more;
            open.push(digits);
        }
        if !open.is_empty() {
            packs.push(open);
        }
        parallel::map(packs, PackedColumns::new)
    }

    fn new(digits: Vec<Vec<Digit>>) -> PackedColumns {
        let n_rows = digits.first().map_or(0, |digits| digits[0].codes.len());
        let (mut columns, mut bytes, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for digits in &digits {
            let first = columns.len();
            for digit in digits {
                columns.push(digit.column);
                starts.push(starts[starts.len() - 1] + digit.n_codes);
            }
            let bases: Vec<usize> = digits.iter().map(|digit| digit.base).collect();
            let slots = slots_of_values(&starts[first..columns.len()], &bases);
            bytes.push(PackedByte { members: first..columns.len(), slots });
        }
        let values = parallel::map_if(are_worth_tasks(&digits, n_rows), digits, mixed_radix_values);
        let mut records = vec![Record::default(); n_rows];
        let fill_part = |(part, records): (usize, &mut [Record])| {
            for (byte, values) in values.iter().enumerate() {
                let values = &values[part * PART..];
                records.iter_mut().zip(values).for_each(|(record, &value)| record[byte] = value);
            }
        };
        parallel::for_each(records.chunks_mut(PART).enumerate(), fill_part);
        PackedColumns { columns, records, bytes, starts }
    }

    pub(super) fn byte_of(&self, index: usize) -> usize {
        self.bytes.partition_point(|byte| byte.members.end <= index)
    }

    /// The byte of a column, and for each value of the byte what `f` makes of the column's code.
    pub(crate) fn map_values<T>(&self, index: usize, f: impl Fn(u32) -> T) -> (usize, Vec<T>) {
        let byte = self.byte_of(index);
        let PackedByte { members, slots } = &self.bytes[byte];
        let slots = slots.iter().skip(index - members.start).step_by(members.len());
        (byte, slots.map(|slot| f((slot - self.starts[index]) as u32)).collect())
    }

    #[inline]
    pub(crate) fn value(&self, row: u32, byte: usize) -> usize {
        self.records[row as usize][byte].into()
    }

    pub(crate) fn code(&self, row: u32, index: usize) -> u32 {
        let byte = self.byte_of(index);
        let PackedByte { members, slots } = &self.bytes[byte];
        let slot = slots[self.value(row, byte) * members.len() + index - members.start];
        (slot - self.starts[index]) as u32
    }

    pub(crate) fn gather(&self, rows: &[u32]) -> Vec<Record> {
        rows.iter().map(|&row| self.records[row as usize]).collect()
    }

    pub(crate) fn slots(&self, index: usize) -> Range<usize> {
        self.starts[index]..self.starts[index + 1]
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.starts[self.columns.len()]
    }
}

/// A column as a digit of a mixed-radix number.
struct Digit {
    column: u32,
    codes: Vec<u8>,
    n_codes: usize,
    /// All codes are below this. Missing counts only if some row is missing.
    base: usize,
}

impl Digit {
    fn new(ByteColumn { column, codes, n_codes }: ByteColumn) -> Self {
        let highest = codes.iter().fold(0, |highest, &code| code.max(highest));
        Digit { column, codes, n_codes, base: usize::from(highest) + 1 }
    }
}

/// Assigns columns to bytes, in order.
fn assign_bytes(columns: Vec<ByteColumn>, width: usize) -> Vec<Vec<Digit>> {
    let n_rows = columns.first().map_or(0, |column| column.codes.len());
    let most = if n_rows > SMALL_NODE { MAX_VALUES } else { MAX_VALUES_OF_FEW_ROWS };
    let most = most.min(MAX_HISTOGRAM / BYTES / width);
    let digits = parallel::map_if(are_worth_tasks(&columns, n_rows), columns, Digit::new);
    let mut bytes: Vec<Vec<Digit>> = Vec::new();
    let mut n_values = usize::MAX;
    for digit in digits {
        // A column of one code counts as two: else a byte could hold any number of them.
        let base = digit.base.max(2);
        match bytes.last_mut() {
            Some(digits) if n_values.saturating_mul(base) <= most => {
                n_values *= base;
                digits.push(digit);
            }
            Some(_) | None => {
                n_values = base;
                bytes.push(vec![digit]);
            }
        }
    }
    bytes
}

/// Whether it pays to read columns of `n_rows` rows in parallel.
fn are_worth_tasks<C>(columns: &[C], n_rows: usize) -> bool {
    columns.len() * n_rows > PART
}

/// The slots of the digits of each value in turn; `starts` are the slots of digits that are 0.
fn slots_of_values(starts: &[usize], bases: &[usize]) -> Vec<usize> {
    let n_values: usize = bases.iter().product();
    let mut slots = Vec::with_capacity(n_values * bases.len());
    let mut digits = starts.to_vec();
    for _ in 0..n_values {
        slots.extend_from_slice(&digits);
        // Increments the number: a digit that reaches its base is 0 again and carries.
        for ((digit, base), start) in digits.iter_mut().zip(bases).zip(starts) {
            *digit += 1;
            if *digit < start + base {
                break;
            }
            *digit = *start;
        }
    }
    slots
}

/// The value of each row in a byte of these columns.
fn mixed_radix_values(digits: Vec<Digit>) -> Vec<u8> {
    let mut digits = digits.into_iter();
    let Some(Digit { codes: mut values, base, .. }) = digits.next() else { return Vec::new() };
    let mut stride = base;
    for Digit { codes, base, .. } in digits {
        let digits = values.iter_mut().zip(&codes);
        digits.for_each(|(value, code)| *value += code * stride as u8);
        stride *= base;
    }
    values
}
