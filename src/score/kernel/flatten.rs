//! A tree flattened to tests `x >= cut`, breadth first.
//!
//! A test on levels becomes a binary search among the intervals of levels that lead to one
//! branch.

use std::collections::VecDeque;

use crate::score::kernel::flat_test::{FlatTest, GOING, SLOW_PATH};
use crate::score::kernel::flat_tree::FlatTree;
use crate::score::kernel::scaled_node::ScaledNode;
use crate::score::kernel::top_levels::{TOP_LEVELS, TopLevels};
use crate::tree::TreeData;
use crate::tree::missing::NextNode;
use crate::tree::rule::Test;

impl FlatTree {
    /// Flattens a tree, given its inner nodes. Linear in its nodes and the levels they name. A level
    /// that its node never saw takes the slow path if that counts them.
    pub(crate) fn new(
        tree: &TreeData,
        nodes: &[Option<ScaledNode>],
        counts_absent: bool,
    ) -> FlatTree {
        let mut builder = Builder {
            tree,
            nodes,
            counts_absent,
            tests: Vec::new(),
            node_of_stop: Vec::new(),
            searches: Vec::new(),
            indices: vec![None; nodes.len()],
            weight_at: Vec::new(),
            queue: VecDeque::new(),
        };
        let root = builder.reserve(1);
        builder.queue.push_back((root, Destination::Node(0), 0));
        // Breadth first, so that the tests of the first levels are neighbours in memory.
        while let Some((at, destination, depth)) = builder.queue.pop_front() {
            builder.place(at, destination, depth);
        }
        let Builder { tests, node_of_stop, weight_at, .. } = builder;
        let top = TopLevels::new(&tests, &node_of_stop);
        let common_levels = common_depth(&weight_at).saturating_sub(TOP_LEVELS);
        let n_lanes = 1 + tests.iter().map(|test| test.lane as usize).max().unwrap_or(0);
        let flat = FlatTree { tests, node_of_stop, top, common_levels, n_lanes };
        assert!(flat.is_closed(), "every child exists");
        flat
    }
}

/// The depth at which all but a quarter of the training rows have stopped.
fn common_depth(weight_at: &[f64]) -> u32 {
    let mut going: f64 = weight_at.iter().sum();
    let few = going / 4.0;
    let stopped = |weight: &f64| {
        going -= weight;
        going <= few
    };
    weight_at.iter().position(stopped).unwrap_or(0) as u32
}

/// What an index of the flat tree stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Destination {
    Node(u32),
    /// A stop at this node, though it has branches.
    Stop(u32),
    SlowPath,
    /// A binary search among some intervals of a node.
    Search {
        search: usize,
        from: usize,
        to: usize,
    },
}

/// The lower bound of an interval, which ends where the next begins, and where its numbers go. NaN
/// goes where the first interval goes.
type Interval = (f64, Destination);

struct Builder<'t> {
    tree: &'t TreeData,
    nodes: &'t [Option<ScaledNode<'t>>],
    counts_absent: bool,
    tests: Vec<FlatTest>,
    node_of_stop: Vec<u32>,
    /// The lane and the intervals of the nodes that take more than one test.
    searches: Vec<(u32, Vec<Interval>)>,
    /// The first index of each placed node; a further one shares its children.
    indices: Vec<Option<usize>>,
    /// The weight of the training rows that stopped at each depth.
    weight_at: Vec<f64>,
    queue: VecDeque<(usize, Destination, u32)>,
}

impl Builder<'_> {
    /// Appends `n` stops, to be overwritten; returns the index of the first.
    fn reserve(&mut self, n: usize) -> usize {
        let start = self.tests.len();
        for at in start..start + n {
            self.tests.push(FlatTest::stop(at));
            self.node_of_stop.push(SLOW_PATH);
        }
        start
    }

    fn place(&mut self, at: usize, destination: Destination, depth: u32) {
        match destination {
            Destination::SlowPath => {}
            Destination::Stop(node) => self.node_of_stop[at] = node,
            Destination::Node(node) => {
                let seen = self.indices[node as usize].replace(at);
                let nodes = self.nodes;
                match (&nodes[node as usize], seen) {
                    (None, seen) => {
                        self.node_of_stop[at] = node;
                        if seen.is_none() {
                            let depths = self.weight_at.len().max(depth as usize + 1);
                            self.weight_at.resize(depths, 0.0);
                            self.weight_at[depth as usize] += self.tree.weight(node);
                        }
                    }
                    (Some(_), Some(same)) => {
                        self.tests[at] = self.tests[same];
                        self.node_of_stop[at] = self.node_of_stop[same];
                    }
                    (Some(inner), None) => self.place_inner(at, node, inner, depth),
                }
            }
            Destination::Search { search, from, to } => {
                let (lane, intervals) = &self.searches[search];
                if to - from == 1 {
                    let destination = intervals[from].1;
                    return self.place(at, destination, depth);
                }
                let middle = (from + to).div_ceil(2);
                let (lane, cut) = (*lane, intervals[middle].0);
                let half = |from, to| Destination::Search { search, from, to };
                let children = [half(from, middle), half(middle, to)];
                self.place_test(
                    at,
                    |first| FlatTest::new(lane, cut, first, false),
                    children,
                    depth,
                );
            }
        }
    }

    fn place_test(
        &mut self,
        at: usize,
        test: impl Fn(usize) -> FlatTest,
        children: [Destination; 2],
        depth: u32,
    ) {
        let first = self.reserve(2);
        self.tests[at] = test(first);
        self.node_of_stop[at] = GOING;
        self.queue.extend((first..).zip(children).map(|(at, to)| (at, to, depth + 1)));
    }

    fn place_inner(&mut self, at: usize, node: u32, inner: &ScaledNode, depth: u32) {
        let to = |branch: usize| Destination::Node(inner.branches[branch]);
        let destination = |next: NextNode| match next {
            NextNode::To(node) => Destination::Node(node),
            NextNode::Stop => Destination::Stop(node),
            NextNode::Every => Destination::SlowPath,
        };
        let missing = destination(inner.missing);
        let absent = match self.counts_absent {
            true => Destination::SlowPath,
            false => destination(inner.test.next_of_absent(inner.missing)),
        };
        let by_name = Ends { rest: absent, missing, unseen: absent };
        let all = f64::NEG_INFINITY;
        let mut intervals = match &inner.test {
            // If missing goes to the second child, the top levels ask for a number below the cut
            // instead: below the lowest there is none.
            Test::AtLeast(cut) if missing == to(0) || (missing == to(1) && *cut > all) => {
                let test = |first| FlatTest::new(inner.lane, *cut, first, missing == to(1));
                return self.place_test(at, test, [to(0), to(1)], depth);
            }
            Test::AtLeast(cut) => vec![(all, missing), (all, to(0)), (*cut, to(1))],
            Test::IsMissing => vec![(all, missing), (all, to(0))],
            Test::Equals(level) => {
                let unseen = if self.counts_absent { absent } else { to(0) };
                let ends = Ends { rest: to(0), missing, unseen };
                level_intervals([(*level, to(1))], inner.n_levels, ends)
            }
            Test::In { right, left } => {
                let right = right.iter().map(|&level| (level, to(1)));
                let mut named: Vec<_> = left.iter().map(|&l| (l, to(0))).chain(right).collect();
                named.sort_unstable_by_key(|(level, _)| *level);
                level_intervals(named, inner.n_levels, by_name)
            }
            Test::Each(levels) => {
                let branches = inner.branches.iter().map(|&node| Destination::Node(node));
                let named = levels.iter().copied().zip(branches);
                level_intervals(named, inner.n_levels, by_name)
            }
        };
        // Empty intervals go (the first is NaN's), and equal neighbours are merged.
        let start = |i: usize| intervals.get(i).map(|interval| interval.0);
        let empty: Vec<bool> =
            (0..intervals.len()).map(|i| i > 0 && start(i) == start(i + 1)).collect();
        let mut empty = empty.into_iter();
        intervals.retain(|_| empty.next() != Some(true));
        intervals.dedup_by(|b, a| a.1 == b.1);

        let to = intervals.len();
        self.searches.push((inner.lane, intervals));
        let search = self.searches.len() - 1;
        self.queue.push_front((at, Destination::Search { search, from: 0, to }, depth));
    }
}

/// Where rows go whose level a test does not name.
struct Ends {
    rest: Destination,
    missing: Destination,
    /// A level that training did not have.
    unseen: Destination,
}

/// The intervals of a test on levels: the named ones, ascending, and the rest between them.
fn level_intervals(
    named: impl IntoIterator<Item = (u32, Destination)>,
    n_levels: u32,
    ends: Ends,
) -> Vec<Interval> {
    let mut intervals = vec![(f64::NEG_INFINITY, ends.missing)];
    let mut next = 0;
    for (level, destination) in named {
        intervals.extend([(f64::from(next), ends.rest), (f64::from(level), destination)]);
        next = level + 1;
    }
    intervals.extend([(f64::from(next), ends.rest), (f64::from(n_levels), ends.unseen)]);
    intervals
}
