//! Forests beside trees that are grown one by one from the same draws.

use gaintree::engine::{
    DrawnFeatures, Features, NodePath, Sample, SharedTable, Voting, drawn_features, drawn_rows,
    grow_forest, grow_sample,
};
use gaintree::{
    ClassWeights, Forest, ForestSpec, MaxFeatures, Missing, Pruning, Task, Tree, TreeSpec,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::{distinct, large, specs};

fn shared(frame: &Frame) -> SharedTable {
    SharedTable::new(frame.table(Task::Auto).expect("a table"))
}

pub fn grow(frame: &Frame, spec: &ForestSpec) -> gaintree::Result<Forest> {
    grow_forest(&shared(frame), spec)
}

/// The nodes of a tree and their class counts. Its schema is the forest's.
fn nodes(tree: &Tree) -> (Vec<gaintree::engine::Node>, Vec<Vec<f64>>) {
    let counts = (0..tree.n_nodes() as u32).map(|node| tree.class_counts(node).to_vec());
    (tree.node_slice().to_vec(), counts.collect())
}

fn class_weights() -> impl Strategy<Value = ClassWeights> {
    prop_oneof![3 => Just(ClassWeights::Equal), 1 => Just(ClassWeights::Balanced)]
}

/// One or more rows have a weight above 0, and two classes or more have such rows.
fn can_be_fitted(frame: &Frame) -> bool {
    frame.grow(&TreeSpec::cart()).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Without draws a forest of one tree is that tree, to the byte.
    #[test]
    fn a_forest_of_one_whole_tree_is_the_tree(
        frame in frames(Weighing::Exact),
        spec in specs(),
        class_weights in class_weights(),
    ) {
        prop_assume!(can_be_fitted(&frame));
        let spec = spec.class_weights(class_weights);
        let whole = ForestSpec::new(spec.clone())
            .trees(1)
            .bootstrap(false)
            .max_features(MaxFeatures::Share(1.0));
        match (grow(&frame, &whole), frame.grow(&spec)) {
            (Ok(forest), Ok(tree)) => {
                let of_forest = forest.tree(0).expect("a tree");
                prop_assert_eq!(of_forest.to_json(), tree.to_json());
            }
            (Err(refused), Err(of_tree)) => {
                prop_assert_eq!(refused.to_string(), of_tree.to_string());
            }
            (forest, tree) => prop_assert!(false, "{:?} {:?}", forest, tree),
        }
    }

    /// Each tree is grown on the rows drawn for it, and each node looks at the features drawn for it.
    #[test]
    fn trees_follow_their_draws(
        frame in frames(Weighing::Whole),
        spec in specs(),
        bootstrap in any::<bool>(),
        sample_share in select(vec![1.0, 0.6, 0.1]),
        max_features in select(vec![MaxFeatures::Auto, MaxFeatures::Share(0.7), MaxFeatures::Count(1)]),
        seed in any::<u64>(),
    ) {
        prop_assume!(can_be_fitted(&frame) && spec.missing != Missing::Error);
        let positive = |&row: &usize| frame.weights.as_ref().is_none_or(|w| w[row] > 0.0);
        let frame = frame.take(&(0..frame.n_rows()).filter(positive).collect::<Vec<_>>());
        let spec = ForestSpec::new(spec)
            .trees(3)
            .bootstrap(bootstrap)
            .sample_share(sample_share)
            .max_features(max_features)
            .seed(seed);
        let forest = grow(&frame, &spec).expect("a forest");
        let (table, n_features) = (shared(&frame), frame.columns.len());
        let n = match max_features {
            MaxFeatures::Auto => n_features.isqrt(),
            MaxFeatures::Count(count) => count as usize,
            MaxFeatures::Share(share) => ((share * n_features as f64) as usize).max(1),
        };
        for at in 0..3 {
            let times = drawn_rows(&spec, at, frame.n_rows());
            let weights: Option<Vec<f64>> = times.map(|times| {
                let own = |row: usize| frame.weights.as_ref().map_or(1.0, |w| w[row]);
                times.iter().enumerate().map(|(row, &n)| f64::from(n) * own(row)).collect()
            });
            let order = |path: NodePath| drawn_features(&spec, at, path, n_features);
            let features = Features::Drawn(DrawnFeatures { n, order: &order });
            let sample = Sample { weights: weights.as_deref(), features, ..Sample::default() };
            let alone = grow_sample(&table, &sample, &spec.tree).expect("a tree");
            prop_assert_eq!(nodes(&forest.tree(at as usize).expect("a tree")), nodes(&alone));
        }
        prop_assert_eq!(forest.tree(3), None);
        prop_assert_eq!(Forest::from_json(&forest.to_json()).expect("reads"), forest);
    }
}

/// The same bytes on one, two and eight threads; other bytes for another seed.
#[test]
fn a_seed_grows_the_same_forest_on_any_number_of_threads() {
    let mut frame = large(4_000, 3, true);
    frame.columns.push(distinct(4_000));
    let numbers = Column::floats("y", (0..4_000).map(|i| (i * i % 1_000) as f64 / 8.0));
    let of_numbers = Frame { target: numbers, ..frame.clone() };
    for frame in [frame, of_numbers] {
        let table = shared(&frame);
        let grown = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let spec = ForestSpec::default().trees(11).seed(seed);
            let grow = || grow_forest(&table, &spec).expect("a forest").to_json();
            pool.expect("a pool").install(grow)
        };
        let one = grown(1, 5);
        assert!(one == grown(2, 5) && one == grown(8, 5));
        assert!(one != grown(2, 6));
    }
}

/// Answers do not depend on how many rows go down a tree together, nor on the threads.
#[test]
fn rows_are_answered_alike_in_tiles_of_any_size() {
    let frame = large(70_000, 3, true);
    let small = frame.take(&(0..500).collect::<Vec<_>>());
    let forest = grow(&small, &ForestSpec::default().trees(5)).expect("a forest");
    let answers = |frame: &Frame| {
        let column = |name: &str| Ok(frame.columns.iter().find(|c| c.name == name).cloned());
        forest.answers(frame.n_rows(), Voting::Soft, column, &[]).expect("answers")
    };
    // Outside of any pool, and in pools of one tile a thread and of many.
    let inline = answers(&frame);
    for threads in [1, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        assert!(pool.install(|| answers(&frame)) == inline, "{threads} threads");
    }
    let n_classes = forest.schema().classes.len();
    for start in [0, 4_095, 65_530, 69_000] {
        let part = answers(&frame.take(&(start..start + 1_000).collect::<Vec<_>>()));
        assert_eq!(part.classes, inline.classes[start..start + 1_000]);
        let values = &inline.values[start * n_classes..(start + 1_000) * n_classes];
        assert_eq!(part.values, values);
    }
}

/// Rows that a tree did not draw are nothing to it, and balanced classes are balanced over all rows.
#[test]
fn class_weights_are_of_the_whole_table() {
    let n = 200;
    let columns = vec![Column::floats("x", (0..n).map(|i| (i * 37 % 100) as f64))];
    let classes = Column::texts("y", (0..n).map(|i| if i % 10 == 0 { "rare" } else { "usual" }));
    let frame = Frame::new(columns, classes);
    let spec = ForestSpec::new(TreeSpec::cart().class_weights(ClassWeights::Balanced)).trees(20);
    let forest = grow(&frame, &spec).expect("a forest");
    assert_eq!(forest.schema().class_weights, [5.0, 100.0 / 180.0]);
    assert_eq!(forest.spec().tree.class_weights, ClassWeights::Balanced);
    for at in 0..20 {
        let times = drawn_rows(&spec, at, n).expect("a bootstrap");
        let rare: u32 = times.iter().step_by(10).sum();
        let tree = forest.tree(at as usize).expect("a tree");
        let counts = tree.class_counts(0);
        assert!((counts[0] - f64::from(rare) * 5.0).abs() < 1e-9);
        assert!((counts[1] - (200.0 - f64::from(rare)) * 100.0 / 180.0).abs() < 1e-9);
        assert_eq!(tree.node_slice()[0].n, times.iter().filter(|&&times| times > 0).count() as u64);
    }
}

/// Rows that all weigh nothing are no rows, whatever their classes weigh.
#[test]
fn a_forest_of_no_rows_is_refused_as_a_tree_is() {
    let columns = vec![Column::floats("x", [1.0, 2.0])];
    let classes = Column::texts("y", ["a", "b"]);
    let frame = Frame { weights: Some(vec![0.0, 0.0]), ..Frame::new(columns, classes) };
    let spec = TreeSpec::cart().class_weights(ClassWeights::Balanced);
    let of_tree = frame.grow(&spec).expect_err("no rows").to_string();
    let of_forest = grow(&frame, &ForestSpec::new(spec).trees(2)).expect_err("no rows");
    assert_eq!(of_forest.to_string(), of_tree);
}

#[test]
fn forests_that_cannot_be_are_refused() {
    let frame = large(60, 2, false);
    let n = frame.columns.len();
    let refusal = |spec: ForestSpec| {
        let e = grow(&frame, &spec).expect_err("refused");
        assert!(e.is_spec(), "{e}");
        e.to_string()
    };
    let spec = || ForestSpec::default().trees(2);
    assert!(refusal(spec().trees(0)).contains("trees is 0"));
    let many = refusal(spec().max_features(MaxFeatures::Count(99)));
    assert!(many.contains(&format!("max_features is 99, but there are {n} features")), "{many}");
    assert!(refusal(spec().max_features(MaxFeatures::Count(0))).contains("max_features is 0"));
    for share in [0.0, -1.0, 1.5, f64::NAN, f64::INFINITY] {
        let features = refusal(spec().max_features(MaxFeatures::Share(share)));
        assert!(features.contains(&format!("max_features is a share of {share}")), "{features}");
        let rows = refusal(spec().sample_share(share));
        assert!(rows.contains(&format!("sample_share is {share}")), "{rows}");
    }
    let pruned = TreeSpec::cart().pruning(Pruning::Leaves { at_most: 3 });
    assert!(refusal(spec().tree(pruned)).contains("trees of a forest are not pruned"));
    assert!(refusal(spec().tree(TreeSpec::cart().max_leaves(0))).contains("max_leaves is 0"));
    // A preset's own pruning is put aside.
    assert!(grow(&frame, &ForestSpec::new(TreeSpec::c45()).trees(2)).is_ok());
}
