//! The codes of a column's rows.

/// A code per row. Missing has the code after all levels.
#[derive(Clone, Debug)]
pub(crate) enum Codes {
    /// Few levels, which are counted into histograms.
    ByRow(Vec<u8>),
    /// Many levels, which are scanned in order.
    Sorted(Sorted),
}

/// The codes of many levels, and the rows in order of code, then row; missing comes last. It takes
/// at most eight bytes a row. Four of them are `order`, and growth moves these.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    pub(crate) codes: RowCodes,
    pub(crate) order: Vec<u32>,
}

/// The code of each row of a column of many levels.
#[derive(Clone, Debug)]
pub(crate) enum RowCodes {
    Stored(Vec<u32>),
    /// No two rows share a level, and a row's code is its number: levels are in row order, not
    /// ranked. It avoids a random access per row, and storing and copying codes.
    Identity(MissingRows),
}

/// The rows without a value, as a bitmap.
#[derive(Clone, Debug)]
pub(crate) struct MissingRows {
    /// Empty if every row has a value.
    bits: Vec<u64>,
    code: u32,
}

impl MissingRows {
    /// `code` is the code of missing values, which is above every row number.
    pub(crate) fn new(rows: impl ExactSizeIterator<Item = u32>, n_rows: usize, code: u32) -> Self {
        let n_words = if rows.len() > 0 { n_rows.div_ceil(u64::BITS as usize) } else { 0 };
        let mut bits = vec![0; n_words];
        rows.for_each(|row| bits[(row / u64::BITS) as usize] |= 1 << (row % u64::BITS));
        MissingRows { bits, code }
    }

    #[inline(always)]
    pub(crate) fn contains(&self, row: u32) -> bool {
        let word = self.bits.get((row / u64::BITS) as usize);
        word.is_some_and(|word| word >> (row % u64::BITS) & 1 == 1)
    }

    pub(crate) fn code(&self) -> u32 {
        self.code
    }
}

impl RowCodes {
    #[inline(always)]
    pub(crate) fn of(&self, row: u32) -> u32 {
        match self {
            RowCodes::Stored(codes) => codes[row as usize],
            RowCodes::Identity(missing) if missing.contains(row) => missing.code,
            RowCodes::Identity(_) => row,
        }
    }

    pub(crate) fn n_rows(&self) -> usize {
        match self {
            RowCodes::Stored(codes) => codes.len(),
            // Each row has a level, and missing comes after them.
            RowCodes::Identity(missing) => missing.code as usize,
        }
    }
}

impl Codes {
    pub(crate) fn len(&self) -> usize {
        match self {
            Codes::ByRow(codes) => codes.len(),
            Codes::Sorted(sorted) => sorted.order.len(),
        }
    }

    pub(crate) fn of(&self, row: u32) -> u32 {
        match self {
            Codes::ByRow(codes) => codes[row as usize].into(),
            Codes::Sorted(sorted) => sorted.codes.of(row),
        }
    }

    pub(crate) fn by_row(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).map(|row| self.of(row))
    }
}

impl Sorted {
    /// The number of rows with a value; `missing` is the code of the others.
    pub(crate) fn n_known(&self, missing: u32) -> usize {
        self.order.partition_point(|&row| self.codes.of(row) < missing)
    }
}
