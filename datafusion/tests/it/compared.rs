//! A store whose every answer is compared with that of a store that looks at each row.

use std::sync::Arc;

use arrow::array::RecordBatch;
use gaintree::engine::*;

use crate::naive::NaiveStore;
use crate::store::sorted_rows;

pub struct Compared<S> {
    store: S,
    table: RecordBatch,
    summary: Option<StoreSummary>,
    naive: Option<NaiveStore>,
}

impl<S: RowStore> Compared<S> {
    pub fn new(store: S, table: &RecordBatch) -> Self {
        Compared { store, table: table.clone(), summary: None, naive: None }
    }

    fn naive(&self) -> &NaiveStore {
        self.naive.as_ref().expect("begun")
    }
}

impl<S: RowStore> RowStore for Compared<S> {
    fn features(&self) -> &[StoreColumn] {
        self.store.features()
    }

    fn target(&self) -> &StoreColumn {
        self.store.target()
    }

    fn weight(&self) -> Option<&str> {
        self.store.weight()
    }

    fn limits(&self) -> StoreLimits {
        self.store.limits()
    }

    fn binning(&self, feature: usize) -> Binning {
        self.store.binning(feature)
    }

    fn summarize(&mut self, request: &SummaryRequest) -> gaintree::Result<StoreSummary> {
        let summary = self.store.summarize(request)?;
        self.summary = Some(summary.clone());
        Ok(summary)
    }

    fn weigh(&mut self, weighing: &Weighing) -> gaintree::Result<Weighed> {
        self.store.weigh(weighing)
    }

    fn begin(&mut self, coding: &Arc<Coding>) -> gaintree::Result<()> {
        let summary = self.summary.as_ref().expect("summed up");
        self.naive = Some(NaiveStore::new(
            &self.table,
            &self.store.features().iter().map(|column| column.name.clone()).collect::<Vec<_>>(),
            self.store.weight(),
            coding.as_ref().clone(),
            summary,
        ));
        self.store.begin(coding)
    }

    fn count(&mut self, request: &CountRequest) -> gaintree::Result<Counts> {
        let counts = self.store.count(request)?;
        let wanted = self.naive().count(request);
        let name = |column: u32| &self.store.features()[column as usize].name;
        for ((bins, wanted), asked) in counts.bins.iter().zip(&wanted.bins).zip(&request.bins) {
            let [bins, wanted] = [bins, wanted].map(|counts| of_asked_bins(counts, asked));
            assert_eq!(bins, wanted, "{} {asked:?}", name(asked.column));
        }
        for ((of, wanted), asked) in counts.values.iter().zip(&wanted.values).zip(&request.values) {
            let (of, wanted) = (format!("{of:?}"), format!("{wanted:?}"));
            assert_eq!(of, wanted, "{} {asked:?}", name(asked.column));
        }
        for (moments, asked) in counts.moments.iter().zip(&request.moments) {
            if let Some(wanted) = self.naive().moments(request.tree, asked) {
                assert_eq!(format!("{moments:?}"), format!("{wanted:?}"), "{asked:?}");
            }
        }
        Ok(counts)
    }

    fn gather(&mut self, tree: &GrowingTree, nodes: &[u32]) -> gaintree::Result<Vec<GatheredRows>> {
        let gathered = self.store.gather(tree, nodes)?;
        for (rows, &node) in gathered.iter().zip(nodes) {
            let wanted = self.naive().gather(tree, node);
            assert_eq!(sorted_rows(rows, self.store.features()), wanted, "node {node}");
        }
        Ok(gathered)
    }
}

/// The rows, the stat and the spread of each bin that was asked for.
fn of_asked_bins(
    counts: &BinCounts,
    asked: &BinRequest,
) -> Vec<(usize, u64, Vec<i128>, Option<i128>)> {
    let n_bins = counts.rows.len();
    let width = counts.stats.len() / n_bins;
    let starts = asked.bins.starts().unwrap_or_default();
    let is_asked = |&bin: &usize| {
        let first = match bin.checked_sub(1) {
            _ if asked.within.is_empty() => return true,
            None => i128::MIN,
            // The last bin is that of missing values.
            Some(before) => match starts.get(before) {
                Some(&start) => start,
                None => return false,
            },
        };
        asked.within.iter().any(|range| range.first <= first && first <= range.last)
    };
    let of_bin = |bin: usize| {
        let stat = counts.stats[bin * width..][..width].to_vec();
        (bin, counts.rows[bin], stat, counts.spreads.get(bin).copied())
    };
    (0..n_bins).filter(is_asked).map(of_bin).collect()
}
