//! Subsets of many levels and many classes, where exhaustion would not end: the heuristic is held
//! to the best single level, at every node, in plain counts.

use std::collections::BTreeMap;

use gaintree::engine::dtype::DType;
use gaintree::engine::{Split, Test};
use gaintree::{Criterion, LogBase, SUBSET_EXHAUSTIVE_LEVELS, Tree, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame};

/// Rows of (level, class).
type Rows = Vec<(u32, usize)>;

fn grown(rows: &Rows, criterion: Criterion, leaf: u64) -> gaintree::Result<Tree> {
    let frame = Frame::new(
        vec![Column::texts("x", rows.iter().map(|(level, _)| format!("l{level:02}")))],
        Column::ints("y", DType::I64, rows.iter().map(|(_, class)| *class as i128)),
    );
    frame.grow(&TreeSpec::cart().criterion(criterion).min_samples_leaf(leaf))
}

/// Class counts of some rows.
fn counts<'a>(rows: impl Iterator<Item = &'a (u32, usize)>, k: usize) -> Vec<f64> {
    let mut counts = vec![0.0; k];
    rows.for_each(|(_, class)| counts[*class] += 1.0);
    counts
}

/// The best gain of a level against the rest, of those the leaf size allows.
fn best_of_one_level(rows: &Rows, k: usize, criterion: Criterion, leaf: u64) -> Option<f64> {
    let parent = counts(rows.iter(), k);
    let mut levels: Vec<u32> = rows.iter().map(|row| row.0).collect();
    levels.sort_unstable();
    levels.dedup();
    let sides = levels.into_iter().map(|level| {
        [true, false].map(|is| counts(rows.iter().filter(|row| (row.0 == level) == is), k))
    });
    let large = |side: &Vec<f64>| side.iter().sum::<f64>() >= leaf.max(1) as f64;
    let allowed = sides.filter(|sides| sides.iter().all(large));
    allowed.map(|sides| criterion.gain(&parent, &sides, LogBase::Two)).reduce(f64::max)
}

/// The rows of either branch of a rule on the one feature.
fn parted(rows: Rows, split: &Split, levels: &[String]) -> [Rows; 2] {
    let right = |level: u32| {
        let text = format!("l{level:02}");
        let place = levels.iter().position(|l| *l == text).expect("a level") as u32;
        match &split.rule.test {
            Test::In { right, .. } => right.contains(&place),
            Test::Equals(own) => *own == place,
            other => panic!("{other:?}"),
        }
    };
    let (right, left) = rows.into_iter().partition(|row| right(row.0));
    [left, right]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_single_level_gains_more(
        (k, rows) in (3..=6usize).prop_flat_map(|k| {
            (Just(k), prop::collection::vec((0..30u32, 0..k), 20..200))
        }),
        criterion in select(vec![Criterion::Gini, Criterion::Entropy]),
        leaf in select(vec![1, 1, 4]),
    ) {
        let Ok(tree) = grown(&rows, criterion, leaf) else { return Ok(()) };
        // The classes the engine numbers are those there are.
        let mut place = BTreeMap::new();
        rows.iter().for_each(|row| { place.insert(row.1, 0); });
        let k = place.len().min(k);
        place.values_mut().enumerate().for_each(|(i, class)| *class = i);
        let rows: Rows = rows.iter().map(|(level, class)| (*level, place[class])).collect();
        let mut open = vec![(0u32, rows)];
        while let Some((id, rows)) = open.pop() {
            let node = &tree.node_slice()[id as usize];
            prop_assert_eq!(tree.class_counts(id), counts(rows.iter(), k));
            let best = best_of_one_level(&rows, k, criterion, leaf);
            let Some(split) = &node.split else { continue };
            let mut levels: Vec<u32> = rows.iter().map(|row| row.0).collect();
            levels.sort_unstable();
            levels.dedup();
            let classes = counts(rows.iter(), k).iter().filter(|n| **n > 0.0).count();
            let heuristic = levels.len() > SUBSET_EXHAUSTIVE_LEVELS && k > 2;
            prop_assert!(!split.approximate || heuristic, "{} levels, {} classes", levels.len(), classes);
            // A gain of exactly 0 is told from noise by whole numbers, which this oracle has not.
            if let Some(best) = best.filter(|best| *best > 1e-12) {
                prop_assert!(split.gain >= best, "{} {}", split.gain, best);
            }
            let sides = parted(rows, split, &tree.schema().features[0].levels);
            for (branch, rows) in split.branches.iter().zip(sides) {
                open.push((*branch, rows));
            }
        }
    }
}

/// Three groups of levels, each of its own class: one rule parts one group from the others,
/// which no single level does.
#[test]
fn the_heuristic_finds_groups_of_levels() {
    let rows: Rows = (0..600).map(|i| (i % 24, (i % 24 * 7 % 3) as usize)).collect();
    let tree = grown(&rows, Criterion::Gini, 1).expect("grows");
    let root = tree.node_slice()[0].split.as_ref().expect("splits");
    assert!(root.approximate);
    assert_eq!((tree.n_leaves(), tree.depth()), (3, 2));
    let alone = best_of_one_level(&rows, 3, Criterion::Gini, 1).expect("one");
    assert!((root.gain - 1.0 / 3.0).abs() < 1e-12 && alone < 0.1, "{} {alone}", root.gain);
}

/// A scan of the levels, not of their subsets.
#[test]
fn ten_thousand_levels_of_ten_classes_are_no_obstacle() {
    let rows: Rows = (0..40_000u32).map(|i| (i % 10_000, (i / 7 % 10) as usize)).collect();
    let frame = Frame::new(
        vec![Column::texts("x", rows.iter().map(|(level, _)| format!("{level:05}")))],
        Column::ints("y", DType::I64, rows.iter().map(|(_, class)| *class as i128)),
    );
    let tree = frame.grow(&TreeSpec::cart().max_depth(3)).expect("grows");
    let root = tree.node_slice()[0].split.as_ref().expect("splits");
    assert!(root.approximate && root.gain > 0.0);
    let best = best_gain_of_one_level_quickly(&rows);
    assert!(root.gain >= best, "{} {best}", root.gain);
}

/// The same as [`best_of_one_level`], each level counted once.
fn best_gain_of_one_level_quickly(rows: &Rows) -> f64 {
    let parent = counts(rows.iter(), 10);
    let mut of_level: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (level, class) in rows {
        of_level.entry(*level).or_insert_with(|| vec![0.0; 10])[*class] += 1.0;
    }
    let gain = |level: &Vec<f64>| {
        let rest: Vec<f64> = parent.iter().zip(level).map(|(p, l)| p - l).collect();
        Criterion::Gini.gain(&parent, &[level.clone(), rest], LogBase::Two)
    };
    of_level.values().map(gain).fold(0.0, f64::max)
}
