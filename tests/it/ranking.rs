//! Rankings of features in turn, which are rated in whatever way is quickest, beside those of an
//! encoded table, and beside the oracle.

use gaintree::engine::dtype::{DType, Kind};
use gaintree::engine::{FeatureGain, Kinds, Measures, Table, rank, rank_in_turn};
use gaintree::{Criterion, Cuts, LogBase, Missing, RankMissing, TreeSpec};
use proptest::prelude::*;
use proptest::sample::select;

use crate::frames::{Column, Frame, Weighing, frames};
use crate::oracle;

/// A ranking in turn, once it is that of the encoded table.
fn ranked(frame: &Frame, missing: RankMissing, cuts: Cuts) -> Vec<FeatureGain> {
    let (ordered, nominal) = (frame.overridden(Kind::Ordered), frame.overridden(Kind::Nominal));
    let kinds = Kinds { ordered: &ordered, nominal: &nominal, ..Kinds::default() };
    let (target, weights) = (&frame.target, frame.weights.clone());
    let rows = Table::of_target(target, weights.clone(), kinds.task).expect("a target");
    let table = Table::encode(&frame.columns, target, weights, kinds).expect("encodes");
    let in_turn = rank_in_turn(&rows, &frame.columns, kinds, None, LogBase::Two, missing, cuts);
    let in_turn = in_turn.expect("ranks");
    assert_eq!(in_turn, rank(&table, None, LogBase::Two, missing, cuts));
    in_turn.into_iter().map(|mut groups| groups.remove(0)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_way_to_rank_says_the_same(
        frame in frames(Weighing::Exact),
        missing in select(vec![RankMissing::Known, RankMissing::OwnLevel]),
        cuts in select(vec![Cuts::Best, Cuts::Best, Cuts::Mdl]),
    ) {
        ranked(&frame, missing, cuts);
    }

    /// What missing values tell is what a column of two levels tells that says whether they are.
    #[test]
    fn missing_values_tell_as_a_column_of_theirs(
        frame in frames(Weighing::Exact),
        missing in select(vec![RankMissing::Known, RankMissing::OwnLevel]),
        cuts in select(vec![Cuts::Best, Cuts::Best, Cuts::Mdl]),
    ) {
        let gains = ranked(&frame, missing, cuts);
        let of_missing = |column: &Column| {
            let is_known = (0..frame.n_rows()).map(|row| column.known(row).is_some().to_string());
            Column::texts(&column.name, is_known)
        };
        let columns = frame.columns.iter().map(of_missing).collect();
        let alone = ranked(&Frame { columns, ..frame.clone() }, missing, Cuts::Best);
        for (gain, alone) in gains.iter().zip(&alone) {
            prop_assert_eq!(gain.missing_gain, alone.gain(), "{:?}", frame);
        }
    }

    /// The rule of highest gain is as good as the best of all that the oracle rates.
    #[test]
    fn a_best_rule_is_the_oracles(
        mut frame in frames(Weighing::Exact),
        (missing, as_in_trees) in select(vec![
            (RankMissing::Known, Missing::Majority),
            (RankMissing::OwnLevel, Missing::Learn),
        ]),
    ) {
        frame.columns.retain(|column| column.kind == Kind::Ordered);
        let gains = ranked(&frame, missing, Cuts::Best);
        for (column, gain) in frame.columns.iter().zip(gains) {
            let alone = Frame { columns: vec![column.clone()], ..frame.clone() };
            let rows = oracle::positive_rows(&frame);
            prop_assert_eq!(gain.n_levels, oracle::levels(column, &rows).len() as u64);
            let best = |criterion| {
                let spec = TreeSpec::cart().criterion(criterion).missing(as_in_trees);
                oracle::best_root_gain(&alone, &spec).unwrap_or(0.0)
            };
            let Measures::Classes(measures) = gain.measures else { unreachable!("classes") };
            prop_assert_eq!(measures.info_gain, best(Criterion::Entropy));
            prop_assert_eq!(measures.gini_gain, best(Criterion::Gini));
        }
    }
}

/// More rows than a bucket holds, of two classes and of ten: crowded, tied, one key nearly all
/// the way, in order, and missing; few keys far apart, and integers of a small range with gaps.
#[test]
fn many_rows_rank_as_an_encoded_table_does() {
    let n = 20_000u64;
    let noise =
        |row: u64| (row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 53) as f64;
    let values: [fn(u64, f64) -> f64; 7] = [
        |_, x| x - 0.5,
        |_, x| (40.0 * (x - 0.5)).exp() - 1e5,
        |_, x| (x * 700.0).round() * 1e9,
        |row, x| if row.is_multiple_of(50) { x } else { 1.0 },
        |row, _| row as f64,
        |row, x| if row.is_multiple_of(10) { f64::NAN } else { 1.0 / (x - 0.5) },
        |row, x| if row.is_multiple_of(9) { f64::NAN } else { (x * 70.0).round() * 1e9 },
    ];
    for n_classes in [2.0, 10.0] {
        let class = |row: u64| ((0.6 * noise(row) + 0.4 * noise(row + n)) * n_classes) as i128;
        let columns = values.iter().enumerate().map(|(i, value)| {
            Column::floats(&format!("x{i}"), (0..n).map(|row| value(row, noise(row))))
        });
        let of_small_range = Column::ints(
            "i",
            DType::I16,
            (0..n).map(|row| ((noise(row) * 90.0) as i128).pow(2) / 40 - 50),
        );
        let target = Column::ints("y", DType::I64, (0..n).map(class));
        let frame = Frame::new(columns.chain([of_small_range]).collect(), target);
        for missing in [RankMissing::Known, RankMissing::OwnLevel] {
            ranked(&frame, missing, Cuts::Best);
        }
    }
}
