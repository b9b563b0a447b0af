//! The search of one node: its columns one by one, those of a panel together.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::grow::histogram::Counts;
use crate::grow::partition::{Held, Partition, ThreadScratch};
use crate::grow::{Open, Plan, ScratchOf};
use crate::split::{Candidate, Search};
use crate::stat::Stat;
use crate::util::parallel::Tasks;

/// The counts of some panels at a node.
pub(super) type NodeCounts<N> = Vec<(usize, Counts<N>)>;

/// Columns that are searched together.
enum Task<N> {
    Sorted(u32),
    PackedColumns { panel: usize, places: Vec<usize>, counts: Option<Counts<N>> },
}

/// What a search of a column came to.
struct Searched {
    column: u32,
    candidate: Option<Candidate>,
    varies: bool,
}

/// The highest gain that a column of a node has shown, where no other than the highest can be
/// chosen. A column that cannot come up to it is done with once its proxies are computed: it
/// took 22 % off the instructions of growing a full tree. It changes how much is looked at, never what is found.
struct Bar {
    is_up: bool,
    /// Whether columns are searched in order, so that one that comes up to the bar and no higher
    /// cannot be chosen either.
    in_order: bool,
    /// Its bits, which are in the order of gains: these are never negative.
    gain: AtomicU64,
}

impl Bar {
    fn over(&self, search: &Search) -> Search {
        Search { bar: f64::from_bits(self.gain.load(Relaxed)), ..*search }
    }

    fn raise(&self, candidate: &Option<Candidate>) {
        if let Some(candidate) = candidate
            && self.is_up
        {
            let gain = if self.in_order { candidate.gain.next_up() } else { candidate.gain };
            self.gain.fetch_max(gain.to_bits(), Relaxed);
        }
    }

    /// Whether no column that is still to be searched can be chosen, where none gains more than
    /// this. So a node that one rule makes pure is done with at that rule's column.
    fn is_above(&self, highest_gain: f64) -> bool {
        self.in_order && f64::from_bits(self.gain.load(Relaxed)) > highest_gain
    }
}

/// What a search of a node came to.
pub(super) struct NodeSearch<N> {
    /// The node's columns' best candidates, in column order.
    pub(super) candidates: Vec<(u32, Candidate)>,
    /// The columns that vary in the node, or were not searched.
    pub(super) varying: Arc<[u32]>,
    pub(super) counts: NodeCounts<N>,
}

impl Plan {
    /// Searches a node's columns.
    pub(super) fn search<S: Stat>(
        &self,
        work: &Partition<S>,
        node: &mut Open<S::Num>,
        benches: &ScratchOf<S>,
    ) -> NodeSearch<S::Num> {
        let range = node.range.clone();
        let bar = Bar {
            is_up: self.selector.goes_by_gain(),
            in_order: !node.is_large() && work.panels.is_empty(),
            gain: AtomicU64::new(0),
        };
        if bar.in_order {
            return benches.with(|bench| self.search_in_order(work, node, &bar, bench));
        }
        let mut tasks = work.tasks(&node.columns, std::mem::take(&mut node.counts));
        let search =
            |bench: &mut ThreadScratch<S::Num>, task: &mut Task<S::Num>, to: &mut Vec<Searched>| {
                work.search(&self.search, &bar, task, range.clone(), bench, to);
            };
        let mut found = Vec::with_capacity(node.columns.len());
        if node.is_large() {
            let of_task = |task: &mut Task<S::Num>| {
                let mut found = Vec::new();
                benches.with(|bench| search(bench, task, &mut found));
                found
            };
            found.par_extend(tasks.par_iter_mut().one_item_per_task().flat_map_iter(of_task));
        } else {
            benches.with(|bench| {
                tasks.iter_mut().for_each(|task| search(bench, task, &mut found));
            });
        }
        if !work.panels.is_empty() {
            found.sort_unstable_by_key(|f| f.column);
        }
        let counts = tasks.into_iter().filter_map(|task| match task {
            Task::PackedColumns { panel, counts, .. } => Some((panel, counts?)),
            Task::Sorted(_) => None,
        });
        NodeSearch {
            counts: counts.collect(),
            varying: found.iter().filter(|f| f.varies).map(|f| f.column).collect(),
            candidates: found.into_iter().filter_map(|f| Some((f.column, f.candidate?))).collect(),
        }
    }

    /// The same of a node whose columns are all sorted, one after the other.
    fn search_in_order<S: Stat>(
        &self,
        work: &Partition<S>,
        node: &Open<S::Num>,
        bar: &Bar,
        bench: &mut ThreadScratch<S::Num>,
    ) -> NodeSearch<S::Num> {
        let highest_gain = work.highest_gain(&self.search);
        let (mut candidates, mut constant) = (Vec::new(), Vec::new());
        for &column in node.columns.iter() {
            if bar.is_above(highest_gain) {
                break;
            }
            let found = work.search_sorted(&self.search, bar, column, node.range.clone(), bench);
            candidates.extend(found.candidate.map(|candidate| (column, candidate)));
            if !found.varies {
                constant.push(column);
            }
        }
        let varying = match constant.is_empty() {
            true => Arc::clone(&node.columns),
            false => node
                .columns
                .iter()
                .filter(|c| constant.binary_search(c).is_err())
                .copied()
                .collect(),
        };
        NodeSearch { candidates, varying, counts: Vec::new() }
    }
}

impl<S: Stat> Partition<S> {
    /// A node's columns, in order but for those of panels, which come last.
    fn tasks(&self, columns: &[u32], mut counts: NodeCounts<S::Num>) -> Vec<Task<S::Num>> {
        let mut tasks = Vec::with_capacity(columns.len());
        tasks.extend(columns.iter().filter_map(|&column| {
            let is_sorted = matches!(self.columns[column as usize].held, Held::Sorted(_));
            is_sorted.then_some(Task::Sorted(column))
        }));
        for panel in 0..self.panels.len() {
            let places = self.places_in(panel, columns);
            if !places.is_empty() {
                let known = counts.iter().position(|(of, _)| *of == panel);
                let counts = known.map(|at| counts.swap_remove(at).1);
                tasks.push(Task::PackedColumns { panel, places, counts });
            }
        }
        tasks
    }

    /// The places of some columns in a panel.
    fn places_in(&self, panel: usize, columns: &[u32]) -> Vec<usize> {
        let place_of = |&column: &u32| match self.columns[column as usize].held {
            Held::InPanel { panel: of, place } if of == panel => Some(place),
            _ => None,
        };
        columns.iter().filter_map(place_of).collect()
    }

    fn search(
        &self,
        search: &Search,
        bar: &Bar,
        task: &mut Task<S::Num>,
        range: Range<usize>,
        bench: &mut ThreadScratch<S::Num>,
        found: &mut Vec<Searched>,
    ) {
        match task {
            Task::Sorted(column) => {
                found.push(self.search_sorted(search, bar, *column, range, bench));
            }
            Task::PackedColumns { panel, places, counts } => {
                let panel = &self.panels[*panel];
                let count = || panel.count(&self.stat, &self.rows[range], places);
                let counts = counts.get_or_insert_with(count);
                for &place in places.iter() {
                    let column = panel.columns[place];
                    let (table, rows) = counts.of_column(panel, place, self.stat.width());
                    bench.scratch.fill_counted(&self.stat, table, rows);
                    let candidate = self.best_of_counted(&bar.over(search), column, bench);
                    bar.raise(&candidate);
                    let varies = bench.scratch.buckets.varies();
                    found.push(Searched { column, candidate, varies });
                }
            }
        }
    }

    fn search_sorted(
        &self,
        search: &Search,
        bar: &Bar,
        column: u32,
        range: Range<usize>,
        bench: &mut ThreadScratch<S::Num>,
    ) -> Searched {
        let view = self.sorted_view(column, range.clone()).filter(|view| view.varies());
        let varies = view.is_some();
        let candidate = view
            .and_then(|view| self.best_candidate(&bar.over(search), column, range, view, bench));
        bar.raise(&candidate);
        Searched { column, candidate, varies }
    }

    /// Gives open branches the counts of a node's varying columns that are theirs: all but the
    /// largest branch are counted, and what is left is the largest's. Panels and this took 45 %
    /// off the growth on 20 columns of few levels and ten classes.
    pub(super) fn inherit(
        &self,
        counts: NodeCounts<S::Num>,
        varying: &[u32],
        branches: &[Range<usize>],
        children: &mut [Option<Open<S::Num>>],
        parallel: bool,
    ) {
        let Some(largest) = (0..branches.len()).max_by_key(|&b| branches[b].len()) else { return };
        let n_rows = branches[largest].len();
        let n_others = branches.iter().map(Range::len).sum::<usize>() - n_rows;
        // What is set aside is copied together first.
        let is_copied = self.is_set_aside(n_rows);
        let pays = children[largest].is_some() && !is_copied && n_others <= n_rows;
        if !pays || !self.stat.is_the_same_everywhere() {
            return;
        }
        let width = self.stat.width();
        let of_panel = |(at, mut counts): (usize, Counts<S::Num>)| {
            let (panel, places) = (&self.panels[at], self.places_in(at, varying));
            let is_kept =
                |rows: &Range<usize>| panel.is_worth_keeping(rows.len(), places.len(), width);
            if !is_kept(&branches[largest]) {
                return Vec::new();
            }
            let mut of_branches = Vec::with_capacity(branches.len());
            for (branch, rows) in branches.iter().enumerate().filter(|(b, _)| *b != largest) {
                let part = panel.count(&self.stat, &self.rows[rows.clone()], &places);
                counts.subtract(&part);
                if is_kept(rows) {
                    of_branches.push((branch, at, part));
                }
            }
            of_branches.push((largest, at, counts));
            of_branches
        };
        let inherited: Vec<_> = match parallel {
            true => counts.into_par_iter().one_item_per_task().flat_map_iter(of_panel).collect(),
            false => counts.into_iter().flat_map(of_panel).collect(),
        };
        for (branch, panel, counts) in inherited {
            if let Some(child) = &mut children[branch] {
                child.counts.push((panel, counts));
            }
        }
    }
}
