//! Histograms of a node's branches from the node's own.

use std::ops::Range;

use super::Histogram;
use crate::grow::node::{NodeHistograms, OpenNode};
use crate::grow::partition::Partition;
use crate::stat::{Rating, RowStats};
use crate::util::parallel;

impl<S: RowStats> Partition<S> {
    /// Gives the open branches of a node their histograms of the columns that vary in it: all but
    /// the largest branch are counted, and the rest of the node's histogram is the largest one's.
    pub(crate) fn subtract_siblings(
        &self,
        histograms: NodeHistograms<S::Num>,
        varying: &[u32],
        branches: &[Range<usize>],
        children: &mut [Option<OpenNode<S::Num>>],
        in_parallel: bool,
    ) {
        let Some(largest) = (0..branches.len()).max_by_key(|&b| branches[b].len()) else { return };
        let n_rows = branches[largest].len();
        let n_others = branches.iter().map(Range::len).sum::<usize>() - n_rows;
        // A deferred node is gathered into other packs first.
        if children[largest].is_none() || self.is_deferred(n_rows) || n_others > n_rows {
            return;
        }
        let width = self.stats.rating().width();
        let of_pack = |(at, mut histogram): (usize, Histogram<S::Num>)| {
            let (pack, columns) = (&self.stored.packs[at], self.columns_in_pack(at, varying));
            // Then the histograms of open nodes never hold more numbers than the pack has codes.
            let pays = |rows: &Range<usize>| pack.n_slots() * width <= rows.len() * columns.len();
            if !pays(&branches[largest]) {
                return Vec::new();
            }
            let mut of_branches = Vec::with_capacity(branches.len());
            for (branch, rows) in branches.iter().enumerate().filter(|(b, _)| *b != largest) {
                let rows_of_branch = &self.rows[rows.clone()];
                let part = Histogram::count(pack, &self.stats, rows_of_branch, &columns);
                histogram.subtract(&part);
                if pays(rows) {
                    of_branches.push((branch, at, part));
                }
            }
            of_branches.push((largest, at, histogram));
            of_branches
        };
        let histograms = parallel::map_if(in_parallel, histograms, of_pack);
        for (branch, pack, histogram) in histograms.into_iter().flatten() {
            if let Some(child) = &mut children[branch] {
                child.histograms.push((pack, histogram));
            }
        }
    }
}
