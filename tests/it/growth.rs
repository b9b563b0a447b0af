//! The engine's trees against the oracle's, and laws that hold where no oracle reaches.

use gaintree::criterion::{
    conditional_entropy, entropy, gain_ratio, gini, gini_gain, gini_split, information_gain,
    split_info, symmetric_uncertainty,
};
use gaintree::engine::dtype::{DType, Kind, Value};
use gaintree::engine::{Kinds, Table, curve, grow, rank};
use gaintree::{
    Criterion, Cuts, Grouping, LogBase, Missing, Pruning, RankMissing, SUBSET_EXHAUSTIVE_LEVELS,
    Selection, Tree, TreeSpec,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::oracle::{self, Ask, Node};
use crate::ways::{CRITERIA, ways};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// ---- what is tried -------------------------------------------------------------------------

/// Every option: the ways, with every limit.
pub fn specs() -> impl Strategy<Value = TreeSpec> {
    let depth = prop_oneof![2 => Just(None), 1 => (0..=4u32).prop_map(Some)];
    let split = prop_oneof![3 => Just(2), 1 => 0..=8u64];
    let leaf = prop_oneof![3 => Just(1), 2 => 1..=5u64];
    let weight = prop_oneof![4 => Just(0.0), 1 => select(vec![0.25, 1.0, 3.25, 6.0, 1e9])];
    let gain = prop_oneof![4 => Just(0.0), 1 => select(vec![1e-9, 0.02, 0.1, 0.5])];
    let error = prop_oneof![15 => Just(false), 1 => Just(true)];
    (ways(), depth, split, leaf, weight, gain, error).prop_map(
        |(ways, depth, split, leaf, weight, gain, error)| {
            let mut spec = ways
                .min_samples_split(split)
                .min_samples_leaf(leaf)
                .min_weight_leaf(weight)
                .min_gain(gain);
            spec.max_depth = depth;
            if error {
                spec.missing = Missing::Error;
            }
            spec
        },
    )
}

// ---- against the oracle --------------------------------------------------------------------

/// The engine refuses what the oracle refuses and grows what it grows, node by node.
pub fn check(frame: &Frame, spec: &TreeSpec) -> Result<(), TestCaseError> {
    let expected = oracle::grow(frame, spec);
    let grown = frame.grow(spec);
    let (expected, tree) = match (expected, grown) {
        (None, Err(e)) => {
            prop_assert!(e.is_data(), "{e}");
            return Ok(());
        }
        (Some(expected), Ok(tree)) => (expected, tree),
        (None, Ok(tree)) => return Err(TestCaseError::fail(format!("not refused: {tree:?}"))),
        (Some(_), Err(e)) => return Err(TestCaseError::fail(format!("refused: {e}"))),
    };
    if is_heuristic(frame, spec) {
        never_worse_than_the_simple_rules(&tree, &expected, spec)?;
    } else {
        prop_assert_eq!(oracle::read(&tree), expected);
    }
    prop_assert_eq!(tree.spec(), spec);
    conserves(&tree)?;
    keeps_the_levels_it_needs(&tree, frame)
}

/// Whether some subset may be found by a heuristic, which the oracle has not: for those it takes
/// the best single level, or for two classes the best part of the order by share.
fn is_heuristic(frame: &Frame, spec: &TreeSpec) -> bool {
    let many = |c: &Column| oracle::level_texts(frame, c).len() > SUBSET_EXHAUSTIVE_LEVELS;
    let is_ordered = oracle::level_texts(frame, &frame.target).len() == 2
        && spec.min_samples_leaf <= 1
        && spec.min_weight_leaf == 0.0;
    let mut nominal = frame.columns.iter().filter(|c| c.kind == Kind::Nominal);
    spec.grouping == Grouping::Subset && !is_ordered && nominal.any(many)
}

fn never_worse_than_the_simple_rules(
    tree: &Tree,
    expected: &[Node],
    spec: &TreeSpec,
) -> Result<(), TestCaseError> {
    let found = tree.node_slice()[0].split.as_ref().map(|s| s.gain);
    let expected = expected[0].split.as_ref().map(|s| s.gain - 1e-12);
    if spec.selection == Selection::BestScore {
        prop_assert!(found >= expected, "{:?} {:?}", found, expected);
    }
    Ok(())
}

/// Branches share out the rows and the class counts of their node, and leave none empty. In
/// fractions a row may be in several.
fn conserves(tree: &Tree) -> Result<(), TestCaseError> {
    let in_fractions = tree.spec().missing == Missing::Fractional;
    for (id, node) in tree.node_slice().iter().enumerate() {
        let Some(split) = &node.split else { continue };
        prop_assert_eq!(split.branches.len(), split.rule.arity());
        let rows = split.branches.iter().map(|&b| tree.node_slice()[b as usize].n);
        prop_assert!(rows.clone().all(|n| n > 0));
        if in_fractions {
            prop_assert!(rows.sum::<u64>() >= node.n);
        } else {
            prop_assert_eq!(rows.sum::<u64>(), node.n);
        }
        for (class, &count) in tree.class_counts(id as u32).iter().enumerate() {
            let parts = split.branches.iter().map(|&b| tree.class_counts(b)[class]);
            let parts = parts.sum::<f64>();
            let near = in_fractions && (parts - count).abs() <= 1e-12 * count;
            prop_assert!(parts == count || near, "{} {}", parts, count);
        }
    }
    Ok(())
}

/// The schema holds all levels of the nominal features that some rule uses, and no others.
fn keeps_the_levels_it_needs(tree: &Tree, frame: &Frame) -> Result<(), TestCaseError> {
    let used = tree.used_features();
    for (i, (feature, column)) in tree.schema().features.iter().zip(&frame.columns).enumerate() {
        prop_assert_eq!(&feature.name, &column.name);
        prop_assert_eq!((&feature.dtype, feature.kind), (&column.dtype, column.kind));
        let needed = feature.kind == Kind::Nominal && used.contains(&(i as u32));
        let levels = if needed { oracle::level_texts(frame, column) } else { Vec::new() };
        prop_assert_eq!(&feature.levels, &levels);
    }
    Ok(())
}

/// Known rows of one class, and limits that forbid every upper part of the levels' order: another set
/// is allowed, and gains nothing.
#[test]
fn a_set_that_gains_nothing_is_found_where_no_upper_part_is_allowed() {
    let x = [Some(1), None, None, Some(-1), Some(1), None, Some(3)];
    let x = Column {
        kind: Kind::Nominal,
        ..Column::new("x", DType::I32, x.map(|x| x.map(Value::Int)))
    };
    let y = Column::texts("y", ["a", "B", "a", "a", "a", "a", "a"]);
    let spec = TreeSpec::cart()
        .selection(Selection::BestRatio)
        .missing(Missing::Majority)
        .min_samples_leaf(2);
    let frame = Frame::new(vec![x], y);
    assert_eq!(oracle::grow(&frame, &spec).map(|nodes| nodes.len()), Some(3));
    check(&frame, &spec).expect("the oracle's tree");
}

/// Levels of one share of the classes: which set of them is allowed does not depend on their names.
#[test]
fn an_allowed_set_that_gains_nothing_is_found() {
    let spec = TreeSpec::cart().min_samples_leaf(6);
    for levels in ["aabbccccccdd", "aabbddddddcc"] {
        let x = Column::texts("x", levels.chars());
        let frame = Frame::new(vec![x], Column::texts("y", "pqpqpqpqpqpq".chars()));
        assert_eq!(oracle::grow(&frame, &spec).map(|nodes| nodes.len()), Some(3));
        check(&frame, &spec).expect("the oracle's tree");
    }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn trees_are_the_oracles(frame in frames(Weighing::Exact), spec in specs()) {
        check(&frame, &spec)?;
    }
}

proptest! {
    #![proptest_config(cases(150))]

    /// Where sums of weights are rounded a tie may go either way, but not the gain.
    #[test]
    fn fractional_weights_gain_what_the_oracle_says(
        frame in frames(Weighing::Fractions),
        spec in ways(),
    ) {
        let spec = spec.selection(Selection::BestScore).zero_gain_splits(true).max_depth(1);
        let Ok(tree) = frame.grow(&spec) else { return Ok(()) };
        let gain = tree.node_slice()[0].split.as_ref().map(|split| split.gain);
        let expected = oracle::best_root_gain(&frame, &spec);
        if is_heuristic(&frame, &spec) {
            prop_assert!(gain >= expected.map(|e| e - 1e-12), "{:?} {:?}", gain, expected);
            return Ok(());
        }
        prop_assert_eq!(gain.is_some(), expected.is_some());
        let (gain, expected) = (gain.unwrap_or(0.0), expected.unwrap_or(0.0));
        prop_assert!((gain - expected).abs() <= 1e-12, "{} {}", gain, expected);
    }

    /// Integer weight k is k copies of the row: only the row numbers differ.
    #[test]
    fn whole_weights_are_copies(frame in frames(Weighing::Whole), spec in ways()) {
        let weights = frame.weights.clone().expect("whole weights");
        let copies: Vec<usize> = weights
            .iter()
            .enumerate()
            .flat_map(|(row, &weight)| std::iter::repeat_n(row, weight as usize))
            .collect();
        let mut copied = frame.take(&copies);
        copied.weights = None;
        // C4.5's guard counts levels per row, which copies thin out by definition.
        let spec = match spec.selection {
            Selection::RatioAboveMeanGain => spec.selection(Selection::BestRatio),
            _ => spec,
        };
        let (Ok(tree), Ok(of_copies)) = (frame.grow(&spec), copied.grow(&spec)) else {
            prop_assert!(frame.grow(&spec).is_err() && copied.grow(&spec).is_err());
            return Ok(());
        };
        let without_n = |tree: &Tree| -> Vec<Node> {
            oracle::read(tree).into_iter().map(|node| Node { n: 0, ..node }).collect()
        };
        prop_assert_eq!(without_n(&tree), without_n(&of_copies));
        prop_assert_eq!(tree.schema(), of_copies.schema());
    }

    /// Ordering levels by class share is exact for two classes: no other set of levels gains
    /// more (beyond rounding).
    #[test]
    fn subsets_of_two_classes_are_exact(
        rows in prop::collection::vec((0..7usize, any::<bool>()), 2..40),
        criterion in select(&CRITERIA[..]),
    ) {
        let levels = ["a", "b", "c", "d", "e", "f", "g"];
        let frame = Frame::new(
            vec![Column::texts("x", rows.iter().map(|&(level, _)| levels[level]))],
            Column::ints("y", DType::I64, rows.iter().map(|&(_, class)| i128::from(class))),
        );
        let Ok(tree) = frame.grow(&TreeSpec::cart().criterion(criterion)) else { return Ok(()) };
        let gain = tree.node_slice()[0].split.as_ref().map_or(0.0, |split| split.gain);
        let best = (1..1usize << 7)
            .map(|set| {
                let mut sides = [[0.0; 2]; 2];
                for &(level, class) in &rows {
                    sides[set >> level & 1][usize::from(class)] += 1.0;
                }
                criterion.gain(tree.class_counts(0), &sides, LogBase::Two)
            })
            .fold(0.0, f64::max);
        prop_assert!((gain - best).abs() <= 1e-12, "{} {}", gain, best);
    }
}

// ---- single cases --------------------------------------------------------------------------

/// Rows of (x, class, weight).
fn weighed_rows(rows: &[(i128, i128, f64)]) -> Frame {
    Frame {
        columns: vec![Column::ints("x", DType::I64, rows.iter().map(|r| r.0))],
        target: Column::ints("y", DType::I64, rows.iter().map(|r| r.1)),
        weights: Some(rows.iter().map(|r| r.2).collect()),
    }
}

#[test]
fn rows_of_weight_0_alone_are_no_rows() {
    for weights in [vec![0.0, 0.0], vec![1.0, 0.0]] {
        let rows = [(0, 0, weights[0]), (1, 1, weights[1])];
        let refused = weighed_rows(&rows).grow(&TreeSpec::cart());
        assert!(refused.expect_err("one class at most").is_data());
    }
}

/// A fuzzer's find: rankings and curves ask nobody whether there are rows.
#[test]
fn a_table_without_rows_tells_nothing() {
    let (x, y) = (Column::floats("x", []), Column::new("y", DType::String, []));
    let table = Table::encode(&[x], &y, None, Kinds::default()).expect("encodes");
    let gains = rank(&table, None, LogBase::Two, RankMissing::Known, Cuts::Best);
    assert_eq!((gains.len(), gains[0][0].n, gains[0][0].rule.as_str()), (1, 0, ""));
    assert!(curve(&table, LogBase::Two).is_empty());
    assert!(grow(table, &TreeSpec::cart()).expect_err("no rows").is_data());
}

/// Beside a class of weight 10^9 the light rows still decide which cut is best.
#[test]
fn heavy_rows_do_not_drown_light_ones() {
    let rows = [(0, 2, 1.0), (1, 1, 4e9), (2, 0, 1.0), (2, 0, 1.0), (2, 1, 1.0)];
    for criterion in CRITERIA {
        let checked = check(&weighed_rows(&rows), &TreeSpec::cart().criterion(criterion));
        checked.expect("the oracle's tree");
    }
}

/// The gains over the known rows of these two cuts differ in their last bit, and are one float
/// once scaled by the known share: that is the score, so the lower cut wins.
#[test]
fn ties_are_of_scores_as_they_are_reported() {
    let x = [Some(0), Some(0), Some(1), Some(2), Some(2), None];
    let frame = Frame::new(
        vec![Column::new("x", DType::I64, x.map(|x| x.map(Value::Int)))],
        Column::ints("y", DType::I64, [1, 3, 0, 2, 2, 0]),
    );
    let spec = TreeSpec::cart().criterion(Criterion::Entropy).missing(Missing::Majority);
    check(&frame, &spec).expect("the oracle's tree");
}

/// Shares that are equal but for rounding: a gain of noise is none.
#[test]
fn noise_of_fractional_weights_is_no_gain() {
    for k in 1..200 {
        let (a, b) = (0.1 * f64::from(k), 0.3 * f64::from(k));
        let rows =
            [(0, 0, a), (0, 1, b), (1, 0, 7.0 * a), (1, 1, 7.0 * b), (2, 0, 0.7), (2, 1, 2.1)];
        let tree = weighed_rows(&rows).grow(&TreeSpec::id3()).expect("grows");
        assert_eq!(tree.n_nodes(), 1, "{rows:?}");
    }
}

/// The missing row makes the branch of the heaviest level, a row alone, large enough.
#[test]
fn missing_rows_count_for_the_limits_where_they_go() {
    let level = |text: &str| Some(Value::Text(text.to_string()));
    let frame = Frame {
        columns: vec![Column::new("x", DType::String, [level("a"), level("b"), level("b"), None])],
        target: Column::ints("y", DType::I64, [0, 1, 1, 1]),
        weights: Some(vec![9.0, 1.0, 1.0, 1.0]),
    };
    let spec = TreeSpec::id3().missing(Missing::Majority).min_samples_leaf(2);
    check(&frame, &spec).expect("the oracle's tree");
    assert_eq!(frame.grow(&spec).expect("grows").n_nodes(), 3);
}

/// Two rules have the same gain. Where all weights are a tenth, rounding must not prefer the other one.
#[test]
fn a_factor_to_all_weights_decides_no_tie() {
    let weights = [2.0, 1.0, 1.0, 1.0, 2.0, 2.0];
    let frame = |factor: f64| Frame {
        columns: vec![
            Column::ints("a", DType::I64, [1, 0, 2, 1, 2, 0]),
            Column::ints("b", DType::I64, [2, 0, 1, 1, 1, 1]),
        ],
        target: Column::texts("y", ["v", "u", "v", "v", "u", "v"]),
        weights: Some(weights.map(|w| w * factor).to_vec()),
    };
    for spec in [TreeSpec::cart(), TreeSpec::id3(), TreeSpec::c45().pruning(Pruning::None)] {
        let rules = |factor: f64| {
            let nodes = oracle::read(&frame(factor).grow(&spec).expect("grows")).into_iter();
            nodes.map(|node| format!("{} {:?}", node.n, node.split)).collect::<Vec<_>>()
        };
        let whole = rules(1.0);
        for factor in [0.1, 0.3, 1.0 / 3.0, 0.07, 1e-12, 1e12 / 3.0] {
            assert_eq!(rules(factor), whole, "{factor}");
        }
    }
}

/// Weights have no unit: however small or large, they split as their ratios do.
#[test]
fn weights_of_any_size_weigh() {
    for unit in [f64::MIN_POSITIVE / 1e10, 1e-300, 1e-9, 1e9, 1e300] {
        let rows = [(0, 0, unit), (1, 0, unit), (1, 1, 2.0 * unit), (2, 1, 3.0 * unit)];
        let tree = weighed_rows(&rows).grow(&TreeSpec::id3()).expect("grows");
        let gains = oracle::read(&tree).into_iter().filter_map(|node| node.split.map(|s| s.gain));
        let expected = information_gain(&[2.0, 5.0], &[[1.0, 0.0], [1.0, 5.0]], LogBase::Two);
        let gains: Vec<f64> = gains.collect();
        assert_eq!(tree.depth(), 2, "{unit:e}");
        assert!((gains[0] - expected).abs() < 1e-9, "{unit:e} {gains:?} {expected}");
    }
}

// ---- large frames --------------------------------------------------------------------------

/// Numbers that look random and are the same everywhere (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % n
    }

    fn some<T>(&mut self, missing_in: u64, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let value = value(self);
        (self.below(missing_in) > 0).then_some(value)
    }
}

/// Many distinct floats, a hundred integers and a dozen texts, each with something to say of
/// the class and some of it missing. Above 4096 rows the engine takes nodes one at a time with
/// their columns in parallel, below it finishes subtrees in cache: this has nodes of both sizes.
pub fn large(n: usize, n_classes: u64, weighted: bool) -> Frame {
    let mut numbers = Numbers(n as u64 * n_classes);
    let (mut floats, mut ints, mut texts, mut classes) = (vec![], vec![], vec![], vec![]);
    for _ in 0..n {
        let x = numbers.below(n as u64 / 3);
        let (y, z) = (numbers.below(100), numbers.below(12));
        let noise = numbers.below(4);
        let signal =
            x * 13 / n as u64 / 4 + [0, 1, 0, 2, 1][y as usize / 20] + u64::from(z % 5 == 0);
        let class = if noise == 0 { numbers.below(n_classes) } else { signal % n_classes };
        floats.push(numbers.some(15, |_| Value::Float(x as f64 / 8.0 - 100.0)));
        ints.push(numbers.some(40, |_| Value::Int(i128::from(y) - 50)));
        texts.push(numbers.some(10, |_| Value::Text(format!("level {z}"))));
        classes.push(i128::from(class));
    }
    let columns = vec![
        Column::new("many", DType::F64, floats),
        Column::new("few", DType::I16, ints),
        Column::new("text", DType::String, texts),
    ];
    let weights = weighted.then(|| (0..n).map(|_| numbers.below(9) as f64 / 4.0).collect());
    Frame { columns, target: Column::ints("y", DType::I64, classes), weights }
}

/// Floats of which no two are the same, some of them missing.
pub fn distinct(n: usize) -> Column {
    let mut numbers = Numbers(n as u64);
    // 7919 is prime, and so no factor of n.
    let value = |i: usize| Value::Float((i * 7919 % n) as f64 / 8.0);
    Column::new("distinct", DType::F64, (0..n).map(|i| numbers.some(30, |_| value(i))))
}

/// Columns of very few levels, one of a single one, some of them with missing values: each says a
/// little of the class. And bytes that say nothing.
fn narrow(frame: &Frame) -> Vec<Column> {
    let mut numbers = Numbers(11);
    let classes = &frame.target.cells;
    let column = |(at, levels): (usize, u64)| {
        let value = |class: &Option<Value>| {
            let Some(Value::Int(class)) = class else { return None };
            let says =
                if numbers.below(6) == 0 { *class as u64 + at as u64 } else { numbers.below(5) };
            let missing_in = if at % 3 == 0 { 20 } else { u64::MAX };
            numbers.some(missing_in, |_| Value::Int(i128::from(says % levels)))
        };
        let values: Vec<Option<Value>> = classes.iter().map(value).collect();
        Column::new(&format!("narrow {at}"), DType::I8, values)
    };
    let mut columns: Vec<Column> =
        [2, 2, 3, 2, 1, 2, 2, 5, 2, 2, 4, 2].into_iter().enumerate().map(column).collect();
    // Every byte there is.
    let byte = |i: usize| i128::from(numbers.below(if i.is_multiple_of(3) { 256 } else { 100 }));
    let bytes: Vec<i128> = (0..classes.len()).map(byte).collect();
    columns.push(Column::ints("bytes", DType::U8, bytes));
    columns
}

#[test]
fn large_nodes_are_split_as_the_oracle_splits_them() {
    let specs = [
        (TreeSpec::cart(), 2, false),
        (TreeSpec::cart().grouping(Grouping::OneVsRest).min_samples_leaf(700), 3, true),
        (TreeSpec::c45().pruning(Pruning::None).missing(Missing::Majority), 4, false),
        (TreeSpec::c45().pruning(Pruning::None), 4, false),
    ];
    let mut two_large_nodes = false;
    for (spec, n_classes, weighted) in specs {
        let mut frame = large(6000, n_classes, weighted);
        frame.columns.extend(narrow(&frame));
        let spec = spec.max_depth(3);
        let tree = frame.grow(&spec).expect("grows");
        two_large_nodes |= tree.node_slice()[1..].iter().any(|node| node.n > 4096);
        check(&frame, &spec).expect("the oracle's tree");
    }
    assert!(two_large_nodes, "some large node is below a large node");

    // By columns of few levels alone, down to small nodes.
    for weighted in [false, true] {
        let mut frame = large(4500, 3, weighted);
        frame.columns = narrow(&frame);
        check(&frame, &TreeSpec::cart().max_depth(5)).expect("the oracle's tree");
    }
}

/// Levels that each row has for itself, and rows without: these go left, right, or by a rule of
/// their own, and the column's other rows stay in order beside them.
#[test]
fn rows_with_levels_of_their_own_are_split_as_the_oracle_splits_them() {
    for (seed, weighted) in (0..3).flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut numbers = Numbers(seed);
        let n = 450;
        let classes: Vec<u64> = (0..n).map(|_| numbers.below(2)).collect();
        let column = |at: u64| {
            let name = format!("x{at}");
            let value = |(i, &class): (usize, &u64)| {
                // Few classes' values lie low, and few of one class, or of both, are missing.
                let x = numbers.below(1000) + 700 * (class ^ (at & 1));
                let missing_in = [3, 30, 9][(class + at + seed) as usize % 3];
                numbers.some(missing_in, |_| Value::Float((x * n + i as u64) as f64))
            };
            Column::new(&name, DType::F64, classes.iter().enumerate().map(value))
        };
        let columns: Vec<Column> = (0..3).map(column).collect();
        let target = Column::ints("y", DType::I64, classes.iter().map(|&c| i128::from(c)));
        let weights = weighted.then(|| (0..n).map(|_| numbers.below(9) as f64 / 4.0).collect());
        let frame = Frame { columns, target, weights };
        for missing in [Missing::Learn, Missing::Majority, Missing::Fractional] {
            for spec in [TreeSpec::cart(), TreeSpec::cart().min_samples_leaf(20)] {
                check(&frame, &spec.missing(missing).max_depth(4)).expect("the oracle's tree");
            }
        }
    }
}

#[test]
fn threads_change_nothing() {
    for (spec, weighted) in [
        (TreeSpec::cart(), false),
        (TreeSpec::id3(), true),
        (
            TreeSpec::c45()
                .pruning(Pruning::None)
                .grouping(Grouping::OneVsRest)
                .missing(Missing::Majority),
            false,
        ),
        (TreeSpec::c45().pruning(Pruning::None), false),
    ] {
        let mut frame = large(20_000, 3, weighted);
        frame.columns.push(distinct(20_000));
        frame.columns.extend(narrow(&frame));
        let one = frame.grow_with(1, &spec).expect("grows");
        assert!(one.n_nodes() > 1000 && conserves(&one).is_ok());
        assert_eq!(oracle::first_misrouted(&frame, &one), None);
        for threads in [2, 4] {
            assert!(frame.grow_with(threads, &spec).expect("grows") == one, "{threads} {spec:?}");
        }
    }
}

/// More levels than 16 bits number, as floats, as integers of both widths and as text: the
/// same tree but for how a cut is named, on any threads, with and without weights of 1.
#[test]
fn many_levels_are_many_levels_in_every_dtype() {
    let n = 80_000;
    let mut numbers = Numbers(7);
    let mut values: Vec<i64> = (0..n as i64).map(|i| i * 3 - 100_000).collect();
    for i in (1..n).rev() {
        values.swap(i, numbers.below(i as u64 + 1) as usize);
    }
    let class = |x: i64, noise: u64| i128::from(if noise == 0 { x % 2 != 0 } else { x > 17_000 });
    let target = Column::ints("y", DType::I64, values.iter().map(|&x| class(x, numbers.below(5))));
    let missing: Vec<bool> = (0..n).map(|_| numbers.below(50) == 0).collect();
    let value_of = |dtype: &DType, x: i64| match dtype {
        DType::F64 => Value::Float(x as f64),
        // Text of one length orders as its numbers do.
        DType::String => Value::Text(format!("{:06}", x + 100_000)),
        _ => Value::Int(x.into()),
    };
    let frame_of = |dtype: &DType| {
        let cells = values.iter().zip(&missing).map(|(&x, &m)| (!m).then(|| value_of(dtype, x)));
        let column = Column { kind: Kind::Ordered, ..Column::new("x", dtype.clone(), cells) };
        Frame::new(vec![column], target.clone())
    };
    let spec = TreeSpec::cart().criterion(Criterion::Entropy).max_depth(12);
    // Cuts are told apart by their numbers alone.
    let shape = |tree: &Tree| -> Vec<Node> {
        let mut nodes = oracle::read(tree);
        for split in nodes.iter_mut().filter_map(|node| node.split.as_mut()) {
            if let Ask::AtLeast(cut) = &mut split.ask {
                *cut = Value::Int(0);
            }
        }
        nodes
    };
    let ints = frame_of(&DType::I64);
    let expected = ints.grow_with(1, &spec).expect("grows");
    assert!(expected.n_nodes() > 200 && conserves(&expected).is_ok());
    assert_eq!(oracle::first_misrouted(&ints, &expected), None);
    assert!(ints.grow_with(2, &spec).expect("grows") == expected);
    let weighted = Frame { weights: Some(vec![1.0; n]), ..ints };
    assert!(weighted.grow(&spec).expect("grows") == expected, "weights of 1");
    for dtype in [DType::F64, DType::I128, DType::String] {
        let tree = frame_of(&dtype).grow(&spec).expect("grows");
        assert!(shape(&tree) == shape(&expected), "{dtype}");
    }
}

/// As many nominal levels as rows, a branch each.
#[test]
fn a_multiway_rule_may_have_more_branches_than_16_bits_number() {
    let n = 70_000;
    let frame = Frame::new(
        vec![Column::texts("id", (0..n).map(|i| format!("{i:05}")))],
        Column::ints("y", DType::I64, (0..n).map(|i| i128::from(i % 3 == 0))),
    );
    let tree = frame.grow(&TreeSpec::id3()).expect("grows");
    assert_eq!((tree.n_nodes(), tree.depth()), (n + 1, 1));
    assert!((0..n).all(|i| tree.majority(i as u32 + 1) == usize::from(i % 3 == 0)));
}

// ---- the formulas --------------------------------------------------------------------------

/// Branches of a split of up to 6 classes; counts small, large, or with fractions.
fn branches() -> impl Strategy<Value = Vec<Vec<f64>>> {
    let count = prop_oneof![
        4 => (0..6u32).prop_map(f64::from),
        1 => (0..1u64 << 40).prop_map(|c| c as f64),
        1 => 0.0..3.0f64,
    ];
    (1..=6usize, 1..=5usize).prop_flat_map(move |(k, b)| {
        prop::collection::vec(prop::collection::vec(count.clone(), k), b)
    })
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn formulas_keep_their_bounds(branches in branches(), base in select(&[LogBase::Two, LogBase::E][..])) {
        let k = branches[0].len();
        let parent: Vec<f64> = (0..k).map(|c| branches.iter().map(|b| b[c]).sum()).collect();
        let weights: Vec<f64> = branches.iter().map(|b| b.iter().sum()).collect();
        let (h, h_a) = (entropy(&parent, base), split_info(&weights, base));
        prop_assert!((0.0..=base.log(k as f64)).contains(&h));
        prop_assert!((0.0..=1.0).contains(&gini(&parent)));
        prop_assert!(h.is_sign_positive() && h_a.is_sign_positive(), "-0.0 reads badly");

        let gain = information_gain(&parent, &branches, base);
        prop_assert!(0.0 <= gain && gain <= h && gain <= h_a + 1e-12, "{} {} {}", gain, h, h_a);
        let conditional = conditional_entropy(&parent, &branches, base);
        prop_assert!((h - conditional - gain).abs() <= 1e-12);
        let ratio = gain_ratio(&parent, &branches, base);
        prop_assert!(ratio >= 0.0 && (ratio * h_a - gain).abs() <= 1e-12);
        let uncertainty = symmetric_uncertainty(gain, h, h_a);
        prop_assert!((0.0..=1.0 + 1e-9).contains(&uncertainty));

        let gain = gini_gain(&parent, &branches);
        prop_assert!(0.0 <= gain && gain <= gini(&parent));
        prop_assert!((gini(&parent) - gini_split(&parent, &branches) - gain).abs() <= 1e-12);

        // Two branches score the same whichever comes first.
        if let [a, b] = &branches[..] {
            for criterion in CRITERIA {
                let gain = |x: &Vec<f64>, y: &Vec<f64>| criterion.gain(&parent, &[x, y], base);
                prop_assert_eq!(gain(a, b), gain(b, a));
            }
        }
    }
}
