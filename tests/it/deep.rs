//! Trees deeper than any stack: nothing here recurses.

use gaintree::engine::dtype::DType;
#[cfg(feature = "polars")]
use gaintree::{ModelVerbs, PolarsScoring};
use gaintree::{Tree, TreeSpec};

use crate::frames::{Column, Frame};
use crate::pruning::chain;

/// Alternating classes are peeled off one by one: a tree as deep as it has rows.
fn peeled(n: i128) -> Tree {
    let frame = Frame::new(
        vec![Column::ints("x", DType::I32, 0..n)],
        Column::ints("y", DType::I64, (0..n).map(|i| i % 2)),
    );
    frame.grow(&TreeSpec::cart()).expect("grows")
}

/// On the small stack of a test thread.
#[test]
fn ten_thousand_levels_are_grown() {
    let tree = peeled(10_001);
    assert_eq!((tree.n_leaves(), tree.depth()), (10_001, 10_000));
    let again = Tree::from_json(&tree.to_json()).expect("loads");
    assert_eq!(again, tree);
    // Text folds of itself, rules are refused by name.
    let text = tree.to_string();
    assert_eq!(text.lines().count(), 1 + 41 + 1);
    assert!(text.ends_with("… 19960 nodes below depth 20 are folded\n"), "{text}");
    let refused = tree.leaf_rules().expect_err("gigabytes");
    assert!(refused.is_spec() && refused.to_string().contains("max_depth"), "{refused}");
}

/// Rows of the rare class go one by one, each to a leaf of its own.
fn hand_made(depth: usize) -> Tree {
    chain(depth, |i| ([1, depth as u64 + 1 - i as u64], [0, 1]))
}

#[test]
fn a_hundred_thousand_levels_are_loaded_pruned_and_saved() {
    let tree = hand_made(100_000);
    assert_eq!((tree.depth(), tree.n_leaves()), (100_000, 100_001));
    assert_eq!(Tree::from_json(&tree.to_json()).expect("loads"), tree);
    let pruned = tree.prune_to_leaves(1000).expect("prunes");
    assert!(pruned.n_leaves() <= 1000);
    assert_eq!(tree.clone().prune_cost_complexity(0.0).expect("prunes"), tree);
    drop(tree);
}

#[cfg(feature = "polars")]
#[test]
fn a_hundred_thousand_levels_are_scored() {
    use gaintree::ScoreSpec;
    use polars::prelude::*;

    let tree = hand_made(100_000);
    // `x < i` leaves the chain at the i-th leaf; missing goes on.
    let x = [Some(-1.0), Some(0.5), Some(70_000.25), Some(99_998.9), Some(2e5), None];
    let df = df!["x" => x].expect("a frame");
    let scored = tree.score_with(&df, &ScoreSpec::default().leaf(true).probability(true));
    let scored = scored.expect("scores");
    let leaf = scored.column("leaf_id").expect("asked for").u32().expect("u32").to_vec();
    let side = |i: u32| Some(2 * i + 1);
    let end = Some(200_000);
    assert_eq!(leaf, [side(0), side(1), side(70_001), side(99_999), end, end]);
    let lazy = df.lazy().select([tree.predict()]).collect().expect("scores");
    assert_eq!(
        lazy.column("prediction").expect("there"),
        scored.column("prediction").expect("there")
    );
}
