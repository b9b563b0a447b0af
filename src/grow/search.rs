//! The search of one node: columns one by one, the columns of a pack together.

use std::ops::Range;
use std::sync::Arc;

use super::best_gain::BestGain;
use super::grower::{ColumnsToSearch, Grower};
use super::histogram::Histogram;
use super::histogram::few_rows::FEW_ROWS;
use super::histogram::packed_columns::PackedColumns;
use super::node::{NodeHistograms, OpenNode};
use super::partition::Partition;
use super::scratch::{Pool, ThreadScratch};
use super::stored::StoredCodes;
use crate::data::dtype::Kind;
use crate::split::{
    Buckets, Candidate, DrawnSplit, PresortedView, RowLevels, Scratch, SplitPolicy,
    best_of_buckets, best_of_presorted,
};
use crate::stat::{Rating, RowStats};
use crate::util::parallel;

/// Columns that are searched together, or one.
enum SearchTask<N> {
    Alone { column: u32, highest: f64 },
    Packed { pack: usize, columns: Vec<usize>, histogram: Option<Histogram<N>> },
}

struct SearchedColumn {
    column: u32,
    candidate: Option<Candidate>,
    varies: bool,
}

pub(super) struct NodeSearch<N> {
    /// The columns' best candidates, in the order in which equals are chosen.
    pub(super) candidates: Vec<(u32, Candidate)>,
    /// The columns that vary in the node, or were not searched.
    pub(super) varying: Arc<[u32]>,
    pub(super) histograms: NodeHistograms<N>,
}

struct Searcher<'a, S: RowStats> {
    grower: &'a Grower<'a>,
    partition: &'a Partition<S>,
    node: &'a OpenNode<S::Num>,
    columns: ColumnsToSearch,
    policy: SplitPolicy,
    best_gain: BestGain,
}

impl Grower<'_> {
    pub(super) fn search<S: RowStats>(
        &self,
        partition: &Partition<S>,
        node: &mut OpenNode<S::Num>,
        pool: &Pool<S>,
    ) -> NodeSearch<S::Num> {
        let histograms = std::mem::take(&mut node.histograms);
        let best_gain = BestGain::new(self.selector.goes_by_gain(), !node.is_large());
        let policy = self.policy_at(partition.stats.rating(), node.impurity);
        let columns = self.columns_to_search(partition, node);
        let searcher = Searcher { grower: self, partition, node, columns, policy, best_gain };
        if searcher.best_gain.in_order {
            return pool.with(|scratch| searcher.in_order(histograms, scratch));
        }
        searcher.by_tasks(histograms, pool)
    }
}

impl<S: RowStats> Searcher<'_, S> {
    /// One column after the other.
    fn in_order(
        &self,
        mut histograms: NodeHistograms<S::Num>,
        scratch: &mut ThreadScratch<S::Num>,
    ) -> NodeSearch<S::Num> {
        let rows = &self.partition.rows[self.node.range.clone()];
        let (stats, total) = (&self.partition.stats, &self.node.total);
        let highest = self.grower.rule_bound(&self.policy, stats, rows, total, &mut scratch.lefts);
        let (mut candidates, mut constant) = (Vec::new(), Vec::new());
        for &column in self.columns.in_tie_order.iter() {
            if self.best_gain.ends_search(highest) {
                break;
            }
            let found = match self.partition.column(column).codes {
                StoredCodes::Packed { pack, index } => {
                    self.packed(column, pack, index, &mut histograms, scratch)
                }
                _ => self.alone(column, scratch),
            };
            candidates.extend(found.candidate.map(|candidate| (column, candidate)));
            if !found.varies {
                constant.push(column);
            }
        }
        NodeSearch { candidates, varying: self.all_but(constant), histograms }
    }

    /// The node's columns without some.
    fn all_but(&self, mut constant: Vec<u32>) -> Arc<[u32]> {
        constant.sort_unstable();
        let varies = |column: &&u32| constant.binary_search(column).is_err();
        match constant.is_empty() {
            true => Arc::clone(&self.node.columns),
            false => self.node.columns.iter().filter(varies).copied().collect(),
        }
    }

    /// Columns and packs, in parallel.
    fn by_tasks(&self, histograms: NodeHistograms<S::Num>, pool: &Pool<S>) -> NodeSearch<S::Num> {
        let mut tasks = self.tasks(histograms);
        self.promising_first(&mut tasks);
        let run = |task: &mut SearchTask<S::Num>| {
            let mut found = Vec::new();
            pool.with(|scratch| self.run(task, scratch, &mut found));
            found
        };
        let found = parallel::map(&mut tasks, run).into_iter();
        let mut found: Vec<SearchedColumn> = found.flatten().collect();
        found.sort_unstable_by_key(|f: &SearchedColumn| f.column);
        let histograms = tasks.into_iter().filter_map(|task| match task {
            SearchTask::Packed { pack, histogram, .. } => Some((pack, histogram?)),
            SearchTask::Alone { .. } => None,
        });
        let constant = found.iter().filter(|f| !f.varies).map(|f| f.column).collect();
        let candidates = self.columns.in_tie_order.iter().filter_map(|&column| {
            let at = found.binary_search_by_key(&column, |f| f.column).ok()?;
            Some((column, found[at].candidate.take()?))
        });
        NodeSearch {
            candidates: candidates.collect(),
            varying: self.all_but(constant),
            histograms: histograms.collect(),
        }
    }

    /// The node's columns: the ones that stand alone in order, then packs.
    fn tasks(&self, mut histograms: NodeHistograms<S::Num>) -> Vec<SearchTask<S::Num>> {
        let columns = &self.columns.ascending;
        let mut tasks = Vec::with_capacity(columns.len());
        tasks.extend(columns.iter().filter_map(|&column| {
            let task = SearchTask::Alone { column, highest: f64::INFINITY };
            (!self.partition.column(column).is_packed()).then_some(task)
        }));
        for pack in 0..self.partition.stored.packs.len() {
            let columns = self.partition.columns_in_pack(pack, columns);
            if !columns.is_empty() {
                let known = histograms.iter().position(|(of, _)| *of == pack);
                let histogram = known.map(|at| histograms.swap_remove(at).1);
                tasks.push(SearchTask::Packed { pack, columns, histogram });
            }
        }
        tasks
    }

    /// Bounds the gains of presorted columns where their payloads allow it, and sorts the tasks by
    /// them: after the first columns most others need no search.
    fn promising_first(&self, tasks: &mut [SearchTask<S::Num>]) {
        let layout = self.partition.layout;
        if self.partition.stats.payloads_are_stats()
            || !layout.has_payloads()
            || !self.best_gain.applies
        {
            return;
        }
        parallel::for_each(&mut *tasks, |task| {
            if let SearchTask::Alone { column, highest } = task
                && self.partition.column(*column).kind == Kind::Ordered
                && let Some(view) = self.partition.presorted(*column, self.node.range.clone())
                && view.varies()
            {
                let n_known = view.n_known();
                let rated = match self.policy.missing.rates_all_rows() {
                    true => view.entries,
                    false => &view.entries[..n_known],
                };
                *highest = self.partition.stats.payload_bound(rated, layout, n_known);
            }
        });
        let highest = |task: &SearchTask<S::Num>| match task {
            SearchTask::Alone { highest, .. } => *highest,
            SearchTask::Packed { .. } => f64::INFINITY,
        };
        tasks.sort_by(|a, b| highest(b).total_cmp(&highest(a)));
    }

    fn run(
        &self,
        task: &mut SearchTask<S::Num>,
        scratch: &mut ThreadScratch<S::Num>,
        found: &mut Vec<SearchedColumn>,
    ) {
        match task {
            SearchTask::Alone { column, highest } => {
                found.push(match *highest < self.best_gain.get() {
                    true => SearchedColumn { column: *column, candidate: None, varies: true },
                    false => self.alone(*column, scratch),
                });
            }
            SearchTask::Packed { .. } if self.grower.is_interrupted() => {}
            SearchTask::Packed { pack, columns, histogram } => {
                let pack = &self.partition.stored.packs[*pack];
                let histogram = histogram.get_or_insert_with(|| self.count(pack, columns));
                for &index in columns.iter() {
                    found.push(self.counted(pack, index, histogram, scratch));
                }
            }
        }
    }

    fn count(&self, pack: &PackedColumns, columns: &[usize]) -> Histogram<S::Num> {
        let rows = &self.partition.rows[self.node.range.clone()];
        Histogram::count(pack, &self.partition.stats, rows, columns)
    }

    /// The best candidate of a packed column that was counted.
    fn counted(
        &self,
        pack: &PackedColumns,
        index: usize,
        histogram: &Histogram<S::Num>,
        scratch: &mut ThreadScratch<S::Num>,
    ) -> SearchedColumn {
        let column = pack.columns[index];
        let rating = self.partition.stats.rating();
        let (by_code, rows) = histogram.of_column(pack, index, rating.width());
        let buckets = &mut scratch.column.buckets;
        buckets.fill_from(rating, by_code, rows);
        let candidate = self.of_buckets(column, buckets);
        self.best_gain.raise(&candidate);
        SearchedColumn { column, candidate, varies: buckets.varies() }
    }

    /// The best candidate of a packed column, from its histogram or, where the rows are few, from
    /// the rows. Adds a histogram that is counted.
    fn packed(
        &self,
        column: u32,
        pack: usize,
        index: usize,
        histograms: &mut NodeHistograms<S::Num>,
        scratch: &mut ThreadScratch<S::Num>,
    ) -> SearchedColumn {
        if self.grower.is_interrupted() {
            return SearchedColumn { column, candidate: None, varies: false };
        }
        let at = pack;
        let pack = &self.partition.stored.packs[at];
        let known = histograms.iter().position(|(of, _)| *of == at);
        if known.is_none() && self.node.range.len() <= FEW_ROWS {
            return self.of_few_rows(column, pack, index, scratch);
        }
        let known = known.unwrap_or_else(|| {
            let columns = self.partition.columns_in_pack(at, &self.columns.ascending);
            histograms.push((at, self.count(pack, &columns)));
            histograms.len() - 1
        });
        self.counted(pack, index, &histograms[known].1, scratch)
    }

    /// The best candidate of a packed column in a node of few rows, which are put in order of level.
    fn of_few_rows(
        &self,
        column: u32,
        pack: &PackedColumns,
        index: usize,
        scratch: &mut ThreadScratch<S::Num>,
    ) -> SearchedColumn {
        let Partition { stats, layout, .. } = self.partition;
        let (levels, rows) = (pack.levels(index), &self.partition.rows[self.node.range.clone()]);
        let entry = |row| layout.entry_by(row, |row| stats.payload(row));
        let ThreadScratch { column: buffers, sorted, .. } = scratch;
        let varies = sorted.sort(levels, rows, entry);
        let candidate = varies.then(|| {
            let missing = self.partition.column(column).missing;
            let (entries, layout) = (&sorted.entries[..], *layout);
            let view = PresortedView { entries, layout, levels, missing, is_distinct: false };
            self.of_entries(column, view, buffers)
        });
        let candidate = candidate.flatten();
        self.best_gain.raise(&candidate);
        SearchedColumn { column, candidate, varies }
    }

    /// The best candidate of a column that is in no pack.
    fn alone(&self, column: u32, scratch: &mut ThreadScratch<S::Num>) -> SearchedColumn {
        if self.grower.is_interrupted() {
            return SearchedColumn { column, candidate: None, varies: false };
        }
        match &self.partition.column(column).codes {
            StoredCodes::Unordered(codes) => self.unordered(column, codes, &mut scratch.column),
            _ => self.presorted(column, &mut scratch.column),
        }
    }

    /// The candidate that is drawn of rows in no order.
    fn unordered(
        &self,
        column: u32,
        codes: &[u32],
        scratch: &mut Scratch<S::Num>,
    ) -> SearchedColumn {
        let Partition { stats, rows, .. } = self.partition;
        let coded = rows[self.node.range.clone()].iter().map(|&row| (row, codes[row as usize]));
        let (policy, missing) = (self.policy_of(column), self.partition.column(column).missing);
        let candidate = self
            .drawn_split(column)
            .and_then(|drawn| drawn.of_rows(&policy, stats, coded, missing, scratch));
        self.best_gain.raise(&candidate);
        SearchedColumn { column, candidate, varies: scratch.buckets.varies() }
    }

    fn presorted(&self, column: u32, scratch: &mut Scratch<S::Num>) -> SearchedColumn {
        let range: Range<usize> = self.node.range.clone();
        let view = self.partition.presorted(column, range.clone()).filter(|view| view.varies());
        let varies = view.is_some();
        let candidate =
            view.and_then(|view| match self.partition.fill_by_row(column, range, view, scratch) {
                true => self.of_buckets(column, &scratch.buckets),
                false => self.of_entries(column, view, scratch),
            });
        self.best_gain.raise(&candidate);
        SearchedColumn { column, candidate, varies }
    }

    fn drawn_split(&self, column: u32) -> Option<DrawnSplit<'_>> {
        let draws = self.grower.split_draws.as_ref()?;
        Some(draws.of_column(column, self.node.path, &self.partition.stored))
    }

    /// The best candidate of a column's buckets, or the one that is drawn.
    fn of_buckets(&self, column: u32, buckets: &Buckets<S::Num>) -> Option<Candidate> {
        let (rating, policy) = (self.partition.stats.rating(), self.policy_of(column));
        let kind = self.partition.column(column).kind;
        match self.drawn_split(column) {
            None => best_of_buckets(&policy, rating, kind, buckets),
            Some(drawn) => drawn.of_buckets(&policy, rating, kind, buckets),
        }
    }

    /// The same of a column's entries in order of level.
    fn of_entries<L: RowLevels>(
        &self,
        column: u32,
        view: PresortedView<L>,
        scratch: &mut Scratch<S::Num>,
    ) -> Option<Candidate> {
        let (stats, policy) = (&self.partition.stats, self.policy_of(column));
        let kind = self.partition.column(column).kind;
        match self.drawn_split(column) {
            None => best_of_presorted(&policy, stats, &self.node.total, kind, view, scratch),
            Some(drawn) => drawn.of_presorted(&policy, stats, kind, view, scratch),
        }
    }

    fn policy_of(&self, column: u32) -> SplitPolicy {
        let policy = self.grower.policy_of(column, &self.policy);
        SplitPolicy { gain_floor: self.best_gain.get(), ..policy }
    }
}
