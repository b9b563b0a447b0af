//! A tree grower that is slow and obviously right.
//!
//! It reads values row by row, lists every candidate of every column in the order ties are
//! broken in, counts each branch by filtering the rows, and keeps the first of the best. It has
//! no codes, sorts nothing but a node's distinct values, and shares with the engine only plain
//! data and the pure functions of [`gaintree::criterion`], so that equal means the same `f64`.

use std::borrow::Cow;
use std::cmp::Ordering;

use gaintree::criterion::split_info;
use gaintree::engine::dtype::{DType, Kind, Value};
use gaintree::engine::{NodePath, Test};
use gaintree::{
    Criterion, Grouping, LogBase, Missing, SUBSET_EXHAUSTIVE_LEVELS, Selection, Tree, TreeSpec,
};
use half::f16;

use crate::drawn;
use crate::frames::{Column, Frame};

/// A node as both the oracle and the engine can say it; in preorder.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub parent: Option<u32>,
    pub depth: u32,
    pub n: u64,
    pub counts: Vec<f64>,
    pub impurity: f64,
    pub split: Option<Split>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    pub column: usize,
    pub ask: Ask,
    pub missing_to: Option<u32>,
    pub gain: f64,
    pub approximate: bool,
    pub branches: Vec<u32>,
}

/// A test in the values of its column; levels are texts.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    AtLeast(Value),
    Equals(String),
    In { right: Vec<String>, left: Vec<String> },
    Each(Vec<String>),
    IsMissing,
}

/// The engine's tree in the oracle's words.
pub fn read(tree: &Tree) -> Vec<Node> {
    let nodes = tree.node_slice().iter().enumerate();
    nodes
        .map(|(id, node)| Node {
            parent: node.parent,
            depth: node.depth,
            n: node.n,
            counts: tree.class_counts(id as u32).to_vec(),
            impurity: node.impurity,
            split: read_split(tree, id as u32),
        })
        .collect()
}

/// The split of a node of the engine's tree.
pub fn read_split(tree: &Tree, id: u32) -> Option<Split> {
    let split = tree.node_slice()[id as usize].split.as_ref()?;
    let levels = &tree.schema().features[split.rule.feature as usize].levels;
    let text = |&level: &u32| levels[level as usize].clone();
    let texts = |places: &[u32]| places.iter().map(text).collect();
    Some(Split {
        column: split.rule.feature as usize,
        ask: match &split.rule.test {
            Test::AtLeast(cut) => Ask::AtLeast(cut.clone()),
            Test::Equals(level) => Ask::Equals(text(level)),
            Test::In { right, left } => Ask::In { right: texts(right), left: texts(left) },
            Test::Each(levels) => Ask::Each(texts(levels)),
            Test::IsMissing => Ask::IsMissing,
        },
        missing_to: split.rule.missing_to,
        gain: split.gain,
        approximate: split.approximate,
        branches: split.branches.clone(),
    })
}

/// The oracle's tree, or `None` where the engine must refuse: no rows, one class, or a missing
/// value under `Missing::Error`.
pub fn grow(frame: &Frame, spec: &TreeSpec) -> Option<Vec<Node>> {
    grow_by(Oracle::new(frame, spec))
}

fn grow_by(mut oracle: Oracle) -> Option<Vec<Node>> {
    let (frame, spec) = (oracle.frame, oracle.spec);
    let forbidden = |column: &Column| oracle.rows.iter().any(|&row| column.known(row).is_none());
    if oracle.n_classes < 2
        || (spec.missing == Missing::Error && frame.columns.iter().any(forbidden))
    {
        return None;
    }
    oracle.grow(oracle.all_here(), NodePath::ROOT, None);
    Some(oracle.nodes)
}

/// What is drawn for each node of a tree.
#[derive(Clone, Copy)]
pub struct Draws<'a> {
    /// How many features a node looks at, in what order.
    pub n: usize,
    pub order: &'a dyn Fn(NodePath) -> Vec<u32>,
    /// What a column's split is made of.
    pub seed: &'a dyn Fn(NodePath, u32) -> u64,
}

/// The tree of which each node looks at the columns drawn for it, and rates the split drawn for each of
/// them; `None` as of [`grow`].
pub fn grow_drawn(frame: &Frame, spec: &TreeSpec, draws: Draws) -> Option<Vec<Node>> {
    grow_by(Oracle { draws: Some(draws), ..Oracle::new(frame, spec) })
}

/// Sends the rows down the engine's tree by what its rules say of their values: the first node
/// whose rows or class counts are not those that arrive.
pub fn first_misrouted(frame: &Frame, tree: &Tree) -> Option<usize> {
    let mut oracle = Oracle::new(frame, tree.spec());
    let nodes = read(tree);
    let mut arrived = vec![Vec::new(); nodes.len()];
    arrived[0] = oracle.all_here();
    for (id, node) in nodes.iter().enumerate() {
        let rows = oracle.enter(&std::mem::take(&mut arrived[id]));
        let counts = oracle.weights_of(&oracle.counts(&rows));
        if rows.len() as u64 != node.n || counts != node.counts {
            return Some(id);
        }
        let Some(split) = &node.split else { continue };
        let missing_to = split.missing_to.map(|b| b as usize);
        let column = &frame.columns[split.column];
        let lost = |&row: &usize| column.known(row).is_none() && missing_to.is_none();
        if !oracle.is_shared && rows.iter().any(lost) {
            return Some(id);
        }
        let branches = oracle.send(&split.ask, missing_to, column, &rows);
        for (&to, rows) in split.branches.iter().zip(branches) {
            arrived[to as usize] = rows;
        }
    }
    None
}

/// The highest gain of any allowed candidate of the root.
pub fn best_root_gain(frame: &Frame, spec: &TreeSpec) -> Option<f64> {
    let oracle = Oracle::new(frame, spec);
    let columns = 0..frame.columns.len();
    let best =
        columns.filter_map(|column| oracle.best_candidate(column, &oracle.rows, NodePath::ROOT));
    best.map(|c| c.gain).reduce(f64::max)
}

/// The levels a column has in the rows of positive weight, in level order.
pub fn level_texts(frame: &Frame, column: &Column) -> Vec<String> {
    let levels = levels(column, &positive_rows(frame)).into_iter();
    levels.map(|level| text(&column.dtype, level).into_owned()).collect()
}

pub fn positive_rows(frame: &Frame) -> Vec<usize> {
    let weight = |row: usize| frame.weights.as_ref().map_or(1.0, |w| w[row]);
    (0..frame.n_rows()).filter(|&row| weight(row) > 0.0).collect()
}

struct Oracle<'a> {
    frame: &'a Frame,
    spec: &'a TreeSpec,
    /// The rows of positive weight.
    rows: Vec<usize>,
    /// The class of each row of the frame, of those that the rows have.
    classes: Vec<usize>,
    n_classes: usize,
    /// Whether a weight is no whole number.
    is_fractional: bool,
    /// Whether rows are shared out among branches.
    is_shared: bool,
    /// The weight that counts as one row where they are.
    row_weight: f64,
    /// What weights are whole multiples of.
    unit: f64,
    /// The units of each row in the node at hand.
    units: Vec<u128>,
    draws: Option<Draws<'a>>,
    nodes: Vec<Node>,
}

/// A row, and the units of it that are in a node.
type Here = (usize, u128);

/// Which sets of a nominal feature's levels are tried.
#[derive(Clone, Copy, PartialEq)]
enum Sets {
    /// For two classes: parts of an order that hold the best set where no limit forbids it
    /// (Breiman et al. 1984, section 4.2).
    ByShare,
    All,
}

struct Candidate {
    ask: Ask,
    missing_to: Option<usize>,
    gain: f64,
    split_info: f64,
    approximate: bool,
}

/// Where the missing values of a node go.
#[derive(Clone, Copy)]
enum Joins {
    /// This branch.
    Branch(usize),
    /// The branch of largest known weight: of two equals the right, of more the first.
    Heaviest,
    /// There are none, and the rule says nothing of them.
    Nowhere,
}

/// The greatest unit that at most 64 distinct weights are whole multiples of, to a few units in the
/// last place.
fn common_unit(weights: &[f64]) -> Option<f64> {
    let mut distinct = weights.to_vec();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let least = *distinct.first().filter(|_| distinct.len() <= 64)?;
    (1..=10_000).map(f64::from).map(|n| least / n).find(|unit| {
        distinct.iter().all(|weight| {
            let n = weight / unit;
            n < 2f64.powi(29) && (n - n.round()).abs() <= n * 1e-15
        })
    })
}

impl<'a> Oracle<'a> {
    fn new(frame: &'a Frame, spec: &'a TreeSpec) -> Self {
        let rows = positive_rows(frame);
        let is_whole = |&row: &usize| frame.weights.as_ref().is_none_or(|w| w[row].fract() == 0.0);
        let labels = levels(&frame.target, &rows);
        let classes = (0..frame.n_rows()).map(|row| {
            let is_it = |label: &&Value| Some(*label) == frame.target.known(row);
            labels.iter().position(is_it).unwrap_or(usize::MAX)
        });
        let weights: Vec<f64> = match &frame.weights {
            Some(weights) => weights.clone(),
            None => vec![1.0; frame.n_rows()],
        };
        let is_missing = |column: &Column| rows.iter().any(|&row| column.known(row).is_none());
        let is_shared = spec.missing == Missing::Fractional && frame.columns.iter().any(is_missing);
        let is_fractional = !rows.iter().all(is_whole);
        let total: f64 = rows.iter().map(|&row| weights[row]).sum();
        let positive: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
        let common = if is_fractional { common_unit(&positive) } else { Some(1.0) };
        // Shares are of whole units: 2^51 to 2^52 of them in all, or as many as a u64 can hold.
        let digits = if is_fractional { 60 } else { 51 };
        let unit = match common {
            Some(unit) if is_shared => {
                unit * 2f64.powi((total / unit).round().max(1.0).log2().floor() as i32 - digits)
            }
            Some(unit) => unit,
            None => 2f64.powi(total.log2().floor() as i32 - 61),
        };
        let in_units = |weight: &f64| match weight / unit {
            0.0 => 0,
            some => (some.round() as u128).max(1),
        };
        Oracle {
            frame,
            spec,
            classes: classes.collect(),
            n_classes: labels.len(),
            is_fractional,
            is_shared,
            row_weight: if is_fractional { total / rows.len() as f64 } else { 1.0 },
            unit,
            units: weights.iter().map(in_units).collect(),
            rows,
            draws: None,
            nodes: Vec::new(),
        }
    }

    fn all_here(&self) -> Vec<Here> {
        self.rows.iter().map(|&row| (row, self.units[row])).collect()
    }

    /// The rows of a node, each now of the units that are there.
    fn enter(&mut self, here: &[Here]) -> Vec<usize> {
        here.iter().for_each(|&(row, units)| self.units[row] = units);
        here.iter().map(|&(row, _)| row).collect()
    }

    /// The rows of each branch. A shared row's units go to the first b branches in the share of
    /// the known units that these have, rounded down; of copies each.
    fn send(
        &self,
        ask: &Ask,
        missing_to: Option<usize>,
        column: &Column,
        rows: &[usize],
    ) -> Vec<Vec<Here>> {
        let arity = ask.arity(missing_to);
        let branch = |row: usize| ask.branch(column, row).or(missing_to);
        let units = |row: usize| self.units[row];
        let known = |up_to: usize| -> u128 {
            let known = rows.iter().filter(|&&row| branch(row).is_some_and(|b| b < up_to));
            known.map(|&row| units(row)).sum()
        };
        let ends: Vec<u128> = (0..=arity).map(known).collect();
        let share = |row: usize, b: usize| match branch(row) {
            Some(its) if its == b => units(row),
            Some(_) => 0,
            None => {
                let copies = match &self.frame.weights {
                    Some(weights) if !self.is_fractional => weights[row] as u128,
                    Some(_) | None => 1,
                };
                let up_to = |b: usize| units(row) / copies * ends[b] / ends[arity] * copies;
                up_to(b + 1) - up_to(b)
            }
        };
        let of_branch = |b: usize| {
            let shares = rows.iter().map(|&row| (row, share(row, b)));
            shares.filter(|&(_, units)| units > 0).collect()
        };
        (0..arity).map(of_branch).collect()
    }

    /// Whether rows are as many as a limit asks: shares count as they weigh.
    fn reach(&self, limit: u64, rows: &[usize]) -> bool {
        match self.is_shared && limit > 1 {
            true => self.weight(rows) >= self.with_slack(limit as f64 * self.row_weight),
            false => rows.len() as u64 >= limit,
        }
    }

    /// A limit of weight. Shares may fall short of it by their rounding.
    fn with_slack(&self, limit: f64) -> f64 {
        if self.is_shared { limit * (1.0 - 1e-9) } else { limit }
    }

    /// Adds the node of these rows, and all below it.
    fn grow(&mut self, here: Vec<Here>, path: NodePath, parent: Option<u32>) -> u32 {
        let (rows, depth) = (self.enter(&here), path.depth());
        let id = self.nodes.len() as u32;
        let counts = self.weights_of(&self.counts(&rows));
        let impurity = self.impurity(&counts);
        let n = rows.len() as u64;
        let is_leaf = self.spec.max_depth.is_some_and(|max| depth >= max)
            || !self.reach(self.spec.min_samples_split.max(2), &rows)
            || counts.iter().filter(|&&c| c > 0.0).count() == 1;
        self.nodes.push(Node { parent, depth, n, counts, impurity, split: None });
        if is_leaf {
            return id;
        }
        let candidates: Vec<(usize, Candidate)> = self
            .looked_at(&rows, path)
            .into_iter()
            .filter_map(|column| Some((column, self.best_candidate(column, &rows, path)?)))
            .collect();
        let Some((column, chosen)) = self.select(candidates) else { return id };

        let data = &self.frame.columns[column];
        let branches = self.send(&chosen.ask, chosen.missing_to, data, &rows);
        let branches = branches.into_iter().enumerate();
        let branches = branches.map(|(b, rows)| self.grow(rows, path.branch(b), Some(id)));
        self.nodes[id as usize].split = Some(Split {
            column,
            branches: branches.collect(),
            ask: chosen.ask,
            missing_to: chosen.missing_to.map(|b| b as u32),
            gain: chosen.gain,
            approximate: chosen.approximate,
        });
        id
    }

    /// Chooses among the columns' best candidates.
    fn select(&self, candidates: Vec<(usize, Candidate)>) -> Option<(usize, Candidate)> {
        let mut allowed = candidates;
        allowed.retain(|(_, c)| c.gain >= self.spec.min_gain);
        if self.spec.selection == Selection::RatioAboveMeanGain {
            let gain_if = |counts: &dyn Fn(usize) -> bool| -> Vec<f64> {
                allowed.iter().filter(|(column, _)| counts(*column)).map(|(_, c)| c.gain).collect()
            };
            let mut gains = gain_if(&|column| !self.has_many_levels(column));
            if gains.is_empty() {
                gains = gain_if(&|_| true);
            }
            let mean = gains.iter().sum::<f64>() / gains.len() as f64;
            allowed.retain(|(_, c)| c.gain >= mean * (1.0 - 1e-9));
        }
        allowed.retain(|(_, c)| c.gain > 0.0 || self.spec.zero_gain_splits);
        let score = |c: &Candidate| match self.spec.selection {
            Selection::BestScore => c.gain,
            _ if c.gain == 0.0 => 0.0,
            _ => c.gain / c.split_info,
        };
        first_of_the_best(allowed, |(_, c)| score(c))
    }

    /// C4.5's guard: nominal, and levels in 30 % or more of the training rows.
    fn has_many_levels(&self, column: usize) -> bool {
        let column = &self.frame.columns[column];
        column.kind == Kind::Nominal && levels(column, &self.rows).len() * 10 >= self.rows.len() * 3
    }

    /// One level against the rest where the training rows have too many levels for subsets.
    fn grouping(&self, column: usize) -> Grouping {
        let n_levels = levels(&self.frame.columns[column], &self.rows).len();
        let is_large = self.spec.max_subset_levels.is_some_and(|most| n_levels > most as usize);
        match self.spec.grouping {
            Grouping::Subset if is_large => Grouping::OneVsRest,
            grouping => grouping,
        }
    }

    /// Of sets of levels, one that is no upper part of the order by share must gain more than the
    /// best upper part by more than rounding.
    fn best_candidate(&self, column: usize, rows: &[usize], path: NodePath) -> Option<Candidate> {
        if let Some(draws) = self.draws {
            let seed = (draws.seed)(path, column as u32);
            let asks = self.drawn_ask(column, rows, seed).into_iter().collect();
            return first_of_the_best(self.rated(column, rows, asks, false), |c| c.gain);
        }
        let best_of = |sets| first_of_the_best(self.candidates(column, rows, sets), |c| c.gain);
        let best = best_of(Sets::ByShare);
        let data = &self.frame.columns[column];
        if self.n_classes > 2
            || (data.kind, self.grouping(column)) != (Kind::Nominal, Grouping::Subset)
        {
            return best;
        }
        // In bits, or units of Gini, of the rows that are rated.
        let in_bits = match (self.spec.criterion, self.spec.log_base) {
            (Criterion::Entropy, LogBase::E) => std::f64::consts::LN_2,
            _ => 1.0,
        };
        let known: Vec<usize> =
            rows.iter().copied().filter(|&row| data.known(row).is_some()).collect();
        let share = match self.spec.missing {
            Missing::Learn => 1.0,
            _ => self.weight(&known) / self.weight(rows),
        };
        let margin = 1e-10 * in_bits * share;
        let gain = best.as_ref().map_or(f64::NEG_INFINITY, |best| best.gain + margin);
        best_of(Sets::All).filter(|c| c.gain > gain).or(best)
    }

    /// The columns a node looks at: the first so many, in the order drawn for it, that vary.
    fn looked_at(&self, rows: &[usize], path: NodePath) -> Vec<usize> {
        let Some(draws) = self.draws else { return (0..self.frame.columns.len()).collect() };
        let varies = |&at: &u32| {
            let column = &self.frame.columns[at as usize];
            let n_missing = rows.iter().filter(|&&row| column.known(row).is_none()).count();
            levels(column, rows).len() + usize::from(n_missing > 0) > 1
        };
        let looked_at = (draws.order)(path).into_iter().filter(varies).take(draws.n);
        looked_at.map(|at| at as usize).collect()
    }

    /// The one test that is drawn of a column, unless it has one level.
    fn drawn_ask(&self, column: usize, rows: &[usize], seed: u64) -> Option<Ask> {
        let data = &self.frame.columns[column];
        let grouping = self.grouping(column);
        let levels = levels(data, rows);
        if (data.kind, grouping) == (Kind::Nominal, Grouping::Multiway) {
            return self.asks(column, rows, Sets::All).0.pop();
        }
        drawn::ask(data, grouping, &levels, seed, |set, other| {
            let of_set = |set: &[usize]| {
                let is_in = |&row: &usize| {
                    let is_its =
                        |&at: &usize| data.known(row).is_some_and(|v| same(data, v, levels[at]));
                    set.iter().any(is_its)
                };
                self.counts(&rows.iter().copied().filter(is_in).collect::<Vec<_>>())
            };
            self.n_classes == 2 && compare_shares(&of_set(set), &of_set(other)).is_lt()
        })
    }

    /// All candidates of a column that the limits allow, in the order of ties.
    fn candidates(&self, column: usize, rows: &[usize], sets: Sets) -> Vec<Candidate> {
        let (asks, approximate) = self.asks(column, rows, sets);
        self.rated(column, rows, asks, approximate)
    }

    /// The tests of a column's levels, and whether there are others.
    fn asks(&self, column: usize, rows: &[usize], sets: Sets) -> (Vec<Ask>, bool) {
        let data = &self.frame.columns[column];
        let levels = levels(data, rows);
        let texts: Vec<String> = levels.iter().map(|v| text(&data.dtype, v).into_owned()).collect();
        let any_missing = rows.iter().any(|&row| data.known(row).is_none());
        let learn = self.spec.missing == Missing::Learn && any_missing;
        let multiway = data.kind == Kind::Nominal && self.grouping(column) == Grouping::Multiway;

        let mut asks: Vec<Ask> = Vec::new();
        let mut approximate = false;
        if multiway {
            // Missing has a branch of its own, so one level beside it is enough.
            if levels.len() + usize::from(learn) >= 2 {
                asks.push(Ask::Each(texts.clone()));
            }
        } else if levels.len() >= 2 {
            match (data.kind, self.grouping(column)) {
                (Kind::Ordered, _) => asks.extend(
                    levels.windows(2).map(|pair| Ask::AtLeast(cut(&data.dtype, pair[0], pair[1]))),
                ),
                (Kind::Nominal, Grouping::Subset) => match self.sets(data, rows, sets) {
                    Some(sets) => asks.extend(in_sets(sets, &texts)),
                    None => {
                        asks.extend(texts.iter().cloned().map(Ask::Equals));
                        approximate = true;
                    }
                },
                _ => asks.extend(texts.iter().cloned().map(Ask::Equals)),
            }
        }
        (asks, approximate)
    }

    /// The candidates of some tests that the limits allow, and `x is missing`.
    fn rated(
        &self,
        column: usize,
        rows: &[usize],
        asks: Vec<Ask>,
        approximate: bool,
    ) -> Vec<Candidate> {
        let data = &self.frame.columns[column];
        let levels = levels(data, rows);
        let any_missing = rows.iter().any(|&row| data.known(row).is_none());
        let learn = self.spec.missing == Missing::Learn && any_missing;
        let multiway = data.kind == Kind::Nominal && self.grouping(column) == Grouping::Multiway;
        let joins: &[Joins] = match (multiway, learn) {
            (true, true) => &[Joins::Branch(levels.len())],
            _ if self.spec.missing == Missing::Fractional => &[Joins::Nowhere],
            (true, false) if !any_missing => &[Joins::Nowhere],
            (false, true) => &[Joins::Branch(1), Joins::Branch(0)],
            _ => &[Joins::Heaviest],
        };
        let mut found = Vec::new();
        for ask in asks {
            for &joins in joins {
                let candidate = self.rate(column, rows, ask.clone(), joins);
                found.extend(candidate.map(|c| Candidate { approximate, ..c }));
            }
        }
        if learn && !multiway && !levels.is_empty() {
            found.extend(self.rate(column, rows, Ask::IsMissing, Joins::Branch(1)));
        }
        found
    }

    /// The candidate of a test, unless the limits forbid it.
    fn rate(&self, column: usize, rows: &[usize], ask: Ask, joins: Joins) -> Option<Candidate> {
        let data = &self.frame.columns[column];
        let (known, missing): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|&&row| data.known(row).is_some());
        let missing_branch = if let Joins::Branch(b) = joins { Some(b) } else { None };
        let arity = ask.arity(missing_branch);
        let mut branches: Vec<Vec<usize>> = vec![Vec::new(); arity];
        for &row in &known {
            branches[ask.branch(data, row).expect("known")].push(row);
        }
        let missing_to = match joins {
            Joins::Nowhere => None,
            Joins::Branch(b) => Some(b),
            Joins::Heaviest if arity == 2 && !matches!(ask, Ask::Each(_)) => {
                Some(usize::from(self.weight(&branches[1]) >= self.weight(&branches[0])))
            }
            Joins::Heaviest => {
                let heavier = |a: usize, b: usize| {
                    if self.weight(&branches[b]) > self.weight(&branches[a]) { b } else { a }
                };
                (0..arity).reduce(heavier)
            }
        };

        // `Learn` rates all rows, the others the known ones, by their share.
        let learn = self.spec.missing == Missing::Learn;
        if let (true, Some(b)) = (learn, missing_to) {
            branches[b].extend(&missing);
        }
        let rated: Vec<Vec<u128>> = branches.iter().map(|b| self.counts(b)).collect();
        let (parent, share) = match learn {
            true => (self.counts(rows), 1.0),
            false => (self.counts(&known), self.weight(&known) / self.weight(rows)),
        };
        let gain = share * self.gain(&parent, &rated);
        let weight = |counts: &Vec<u128>| counts.iter().sum::<u128>() as f64 * self.unit;
        let mut weights: Vec<f64> = rated.iter().map(weight).collect();
        if self.is_shared && !missing.is_empty() {
            weights.push(self.weight(&missing));
        }
        let split_info = split_info(&weights, self.spec.log_base);

        if let (false, Some(b)) = (learn, missing_to) {
            branches[b].extend(&missing);
        }
        let large = branches.iter().filter(|b| {
            !b.is_empty()
                && self.reach(self.spec.min_samples_leaf, b)
                && self.weight(b) >= self.with_slack(self.spec.min_weight_leaf)
        });
        // Two-way: both; multiway: at least two.
        (large.count() >= 2).then_some(Candidate {
            ask,
            missing_to,
            gain,
            split_info,
            approximate: false,
        })
    }

    /// The gain, 0 where it is.
    fn gain(&self, parent: &[u128], branches: &[Vec<u128>]) -> f64 {
        let of_branches: Vec<Vec<f64>> = branches.iter().map(|b| self.weights_of(b)).collect();
        let of_parent = self.weights_of(parent);
        let gain = self.spec.criterion.gain(&of_parent, &of_branches, self.spec.log_base);
        let is_noise =
            (self.is_fractional || self.is_shared) && gain < 1e-12 * self.impurity(&of_parent);
        let is_zero = is_noise || branches.iter().all(|b| proportional(b, parent));
        if is_zero { 0.0 } else { gain }
    }

    fn impurity(&self, counts: &[f64]) -> f64 {
        self.spec.criterion.impurity(counts, self.spec.log_base)
    }

    /// The units of each class.
    fn counts(&self, rows: &[usize]) -> Vec<u128> {
        let mut counts = vec![0; self.n_classes];
        for &row in rows {
            counts[self.classes[row]] += self.units[row];
        }
        counts
    }

    fn weights_of(&self, counts: &[u128]) -> Vec<f64> {
        counts.iter().map(|&units| units as f64 * self.unit).collect()
    }

    fn weight(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&row| self.units[row]).sum::<u128>() as f64 * self.unit
    }

    /// The right sets to try; `None` where there are too many levels to try all sets of them.
    ///
    /// For two classes the levels are in order of the second class's share, equal shares in level
    /// order: the upper parts of that order, or all sets of higher share than the rest.
    fn sets(&self, column: &Column, rows: &[usize], sets: Sets) -> Option<Vec<Vec<usize>>> {
        let levels = levels(column, rows);
        let is_few = levels.len() <= SUBSET_EXHAUSTIVE_LEVELS;
        let stats: Vec<Vec<u128>> = levels
            .iter()
            .map(|level| {
                let has_it =
                    |&row: &usize| column.known(row).is_some_and(|v| same(column, v, level));
                self.counts(&rows.iter().copied().filter(has_it).collect::<Vec<_>>())
            })
            .collect();
        let all = || (0..levels.len()).collect::<Vec<usize>>();
        if self.n_classes == 2 && (sets == Sets::ByShare || !is_few) {
            let mut order = all();
            order.sort_by(|&a, &b| compare_shares(&stats[a], &stats[b]));
            let upper = |from: usize| {
                let mut right = order[from..].to_vec();
                right.sort();
                right
            };
            return Some((1..order.len()).map(upper).collect());
        }
        let mut sets = is_few.then(|| sets_without_the_lowest(levels.len()))?;
        if self.n_classes == 2 {
            for set in &mut sets {
                let rest: Vec<usize> = all().into_iter().filter(|l| !set.contains(l)).collect();
                let sum = |set: &[usize], class: usize| set.iter().map(|&l| stats[l][class]).sum();
                let sums = |set: &[usize]| [sum(set, 0), sum(set, 1)];
                if compare_shares(&sums(set), &sums(&rest)) == Ordering::Less {
                    *set = rest;
                }
            }
        }
        Some(sets)
    }
}

/// Compares the second of two classes' shares in two stats.
fn compare_shares(a: &[u128], b: &[u128]) -> Ordering {
    let total = |s: &[u128]| s.iter().sum::<u128>();
    (a[1] * total(b)).cmp(&(b[1] * total(a)))
}

/// The first item of the highest score.
fn first_of_the_best<T>(items: Vec<T>, score: impl Fn(&T) -> f64) -> Option<T> {
    items.into_iter().reduce(|best, item| if score(&item) > score(&best) { item } else { best })
}

/// Every set of some levels without the lowest one.
fn sets_without_the_lowest(n: usize) -> Vec<Vec<usize>> {
    let all = 1..1usize << (n - 1);
    all.map(|mask| (1..n).filter(|level| mask >> (level - 1) & 1 == 1).collect()).collect()
}

/// The tests of these right sets, the lower set first.
fn in_sets(mut sets: Vec<Vec<usize>>, texts: &[String]) -> Vec<Ask> {
    sets.sort();
    let ask = |right: Vec<usize>| {
        let (right, left): (Vec<_>, Vec<_>) =
            (0..texts.len()).partition(|level| right.contains(level));
        let named = |levels: Vec<usize>| levels.into_iter().map(|l| texts[l].clone()).collect();
        Ask::In { right: named(right), left: named(left) }
    };
    sets.into_iter().map(ask).collect()
}

impl Ask {
    /// Branches, given the one missing goes to.
    pub fn arity(&self, missing_to: Option<usize>) -> usize {
        match self {
            Ask::Each(levels) => levels.len() + usize::from(missing_to == Some(levels.len())),
            _ => 2,
        }
    }

    /// The branch of a row, unless its value is missing.
    pub fn branch(&self, column: &Column, row: usize) -> Option<usize> {
        let value = column.known(row)?;
        let place_in = |levels: &[String]| {
            let text = text(&column.dtype, value);
            levels.iter().position(|level| *level == text)
        };
        Some(match self {
            Ask::AtLeast(cut) => usize::from(order(column, value, cut) != Ordering::Less),
            Ask::Equals(level) => usize::from(*level == text(&column.dtype, value)),
            Ask::In { right, .. } => usize::from(place_in(right).is_some()),
            Ask::Each(levels) => place_in(levels).expect("a level of the node"),
            Ask::IsMissing => 0,
        })
    }
}

/// The distinct values of some rows in level order.
pub fn levels<'a>(column: &'a Column, rows: &[usize]) -> Vec<&'a Value> {
    let mut levels: Vec<&Value> = rows.iter().filter_map(|&row| column.known(row)).collect();
    levels.sort_by(|a, b| order(column, a, b));
    levels.dedup_by(|a, b| same(column, a, b));
    levels
}

fn same(column: &Column, a: &Value, b: &Value) -> bool {
    order(column, a, b) == Ordering::Equal
}

/// Level order: as declared (an enum), by text (nominal), by value (ordered).
pub fn order(column: &Column, a: &Value, b: &Value) -> Ordering {
    match (&column.dtype, column.kind, a, b) {
        (DType::Enum { categories }, _, Value::Text(a), Value::Text(b)) => {
            let place = |text: &String| categories.iter().position(|c| c == text);
            place(a).cmp(&place(b))
        }
        (dtype, Kind::Nominal, a, b) => text(dtype, a).cmp(&text(dtype, b)),
        (_, _, Value::Float(a), Value::Float(b)) => a.partial_cmp(b).expect("no NaN"),
        (_, _, Value::Int(a), Value::Int(b)) => a.cmp(b),
        (_, _, Value::Unsigned(a), Value::Unsigned(b)) => a.cmp(b),
        (_, _, Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => panic!("{a:?} and {b:?} in one column"),
    }
}

/// A level's text. (No test takes dates or times as nominal.)
pub fn text<'a>(dtype: &DType, value: &'a Value) -> Cow<'a, str> {
    let text = match (dtype, value) {
        (_, Value::Text(x)) => return Cow::Borrowed(x),
        (DType::Decimal { scale, .. }, Value::Int(x)) => {
            let digits = format!("{:0>1$}", x.unsigned_abs(), scale + 1);
            let (whole, part) = digits.split_at(digits.len() - scale);
            format!("{}{whole}.{part}", if *x < 0 { "-" } else { "" })
        }
        (DType::F32, Value::Float(x)) => (*x as f32 + 0.0).to_string(),
        (DType::F16, Value::Float(x)) => (f16::from_f64(*x) + f16::ZERO).to_string(),
        (_, Value::Float(x)) => (x + 0.0).to_string(),
        (_, Value::Int(x)) => x.to_string(),
        (_, Value::Unsigned(x)) => x.to_string(),
        _ => panic!("{value:?}"),
    };
    Cow::Owned(text)
}

/// The cut between two neighbouring levels. A float's is, of the floats within four of the
/// middle that part the levels, the one of fewest digits, the nearest to the middle, the lowest.
pub fn cut(dtype: &DType, lo: &Value, hi: &Value) -> Value {
    match (lo, hi) {
        (&Value::Float(lo), &Value::Float(hi)) => {
            let halves = |x: f64| match dtype {
                DType::F16 => (f16::from_f64(x) / f16::from_f64(2.0)).to_f64(),
                DType::F32 => f64::from(x as f32 / 2.0),
                _ => x / 2.0,
            };
            let narrow = |x: f64| match dtype {
                DType::F16 => f16::from_f64(x).to_f64(),
                DType::F32 => f64::from(x as f32),
                _ => x,
            };
            let middle = narrow(halves(lo) + halves(hi));
            let parts = |x: f64| lo < x && x <= hi;
            if !parts(middle) || middle.is_infinite() {
                return Value::Float(hi);
            }
            let mut near: Vec<(usize, u32, f64)> = Vec::new();
            for up in [false, true] {
                let mut x = middle;
                for steps in 0..=4 {
                    near.push((digits(dtype, x), steps, x));
                    x = neighbour(dtype, x, up);
                }
            }
            near.retain(|&(_, _, x)| parts(x));
            near.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
            Value::Float(near[0].2)
        }
        // lo + ceil((hi - lo) / 2) is ceil((lo + hi) / 2), here without leaving the type.
        (Value::Int(lo), Value::Int(hi)) => {
            let odd = lo.rem_euclid(2) + hi.rem_euclid(2);
            Value::Int(lo.div_euclid(2) + hi.div_euclid(2) + (odd + 1) / 2)
        }
        (Value::Unsigned(lo), Value::Unsigned(hi)) => Value::Unsigned(lo + (hi - lo).div_ceil(2)),
        _ => hi.clone(),
    }
}

/// The next float of a width.
pub fn neighbour(dtype: &DType, x: f64, up: bool) -> f64 {
    match (dtype, up) {
        (DType::F16, up) => {
            // Floats away from 0 have the next bits.
            let bits = f16::from_f64(x).to_bits();
            let next = match (bits & 0x7fff, (bits >> 15 == 0) == up) {
                (0, _) => {
                    if up {
                        1
                    } else {
                        0x8001
                    }
                }
                (_, true) => bits + 1,
                (_, false) => bits - 1,
            };
            f16::from_bits(next).to_f64()
        }
        (DType::F32, true) => (x as f32).next_up().into(),
        (DType::F32, false) => (x as f32).next_down().into(),
        (_, true) => x.next_up(),
        (_, false) => x.next_down(),
    }
}

/// Significant digits of a float of a width.
fn digits(dtype: &DType, x: f64) -> usize {
    let text = match dtype {
        DType::F64 => format!("{x:e}"),
        _ => format!("{:e}", x as f32),
    };
    let mantissa = text.split('e').next().unwrap_or("").replace(['-', '.'], "");
    mantissa.trim_matches('0').len()
}

/// Whether a branch's units are in the proportions of its parent's.
fn proportional(branch: &[u128], parent: &[u128]) -> bool {
    let (m, n): (u128, u128) = (branch.iter().sum(), parent.iter().sum());
    branch.iter().zip(parent).all(|(b, p)| b * n == p * m)
}

// ---- subtree raising -----------------------------------------------------------------------

/// A subtree that is pruned, with the rows of each node.
#[derive(Clone)]
struct Raised {
    here: Vec<Here>,
    split: Option<(Split, Vec<Raised>)>,
}

/// A tree that was grown unpruned, pruned with subtree raising: every subtree's rows are sent down
/// anew each time.
pub fn raise(frame: &Frame, grown: &Tree, predicted: &dyn Fn(&[f64]) -> f64) -> Vec<Node> {
    let mut oracle = Oracle::new(frame, grown.spec());
    let nodes = read(grown);
    let shape = oracle.shape(&nodes, 0);
    let mut root = oracle.sent(oracle.all_here(), &shape, false);
    oracle.prune(&mut root, predicted);
    oracle.flatten(&root, 0, None);
    oracle.nodes
}

impl Oracle<'_> {
    fn shape(&self, nodes: &[Node], id: u32) -> Raised {
        let split = nodes[id as usize].split.clone().map(|split| {
            let branches = split.branches.iter().map(|&b| self.shape(nodes, b)).collect();
            (split, branches)
        });
        Raised { here: Vec::new(), split }
    }

    fn counts_here(&self, here: &[Here]) -> Vec<f64> {
        let mut counts = vec![0; self.n_classes];
        here.iter().for_each(|&(row, units)| counts[self.classes[row]] += units);
        self.weights_of(&counts)
    }

    fn errors(&self, tree: &Raised, predicted: &dyn Fn(&[f64]) -> f64) -> f64 {
        match &tree.split {
            Some((_, branches)) => branches.iter().map(|b| self.errors(b, predicted)).sum(),
            None => predicted(&self.counts_here(&tree.here)),
        }
    }

    fn prune(&mut self, tree: &mut Raised, predicted: &dyn Fn(&[f64]) -> f64) {
        let Some((_, branches)) = &mut tree.split else { return };
        branches.iter_mut().for_each(|branch| self.prune(branch, predicted));
        let weight = |branch: &&Raised| self.counts_here(&branch.here).iter().sum::<f64>();
        let largest = branches.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)));
        let largest = largest.expect("branches").clone();
        let raised = self.sent(tree.here.clone(), &largest, true);
        let grown = self.errors(tree, predicted);
        let leaf = predicted(&self.counts_here(&tree.here));
        let of_raised = self.errors(&raised, predicted);
        if leaf <= grown + 0.1 && leaf <= of_raised + 0.1 {
            tree.split = None;
        } else if of_raised <= grown + 0.1 {
            *tree = raised;
            self.prune(tree, predicted);
        }
    }

    /// A subtree with other rows, and with a leaf for each level it never had.
    fn sent(&mut self, here: Vec<Here>, tree: &Raised, rate: bool) -> Raised {
        let Some((split, branches)) = &tree.split else { return Raised { here, split: None } };
        let (mut split, mut branches) = (split.clone(), branches.clone());
        let column = &self.frame.columns[split.column];
        let rows = self.enter(&here);
        let heaviest = {
            let weights = branches.iter().map(|b| self.counts_here(&b.here).iter().sum::<f64>());
            let weights: Vec<f64> = weights.collect();
            let is_multiway = matches!(split.ask, Ask::Each(_));
            let heavier = |a: usize, b: usize| match is_multiway {
                true if weights[b] > weights[a] => b,
                false if weights[b] >= weights[a] => b,
                _ => a,
            };
            (0..weights.len()).reduce(heavier).expect("branches")
        };
        let leaf = Raised { here: Vec::new(), split: None };
        for value in levels(column, &rows) {
            let level = text(&column.dtype, value).into_owned();
            match &mut split.ask {
                Ask::In { right, left } if !right.contains(&level) && !left.contains(&level) => {
                    if heaviest == 1 { right } else { left }.push(level);
                }
                Ask::Each(known) if !known.contains(&level) => {
                    let own = split.missing_to == Some(known.len() as u32);
                    known.push(level.clone());
                    let in_order = level_texts(self.frame, column);
                    known.sort_by_key(|l| in_order.iter().position(|other| other == l));
                    let at = known.iter().position(|l| *l == level).expect("is in");
                    branches.insert(at, leaf.clone());
                    match &mut split.missing_to {
                        Some(to) if own => *to = known.len() as u32,
                        Some(to) if *to as usize >= at => *to += 1,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        if let Ask::In { right, left } = &mut split.ask {
            let in_order = level_texts(self.frame, column);
            let place = |l: &String| in_order.iter().position(|other| other == l);
            right.sort_by_key(place);
            left.sort_by_key(place);
        }
        let (known, missing): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|&&row| column.known(row).is_some());
        if let (Ask::Each(levels), None, false) = (&split.ask, split.missing_to, missing.is_empty())
        {
            match self.spec.missing {
                Missing::Learn => {
                    split.missing_to = Some(levels.len() as u32);
                    branches.push(leaf);
                }
                Missing::Majority => {
                    // By level, as leaves were put between.
                    let old = match &tree.split {
                        Some((Split { ask: Ask::Each(old), .. }, _)) => &old[heaviest],
                        _ => unreachable!("the same test"),
                    };
                    split.missing_to =
                        levels.iter().position(|level| level == old).map(|b| b as u32);
                }
                Missing::Fractional | Missing::Error => {}
            }
        }
        let missing_to = split.missing_to.map(|b| b as usize);
        if rate {
            let learn = self.spec.missing == Missing::Learn;
            let rated = if learn { &rows } else { &known };
            let mut of_branches = vec![Vec::new(); branches.len()];
            for &row in rated {
                let branch = match &split.ask {
                    Ask::IsMissing if column.known(row).is_none() => Some(1),
                    ask => ask.branch(column, row).or(missing_to),
                };
                of_branches[branch.expect("a branch")].push(row);
            }
            let stats: Vec<Vec<u128>> = of_branches.iter().map(|b| self.counts(b)).collect();
            let share = if learn { 1.0 } else { self.weight(&known) / self.weight(&rows) };
            split.gain = share * self.gain(&self.counts(rated), &stats);
        }
        let parts = self.send(&split.ask, missing_to, column, &rows);
        let branches = parts.into_iter().zip(&branches);
        let branches = branches.map(|(part, branch)| self.sent(part, branch, rate)).collect();
        Raised { here, split: Some((split, branches)) }
    }

    fn flatten(&mut self, tree: &Raised, depth: u32, parent: Option<u32>) -> u32 {
        let id = self.nodes.len() as u32;
        let counts = self.counts_here(&tree.here);
        let (impurity, n) = (self.impurity(&counts), tree.here.len() as u64);
        self.nodes.push(Node { parent, depth, n, counts, impurity, split: None });
        if let Some((split, branches)) = &tree.split {
            let branches = branches.iter().map(|b| self.flatten(b, depth + 1, Some(id))).collect();
            self.nodes[id as usize].split = Some(Split { branches, ..split.clone() });
        }
        id
    }
}
