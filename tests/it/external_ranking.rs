//! Rankings of rows that are not in memory: the figures are those of memory, bit for bit.

use gaintree::engine::dtype::{DType, Kind, Value};
use gaintree::engine::{
    BatchStore, FeatureGain, Groups, Kinds, RankStore, Table, rank_by_spec, rank_from_store,
};
use gaintree::{Budget, Cuts, LogBase, Monitor, RankMissing, RankSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::external::{any_frames, large, numbers};
use crate::frames::{Column, Frame};
use crate::row_store::{FrameBatches, FrameStore, with_numbers};

fn spec_of(frame: &Frame, spec: &RankSpec) -> RankSpec {
    spec.clone().ordered(frame.overridden(Kind::Ordered)).nominal(frame.overridden(Kind::Nominal))
}

fn in_memory(
    frame: &Frame,
    groups: Option<Groups>,
    spec: &RankSpec,
) -> gaintree::Result<Vec<Vec<FeatureGain>>> {
    let kinds = Kinds { task: spec.task, ordered: &spec.ordered, nominal: &spec.nominal };
    let rows = Table::of_target(&frame.target, frame.weights.clone(), spec.task)?;
    rank_by_spec(&rows, &frame.columns, &[], kinds, groups, spec)
}

/// A group for each row, of so many; each has a row that counts.
fn groups_of(frame: &Frame, count: usize) -> (Frame, Vec<u32>, usize) {
    let weight = |row: usize| frame.weights.as_ref().map_or(1.0, |weights| weights[row]);
    let of_row = |row: usize| row * row % count;
    let kept = (0..frame.n_rows()).filter(|&row| weight(row) > 0.0).map(of_row);
    let mut present: Vec<usize> = kept.clone().collect();
    present.sort_unstable();
    present.dedup();
    let groups = kept.map(|group| present.partition_point(|&other| other < group) as u32);
    let text = |row: usize| Some(Value::Text(format!("{:03}", of_row(row))));
    let mut grouped = frame.clone();
    let cells = (0..frame.n_rows()).map(text);
    grouped.columns.push(Column::new("the group", DType::String, cells));
    (grouped, groups.collect(), present.len())
}

/// The same figures, whoever counts, of all rows and by group.
fn check(
    frame: &Frame,
    n_groups: usize,
    spec: &RankSpec,
    budget: &Budget,
) -> Result<(), TestCaseError> {
    let spec = spec_of(frame, spec);
    let (grouped, of, count) = groups_of(frame, n_groups.max(1));
    let (stored, column, groups) = match n_groups {
        0 => (frame, None, None),
        _ => (&grouped, Some(frame.columns.len() as u32), Some(Groups { of: &of, count })),
    };
    let expected = in_memory(frame, groups, &spec);
    let batches = FrameBatches::new(stored, frame.n_rows() / 3 + 1);
    let mut stores: [Box<dyn RankStore>; 2] =
        [Box::new(FrameStore::new(stored)), Box::new(BatchStore::new(batches, 0))];
    for (who, store) in ["rows", "batches"].iter().zip(&mut stores) {
        let ranked = rank_from_store(&mut **store, column, &spec, budget);
        match (&expected, ranked) {
            (Ok(expected), Ok(ranked)) => {
                prop_assert_eq!(ranked.gains.len(), expected.len());
                for (ranked, expected) in ranked.gains.iter().zip(expected) {
                    prop_assert_eq!(ranked, expected, "{}", who);
                }
                prop_assert_eq!(ranked.groups.len(), if n_groups == 0 { 0 } else { count });
            }
            (Err(_), Err(_)) => {}
            (Ok(_), Err(e)) => {
                // In memory whoever calls the engine checks the target.
                let e = e.to_string();
                let is_checked = e.contains("has one class") || e.contains("has no rows");
                prop_assert!(is_checked, "refused: {e}");
            }
            (Err(e), Ok(_)) => return Err(TestCaseError::fail(format!("not refused: {e}"))),
        }
    }
    Ok(())
}

fn specs() -> impl Strategy<Value = RankSpec> {
    let missing = select(vec![RankMissing::Known, RankMissing::OwnLevel]);
    let log_base = select(vec![LogBase::Two, LogBase::E]);
    (missing, log_base)
        .prop_map(|(missing, log_base)| RankSpec::default().missing(missing).log_base(log_base))
}

/// Few bins, room for few features or all, and values that are fetched at once or few at a time.
fn budgets() -> impl Strategy<Value = Budget> {
    let fetched = prop::option::weighted(0.7, 0..=12u64);
    let memory = select(vec![100, 2_000, 1 << 20]);
    (memory, 4..=24u32, fetched).prop_map(|(memory, bins, fetched)| {
        let budget = Budget::of_memory(memory).bins(bins);
        match fetched {
            Some(fetched) => budget.fetched_values(fetched),
            None => budget,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rankings_by_classes_are_those_of_memory(
        frame in any_frames(), n_groups in 0..5usize, spec in specs(), budget in budgets(),
    ) {
        check(&frame, n_groups, &spec, &budget)?;
    }

    #[test]
    fn rankings_by_numbers_are_those_of_memory(
        frame in any_frames(), numbers in numbers(), n_groups in 0..5usize, spec in specs(),
        budget in budgets(),
    ) {
        check(&with_numbers(&frame, &numbers), n_groups, &spec, &budget)?;
    }
}

/// Of a clear signal most values are never fetched, though all are counted.
#[test]
fn most_values_of_a_clear_signal_are_never_fetched() {
    for frame in [large(3000), with_numbers(&large(3000), &[0.0, 1.5, -1.0, 7.0, 0.25])] {
        let spec = RankSpec::default();
        let expected = in_memory(&frame, None, &spec).expect("ranks");
        let ranked = |fetched: u64| {
            let budget = Budget::of_memory(1 << 14).bins(128).fetched_values(fetched);
            let mut store = BatchStore::new(FrameBatches::new(&frame, 700), 0);
            let ranked = rank_from_store(&mut store, None, &spec, &budget);
            let ranked = ranked.expect("ranks");
            assert_eq!(ranked.gains, expected);
            ranked.report
        };
        let (at_once, few) = (ranked(u64::MAX), ranked(100));
        assert!(at_once.values_fetched > 0, "{at_once:?}");
        assert!(few.passes > at_once.passes, "{at_once:?} {few:?}");
        assert!(few.values_fetched <= at_once.values_fetched, "{at_once:?} {few:?}");
    }
    // Random numbers as a target are noise; classes are not.
    let mut store = BatchStore::new(FrameBatches::new(&large(3000), 700), 0);
    let budget = Budget::of_memory(1 << 20).bins(128);
    let ranked = rank_from_store(&mut store, None, &RankSpec::default(), &budget);
    let report = ranked.expect("ranks").report;
    assert!(report.values_fetched < 3 * 3000 / 2, "{report:?}");
}

/// Features without missing values are rated on the same rows: their squares are summed once.
#[test]
fn the_squares_of_all_rows_are_summed_once() {
    let column = |name: &str, levels: i128| {
        Column::ints(name, DType::I64, (0..60).map(move |row| row % levels))
    };
    let target = Column::floats("y", (0..60).map(|row| f64::from(row * row % 7)));
    let frame = Frame::new(vec![column("a", 3), column("b", 4), column("c", 5)], target);
    let (spec, budget) = (RankSpec::default(), Budget::of_memory(100));
    let mut store = FrameStore::new(&frame);
    let ranked = rank_from_store(&mut store, None, &spec, &budget);
    let ranked = ranked.expect("ranks");
    assert_eq!(ranked.gains, in_memory(&frame, None, &spec).expect("ranks"));
    // A summary, the squares, and the bins of each feature.
    assert_eq!(ranked.report.passes, 5);
}

#[test]
fn data_that_change_between_passes_end_the_ranking() {
    let frame = large(300);
    let spec = RankSpec::default();
    let expected = in_memory(&frame, None, &spec).expect("ranks");
    let budget = Budget::of_memory(1 << 12).bins(8);
    let mut n_changed = 0;
    for changes_after in 1..8 {
        let mut store = FrameStore::new(&frame);
        store.changes_after = Some(changes_after);
        match rank_from_store(&mut store, None, &spec, &budget) {
            Ok(ranked) => assert_eq!(ranked.gains, expected),
            Err(e) => {
                let e = e.to_string();
                assert!(e.contains("the data changed between two passes"), "{e}");
                n_changed += 1;
            }
        }
    }
    assert!(n_changed >= 3, "{n_changed} of 7");
}

#[test]
fn what_needs_all_rows_is_refused_in_words() {
    let frame = large(100);
    let refused = |spec: RankSpec| {
        let mut store = FrameStore::new(&frame);
        let ranked = rank_from_store(&mut store, None, &spec, &Budget::default());
        ranked.expect_err("refused").to_string()
    };
    let e = refused(RankSpec::default().cuts(Cuts::Mdl));
    assert!(e.contains("a ranking by MDL cuts needs all rows of a feature in memory"), "{e}");
    let mut store = FrameStore::new(&frame);
    let spec = RankSpec::default();
    let ranked = rank_from_store(&mut store, Some(0), &spec, &Budget::default());
    let e = ranked.expect_err("refused").to_string();
    assert!(e.contains("column `a` (f64) has keys; groups are levels of text"), "{e}");
    let ranked = rank_from_store(&mut store, Some(3), &spec, &Budget::default());
    let e = ranked.expect_err("refused").to_string();
    assert!(e.contains("levels of feature 3, and there are 3 features"), "{e}");
    assert!(refused(RankSpec::default().given(["a"])).contains("given columns"));
    let monitor = Monitor::default();
    monitor.interrupt();
    let spec = RankSpec::default().monitor(monitor);
    let mut store = FrameStore::new(&frame);
    let ranked = rank_from_store(&mut store, None, &spec, &Budget::default());
    assert!(ranked.expect_err("raised").is_interrupted());
}
