//! The tree flattened for speed: nothing but tests `x >= cut` on numbers.
//!
//! A rule on levels becomes a search among the runs of levels that lead to one branch, so that
//! one kind of test does for all rules. A missing value is NaN, for which no comparison holds: it
//! takes a test's first way, unless the test says that it takes the second. What
//! is not answered by going on (a level the node never saw, a row to be mixed) ends at a stop of
//! its own, [`UNUSUAL`], and is left to the slow walk.

use std::collections::VecDeque;

use crate::score::kernel::slow_path::{Ask, Missed, Step};
use crate::score::kernel::top_levels::{TOP_LEVELS, Top};
use crate::tree::TreeData;

/// The end of a row that the slow walk has to follow.
pub(crate) const UNUSUAL: u32 = u32::MAX;

/// The end of a row that is still on its way.
pub(crate) const GOING: u32 = u32::MAX - 1;

/// A test, or a stop: one that leads to itself. Four lie in a line of cache, and each is read
/// whole by [`fours`](super::fours).
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct Test {
    /// The second way is taken where the lane's number is at least this.
    pub(crate) cut: f64,
    /// The place of a feature among those used.
    pub(crate) lane: u32,
    /// The first way, the second being the next after it, and the [`MISSING_SECOND`] bit.
    ways: u32,
}

/// Set where a missing value takes the second way.
const MISSING_SECOND: u32 = 1 << 31;

impl Test {
    /// Where a missing value takes the second way, the cut is a number.
    pub(crate) fn new(lane: u32, cut: f64, first: usize, missing_second: bool) -> Test {
        debug_assert!(!(missing_second && cut.is_nan()));
        let missing = if missing_second { MISSING_SECOND } else { 0 };
        Test { cut, lane, ways: first as u32 | missing }
    }

    /// A stop at a place.
    pub(crate) fn stop(at: usize) -> Test {
        Test::new(0, f64::NAN, at, false)
    }

    pub(crate) fn first(&self) -> u32 {
        self.ways & !MISSING_SECOND
    }

    pub(crate) fn missing_second(&self) -> bool {
        self.ways & MISSING_SECOND != 0
    }

    /// The way of a number, without a branch: nobody foresees which it is.
    #[inline(always)]
    pub(crate) fn way(&self, x: f64) -> u32 {
        self.first() + u32::from((x >= self.cut) | (x.is_nan() & self.missing_second()))
    }
}

#[derive(Debug)]
pub(crate) struct FlatTree {
    pub(crate) tests: Vec<Test>,
    /// The node each stop stands for; tests are [`GOING`].
    pub(crate) ends: Vec<u32>,
    pub(crate) top: Top,
    /// Further levels of tests that most rows go through.
    pub(crate) common_levels: u32,
    /// All tests are of lanes below this.
    pub(crate) n_lanes: usize,
}

impl FlatTree {
    /// Flattens the steps of a tree. Linear in its nodes and the levels they name.
    pub(crate) fn of(tree: &TreeData, steps: &[Option<Step>]) -> FlatTree {
        let mut builder = Builder {
            tests: Vec::new(),
            ends: Vec::new(),
            searches: Vec::new(),
            places: vec![None; steps.len()],
            weight_at: Vec::new(),
            todo: VecDeque::new(),
        };
        let root = builder.room(1);
        builder.todo.push_back((root, Destination::Node(0), 0));
        // Breadth first, so that the tests of the first levels lie together.
        while let Some((at, goal, depth)) = builder.todo.pop_front() {
            builder.place(tree, steps, at, goal, depth);
        }
        let Builder { tests, ends, weight_at, .. } = builder;
        let top = Top::of(&tests, &ends);
        let common_levels = common_depth(&weight_at).saturating_sub(TOP_LEVELS);
        let n_lanes = 1 + tests.iter().map(|test| test.lane as usize).max().unwrap_or(0);
        let flat = FlatTree { tests, ends, top, common_levels, n_lanes };
        assert!(flat.is_closed(), "every way leads to a place");
        flat
    }

    /// Whether no row can leave the places there are: a walk does not look.
    fn is_closed(&self) -> bool {
        let n = self.tests.len();
        let stays = |test: &Test| {
            let first = test.first() as usize;
            // No number is at least NaN.
            let is_stop = test.cut.is_nan() && !test.missing_second();
            first < n && (first + 1 < n || is_stop)
        };
        self.ends.len() == n
            && n < MISSING_SECOND as usize
            && self.tests.iter().all(stays)
            && self.top.below.iter().all(|&at| (at as usize) < n)
    }
}

/// The depth by which all but a quarter of the training rows had stopped.
fn common_depth(weight_at: &[f64]) -> u32 {
    let mut going: f64 = weight_at.iter().sum();
    let few = going / 4.0;
    let stopped = |weight: &f64| {
        going -= weight;
        going <= few
    };
    weight_at.iter().position(stopped).unwrap_or(0) as u32
}

/// What a place of the flat tree is to become.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Destination {
    Node(u32),
    /// A stop at this node, though it has branches.
    Stop(u32),
    Unusual,
    /// A search among some of the runs of a node.
    Search {
        search: usize,
        from: usize,
        to: usize,
    },
}

/// Numbers from here on, up to the next run, lead to one goal; NaN leads to that of the first.
type Run = (f64, Destination);

struct Builder {
    tests: Vec<Test>,
    ends: Vec<u32>,
    /// The lane and the runs of the nodes that take more than one test.
    searches: Vec<(u32, Vec<Run>)>,
    /// Where each node is, once it is there: a second place for it shares its ways.
    places: Vec<Option<usize>>,
    /// The weight of the training rows that stopped at each depth.
    weight_at: Vec<f64>,
    todo: VecDeque<(usize, Destination, u32)>,
}

impl Builder {
    /// Room for so many places: stops, so far.
    fn room(&mut self, n: usize) -> usize {
        let start = self.tests.len();
        for at in start..start + n {
            self.tests.push(Test::stop(at));
            self.ends.push(UNUSUAL);
        }
        start
    }

    fn place(
        &mut self,
        tree: &TreeData,
        steps: &[Option<Step>],
        at: usize,
        goal: Destination,
        depth: u32,
    ) {
        match goal {
            Destination::Unusual => {}
            Destination::Stop(node) => self.ends[at] = node,
            Destination::Node(node) => {
                let seen = self.places[node as usize].replace(at);
                match (&steps[node as usize], seen) {
                    (None, seen) => {
                        self.ends[at] = node;
                        if seen.is_none() {
                            let depths = self.weight_at.len().max(depth as usize + 1);
                            self.weight_at.resize(depths, 0.0);
                            self.weight_at[depth as usize] += tree.weight(node);
                        }
                    }
                    (Some(_), Some(same)) => {
                        self.tests[at] = self.tests[same];
                        self.ends[at] = self.ends[same];
                    }
                    (Some(step), None) => self.step(at, node, step, depth),
                }
            }
            Destination::Search { search, from, to } => {
                let (lane, runs) = &self.searches[search];
                if to - from == 1 {
                    let goal = runs[from].1;
                    return self.place(tree, steps, at, goal, depth);
                }
                let middle = (from + to).div_ceil(2);
                let (lane, cut) = (*lane, runs[middle].0);
                let part = |from, to| Destination::Search { search, from, to };
                let ways = [part(from, middle), part(middle, to)];
                self.test(at, |first| Test::new(lane, cut, first, false), ways, depth);
            }
        }
    }

    fn test(&mut self, at: usize, of: impl Fn(usize) -> Test, ways: [Destination; 2], depth: u32) {
        let first = self.room(2);
        self.tests[at] = of(first);
        self.ends[at] = GOING;
        self.todo.extend((first..).zip(ways).map(|(at, goal)| (at, goal, depth + 1)));
    }

    fn step(&mut self, at: usize, node: u32, step: &Step, depth: u32) {
        let to = |branch: usize| Destination::Node(step.branches[branch]);
        let missing = match step.missing {
            Missed::To(node) => Destination::Node(node),
            Missed::Stops => Destination::Stop(node),
            Missed::Mixes => Destination::Unusual,
        };
        let level_runs = |named: &mut dyn Iterator<Item = (u32, Destination)>,
                          rest: Destination| {
            let mut runs = vec![(f64::NEG_INFINITY, missing)];
            let mut next = 0;
            for (level, goal) in named {
                runs.extend([(f64::from(next), rest), (f64::from(level), goal)]);
                next = level + 1;
            }
            runs.extend([
                (f64::from(next), rest),
                (f64::from(step.n_levels), Destination::Unusual),
            ]);
            runs
        };
        let all = f64::NEG_INFINITY;
        let mut runs = match &step.ask {
            // Where missing goes second the top asks whether a number is below the cut: at the
            // lowest there is none.
            Ask::AtLeast(cut) if missing == to(0) || (missing == to(1) && *cut > all) => {
                let test = |first| Test::new(step.lane, *cut, first, missing == to(1));
                return self.test(at, test, [to(0), to(1)], depth);
            }
            Ask::AtLeast(cut) => vec![(all, missing), (all, to(0)), (*cut, to(1))],
            Ask::IsMissing => vec![(all, missing), (all, to(0))],
            Ask::Equals(level) => level_runs(&mut [(*level, to(1))].into_iter(), to(0)),
            Ask::Set { right, left } => {
                let right = right.iter().map(|&level| (level, to(1)));
                let mut named: Vec<_> = left.iter().map(|&l| (l, to(0))).chain(right).collect();
                named.sort_unstable_by_key(|(level, _)| *level);
                level_runs(&mut named.into_iter(), Destination::Unusual)
            }
            Ask::Each(levels) => {
                let branches = step.branches.iter().map(|&node| Destination::Node(node));
                level_runs(&mut levels.iter().copied().zip(branches), Destination::Unusual)
            }
        };
        // A run without numbers goes (the first is that of NaN), and like neighbours are one.
        let start = |i: usize| runs.get(i).map(|run| run.0);
        let empty: Vec<bool> = (0..runs.len()).map(|i| i > 0 && start(i) == start(i + 1)).collect();
        let mut empty = empty.into_iter();
        runs.retain(|_| empty.next() != Some(true));
        runs.dedup_by(|b, a| a.1 == b.1);

        let to = runs.len();
        self.searches.push((step.lane, runs));
        let search = self.searches.len() - 1;
        self.todo.push_front((at, Destination::Search { search, from: 0, to }, depth));
    }
}
