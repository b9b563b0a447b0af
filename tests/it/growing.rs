//! Best-first growth and class weights.

use gaintree::Tree;
use gaintree::engine::Value;
use gaintree::prelude::*;
use polars::prelude::*;
use proptest::prelude::*;

use crate::frames::{Frame, Weighing, frames, scattered};
use crate::growth::specs;

/// What greedy growth keeps of a fully grown tree: of the open nodes always the one whose gain
/// times weight is highest, the earlier opened of equals.
fn greedy(full: &Tree, max_leaves: usize) -> Vec<(u64, Option<f64>)> {
    let nodes = full.node_slice();
    let mut kept = vec![false; nodes.len()];
    // (node, when it was opened)
    let (mut open, mut opened, mut leaves) = (vec![(0u32, 0)], 1, 1);
    loop {
        open.retain(|(id, _)| nodes[*id as usize].split.is_some());
        let promise =
            |id: u32| nodes[id as usize].split.as_ref().map_or(0.0, |s| s.gain) * full.weight(id);
        let best = (0..open.len()).reduce(|a, b| {
            let ((x, first), (y, second)) = (open[a], open[b]);
            let other = promise(y) > promise(x) || (promise(y) == promise(x) && second < first);
            if other { b } else { a }
        });
        let Some(best) = best else { break };
        let (id, _) = open.remove(best);
        let branches = nodes[id as usize].split.as_ref().map_or(&[][..], |s| &s.branches);
        if leaves + branches.len() - 1 <= max_leaves {
            leaves += branches.len() - 1;
            kept[id as usize] = true;
            for &branch in branches {
                open.push((branch, opened));
                opened += 1;
            }
        }
        if leaves == max_leaves {
            break;
        }
    }
    // The kept nodes and their branches, in preorder.
    let is_there = |node: &gaintree::engine::Node| node.parent.is_none_or(|p| kept[p as usize]);
    let there = nodes.iter().enumerate().filter(|(_, node)| is_there(node));
    there
        .map(|(id, node)| {
            (node.n, node.split.as_ref().filter(|_| kept[id]).map(|split| split.gain))
        })
        .collect()
}

/// The nodes as they are written to a file.
fn nodes(tree: &Tree) -> String {
    let json = tree.to_json();
    json[json.find("\"nodes\"").expect("nodes")..].to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_most_promising_node_is_split_next(
        frame in frames(Weighing::Exact),
        max_leaves in 1u32..12,
        preset in 0..3usize,
    ) {
        let c45 = TreeSpec::c45().pruning(Pruning::None);
        let spec = [TreeSpec::cart(), TreeSpec::id3(), c45][preset].clone();
        let Ok(full) = frame.grow(&spec) else { return Ok(()) };
        let tree = frame.grow(&spec.max_leaves(max_leaves)).expect("grows");
        prop_assert!(tree.n_leaves() <= max_leaves as usize);
        let found: Vec<_> =
            tree.node_slice().iter().map(|n| (n.n, n.split.as_ref().map(|s| s.gain))).collect();
        prop_assert_eq!(found, greedy(&full, max_leaves as usize));
    }

    /// Best-first growth splits node by node, depth-first growth takes few rows together.
    #[test]
    fn any_order_of_growth_makes_the_same_tree(
        frame in frames(Weighing::Exact),
        thirds in prop::option::of(prop::collection::vec(-9..9i8, 200)),
        spec in specs(),
    ) {
        let frame = thirds.map_or(frame.clone(), |thirds| frame.of_numbers(&thirds));
        let Ok(depth_first) = frame.grow(&spec) else { return Ok(()) };
        let best_first = frame.grow(&spec.max_leaves(u32::MAX)).expect("grows");
        prop_assert_eq!(nodes(&depth_first), nodes(&best_first));
    }

    /// Weights of classes are weights of their rows.
    #[test]
    fn classes_weigh_as_their_rows_would(frame in frames(Weighing::Whole)) {
        let Ok(plain) = frame.grow(&TreeSpec::cart()) else { return Ok(()) };
        let classes = &plain.schema().classes;
        let given = (0..classes.len())
            .map(|class| (plain.schema().class_text(class), [0.5, 2.0, 3.0][class % 3]))
            .collect();
        let spec = TreeSpec::cart().class_weights(ClassWeights::Given(given));
        let found = frame.grow(&spec).expect("grows");
        let class_of = |row: usize| -> usize {
            let cell: &Option<Value> = &frame.target.cells[row];
            classes.iter().position(|c| Some(c) == cell.as_ref()).unwrap_or(0)
        };
        let old = frame.weights.clone().unwrap_or(vec![1.0; frame.n_rows()]);
        let weights = (0..frame.n_rows()).map(|row| old[row] * [0.5, 2.0, 3.0][class_of(row) % 3]);
        let by_rows = Frame { weights: Some(weights.collect()), ..frame.clone() };
        let expected = by_rows.grow(&TreeSpec::cart()).expect("grows");
        prop_assert_eq!(found.node_slice(), expected.node_slice());
    }

    /// Balanced classes weigh the same to the last digit, alone and where they are together.
    #[test]
    fn balanced_classes_tie_exactly(frame in frames(Weighing::Exact), scale in 1..4u8) {
        let scaled = |w: &f64| w / f64::from(scale);
        let weights = frame.weights.as_ref().map(|w| w.iter().map(scaled).collect());
        let frame = Frame { weights, ..frame };
        let spec = TreeSpec::cart().class_weights(ClassWeights::Balanced);
        let Ok(tree) = frame.grow(&spec) else { return Ok(()) };
        let counts = tree.class_counts(0);
        prop_assert!(counts.iter().all(|&count| count == counts[0]), "{:?}", counts);
        prop_assert_eq!(tree.majority(0), 0);
        let total: f64 = frame.weights.as_ref().map_or(frame.n_rows() as f64, |w| w.iter().sum());
        prop_assert!((tree.weight(0) - total).abs() <= 1e-12 * total);
    }
}

/// The same where subtrees of few rows are below nodes of many.
#[test]
fn any_order_of_growth_makes_the_same_large_tree() {
    let of = |salt: u32, levels: u32| scattered(2000, salt, levels);
    let or_null = |salt: u32, x: u32| (x % 7 != 3 || salt == 0).then_some(x);
    let text = |x: u32| ["red", "green", "blue", "grey", "pink"][x as usize];
    let df = df![
        "float" => of(1, 1 << 20).map(|x| f64::from(x) / 3.0).collect::<Vec<_>>(),
        "holes" => of(2, 1 << 20).map(|x| or_null(2, x)).collect::<Vec<_>>(),
        "few" => of(3, 4).collect::<Vec<_>>(),
        "few_holes" => of(4, 13).map(|x| or_null(4, x)).collect::<Vec<_>>(),
        "text" => of(5, 5).map(text).collect::<Vec<_>>(),
        "ties" => of(6, 300).collect::<Vec<_>>(),
        "w" => of(7, 5).map(|x| 0.5 + f64::from(x)).collect::<Vec<_>>(),
        "two" => of(8, 2).map(|x| x == 1).collect::<Vec<_>>(),
        "ten" => of(9, 100).map(|x| x.isqrt()).collect::<Vec<_>>(),
        "number" => of(10, 1 << 16).map(|x| f64::from(x) - 3e4).collect::<Vec<_>>(),
    ]
    .expect("a frame");
    let features = ["float", "holes", "few", "few_holes", "text", "ties"];
    let c45 = TreeSpec::c45().pruning(Pruning::None);
    let specs = [
        TreeSpec::cart(),
        TreeSpec::cart().min_samples_leaf(3),
        TreeSpec::cart().missing(Missing::Majority).grouping(Grouping::Subset),
        TreeSpec::id3(),
        c45.missing(Missing::Learn),
    ];
    for (target, task) in [("two", Task::Auto), ("ten", Task::Classify), ("number", Task::Auto)] {
        for spec in &specs {
            for spec in [spec.clone(), spec.clone().weight("w")] {
                let spec = spec.features(features).task(task);
                let fit = |spec: TreeSpec| df.fit_tree(target, &spec).expect("fits").tree;
                let (depth_first, best_first) = (fit(spec.clone()), fit(spec.max_leaves(u32::MAX)));
                assert!(depth_first.n_nodes() > 500, "{target}: {}", depth_first.n_nodes());
                assert!(nodes(&depth_first) == nodes(&best_first), "{target}");
            }
        }
    }
}

#[test]
fn balanced_classes_weigh_alike() {
    let df = df!["x" => [1, 2, 3, 4, 5, 6, 7, 8], "y" => ["a", "a", "a", "a", "a", "a", "b", "b"]]
        .expect("a frame");
    let spec = TreeSpec::cart().class_weights(ClassWeights::Balanced);
    let tree = df.fit_tree("y", &spec).expect("fits").tree;
    assert_eq!(tree.class_counts(0), [4.0, 4.0]);
    // To the last digit, so that the lower class is the answer; and the baseline is of the rows.
    let y: Vec<bool> = (0..5000).map(|row| row % 65 == 64 || row == 0).collect();
    assert_eq!(y.iter().filter(|&&y| y).count(), 77);
    let ones = df!["x" => vec![1; 5000], "w" => vec![3.0; 5000], "y" => y].expect("a frame");
    for (spec, weight) in [(spec.clone(), 1.0), (spec.clone().weight("w"), 3.0)] {
        let tree = ones.fit_tree("y", &spec.max_depth(0)).expect("fits").tree;
        assert_eq!((tree.class_counts(0), tree.majority(0)), (&[2500.0 * weight; 2][..], 0));
        let Evaluation::Classes { accuracy, majority_accuracy, .. } =
            tree.evaluation(&ones).expect("judges")
        else {
            panic!("a tree of classes")
        };
        assert_eq!((accuracy, majority_accuracy), (4923.0 / 5000.0, 4923.0 / 5000.0));
    }
    let unknown = ClassWeights::Given(vec![("c".to_string(), 1.0)]);
    for weights in [unknown, ClassWeights::Given(vec![("a".to_string(), 0.0)])] {
        let refused = df.fit_tree("y", &TreeSpec::cart().class_weights(weights));
        let error = refused.expect_err("refused");
        assert!(error.is_spec() && error.to_string().contains("`y`"), "{error}");
    }
    let none = df.fit_tree("y", &TreeSpec::cart().max_leaves(0)).expect_err("refused");
    assert!(none.is_spec() && none.to_string().contains("max_leaves is 0"));
}

/// The engine checks what an adapter hands it.
#[test]
fn weights_fit_the_rows_and_errors_name_the_row_as_it_was() {
    let rows = |weights: &[f64]| {
        let mut frame = Frame::new(
            vec![crate::frames::Column::ints("x", gaintree::engine::DType::I64, [1, 2, 3])],
            crate::frames::Column::ints("y", gaintree::engine::DType::I64, [0, 1, 1]),
        );
        frame.weights = Some(weights.to_vec());
        frame
    };
    for weights in [&[1.0, 1.0][..], &[1.0; 4], &[0.0; 4], &[1.0, -1.0, 1.0], &[1.0, f64::NAN, 1.0]]
    {
        let error = rows(weights).grow(&TreeSpec::cart()).expect_err("refused");
        assert!(error.is_data(), "{error}");
    }
    let mut frame = rows(&[0.0, 1.0, 1.0]);
    frame.target.cells[2] = None;
    let error = frame.grow(&TreeSpec::cart()).expect_err("refused").to_string();
    assert!(error.contains("missing in row 3"), "{error}");
}
