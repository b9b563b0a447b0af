//! Extremely randomised trees, node by node beside slow ones of the same draws.

use gaintree::engine::dtype::{DType, Kind, Value};
use gaintree::engine::{
    DrawnFeatures, Features, NodePath, Sample, SharedTable, Splits, drawn_features, drawn_rows,
    grow_forest, grow_sample, split_seed,
};
use gaintree::{Forest, ForestSpec, Grouping, MaxFeatures, Missing, Task, Tree, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::drawn;
use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::{distinct, large, specs};
use crate::oracle::{self, Ask, Draws};
use crate::routing;

fn grow(frame: &Frame, spec: &ForestSpec) -> gaintree::Result<Forest> {
    grow_forest(&SharedTable::new(frame.table(Task::Auto)?), spec)
}

/// One tree on all rows.
fn one_tree(spec: TreeSpec, max_features: MaxFeatures, seed: u64) -> ForestSpec {
    let spec = ForestSpec::new(spec).trees(1).max_features(max_features).seed(seed);
    spec.extra(true).bootstrap(false)
}

fn features_of_node(max_features: MaxFeatures, n: usize, is_number: bool) -> usize {
    match max_features {
        MaxFeatures::Auto if is_number => (n / 3).max(1),
        MaxFeatures::Auto => n.isqrt(),
        MaxFeatures::Count(count) => count as usize,
        MaxFeatures::Share(share) => ((share * n as f64) as usize).max(1),
    }
}

const MAX_FEATURES: [MaxFeatures; 3] =
    [MaxFeatures::Auto, MaxFeatures::Share(0.7), MaxFeatures::Share(1.0)];

/// What the oracle grows by the draws of a forest's first tree.
fn slow(frame: &Frame, spec: &ForestSpec) -> Option<Vec<oracle::Node>> {
    let n_features = frame.columns.len();
    let n = features_of_node(spec.max_features, n_features, false);
    // Of all columns none are drawn.
    let order = |path: NodePath| match n == n_features {
        true => (0..n_features as u32).collect(),
        false => drawn_features(spec, 0, path, n_features),
    };
    let seed = |path: NodePath, feature: u32| split_seed(spec, 0, path, feature);
    oracle::grow_drawn(frame, &spec.tree, Draws { n, order: &order, seed: &seed })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every dtype, few levels and many, missing values, weights and limits.
    #[test]
    fn extra_trees_are_those_of_their_draws(
        frame in frames(Weighing::Exact),
        spec in specs(),
        max_features in select(&MAX_FEATURES[..]),
        seed in any::<u64>(),
    ) {
        let spec = one_tree(spec, max_features, seed);
        match (slow(&frame, &spec), grow(&frame, &spec)) {
            (Some(expected), Ok(forest)) => {
                let tree = forest.tree(0).expect("a tree");
                prop_assert_eq!(oracle::read(&tree), expected);
                prop_assert_eq!(oracle::first_misrouted(&frame, &tree), None);
                // Rows of weight 0 may lack a value, which is no error of growth.
                if spec.tree.missing != Missing::Error {
                    routing::check(&frame, &tree)?;
                }
                prop_assert_eq!(Forest::from_json(&forest.to_json()).expect("reads"), forest);
            }
            (None, Err(e)) => prop_assert!(e.is_data(), "{e}"),
            (expected, grown) => prop_assert!(false, "{:?} {:?}", expected, grown),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// The rows of a bootstrap, and trees that are grown best-first.
    #[test]
    fn extra_trees_follow_their_draws(
        frame in frames(Weighing::Whole),
        spec in specs(),
        max_leaves in prop::option::of(1..9u32),
        max_features in select(&MAX_FEATURES[..2]),
        seed in any::<u64>(),
    ) {
        prop_assume!(frame.grow(&TreeSpec::cart()).is_ok() && spec.missing != Missing::Error);
        let positive = oracle::positive_rows(&frame);
        let frame = frame.take(&positive);
        let mut tree_spec = spec;
        tree_spec.max_leaves = max_leaves;
        let spec = ForestSpec::new(tree_spec).trees(3).max_features(max_features).seed(seed);
        let spec = spec.extra(true);
        let forest = grow(&frame, &spec).expect("a forest");
        let table = SharedTable::new(frame.table(Task::Auto).expect("a table"));
        let n_features = frame.columns.len();
        let n = features_of_node(max_features, n_features, false);
        for at in 0..3 {
            let times = drawn_rows(&spec, at, frame.n_rows()).expect("a bootstrap");
            let own = |row: usize| frame.weights.as_ref().map_or(1.0, |w| w[row]);
            let weights: Vec<f64> =
                times.iter().enumerate().map(|(row, &n)| f64::from(n) * own(row)).collect();
            let order = |path: NodePath| drawn_features(&spec, at, path, n_features);
            let seed = |path: NodePath, feature: u32| split_seed(&spec, at, path, feature);
            let sample = Sample {
                weights: Some(&weights),
                features: Features::Drawn(DrawnFeatures { n, order: &order }),
                splits: Splits::Drawn(&seed),
                ..Sample::default()
            };
            let alone = grow_sample(&table, &sample, &spec.tree).expect("a tree");
            let of_forest = forest.tree(at as usize).expect("a tree");
            prop_assert_eq!(of_forest.node_slice(), alone.node_slice());
        }
    }
}

// ---- numbers -------------------------------------------------------------------------------

/// A tree of a number, grown by what each node may choose.
struct NumberOracle<'a> {
    frame: &'a Frame,
    y: &'a [i64],
    spec: &'a ForestSpec,
    tree: &'a Tree,
}

/// What a node may choose.
#[derive(Debug)]
struct Choice {
    column: usize,
    ask: Ask,
    /// The branch of missing values, if there are any.
    missing_to: Option<u32>,
    branches: [Vec<usize>; 2],
}

impl NumberOracle<'_> {
    fn weight(&self, rows: &[usize]) -> i64 {
        rows.iter().map(|&row| self.frame.weights.as_ref().map_or(1, |w| w[row] as i64)).sum()
    }

    /// The weighted sum of the numbers.
    fn sum(&self, rows: &[usize]) -> i64 {
        rows.iter().map(|&row| self.weight(&[row]) * self.y[row]).sum()
    }

    fn gain(&self, rows: &[usize], branches: &[Vec<usize>; 2]) -> f64 {
        let square = |rows: &[usize]| (self.sum(rows) as f64).powi(2) / self.weight(rows) as f64;
        (square(&branches[0]) + square(&branches[1]) - square(rows)) / self.weight(rows) as f64
    }

    /// All that a node may choose of a column.
    fn choices(&self, column: usize, rows: &[usize], path: NodePath) -> Vec<Choice> {
        let data = &self.frame.columns[column];
        let levels = oracle::levels(data, rows);
        let any_missing = rows.iter().any(|&row| data.known(row).is_none());
        let of_set = |set: &[usize]| -> Vec<usize> {
            let is_in = |&row: &usize| {
                let is_its =
                    |v: &Value| set.iter().any(|&at| oracle::order(data, v, levels[at]).is_eq());
                data.known(row).is_some_and(is_its)
            };
            rows.iter().copied().filter(is_in).collect()
        };
        let is_lower = |a: &[usize], b: &[usize]| {
            let (a, b) = (of_set(a), of_set(b));
            self.sum(&a) * self.weight(&b) < self.sum(&b) * self.weight(&a)
        };
        let seed = split_seed(self.spec, 0, path, column as u32);
        let grouping = self.spec.tree.grouping;
        let ask = drawn::ask(data, grouping, &levels, seed, is_lower);
        let mut asks: Vec<(Ask, u32)> =
            ask.into_iter().flat_map(|ask| [(ask.clone(), 1), (ask, 0)]).collect();
        if any_missing {
            asks.push((Ask::IsMissing, 1));
        }
        let choices = asks.into_iter().map(|(ask, missing_to)| {
            let branch = |row: usize| match &ask {
                Ask::IsMissing => usize::from(data.known(row).is_none()),
                ask => ask.branch(data, row).unwrap_or(missing_to as usize),
            };
            let part = |b: usize| rows.iter().copied().filter(|&row| branch(row) == b).collect();
            let branches: [Vec<usize>; 2] = [part(0), part(1)];
            Choice { column, missing_to: any_missing.then_some(missing_to), branches, ask }
        });
        let least = self.spec.tree.min_samples_leaf as usize;
        choices.filter(|choice| choice.branches.iter().all(|b| b.len() >= least)).collect()
    }

    /// Checks a node of the tree and all below it. Of candidates that gain as much the tree has one.
    fn check(&self, id: u32, rows: &[usize], path: NodePath) -> Result<(), TestCaseError> {
        let node = &self.tree.node_slice()[id as usize];
        prop_assert_eq!(node.n, rows.len() as u64);
        let mean = self.sum(rows) as f64 / self.weight(rows) as f64;
        prop_assert!((self.tree.mean(id).expect("a mean") - mean).abs() < 1e-9);
        let columns = &self.frame.columns;
        let varies = |&at: &u32| {
            let column = &columns[at as usize];
            let any_missing = rows.iter().any(|&row| column.known(row).is_none());
            oracle::levels(column, rows).len() + usize::from(any_missing) > 1
        };
        let n = features_of_node(self.spec.max_features, columns.len(), true);
        let order = drawn_features(self.spec, 0, path, columns.len());
        let looked_at = order.into_iter().filter(varies).take(n);
        let choices: Vec<Choice> =
            looked_at.flat_map(|column| self.choices(column as usize, rows, path)).collect();
        let gain = |choice: &Choice| self.gain(rows, &choice.branches);
        let highest = choices.iter().map(gain).fold(0.0, f64::max);
        let split = oracle::read_split(self.tree, id);
        let is_full = self.spec.tree.max_depth.is_some_and(|most| path.depth() >= most);
        let Some(split) = split else {
            prop_assert!(is_full || highest < 1e-9, "{} gained", highest);
            return Ok(());
        };
        let is_it = |choice: &&Choice| {
            let missing_to = choice.missing_to;
            (choice.column, &choice.ask) == (split.column, &split.ask)
                && missing_to.is_none_or(|branch| Some(branch) == split.missing_to)
        };
        let chosen = choices.iter().find(is_it);
        let Some(chosen) = chosen else {
            return Err(TestCaseError::fail(format!("{split:?} is none of {choices:?}")));
        };
        prop_assert!((gain(chosen) - split.gain).abs() < 1e-9 && gain(chosen) > highest - 1e-9);
        for (b, rows) in chosen.branches.iter().enumerate() {
            self.check(split.branches[b], rows, path.branch(b))?;
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn extra_trees_of_numbers_are_those_of_their_draws(
        frame in frames(Weighing::Whole),
        grouping in select(vec![Grouping::OneVsRest, Grouping::Subset]),
        min_samples_leaf in select(vec![1, 1, 3]),
        max_features in select(&MAX_FEATURES[..]),
        (seed, y) in (any::<u64>(), prop::collection::vec(0..9i64, 200)),
    ) {
        let n = frame.n_rows();
        let numbers = Column::floats("y", y[..n].iter().map(|&y| y as f64));
        let frame = Frame { target: numbers, ..frame };
        let rows = oracle::positive_rows(&frame);
        prop_assume!(!rows.is_empty());
        let mut spec = TreeSpec::cart().grouping(grouping).min_samples_leaf(min_samples_leaf);
        spec.max_subset_levels = None;
        let spec = one_tree(spec.max_depth(4), max_features, seed);
        let tree = grow(&frame, &spec).expect("a forest").tree(0).expect("a tree");
        let oracle = NumberOracle { frame: &frame, y: &y, spec: &spec, tree: &tree };
        oracle.check(0, &rows, NodePath::ROOT)?;
        routing::check(&frame, &tree)?;
    }
}

// ---- large ---------------------------------------------------------------------------------

/// Columns of few, of many and of only different levels, as integers, floats and text.
fn large_frame(n: usize, weighted: bool) -> Frame {
    let mut frame = large(n, 2, weighted);
    let mut ordered = distinct(n);
    let texts = ordered.cells.iter().map(|cell| match cell {
        Some(Value::Float(x)) => Some(Value::Text(format!("{:09}", (x * 8.0) as i64 % 700))),
        _ => None,
    });
    let mut graded = Column::new("graded", DType::String, texts);
    graded.kind = Kind::Ordered;
    ordered.name = "different".into();
    frame.columns.extend([ordered, graded]);
    frame
}

/// Nodes that are gathered, columns of few levels in histograms, and those of only different ones.
#[test]
fn large_extra_trees_are_those_of_their_draws() {
    let frame = large_frame(5_000, false);
    for missing in [Missing::Learn, Missing::Fractional] {
        let tree = TreeSpec::cart().missing(missing).min_samples_leaf(40).max_depth(7);
        let spec = one_tree(tree, MaxFeatures::Count(3), 11);
        let tree = grow(&frame, &spec).expect("a forest").tree(0).expect("a tree");
        let expected = slow(&frame, &spec).expect("a tree");
        assert!(expected.len() > 40);
        assert_eq!(oracle::read(&tree), expected);
    }
}

/// The same bytes on one, two and eight threads; each training row is in the leaf that counted it.
#[test]
fn a_seed_grows_the_same_extra_trees_on_any_number_of_threads() {
    let frame = large_frame(5_000, true);
    let numbers = Column::floats("y", (0..5_000).map(|i| (i * i % 1_000) as f64 / 8.0));
    let of_numbers = Frame { target: numbers, ..frame.clone() };
    for frame in [frame, of_numbers] {
        let table = SharedTable::new(frame.table(Task::Auto).expect("a table"));
        let grown = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let spec = ForestSpec::new(TreeSpec::cart().min_samples_leaf(3)).trees(2).seed(seed);
            let spec = spec.extra(true).bootstrap(false);
            pool.expect("a pool").install(|| grow_forest(&table, &spec).expect("a forest"))
        };
        let one = grown(1, 5);
        let bytes = one.to_json();
        assert!(bytes.contains("\"extra\":true") || bytes.contains("\"extra\": true"));
        assert!(bytes == grown(2, 5).to_json() && bytes == grown(8, 5).to_json());
        assert!(bytes != grown(2, 6).to_json());
        let tree = one.tree(0).expect("a tree");
        let routes = frame.routes(&tree);
        let mut rows = vec![0; tree.n_nodes()];
        oracle::positive_rows(&frame).iter().for_each(|&row| rows[routes.nodes[row] as usize] += 1);
        let leaves = tree.node_slice().iter().zip(rows).filter(|(node, _)| node.split.is_none());
        leaves.for_each(|(leaf, rows)| assert_eq!(leaf.n, rows));
    }
}

/// Models of forests without it say nothing of it.
#[test]
fn extra_is_written_where_it_is_on() {
    let columns = vec![Column::floats("x", [1.0, 2.0, 3.0, 4.0])];
    let frame = Frame::new(columns, Column::texts("y", ["a", "b", "b", "a"]));
    let written = |extra: bool| {
        let forest = grow(&frame, &ForestSpec::default().trees(2).extra(extra)).expect("grows");
        assert_eq!(forest.spec().extra, extra);
        let json = forest.to_json();
        assert_eq!(Forest::from_json(&json).expect("reads").spec().extra, extra);
        json.contains("extra")
    };
    assert_eq!([false, true].map(written), [false, true]);
}
