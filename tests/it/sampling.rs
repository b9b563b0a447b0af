//! Growths on samples of one encoded table, beside the same rows encoded alone.

use gaintree::engine::{DType, Kind, Kinds, Sample, Table, grow_sample};
use gaintree::{Missing, Tree, TreeSpec};
use proptest::prelude::*;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::{distinct, large, specs};

fn encode(frame: &Frame) -> gaintree::Result<Table> {
    let (ordered, nominal) = (frame.overridden(Kind::Ordered), frame.overridden(Kind::Nominal));
    let kinds = Kinds { ordered: &ordered, nominal: &nominal, ..Kinds::default() };
    Table::encode(&frame.columns, &frame.target, None, kinds)
}

/// Some rows and columns of a frame, with the rows' weights.
fn part(frame: &Frame, rows: &[u32], features: &[u32]) -> Frame {
    let rows: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
    let mut part = frame.take(&rows);
    part.columns = features.iter().map(|&f| part.columns[f as usize].clone()).collect();
    part
}

fn json(tree: gaintree::Result<Tree>) -> Option<String> {
    tree.ok().map(|tree| tree.to_json())
}

/// The sample's tree is that of the part encoded alone.
fn check(frame: &Frame, rows: &[u32], features: &[u32], spec: &TreeSpec) -> Option<String> {
    let table = encode(frame).expect("a table");
    let part = part(frame, rows, features);
    let (rows, features) = (Some(rows), Some(features));
    let sample = Sample { rows, weights: part.weights.as_deref(), features };
    let grown = json(grow_sample(&table, &sample, spec));
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
        let kept = |keep: &[bool], n: usize| -> Vec<u32> {
            (0..n as u32).filter(|&i| keep[i as usize]).collect()
        };
        let (rows, features) = (kept(&keep, frame.n_rows()), kept(&features, frame.columns.len()));
        check(&frame, &rows, &features, &spec);
    }
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
        let rows: Vec<u32> = (0..12_000).filter(|row| row % step != 1).collect();
        assert!(check(&frame, &rows, &features, &spec).is_some());
        let rows: Vec<u32> = (0..12_000).filter(|row| row % step == 1).collect();
        assert!(check(&frame, &rows, &features, &spec).is_some());
    }
}

/// One table serves several threads at once, and is as it was.
#[test]
fn a_table_is_lent_to_many_growths() {
    let frame = large(6_000, 2, false);
    let table = encode(&frame).expect("a table");
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

#[test]
fn samples_that_are_none_are_refused() {
    let frame = large(100, 2, false);
    let table = encode(&frame).expect("a table");
    let with = |rows: &[u32], weights: Option<&[f64]>, features: &[u32]| {
        let sample = Sample { rows: Some(rows), weights, features: Some(features) };
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
