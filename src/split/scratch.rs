//! From the rows of one column at one node to buckets.

use std::iter::once;

use crate::split::contenders::Contenders;
use crate::split::{Buckets, SortedView, View};
use crate::stat::{Num, Stat};

/// Memory for the buckets of one column at a time, reused between columns and nodes.
#[derive(Debug, Default)]
pub(crate) struct Scratch<N> {
    pub(crate) buckets: Buckets<N>,
    table: Vec<N>,
    table_rows: Vec<u32>,
    pub(super) contenders: Contenders<N>,
    pub(super) memory: Memory<N>,
}

/// What a look for contenders works with.
#[derive(Debug, Default)]
pub(super) struct Memory<N> {
    pub(super) stats: Vec<N>,
    pub(super) ends: Vec<usize>,
    pub(super) borders: Vec<N>,
    pub(super) proxies: Vec<f64>,
    pub(super) bounds: Vec<f64>,
}

impl<N: Num> Scratch<N> {
    /// Fills the buckets of a view. Linear in its rows, plus for a view by row its levels times
    /// the stat's width.
    pub(crate) fn fill(&mut self, stat: &impl Stat<Num = N>, view: View) {
        self.buckets.clear(stat.width());
        match view {
            View::Sorted(view) => self.walk(stat, view),
            View::ByRow { codes, rows, missing } => {
                let coded = rows.iter().map(|&row| (row, u32::from(codes[row as usize])));
                self.count(stat, coded, missing);
            }
        }
    }

    /// Fills the buckets by counting rows with their codes; missing has the highest. Linear in
    /// the rows and the codes.
    pub(crate) fn fill_counting(
        &mut self,
        stat: &impl Stat<Num = N>,
        coded: impl Iterator<Item = (u32, u32)>,
        missing: u32,
    ) {
        self.buckets.clear(stat.width());
        self.count(stat, coded, missing);
    }

    /// Walks entries in order of code, a bucket a level.
    fn walk(&mut self, stat: &impl Stat<Num = N>, view: SortedView) {
        let n_known = view.n_known();
        let buckets = &mut self.buckets;
        let mut at = 0;
        while at < n_known {
            let end = view.level_end(at, n_known);
            buckets.open(view.code(at));
            let bucket = buckets.len() - 1;
            buckets.rows[bucket] = (end - at) as u32;
            let stats = &mut buckets.stats[bucket * buckets.width..];
            stat.take(&view.entries[at..end], view.packing, stats);
            at = end;
        }
        stat.take(&view.entries[n_known..], view.packing, &mut buckets.missing);
        buckets.missing_rows = (view.entries.len() - n_known) as u32;
    }

    /// Counts rows by their codes into a table: an exact histogram.
    fn count(
        &mut self,
        stat: &impl Stat<Num = N>,
        coded: impl Iterator<Item = (u32, u32)>,
        missing: u32,
    ) {
        let k = stat.width();
        let n_codes = missing as usize + 1;
        self.table.clear();
        self.table.resize(n_codes * k, N::default());
        self.table_rows.clear();
        if stat.counts_rows() {
            coded.for_each(|(row, code)| stat.add_at(row, once(code as usize), &mut self.table));
        } else {
            self.table_rows.resize(n_codes, 0);
            coded.for_each(|(row, code)| {
                self.table_rows[code as usize] += 1;
                stat.add_at(row, once(code as usize), &mut self.table);
            });
        }
        self.buckets.take_counted(stat, &self.table, &self.table_rows);
    }

    /// Fills the buckets from a table: a stat a code, the missing one's last. `rows` are those of
    /// each code, none where stats tell.
    pub(crate) fn fill_counted(&mut self, stat: &impl Stat<Num = N>, table: &[N], rows: &[u32]) {
        self.buckets.clear(stat.width());
        self.buckets.take_counted(stat, table, rows);
    }
}
