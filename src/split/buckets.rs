//! Bucketing: the rows of a node that share a code, reduced to a stat.

use crate::column::Entry;
use crate::stat::{ClassCounts, Count};

/// The codes of one column at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'a> {
    /// The node's entries in order of code; codes from `missing` on are missing.
    Sorted { entries: &'a [Entry], missing: u32 },
    /// The codes of all rows, and which rows are the node's.
    ByRow { codes: &'a [u16], rows: &'a [u32], missing: u32 },
}

/// The buckets of the levels present, in level order, and the missing rows apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets<N> {
    pub(crate) n_classes: usize,
    /// The code of each bucket.
    pub(crate) codes: Vec<u32>,
    /// Its rows.
    pub(crate) rows: Vec<u32>,
    /// Its class counts, `n_classes` of them.
    pub(crate) stats: Vec<N>,
    pub(crate) missing: Vec<N>,
    pub(crate) missing_rows: u32,
}

impl<N: Count> Buckets<N> {
    /// Levels present.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether the rows do not all share one code.
    pub(crate) fn varies(&self) -> bool {
        self.len() + usize::from(self.missing_rows > 0) > 1
    }

    pub(crate) fn stat(&self, bucket: usize) -> &[N] {
        &self.stats[bucket * self.n_classes..(bucket + 1) * self.n_classes]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[N]> {
        self.stats.chunks_exact(self.n_classes)
    }

    /// The stat of all rows whose value is known.
    pub(crate) fn known(&self) -> Vec<N> {
        let mut known = vec![N::default(); self.n_classes];
        self.iter().for_each(|stat| super::add(&mut known, stat));
        known
    }

    pub(crate) fn known_rows(&self) -> u32 {
        self.rows.iter().sum()
    }

    /// The same buckets in another order.
    pub(crate) fn permuted(&self, order: &[usize]) -> Buckets<N> {
        Buckets {
            n_classes: self.n_classes,
            codes: order.iter().map(|&b| self.codes[b]).collect(),
            rows: order.iter().map(|&b| self.rows[b]).collect(),
            stats: order.iter().flat_map(|&b| self.stat(b)).copied().collect(),
            missing: self.missing.clone(),
            missing_rows: self.missing_rows,
        }
    }

    /// Missing as one more level, after the others.
    pub(crate) fn make_missing_a_level(&mut self, code: u32) {
        if self.missing_rows > 0 {
            self.codes.push(code);
            self.rows.push(std::mem::take(&mut self.missing_rows));
            self.stats.append(&mut self.missing);
            self.missing.resize(self.n_classes, N::default());
        }
    }

    fn clear(&mut self, n_classes: usize) {
        self.n_classes = n_classes;
        self.codes.clear();
        self.rows.clear();
        self.stats.clear();
        self.missing.clear();
        self.missing.resize(n_classes, N::default());
        self.missing_rows = 0;
    }

    /// Opens a bucket for the next code.
    #[inline]
    fn open(&mut self, code: u32) {
        self.codes.push(code);
        self.rows.push(0);
        self.stats.resize(self.stats.len() + self.n_classes, N::default());
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

impl<N: Count> Scratch<N> {
    /// Fills the buckets of a view. Linear in its rows, plus for a view by row either its
    /// levels times classes (a table) or `r log r` (sorted afresh), whichever is cheaper.
    pub(crate) fn fill(&mut self, counts: &ClassCounts<N>, view: View) {
        self.buckets.clear(counts.n_classes);
        match view {
            View::Sorted { entries, missing } => self.walk(counts, entries, missing),
            View::ByRow { codes, rows, missing } => {
                // Sorting r entries in cache costs about log2 r table slots each.
                let sort_cost = rows.len() * (rows.len().max(2).ilog2() as usize);
                if (missing as usize + 1) * counts.n_classes <= sort_cost {
                    self.count(counts, codes, rows, missing);
                } else {
                    let mut few = std::mem::take(&mut self.few);
                    few.clear();
                    few.extend(
                        rows.iter().map(|&row| Entry { code: codes[row as usize].into(), row }),
                    );
                    few.sort_unstable_by_key(|e| e.code);
                    self.walk(counts, &few, missing);
                    self.few = few;
                }
            }
        }
    }

    /// Walks entries in order of code: each change of code opens a bucket.
    fn walk(&mut self, counts: &ClassCounts<N>, entries: &[Entry], missing: u32) {
        let known = entries.partition_point(|e| e.code < missing);
        let buckets = &mut self.buckets;
        let mut last = None;
        for e in &entries[..known] {
            if last != Some(e.code) {
                buckets.open(e.code);
                last = Some(e.code);
            }
            let at = buckets.codes.len() - 1;
            buckets.rows[at] += 1;
            counts.add(e.row, &mut buckets.stats[at * counts.n_classes..]);
        }
        for e in &entries[known..] {
            counts.add(e.row, &mut buckets.missing);
        }
        buckets.missing_rows = (entries.len() - known) as u32;
    }

    /// Counts codes into a table: an exact histogram.
    fn count(&mut self, counts: &ClassCounts<N>, codes: &[u16], rows: &[u32], missing: u32) {
        let k = counts.n_classes;
        let n_codes = missing as usize + 1;
        self.table.clear();
        self.table.resize(n_codes * k, N::default());
        self.table_rows.clear();
        self.table_rows.resize(n_codes, 0);
        for &row in rows {
            let code = usize::from(codes[row as usize]);
            self.table_rows[code] += 1;
            counts.add(row, &mut self.table[code * k..(code + 1) * k]);
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
