//! Growth from rows that are not in memory: the model is the one that memory gives, byte for byte.

use gaintree::engine::dtype::{Kind, Value};
use gaintree::engine::{BatchStore, DType, RowStore, grow_from_store};
use gaintree::{Budget, ClassWeights, Missing, Monitor, Pruning, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::growth::specs;
use crate::row_store::{FrameBatches, FrameStore, with_numbers};

fn spec_of(frame: &Frame, spec: &TreeSpec) -> TreeSpec {
    spec.clone().ordered(frame.overridden(Kind::Ordered)).nominal(frame.overridden(Kind::Nominal))
}

/// The same tree, or both refuse: whoever counts.
fn check(frame: &Frame, spec: &TreeSpec, budget: &Budget) -> Result<(), TestCaseError> {
    let spec = spec_of(frame, spec);
    let expected = frame.grow(&spec);
    let n_rows = frame.n_rows();
    let batches = FrameBatches::new(frame, n_rows / 3 + 1);
    let room = if n_rows.is_multiple_of(2) { 1 << 20 } else { 0 };
    let mut stores: [Box<dyn RowStore>; 2] =
        [Box::new(FrameStore::new(frame)), Box::new(BatchStore::new(batches, room))];
    for (who, store) in ["rows", "batches"].iter().zip(&mut stores) {
        let grown = grow_from_store(&mut **store, &spec, budget, &mut |_| {});
        match (&expected, grown) {
            (Ok(expected), Ok((tree, _))) => {
                let (tree, expected) = (tree.to_json(), expected.to_json());
                let wrong = tree.lines().zip(expected.lines()).find(|(a, b)| a != b);
                prop_assert_eq!(wrong, None, "{}", who);
                prop_assert_eq!(tree, expected, "{}", who);
            }
            (Err(_), Err(_)) => {}
            (Ok(_), Err(e)) => {
                let of_fractions = e.to_string().contains("fractional");
                let is_refused = spec.missing == Missing::Fractional && of_fractions;
                prop_assert!(is_refused, "refused: {e}");
            }
            (Err(e), Ok(_)) => return Err(TestCaseError::fail(format!("not refused: {e}"))),
        }
    }
    Ok(())
}

/// Few bins, nodes that are never gathered, all, or some, and values that are fetched at once or few
/// at a time.
fn budgets() -> impl Strategy<Value = Budget> {
    let gathered = prop_oneof![3 => Just(0), 1 => 1..=20u64, 1 => Just(1000)];
    let fetched = prop::option::weighted(0.7, 0..=12u64);
    let numbers = (
        select(vec![1 << 18, 1 << 20]),
        prop_oneof![3 => 4..=16u32, 1 => 30..=80u32],
        gathered,
        fetched,
    );
    numbers.prop_map(|(memory, bins, gathered, fetched)| {
        let budget = Budget::of_memory(memory).bins(bins).gathered_rows(gathered);
        match fetched {
            Some(fetched) => budget.fetched_values(fetched),
            None => budget,
        }
    })
}

/// Best-first growth, prunings and class weights, now and then.
fn more(spec: TreeSpec) -> impl Strategy<Value = TreeSpec> {
    let leaves = prop_oneof![2 => Just(None), 1 => (1..=12u32).prop_map(Some)];
    let prunings = vec![
        Pruning::None,
        Pruning::None,
        Pruning::CostComplexity { alpha: 0.01 },
        Pruning::Leaves { at_most: 4 },
        Pruning::Pessimistic { confidence: 0.25 },
    ];
    let weights = prop_oneof![3 => Just(ClassWeights::Equal), 1 => Just(ClassWeights::Balanced)];
    (leaves, select(prunings), weights).prop_map(move |(leaves, pruning, weights)| {
        let mut spec = spec.clone().pruning(pruning).class_weights(weights);
        spec.max_leaves = leaves;
        spec
    })
}

pub fn all_specs() -> impl Strategy<Value = TreeSpec> {
    specs().prop_flat_map(more)
}

pub fn any_frames() -> impl Strategy<Value = Frame> {
    let weighing = [Weighing::Exact, Weighing::Whole, Weighing::Fractions];
    select(weighing.to_vec()).prop_flat_map(frames)
}

/// Numbers of all sizes; or a few beside which the others are rounding, so that many gains count as
/// zero and tie.
pub fn numbers() -> impl Strategy<Value = Vec<f64>> {
    let number = prop_oneof![
        3 => (0..4i32).prop_map(f64::from),
        3 => -1.0..1.0f64,
        1 => select(vec![1e9, 1e9 + 0.25, 1e-300, -1e150, 1e150, 0.1]),
    ];
    let rounding = prop_oneof![
        2 => select(vec![-1e9, 1e9]),
        1 => select(vec![-2.0, 0.0, 0.1, 1.0, 1e9 + 0.25]),
    ];
    prop_oneof![
        3 => prop::collection::vec(number, 1..40),
        1 => prop::collection::vec(rounding, 1..200),
    ]
}

/// Pairs of large numbers that balance each other but for rounding, at one value or none.
fn balanced() -> impl Strategy<Value = Frame> {
    let small = || select(vec![-0.5, 0.0, 0.1, 0.25, 1.0]);
    let pair = (prop::option::weighted(0.8, 0..5i128), small(), small());
    prop::collection::vec(pair, 2..30).prop_map(|pairs| {
        let x = pairs.iter().flat_map(|&(x, ..)| [x, x]).map(|x| x.map(Value::Int));
        let y = pairs.iter().flat_map(|&(_, above, below)| [1e9 + above, below - 1e9]);
        Frame::new(vec![Column::new("x", DType::I64, x)], Column::floats("y", y))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_of_classes_are_those_of_memory(
        frame in any_frames(), spec in all_specs(), budget in budgets(),
    ) {
        check(&frame, &spec, &budget)?;
    }

    /// Gains that are rounding count as zero, and tie: whoever rates them.
    #[test]
    fn ties_of_nothing_are_those_of_memory(
        frame in balanced(), spec in all_specs(), budget in budgets(),
    ) {
        let spec = spec.zero_gain_splits(true).class_weights(ClassWeights::Equal);
        check(&frame, &spec, &budget)?;
    }

    #[test]
    fn trees_of_numbers_are_those_of_memory(
        frame in any_frames(), numbers in numbers(), spec in all_specs(), budget in budgets(),
    ) {
        let spec = spec.class_weights(ClassWeights::Equal);
        check(&with_numbers(&frame, &numbers), &spec, &budget)?;
    }
}

/// A table of several thousand rows with a signal, where most bins are dead.
pub fn large(n: usize) -> Frame {
    let mut state = 7u64;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let rows: Vec<[f64; 3]> = (0..n).map(|_| [random(), random(), random()]).collect();
    let class = |row: &[f64; 3]| i128::from(row[0] + 0.3 * row[1] + 0.1 * row[2] > 0.7);
    let columns = ["a", "b", "c"].iter().enumerate();
    let columns = columns.map(|(at, name)| Column::floats(name, rows.iter().map(|row| row[at])));
    Frame::new(columns.collect(), Column::ints("y", DType::I64, rows.iter().map(class)))
}

#[test]
fn most_bins_of_a_clear_signal_are_never_looked_into() {
    let frame = large(3000);
    let budget = Budget::of_memory(1 << 24).bins(128).gathered_rows(0);
    let spec = TreeSpec::cart().max_depth(3);
    let mut store = FrameStore::new(&frame);
    let (tree, report) = grow_from_store(&mut store, &spec, &budget, &mut |_| {}).expect("grown");
    assert_eq!(tree.to_json(), frame.grow(&spec).expect("grown").to_json());
    assert!(
        report.values_fetched > 0 && report.bins_alive * 10 < report.bins_counted,
        "{report:?}"
    );
    assert!(report.passes <= 1 + 2 * 3 + 1, "{report:?}");
}

/// Finer bins are counted where too many values would have to be fetched, and then few are left.
#[test]
fn a_closer_look_at_bins_spares_values() {
    for frame in [large(3000), with_numbers(&large(3000), &[0.0, 1.5, -1.0, 7.0, 0.25])] {
        let spec = TreeSpec::cart().max_depth(3);
        let expected = frame.grow(&spec).expect("grown").to_json();
        let grown = |fetched: u64| {
            let budget =
                Budget::of_memory(1 << 24).bins(16).gathered_rows(0).fetched_values(fetched);
            let batches = FrameBatches::new(&frame, 700);
            let mut store = BatchStore::new(batches, 1 << 20);
            let (tree, report) =
                grow_from_store(&mut store, &spec, &budget, &mut |_| {}).expect("grown");
            assert_eq!(tree.to_json(), expected);
            report
        };
        let (at_once, closer, few) = (grown(u64::MAX), grown(400), grown(30));
        assert!(closer.bins_counted > at_once.bins_counted, "{at_once:?} {closer:?}");
        assert!(2 * closer.values_fetched < at_once.values_fetched, "{at_once:?} {closer:?}");
        // Of what is fetched first, most need not be fetched any more.
        assert!(few.passes > closer.passes, "{closer:?} {few:?}");
        assert!(few.values_fetched <= closer.values_fetched, "{closer:?} {few:?}");
    }
}

/// Data that change between two passes never give a tree of neither.
#[test]
fn data_that_change_between_passes_end_the_growth() {
    let frame = large(300);
    for gathered in [0, 100] {
        let budget = Budget::of_memory(1 << 24).bins(8).gathered_rows(gathered);
        let spec = TreeSpec::cart();
        let expected = frame.grow(&spec).expect("grown").to_json();
        let mut n_changed = 0;
        for changes_after in 1..6 {
            let mut store = FrameStore::new(&frame);
            store.changes_after = Some(changes_after);
            match grow_from_store(&mut store, &spec, &budget, &mut |_| {}) {
                Ok((tree, _)) => assert_eq!(tree.to_json(), expected),
                Err(e) => {
                    let e = e.to_string();
                    assert!(e.contains("the data changed between two passes"), "{e}");
                    n_changed += 1;
                }
            }
        }
        assert!(n_changed >= 3, "{n_changed} of 5 with {gathered} gathered rows");
    }
}

#[test]
fn a_flag_raised_between_passes_ends_the_growth() {
    let frame = large(300);
    let monitor = Monitor::default();
    let spec = TreeSpec::cart().monitor(monitor.clone());
    let budget = Budget::of_memory(1 << 24).bins(8).gathered_rows(0);
    let mut passes = 0;
    let mut raise_at_third = |_| {
        passes += 1;
        if passes == 3 {
            monitor.interrupt();
        }
    };
    let grown = grow_from_store(&mut FrameStore::new(&frame), &spec, &budget, &mut raise_at_third);
    assert!(grown.expect_err("raised").is_interrupted());
    assert_eq!(passes, 3);
}

#[test]
fn what_cannot_be_grown_so_is_refused_in_words() {
    let frame = large(100);
    let refused = |frame: &Frame, spec: TreeSpec, budget: Budget| {
        let spec = spec_of(frame, &spec);
        let grown = grow_from_store(&mut FrameStore::new(frame), &spec, &budget, &mut |_| {});
        grown.expect_err("refused").to_string()
    };
    let e = refused(&frame, TreeSpec::c45(), Budget::default());
    assert!(e.contains("subtree_raising = false"), "{e}");
    let e = refused(&frame, TreeSpec::cart(), Budget::of_memory(10_000));
    assert!(e.contains("max_depth, max_leaves or min_samples_leaf"), "{e}");
    // The rows are counted before the first pass, if a store can, unless the spec has limits.
    for (spec, n_counted) in [(TreeSpec::cart(), 1), (TreeSpec::cart().max_depth(4), 0)] {
        let mut store = FrameStore::new(&frame);
        let (budget, mut n_passes) = (Budget::of_memory(10_000), 0);
        let grown = grow_from_store(&mut store, &spec, &budget, &mut |_| n_passes += 1);
        assert_eq!((grown.is_err(), store.n_counted), (n_counted == 1, n_counted));
        assert_eq!(n_passes == 0, n_counted == 1);
    }
    // A level for each row, and memory for fewer.
    let many = || (0..20_000).map(|row| Some(Value::Text(format!("{row}"))));
    let target = Column::ints("y", DType::I64, (0..20_000).map(|row| row % 2));
    let ids = Frame::new(vec![Column::new("id", DType::String, many())], target);
    let spec = TreeSpec::cart().max_depth(2);
    let mut store = BatchStore::new(FrameBatches::new(&ids, 3_000), 0);
    let grown = grow_from_store(&mut store, &spec, &Budget::of_memory(1 << 20), &mut |_| {});
    let e = grown.expect_err("refused").to_string();
    assert!(e.contains("feature `id` (str) has too many levels for the memory budget"), "{e}");
    assert!(e.contains("allows 16384 of all features together: leave it out"), "{e}");
    let mut holes = frame.clone();
    holes.columns[1].cells[5] = None;
    let e = refused(&holes, TreeSpec::cart().missing(Missing::Fractional), Budget::default());
    assert!(e.contains("feature `b` (f64) is missing in 1 rows"), "{e}");
}
