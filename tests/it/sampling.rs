//! Growths on samples of one encoded table, beside the same rows encoded alone.

use std::collections::HashSet;

use gaintree::engine::{
    DType, DrawnFeatures, Features, Kind, NodePath, Sample, SharedTable, grow_sample,
};
use gaintree::{Missing, Task, Tree, TreeSpec};
use proptest::prelude::*;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::{distinct, large, specs};

/// The frame's table; its weights are left to the samples.
fn shared(frame: &Frame) -> SharedTable {
    let frame = Frame { weights: None, ..frame.clone() };
    SharedTable::new(frame.table(Task::Auto).expect("a table"))
}

/// Some rows and columns of a frame, with the rows' weights.
fn part(frame: &Frame, rows: &[u32], features: &[u32]) -> Frame {
    let rows: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
    let mut part = frame.take(&rows);
    part.columns = features.iter().map(|&f| part.columns[f as usize].clone()).collect();
    part
}

/// These rows, and the first row of each class and of each level of a nominal column: the tree
/// keeps the table's, and the rows alone then have them all.
fn with_all_levels(frame: &Frame, rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut rows: HashSet<u32> = rows.collect();
    let nominal = frame.columns.iter().filter(|column| column.kind == Kind::Nominal);
    for column in nominal.chain([&frame.target]) {
        let mut seen = HashSet::new();
        let is_new = |row: &usize| seen.insert(format!("{:?}", column.known(*row)));
        rows.extend((0..frame.n_rows()).filter(is_new).map(|row| row as u32));
    }
    let mut rows: Vec<u32> = rows.into_iter().collect();
    rows.sort_unstable();
    rows
}

fn json(tree: gaintree::Result<Tree>) -> Option<String> {
    tree.ok().map(|tree| tree.to_json())
}

/// The sample's tree is that of the part encoded alone.
fn check(frame: &Frame, rows: &[u32], features: &[u32], spec: &TreeSpec) -> Option<String> {
    let part = part(frame, rows, features);
    let (rows, features) = (Some(rows), Features::Only(features));
    let weights = part.weights.as_deref();
    let sample = Sample { rows, weights, features, ..Sample::default() };
    let grown = json(grow_sample(&shared(frame), &sample, spec));
    assert_eq!(grown, json(part.grow(spec)));
    grown
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sample_grows_as_its_rows_alone_do(
        frame in frames(Weighing::Exact),
        spec in specs(),
        keep in prop::collection::vec(prop::bool::weighted(0.7), 200),
        features in prop::collection::vec(prop::bool::weighted(0.7), 5),
    ) {
        let of_weight = |&row: &usize| frame.weights.as_ref().is_none_or(|w| w[row] > 0.0);
        let frame = frame.take(&(0..frame.n_rows()).filter(of_weight).collect::<Vec<_>>());
        let rows = (0..frame.n_rows() as u32).filter(|&row| keep[row as usize]);
        let features: Vec<u32> =
            (0..frame.columns.len() as u32).filter(|&f| features[f as usize]).collect();
        check(&frame, &with_all_levels(&frame, rows), &features, &spec);
    }
}

/// C4.5 leaves a feature of many levels out of the mean gain: levels that the rows lack do not count.
/// Beside two nominal features that gain .51 each, one that gains .28 is below the mean, though its
/// gain ratio is higher.
#[test]
fn levels_of_other_rows_do_not_count() {
    let groups =
        [(0, "no", 5), (1, "yes", 5), (2, "no", 3), (2, "yes", 2), (3, "no", 2), (3, "yes", 3)];
    let rows = groups.into_iter().flat_map(|(level, y, n)| (0..n).map(move |_| (level, y)));
    let others = (20..40).map(|level| (level, "no"));
    let (levels, y): (Vec<u32>, Vec<&str>) = rows.chain(others).unzip();
    let texts = |name| Column::texts(name, levels.iter().map(u32::to_string));
    let odd = Column::ints("odd", DType::I64, levels.iter().map(|level| i128::from(level % 2)));
    let frame = Frame::new(vec![texts("a"), texts("again"), odd], Column::texts("y", y));
    let rows: Vec<u32> = (0..20).collect();
    let sample = Sample { rows: Some(&rows), ..Sample::default() };
    let grown = grow_sample(&shared(&frame), &sample, &TreeSpec::c45()).expect("a tree");
    let alone = part(&frame, &rows, &[0, 1, 2]).grow(&TreeSpec::c45()).expect("a tree");
    assert_eq!(grown.to_text(9), alone.to_text(9));
    assert_eq!(grown.used_features()[0], 0, "{grown}");
}

/// Columns of many levels, distinct or not, that stay so, and that become few.
#[test]
fn large_samples_grow_as_their_rows_alone_do() {
    let mut frame = large(12_000, 3, true);
    frame.columns.push(distinct(12_000));
    let features: Vec<u32> = (0..frame.columns.len() as u32).collect();
    for (spec, step) in [
        (TreeSpec::cart(), 2),
        (TreeSpec::c45(), 3),
        (TreeSpec::id3().missing(Missing::Majority), 2),
        (TreeSpec::cart(), 50),
    ] {
        for one in [true, false] {
            let rows = (0..12_000).filter(|row| (row % step == 1) == one);
            let rows = with_all_levels(&frame, rows);
            assert!(check(&frame, &rows, &features, &spec).is_some());
        }
    }
}

/// One table serves several threads at once, and is as it was.
#[test]
fn a_table_is_lent_to_many_growths() {
    let frame = large(6_000, 2, false);
    let table = shared(&frame);
    let spec = TreeSpec::cart().max_depth(6);
    let samples: Vec<Vec<u32>> =
        (0..4).map(|part| (0..6_000).filter(|row| row % 4 != part).collect()).collect();
    let grow = |rows: &Vec<u32>| {
        let sample = Sample { rows: Some(rows), ..Sample::default() };
        json(grow_sample(&table, &sample, &spec)).expect("a tree")
    };
    let at_once: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = samples.iter().map(|rows| scope.spawn(move || grow(rows))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a tree")).collect()
    });
    assert_eq!(at_once, samples.iter().map(grow).collect::<Vec<_>>());
    let whole = json(grow_sample(&table, &Sample::default(), &spec));
    assert_eq!(whole, json(frame.grow(&spec)));
}

/// Numbers keep the scale of the whole target. With both extremes in the sample it is the same.
#[test]
fn samples_of_numbers_keep_the_scale() {
    let n = 500u32;
    let y =
        |row: u32| f64::from(row * 7919 % n) * 0.1 + if row.is_multiple_of(3) { 5.0 } else { 0.0 };
    let columns = vec![
        Column::floats("x", (0..n).map(|row| f64::from(row * 31 % 97))),
        Column::ints("z", DType::I32, (0..n).map(|row| i128::from(row % 3))),
    ];
    let frame = Frame::new(columns, Column::floats("y", (0..n).map(y)));
    let numbers: Vec<f64> = (0..n).map(y).collect();
    let is_extreme = |&row: &u32| {
        let (above, below) =
            (numbers.iter().any(|&x| x > y(row)), numbers.iter().any(|&x| x < y(row)));
        !(above && below)
    };
    let rows: Vec<u32> = (0..n).filter(|row| row % 5 != 2 || is_extreme(row)).collect();
    assert!(check(&frame, &rows, &[0, 1], &TreeSpec::cart()).is_some());
}

/// A bootstrap counts rows as often as they are drawn; of those that are not it knows nothing.
#[test]
fn a_bootstrap_grows_as_its_copies_do() {
    let mut frame = large(3_000, 3, false);
    frame.columns.push(distinct(3_000));
    let table = shared(&frame);
    let drawn: Vec<f64> = (0..3_000u64).map(|row| (row * row % 7 % 4) as f64).collect();
    let rows: Vec<usize> = (0..3_000).filter(|&row| drawn[row] > 0.0).collect();
    let mut alone = frame.take(&rows);
    alone.weights = Some(rows.iter().map(|&row| drawn[row]).collect());
    for missing in [Missing::Learn, Missing::Majority, Missing::Fractional] {
        let sample = Sample { weights: Some(&drawn), ..Sample::default() };
        for spec in [TreeSpec::cart(), TreeSpec::c45(), TreeSpec::cart().max_leaves(40)] {
            let spec = spec.missing(missing);
            let grown = json(grow_sample(&table, &sample, &spec));
            assert!(grown.is_some());
            assert_eq!(grown, json(alone.grow(&spec)), "{spec:?}");
        }
    }
}

/// What no row of a sample has stays in the tree.
#[test]
fn a_sample_keeps_the_table_s_classes() {
    let columns = vec![Column::floats("x", [1.0, 2.0, 3.0, 4.0])];
    let frame = Frame::new(columns, Column::texts("y", ["a", "b", "c", "c"]));
    let table = shared(&frame);
    let of = |rows: &[u32]| {
        let sample = Sample { rows: Some(rows), ..Sample::default() };
        grow_sample(&table, &sample, &TreeSpec::cart()).expect("a tree")
    };
    let tree = of(&[0, 2, 3]);
    assert_eq!((tree.n_leaves(), tree.class_counts(0)), (2, &[1.0, 0.0, 2.0][..]));
    let leaf = of(&[2, 3]);
    assert_eq!((leaf.n_leaves(), leaf.class_counts(0)), (1, &[0.0, 0.0, 2.0][..]));
}

/// An order of features for a node: about half of the features, and what is no feature.
fn order(path: NodePath) -> Vec<u32> {
    let is_named = |f: &u32| path.key() >> (7 * f) & 0xFF < 150 || path.depth() == f % 3;
    (0..9).rev().filter(is_named).collect()
}

/// The first two of the order that vary among some rows.
fn drawn(frame: &Frame, path: NodePath, rows: &[u32]) -> Vec<u32> {
    let varies = |feature: &u32| {
        let Some(column) = frame.columns.get(*feature as usize) else { return false };
        let value = |row: &u32| format!("{:?}", column.known(*row as usize));
        rows.iter().map(value).collect::<HashSet<_>>().len() > 1
    };
    order(path).into_iter().filter(varies).take(2).collect()
}

/// Each node's rule is the one that its rows alone have on the drawn features; a leaf has none.
#[test]
fn nodes_split_on_the_features_drawn_for_them() {
    let mut frame = large(3_000, 3, false);
    frame
        .columns
        .extend([distinct(3_000), Column::floats("x", (0..3_000).map(|i| (i / 7) as f64))]);
    let numbers = Column::floats("y", (0..3_000).map(|i| (i * i % 1_000) as f64 / 8.0));
    let of_numbers = Frame { target: numbers, ..frame.clone() };
    let mut n_rules = 0;
    for frame in [frame, of_numbers] {
        let table = shared(&frame);
        for spec in [TreeSpec::cart(), TreeSpec::cart().max_leaves(60).missing(Missing::Majority)] {
            let features = Features::Drawn(DrawnFeatures { n: 2, order: &order });
            let sample = Sample { features, ..Sample::default() };
            let grow = || grow_sample(&table, &sample, &spec).expect("a tree");
            let pool = |threads| {
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool")
            };
            let tree = pool(1).install(grow);
            assert_eq!(tree.to_json(), pool(3).install(grow).to_json());
            let ends = frame.routes(&tree).nodes;
            let nodes = tree.node_slice();
            let mut paths = vec![NodePath::ROOT; nodes.len()];
            for id in 0..nodes.len() as u32 {
                let (path, node) = (paths[id as usize], &nodes[id as usize]);
                let end =
                    (id + 1..nodes.len() as u32).find(|&n| nodes[n as usize].depth <= node.depth);
                let below = id..end.unwrap_or(nodes.len() as u32);
                let here = (0..3_000u32).filter(|&row| below.contains(&ends[row as usize]));
                let here: Vec<u32> = here.collect();
                let drawn = drawn(&frame, path, &here);
                let stump = TreeSpec::cart().max_depth(1).missing(spec.missing);
                let rule_on = |feature: &u32| {
                    let alone = Sample {
                        rows: Some(&here),
                        features: Features::Only(std::slice::from_ref(feature)),
                        ..Sample::default()
                    };
                    let stump = grow_sample(&table, &alone, &stump).ok()?;
                    Some((*feature, stump.node_slice()[0].split.clone()?))
                };
                let rules = drawn.iter().filter_map(rule_on);
                let expected =
                    rules.reduce(|best, next| if next.1.gain > best.1.gain { next } else { best });
                match &node.split {
                    Some(split) => {
                        let (feature, expected) = expected.expect("a rule");
                        assert_eq!(split.rule.feature, feature);
                        assert_eq!(split.rule.test, expected.rule.test);
                        assert_eq!(split.gain, expected.gain);
                        n_rules += 1;
                        let branches = split.branches.iter().enumerate();
                        branches.for_each(|(at, &b)| paths[b as usize] = path.branch(at));
                    }
                    None if spec.max_leaves.is_none() => assert_eq!(expected, None),
                    None => {}
                }
            }
        }
    }
    assert!(n_rules > 500, "{n_rules}");
}

#[test]
fn samples_that_are_none_are_refused() {
    let frame = large(100, 2, false);
    let table = shared(&frame);
    let with = |rows: &[u32], weights: Option<&[f64]>, features: &[u32]| {
        let features = Features::Only(features);
        let sample = Sample { rows: Some(rows), weights, features, ..Sample::default() };
        grow_sample(&table, &sample, &TreeSpec::cart()).expect_err("refused").to_string()
    };
    assert!(with(&[1, 0], None, &[0]).contains("row indices must ascend"));
    assert!(with(&[1, 1], None, &[0]).contains("row indices must ascend"));
    assert!(with(&[0, 100], None, &[0]).contains("below 100"));
    assert!(with(&[0, 1], None, &[7]).contains("feature indices"));
    assert!(with(&[0, 1], Some(&[1.0]), &[0]).contains("2 rows and 1 weights"));
    assert!(with(&[0, 1], Some(&[1.0, -1.0]), &[0]).contains("-1"));
    assert!(with(&[], None, &[0]).contains("no rows"));
}
