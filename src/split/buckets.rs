//! Bucketing: the rows of a node that share a code, reduced to a stat.

use std::ops::Range;

use smallvec::smallvec;

use crate::data::column::{EntryLayout, RowCodes};
use crate::stat::{Num, Stat, StatVec};

/// The codes of one column at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'a> {
    Sorted(SortedView<'a>),
    /// The codes of all rows, and which rows are the node's.
    ByRow {
        codes: &'a [u8],
        rows: &'a [u32],
        missing: u32,
    },
}

/// What tells the levels of rows apart.
pub(crate) trait RowLevels: Copy {
    /// What a row's level goes by. It need not be the same all over a level.
    fn code(self, row: u32) -> u32;

    /// Whether two rows share a level.
    fn is_same(self, row: u32, other: u32) -> bool;
}

impl RowLevels for &RowCodes {
    #[inline(always)]
    fn code(self, row: u32) -> u32 {
        self.of(row)
    }

    #[inline(always)]
    fn is_same(self, row: u32, other: u32) -> bool {
        self.code(row) == self.code(other)
    }
}

/// The keys of rows that are numbered in order of their keys: a row's number is its code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeysInOrder<'a>(pub(crate) &'a [u64]);

impl RowLevels for KeysInOrder<'_> {
    #[inline(always)]
    fn code(self, row: u32) -> u32 {
        row
    }

    #[inline(always)]
    fn is_same(self, row: u32, other: u32) -> bool {
        self.0[row as usize] == self.0[other as usize]
    }
}

/// The node's entries in order of level; from the code `missing` on they are of missing values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortedView<'a, L = &'a RowCodes> {
    pub(crate) entries: &'a [u32],
    pub(crate) packing: EntryLayout,
    pub(crate) levels: L,
    pub(crate) missing: u32,
    /// No two rows share a level.
    pub(crate) distinct: bool,
}

impl SortedView<'_> {
    /// The codes of some rows.
    pub(crate) fn codes_of(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.levels.code(row)).collect()
    }

    /// Whether the entries do not all share one code.
    pub(crate) fn varies(&self) -> bool {
        self.entries.len() > 1 && self.code(0) != self.code(self.entries.len() - 1)
    }
}

impl<L: RowLevels> SortedView<'_, L> {
    #[inline(always)]
    fn row(&self, at: usize) -> u32 {
        self.packing.row(self.entries[at])
    }

    #[inline(always)]
    pub(crate) fn code(&self, at: usize) -> u32 {
        self.levels.code(self.row(at))
    }

    /// How many rows have a value; the missing ones come last.
    pub(crate) fn n_known(&self) -> usize {
        let is_known = |&entry: &u32| self.levels.code(self.packing.row(entry)) < self.missing;
        match self.entries.last() {
            Some(last) if !is_known(last) => self.entries.partition_point(is_known),
            _ => self.entries.len(),
        }
    }

    /// Where the level that begins at `at` ends, before `n_known`.
    #[inline(always)]
    pub(crate) fn level_end(&self, at: usize, n_known: usize) -> usize {
        let mut end = at + 1;
        if !self.distinct {
            let row = self.row(at);
            while end < n_known && self.levels.is_same(row, self.row(end)) {
                end += 1;
            }
        }
        end
    }

    /// Whether all known rows, of which there are some, share a level.
    pub(crate) fn is_one_level(&self, n_known: usize) -> bool {
        self.levels.is_same(self.row(0), self.row(n_known - 1))
    }

    /// The rows of the first entries, in row order.
    fn rows(&self, n_entries: usize) -> Vec<u32> {
        let entries = self.entries[..n_entries].iter();
        let mut rows: Vec<u32> = entries.map(|&entry| self.packing.row(entry)).collect();
        rows.sort_unstable();
        rows
    }

    /// Levels present.
    pub(crate) fn n_levels(&self) -> usize {
        let n_known = self.n_known();
        if self.distinct {
            return n_known;
        }
        (0..n_known).filter(|&at| at == 0 || self.is_boundary(at)).count()
    }

    /// Whether a level ends before `at`.
    #[inline(always)]
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        self.distinct || !self.levels.is_same(self.row(at - 1), self.row(at))
    }
}

impl View<'_> {
    /// The node's rows, in row order.
    pub(crate) fn rows(&self) -> Vec<u32> {
        match self {
            View::Sorted(view) => view.rows(view.entries.len()),
            View::ByRow { rows, .. } => rows.to_vec(),
        }
    }

    /// The rows whose value is known, in row order.
    pub(crate) fn known_rows(&self) -> Vec<u32> {
        match self {
            View::Sorted(view) => view.rows(view.n_known()),
            &View::ByRow { codes, rows, missing } => {
                let known = |row: &u32| u32::from(codes[*row as usize]) < missing;
                rows.iter().copied().filter(known).collect()
            }
        }
    }
}

/// The buckets of the levels present, in level order, and the missing rows apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets<N> {
    pub(crate) width: usize,
    /// The code of each bucket.
    pub(crate) codes: Vec<u32>,
    /// Its rows.
    pub(crate) rows: Vec<u32>,
    /// Its stat, `width` numbers of it.
    pub(crate) stats: Vec<N>,
    pub(crate) missing: Vec<N>,
    pub(crate) missing_rows: u32,
}

impl<N: Num> Buckets<N> {
    /// Levels present.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether the rows do not all share one code.
    pub(crate) fn varies(&self) -> bool {
        self.len() + usize::from(self.missing_rows > 0) > 1
    }

    pub(crate) fn stat(&self, bucket: usize) -> &[N] {
        &self.stats[bucket * self.width..(bucket + 1) * self.width]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[N]> {
        self.stats.chunks_exact(self.width)
    }

    /// The stat of all rows whose value is known.
    pub(crate) fn known(&self) -> StatVec<N> {
        let mut stats = self.iter();
        match stats.next() {
            None => smallvec![N::default(); self.width],
            Some(first) => {
                let mut known = StatVec::from_slice(first);
                stats.for_each(|stat| crate::split::add(&mut known, stat));
                known
            }
        }
    }

    pub(crate) fn known_rows(&self) -> u32 {
        self.rows.iter().sum()
    }

    /// Which bucket has a code. Codes need not ascend.
    pub(crate) fn at(&self, code: u32) -> usize {
        self.codes.iter().take_while(|&&c| c != code).count()
    }

    /// The same buckets in another order.
    pub(crate) fn permuted(&self, order: &[usize]) -> Buckets<N> {
        let mut stats = Vec::new();
        gather(&self.stats, self.width, order.iter().copied(), &mut stats);
        Buckets {
            width: self.width,
            codes: order.iter().map(|&b| self.codes[b]).collect(),
            rows: order.iter().map(|&b| self.rows[b]).collect(),
            stats,
            missing: self.missing.clone(),
            missing_rows: self.missing_rows,
        }
    }

    /// Some neighbouring buckets, without the missing rows.
    pub(crate) fn part(&self, buckets: Range<usize>) -> Buckets<N> {
        Buckets {
            width: self.width,
            codes: self.codes[buckets.clone()].to_vec(),
            rows: self.rows[buckets.clone()].to_vec(),
            stats: self.stats[buckets.start * self.width..buckets.end * self.width].to_vec(),
            missing: vec![N::default(); self.width],
            missing_rows: 0,
        }
    }

    /// Neighbours taken together: a new bucket begins at each of `starts`, which ascend, and
    /// has the code of its lowest level.
    pub(crate) fn merged(&self, starts: &[usize]) -> Buckets<N> {
        let mut merged = Buckets {
            width: self.width,
            missing: self.missing.clone(),
            missing_rows: self.missing_rows,
            ..Buckets::default()
        };
        for (at, stat) in self.iter().enumerate() {
            if at == 0 || starts.binary_search(&at).is_ok() {
                merged.open(self.codes[at]);
            }
            let last = merged.len() - 1;
            merged.rows[last] += self.rows[at];
            crate::split::add(&mut merged.stats[last * self.width..], stat);
        }
        merged
    }

    /// Missing as one more level, after the others.
    pub(crate) fn make_missing_a_level(&mut self, code: u32) {
        if self.missing_rows > 0 {
            self.codes.push(code);
            self.rows.push(std::mem::take(&mut self.missing_rows));
            self.stats.append(&mut self.missing);
            self.missing.resize(self.width, N::default());
        }
    }

    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        self.codes.clear();
        self.rows.clear();
        self.stats.clear();
        self.missing.clear();
        self.missing.resize(width, N::default());
        self.missing_rows = 0;
    }
}

impl<N: Num> Buckets<N> {
    pub(super) fn take_counted(&mut self, stat: &impl Stat<Num = N>, table: &[N], rows: &[u32]) {
        let Some(missing) = (table.len() / self.width).checked_sub(1) else { return };
        let n_rows = |code: usize, counted: &[N]| match rows {
            [] => stat.weight(stat.units(counted)) as u32,
            rows => rows[code],
        };
        self.codes.resize(missing, 0);
        self.rows.resize(missing, 0);
        // Without a jump: which levels are there is not foreseen.
        let mut n_levels = 0;
        for (code, counted) in table.chunks_exact(self.width).take(missing).enumerate() {
            let n_rows = n_rows(code, counted);
            self.codes[n_levels] = code as u32;
            self.rows[n_levels] = n_rows;
            n_levels += usize::from(n_rows > 0);
        }
        self.codes.truncate(n_levels);
        self.rows.truncate(n_levels);
        gather(table, self.width, self.codes.iter().map(|&code| code as usize), &mut self.stats);
        let of_missing = &table[missing * self.width..];
        self.missing.copy_from_slice(of_missing);
        self.missing_rows = n_rows(missing, of_missing);
    }

    /// Opens an empty bucket after the others.
    pub(super) fn open(&mut self, code: u32) {
        self.codes.push(code);
        self.rows.push(0);
        self.stats.resize(self.stats.len() + self.width, N::default());
    }
}

/// Appends some stats of a table.
fn gather<N: Num>(
    table: &[N],
    width: usize,
    which: impl ExactSizeIterator<Item = usize>,
    to: &mut Vec<N>,
) {
    to.reserve(width * which.len());
    if width == 2 {
        // RadixPass all: as one, and not by a copy of unknown length.
        let (stats, _) = table.as_chunks::<2>();
        to.extend(which.flat_map(|at| stats[at]));
    } else {
        which.for_each(|at| to.extend_from_slice(&table[at * width..(at + 1) * width]));
    }
}
