//! Bucketing: the rows of a node that share a code, reduced to a stat.

use std::ops::Range;

use crate::column::Entry;
use crate::stat::{Num, Stat};

/// The codes of one column at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'a> {
    /// The node's entries in order of code; codes from `missing` on are missing.
    Sorted { entries: &'a [Entry], missing: u32 },
    /// The codes of all rows, and which rows are the node's.
    ByRow { codes: &'a [u16], rows: &'a [u32], missing: u32 },
}

impl View<'_> {
    /// The node's rows.
    pub(crate) fn rows(&self) -> Vec<u32> {
        match self {
            View::Sorted { entries, .. } => entries.iter().map(|e| e.row).collect(),
            View::ByRow { rows, .. } => rows.to_vec(),
        }
    }

    /// The rows whose value is known.
    pub(crate) fn known_rows(&self) -> Vec<u32> {
        match *self {
            View::Sorted { entries, missing } => {
                entries.iter().filter(|e| e.code < missing).map(|e| e.row).collect()
            }
            View::ByRow { codes, rows, missing } => {
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
    pub(crate) fn known(&self) -> Vec<N> {
        let mut known = vec![N::default(); self.width];
        self.iter().for_each(|stat| super::add(&mut known, stat));
        known
    }

    pub(crate) fn known_rows(&self) -> u32 {
        self.rows.iter().sum()
    }

    /// The same buckets in another order.
    pub(crate) fn permuted(&self, order: &[usize]) -> Buckets<N> {
        Buckets {
            width: self.width,
            codes: order.iter().map(|&b| self.codes[b]).collect(),
            rows: order.iter().map(|&b| self.rows[b]).collect(),
            stats: order.iter().flat_map(|&b| self.stat(b)).copied().collect(),
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
            super::add(&mut merged.stats[last * self.width..], stat);
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

    fn clear(&mut self, width: usize) {
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
    /// Opens an empty bucket after the others.
    fn open(&mut self, code: u32) {
        self.codes.push(code);
        self.rows.push(0);
        self.stats.resize(self.stats.len() + self.width, N::default());
    }
}

/// Memory for the buckets of one column at a time, reused between columns and nodes.
#[derive(Debug, Default)]
pub(crate) struct Scratch<N> {
    pub(crate) buckets: Buckets<N>,
    table: Vec<N>,
    table_rows: Vec<u32>,
    few: Vec<Entry>,
}

impl<N: Num> Scratch<N> {
    /// Fills the buckets of a view. Linear in its rows, plus for a view by row either its
    /// levels times the stat's width (a table) or `r log r` (sorted afresh), whichever is cheaper.
    pub(crate) fn fill(&mut self, stat: &impl Stat<Num = N>, view: View) {
        self.buckets.clear(stat.width());
        match view {
            View::Sorted { entries, missing } => self.walk(stat, entries, missing),
            View::ByRow { codes, rows, missing } => {
                // Sorting r entries in cache costs about log2 r table slots each.
                let sort_cost = rows.len() * (rows.len().max(2).ilog2() as usize);
                if (missing as usize + 1) * stat.width() <= sort_cost {
                    self.count(stat, codes, rows, missing);
                } else {
                    let mut few = std::mem::take(&mut self.few);
                    few.clear();
                    few.extend(
                        rows.iter().map(|&row| Entry { code: codes[row as usize].into(), row }),
                    );
                    few.sort_unstable_by_key(|e| e.code);
                    self.walk(stat, &few, missing);
                    self.few = few;
                }
            }
        }
    }

    /// Walks entries in order of code: each change of code is the next bucket.
    fn walk(&mut self, stat: &impl Stat<Num = N>, entries: &[Entry], missing: u32) {
        let known = entries.partition_point(|e| e.code < missing);
        let buckets = &mut self.buckets;
        let width = buckets.width;
        // Room for a bucket an entry, cut to length afterwards: pushing bucket by bucket made the
        // whole growth on distinct columns a quarter slower.
        buckets.codes.resize(known, 0);
        buckets.rows.resize(known, 0);
        buckets.stats.resize(known * width, N::default());
        let mut n_buckets = 0;
        let mut last = missing;
        for e in &entries[..known] {
            n_buckets += usize::from(e.code != last);
            last = e.code;
            let at = n_buckets - 1;
            buckets.codes[at] = e.code;
            buckets.rows[at] += 1;
            stat.add(e.row, &mut buckets.stats[at * width..(at + 1) * width]);
        }
        buckets.codes.truncate(n_buckets);
        buckets.rows.truncate(n_buckets);
        buckets.stats.truncate(n_buckets * width);
        for e in &entries[known..] {
            stat.add(e.row, &mut buckets.missing);
        }
        buckets.missing_rows = (entries.len() - known) as u32;
    }

    /// Counts codes into a table: an exact histogram.
    fn count(&mut self, stat: &impl Stat<Num = N>, codes: &[u16], rows: &[u32], missing: u32) {
        let k = stat.width();
        let n_codes = missing as usize + 1;
        self.table.clear();
        self.table.resize(n_codes * k, N::default());
        self.table_rows.clear();
        self.table_rows.resize(n_codes, 0);
        for &row in rows {
            let code = usize::from(codes[row as usize]);
            self.table_rows[code] += 1;
            stat.add(row, &mut self.table[code * k..(code + 1) * k]);
        }
        let buckets = &mut self.buckets;
        for code in 0..n_codes - 1 {
            if self.table_rows[code] > 0 {
                buckets.codes.push(code as u32);
                buckets.rows.push(self.table_rows[code]);
                buckets.stats.extend_from_slice(&self.table[code * k..(code + 1) * k]);
            }
        }
        buckets.missing.copy_from_slice(&self.table[(n_codes - 1) * k..]);
        buckets.missing_rows = self.table_rows[n_codes - 1];
    }
}
