//! From the rows of one column at one node to buckets.

use super::contenders::{Contenders, ScanBuffers};
use super::{Buckets, ColumnView, PresortedView, RowLevels};
use crate::data::column::EntryLayout;
use crate::stat::{CountRows, Num, Rating};

/// Memory for the search of one column at a time, reused between columns and nodes.
#[derive(Debug, Default)]
pub(crate) struct Scratch<N> {
    pub(crate) buckets: Buckets<N>,
    /// Entries of a view with payloads of their own.
    pub(crate) entries: Vec<u32>,
    histogram: Vec<N>,
    histogram_rows: Vec<u32>,
    pub(super) contenders: Contenders<N>,
    pub(super) buffers: ScanBuffers<N>,
}

impl<N: Num> Scratch<N> {
    /// Fills the buckets of a view. Linear in its rows, plus for a view by row its levels times
    /// the stat's width.
    pub(crate) fn fill(&mut self, rows: &impl CountRows<Num = N>, view: ColumnView) {
        match view {
            ColumnView::Presorted(view) => self.fill_presorted(rows, view),
            ColumnView::ByRow { codes, rows: of_node, missing } => {
                let coded = of_node.iter().map(|&row| (row, u32::from(codes[row as usize])));
                self.fill_counting(rows, coded, missing);
            }
        }
    }

    /// Walks entries in order of code, a bucket a level.
    pub(super) fn fill_presorted<L: RowLevels>(
        &mut self,
        rows: &impl CountRows<Num = N>,
        view: PresortedView<L>,
    ) {
        let n_known = view.n_known();
        let buckets = &mut self.buckets;
        buckets.clear(rows.rating().width());
        let mut at = 0;
        while at < n_known {
            let end = view.level_end(at, n_known);
            let stat = buckets.push(view.code(at), (end - at) as u32);
            rows.add_entries(&view.entries[at..end], view.layout, stat);
            at = end;
        }
        rows.add_entries(&view.entries[n_known..], view.layout, &mut buckets.missing);
        buckets.missing_rows = (view.entries.len() - n_known) as u32;
    }

    /// Counts rows, given with their codes, into a histogram; missing has the highest code.
    /// Linear in the rows and the codes.
    pub(crate) fn fill_counting<S: CountRows<Num = N>>(
        &mut self,
        rows: &S,
        coded: impl Iterator<Item = (u32, u32)>,
        missing: u32,
    ) {
        let (n_codes, width) = (missing as usize + 1, rows.rating().width());
        self.histogram.clear();
        self.histogram.resize(n_codes * width, N::default());
        self.histogram_rows.clear();
        if rows.rating().counts_rows() {
            coded.for_each(|(row, code)| {
                S::add_at(rows.increment(row), code as usize * width, &mut self.histogram);
            });
        } else {
            self.histogram_rows.resize(n_codes, 0);
            coded.for_each(|(row, code)| {
                self.histogram_rows[code as usize] += 1;
                S::add_at(rows.increment(row), code as usize * width, &mut self.histogram);
            });
        }
        self.buckets.fill_from(rows.rating(), &self.histogram, &self.histogram_rows);
    }

    /// Fills the buckets with entries in order of level; each level has as many as its size. What
    /// comes after them is missing.
    pub(crate) fn fill_sizes(
        &mut self,
        rows: &impl CountRows<Num = N>,
        entries: &[u32],
        layout: EntryLayout,
        sizes: &[u32],
    ) {
        let buckets = &mut self.buckets;
        buckets.clear(rows.rating().width());
        let mut rest = entries;
        for (level, &size) in (0..).zip(sizes) {
            let (of_level, others) = rest.split_at(size as usize);
            rows.add_entries(of_level, layout, buckets.push(level, size));
            rest = others;
        }
        rows.add_entries(rest, layout, &mut buckets.missing);
        buckets.missing_rows = rest.len() as u32;
    }
}
