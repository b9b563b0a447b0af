//! Subsets of many levels, where exhaustion would not end: the heuristic is held to the best single
//! level, at every node, in plain counts, and to the best of all sets where there are few enough.

use std::collections::BTreeMap;

use gaintree::engine::dtype::DType;
use gaintree::engine::{Split, Test};
use gaintree::{Criterion, LogBase, SUBSET_EXHAUSTIVE_LEVELS, Tree, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame};

const CRITERIA: [Criterion; 2] = [Criterion::Gini, Criterion::Entropy];

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
        criterion in select(&CRITERIA[..]),
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
                prop_assert!(split.gain >= best - 1e-12, "{} {}", split.gain, best);
            }
            let sides = parted(rows, split, &tree.schema().features[0].levels);
            for (branch, rows) in split.branches.iter().zip(sides) {
                open.push((*branch, rows));
            }
        }
    }
}

/// No upper part of the order by share leaves three rows on either side with this gain: the best
/// set that does is found whatever the levels are called.
#[test]
fn the_best_allowed_set_is_found_whatever_the_names_of_levels() {
    for [asian, black, white] in [["Asian", "Black", "White"], ["Asian", "Black", "Aaa"]] {
        let rows = [(asian, 0, 3), (black, 0, 1), (black, 1, 1), (white, 0, 33)];
        let rows = rows.iter().flat_map(|&(level, class, n)| vec![(level, class); n]);
        let frame = Frame::new(
            vec![Column::texts("race", rows.clone().map(|row| row.0))],
            Column::ints("y", DType::I64, rows.map(|row| row.1)),
        );
        let spec = TreeSpec::cart().criterion(Criterion::Entropy).min_samples_leaf(3).max_depth(1);
        let tree = frame.grow(&spec).expect("grows");
        let root = tree.node_slice()[0].split.as_ref().expect("splits");
        let gain = Criterion::Entropy.gain(&[37.0, 1.0], &[[33.0, 0.0], [4.0, 1.0]], LogBase::Two);
        assert_eq!((root.gain, root.approximate), (gain, false));
        assert_eq!(tree.node_slice()[1].n, 33);
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

/// Numbers that look random (Steele, Lea & Flood 2014, SplitMix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    /// A column of 11 to 14 levels, which may say something of 3 to 7 classes.
    fn column(&mut self) -> Rows {
        let (n, k) = (11 + self.below(4), 3 + self.below(5));
        let (n_rows, signal) = (60 + self.below(1500), self.below(4));
        let favourite: Vec<u64> = (0..n).map(|_| self.below(k)).collect();
        let row = |_| {
            let level = self.below(n);
            let is_drawn = self.below(10) >= signal;
            let class = if is_drawn { self.below(k) } else { favourite[level as usize] };
            (level as u32, class as usize)
        };
        (0..n_rows).map(row).collect()
    }
}

/// The best gain of any set of levels that leaves so many rows on both sides.
fn best_of_all_sets(rows: &Rows, criterion: Criterion, leaf: u64) -> f64 {
    let k = rows.iter().map(|row| row.1).max().expect("rows") + 1;
    let mut levels: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (level, class) in rows {
        levels.entry(*level).or_insert_with(|| vec![0.0; k])[*class] += 1.0;
    }
    let levels: Vec<Vec<f64>> = levels.into_values().collect();
    let parent = counts(rows.iter(), k);
    let (mut right, mut is_right) = (vec![0.0; k], vec![false; levels.len()]);
    // Each set differs from the one before by one level.
    let steps = (1u32..1 << (levels.len() - 1)).map(|step| step.trailing_zeros() as usize);
    let gain = |level: usize| {
        let sign = if is_right[level] { -1.0 } else { 1.0 };
        is_right[level] = !is_right[level];
        right.iter_mut().zip(&levels[level]).for_each(|(r, n)| *r += sign * n);
        let left: Vec<f64> = parent.iter().zip(&right).map(|(p, r)| p - r).collect();
        let sides = [&right[..], &left];
        let is_large = |side: &&[f64]| side.iter().sum::<f64>() >= leaf as f64;
        let gain = || criterion.gain(&parent, &sides, LogBase::Two);
        if sides.iter().all(is_large) { gain() } else { 0.0 }
    };
    steps.map(gain).fold(0.0, f64::max)
}

/// How many columns' best sets are found, and the least share of the best gain. A set that is not
/// marked approximate is the best.
fn found(columns: u64, leaf: impl Fn(&Rows) -> u64, class: impl Fn(usize) -> usize) -> (u64, f64) {
    let (mut draw, mut found, mut least) = (Draw(0), 0, 1.0f64);
    for i in 0..columns {
        let mut rows = draw.column();
        rows.iter_mut().for_each(|row| row.1 = class(row.1));
        let criterion = CRITERIA[i as usize % 2];
        let leaf = leaf(&rows);
        let best = best_of_all_sets(&rows, criterion, leaf);
        let tree = grown(&rows, criterion, leaf).expect("grows");
        let root = tree.node_slice()[0].split.as_ref().expect("splits");
        let share = root.gain / best;
        assert!(root.approximate || share > 1.0 - 1e-9, "{i}: {share}");
        found += u64::from(share > 1.0 - 1e-9);
        least = least.min(share);
    }
    (found, least)
}

/// The figures of docs/reference.md are of more columns: `GAINTREE_COLUMNS=2000` in release.
#[test]
fn sets_of_many_levels_are_nearly_the_best() {
    let columns = std::env::var("GAINTREE_COLUMNS").map_or(150, |n| n.parse().expect("a number"));
    let is_class = |class: usize| class;
    for (name, share, least) in [("no limit", u64::MAX, 0.98), ("a tenth", 10, 0.95)] {
        let of_many = found(columns, |rows| 1.max(rows.len() as u64 / share), is_class);
        println!("many classes, {name}: {of_many:?} of {columns}");
        assert!(of_many.0 * 100 >= columns * 99 && of_many.1 >= least, "{name}: {of_many:?}");
    }
    for share in [20, 10, 5] {
        let of_two = found(columns, |rows| rows.len() as u64 / share, |class| class.min(1));
        println!("two classes, 1/{share} of the rows in a leaf: {of_two:?} of {columns}");
        assert!(of_two.0 * 100 >= columns * 99 && of_two.1 >= 0.9, "1/{share}: {of_two:?}");
    }
}
