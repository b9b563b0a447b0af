//! The tree flattened for speed: nothing but tests `x >= cut` on numbers.
//!
//! A rule on levels becomes a search among the runs of levels that lead to one branch, so that
//! one kind of test does for all rules. A missing value is NaN, for which no comparison holds: it
//! takes a test's first way, and a test has its branches in such order that this is right. What
//! is not answered by going on (a level the node never saw, a row to be mixed) ends at a stop of
//! its own, [`UNUSUAL`], and is left to the slow walk.

use std::collections::VecDeque;

use super::steps::{Ask, Missed, Step};
use crate::tree::Tree;

/// The end of a row that the slow walk has to follow.
pub(super) const UNUSUAL: u32 = u32::MAX;

/// Rows that are walked together.
pub(super) const BLOCK: usize = 256;

/// A test, or a stop: one that leads to itself.
#[derive(Clone, Copy, Debug)]
struct Test {
    /// The second way is taken where `value * sign >= cut`.
    cut: f64,
    sign: f64,
    lane: u32,
    /// The first way; the second is the next after it.
    first: u32,
}

#[derive(Debug)]
pub(super) struct Flat {
    tests: Vec<Test>,
    /// The node each stop stands for.
    ends: Vec<u32>,
    /// Levels of tests that most rows go through.
    common_depth: u32,
}

impl Flat {
    /// Sends a block of rows down; `lanes` holds their numbers, one lane a used feature.
    pub(super) fn walk(&self, lanes: &[&[f64; BLOCK]], ends: &mut [u32; BLOCK]) {
        // Level by level the rows do not wait for each other, and the processor has many of
        // them under way at once; row by row each test would wait for the one before.
        let mut at = [0u32; BLOCK];
        for _ in 0..self.common_depth {
            for (row, at) in at.iter_mut().enumerate() {
                *at = self.next(*at, lanes, row);
            }
        }
        // Where some branches are much deeper than most, only the rows in them go on.
        let mut open = [0u8; BLOCK];
        let mut n_open = BLOCK;
        open.iter_mut().zip(0..=255).for_each(|(open, row)| *open = row);
        while n_open > 0 {
            let mut n_left = 0;
            for i in 0..n_open {
                let row = open[i];
                let here = at[usize::from(row)];
                let next = self.next(here, lanes, usize::from(row));
                at[usize::from(row)] = next;
                open[n_left] = row;
                n_left += usize::from(next != here);
            }
            n_open = n_left;
        }
        for (end, at) in ends.iter_mut().zip(at) {
            *end = self.ends[at as usize];
        }
    }

    #[inline(always)]
    fn next(&self, at: u32, lanes: &[&[f64; BLOCK]], row: usize) -> u32 {
        let test = &self.tests[at as usize];
        test.first + u32::from(lanes[test.lane as usize][row] * test.sign >= test.cut)
    }

    /// Flattens the steps of a tree. Linear in its nodes and the levels they name.
    pub(super) fn of(tree: &Tree, steps: &[Option<Step>]) -> Flat {
        let mut builder = Builder {
            flat: Flat { tests: Vec::new(), ends: Vec::new(), common_depth: 0 },
            searches: Vec::new(),
            places: vec![None; steps.len()],
            weight_at: Vec::new(),
            todo: VecDeque::new(),
        };
        let root = builder.room(1);
        builder.todo.push_back((root, Goal::Node(0), 0));
        // Breadth first, so that the tests of the first levels lie together.
        while let Some((at, goal, depth)) = builder.todo.pop_front() {
            builder.place(tree, steps, at, goal, depth);
        }
        let Builder { mut flat, weight_at, .. } = builder;
        flat.common_depth = common_depth(&weight_at);
        flat
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
enum Goal {
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
type Run = (f64, Goal);

struct Builder {
    flat: Flat,
    /// The lane and the runs of the nodes that take more than one test.
    searches: Vec<(u32, Vec<Run>)>,
    /// Where each node is, once it is there: a second place for it shares its ways.
    places: Vec<Option<usize>>,
    /// The weight of the training rows that stopped at each depth.
    weight_at: Vec<f64>,
    todo: VecDeque<(usize, Goal, u32)>,
}

impl Builder {
    /// Room for so many places: stops, so far.
    fn room(&mut self, n: usize) -> usize {
        let start = self.flat.tests.len();
        for at in start..start + n {
            self.flat.tests.push(Test { cut: f64::NAN, sign: 1.0, lane: 0, first: at as u32 });
            self.flat.ends.push(UNUSUAL);
        }
        start
    }

    fn place(&mut self, tree: &Tree, steps: &[Option<Step>], at: usize, goal: Goal, depth: u32) {
        match goal {
            Goal::Unusual => {}
            Goal::Stop(node) => self.flat.ends[at] = node,
            Goal::Node(node) => {
                let seen = self.places[node as usize].replace(at);
                match (&steps[node as usize], seen) {
                    (None, seen) => {
                        self.flat.ends[at] = node;
                        if seen.is_none() {
                            let depths = self.weight_at.len().max(depth as usize + 1);
                            self.weight_at.resize(depths, 0.0);
                            self.weight_at[depth as usize] += tree.weight(node);
                        }
                    }
                    (Some(_), Some(same)) => self.flat.tests[at] = self.flat.tests[same],
                    (Some(step), None) => self.step(at, node, step, depth),
                }
            }
            Goal::Search { search, from, to } => {
                let (lane, runs) = &self.searches[search];
                if to - from == 1 {
                    let goal = runs[from].1;
                    return self.place(tree, steps, at, goal, depth);
                }
                let middle = (from + to).div_ceil(2);
                let (lane, cut) = (*lane, runs[middle].0);
                let part = |from, to| Goal::Search { search, from, to };
                self.test(at, lane, (cut, 1.0), [part(from, middle), part(middle, to)], depth);
            }
        }
    }

    fn test(&mut self, at: usize, lane: u32, (cut, sign): (f64, f64), ways: [Goal; 2], depth: u32) {
        let first = self.room(2);
        self.flat.tests[at] = Test { cut, sign, lane, first: first as u32 };
        self.todo.extend((first..).zip(ways).map(|(at, goal)| (at, goal, depth + 1)));
    }

    fn step(&mut self, at: usize, node: u32, step: &Step, depth: u32) {
        let to = |branch: usize| Goal::Node(step.branches[branch]);
        let missing = match step.missing {
            Missed::To(node) => Goal::Node(node),
            Missed::Stops => Goal::Stop(node),
            Missed::Mixes => Goal::Unusual,
        };
        let level_runs = |named: &mut dyn Iterator<Item = (u32, Goal)>, rest: Goal| {
            let mut runs = vec![(f64::NEG_INFINITY, missing)];
            let mut next = 0;
            for (level, goal) in named {
                runs.extend([(f64::from(next), rest), (f64::from(level), goal)]);
                next = level + 1;
            }
            runs.extend([(f64::from(next), rest), (f64::from(step.n_levels), Goal::Unusual)]);
            runs
        };
        let all = f64::NEG_INFINITY;
        let mut runs = match &step.ask {
            // NaN is to take the second branch: this is `x < cut` turned round.
            Ask::AtLeast(cut) if missing == to(1) && *cut > all => {
                let less = (-cut).next_up();
                return self.test(at, step.lane, (less, -1.0), [to(1), to(0)], depth);
            }
            Ask::AtLeast(cut) => vec![(all, missing), (all, to(0)), (*cut, to(1))],
            Ask::IsMissing => vec![(all, missing), (all, to(0))],
            Ask::Equals(level) => level_runs(&mut [(*level, to(1))].into_iter(), to(0)),
            Ask::Set { right, left } => {
                let right = right.iter().map(|&level| (level, to(1)));
                let mut named: Vec<_> = left.iter().map(|&l| (l, to(0))).chain(right).collect();
                named.sort_unstable_by_key(|(level, _)| *level);
                level_runs(&mut named.into_iter(), Goal::Unusual)
            }
            Ask::Each(levels) => {
                let branches = step.branches.iter().map(|&node| Goal::Node(node));
                level_runs(&mut levels.iter().copied().zip(branches), Goal::Unusual)
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
        self.todo.push_front((at, Goal::Search { search, from: 0, to }, depth));
    }
}
