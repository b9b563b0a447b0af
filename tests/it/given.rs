//! Conditional gains beside the naive formulas.

use std::collections::BTreeMap;

use gaintree::criterion::information_gain;
use gaintree::engine::dtype::{DType, Kind, Value};
use gaintree::engine::{FeatureGain, Groups, Kinds, Table, mdl_bins, mdl_cuts_of, rank_by_spec};
use gaintree::{LogBase, RankMissing, RankSpec, Task};
use proptest::prelude::*;

use crate::binning;
use crate::frames::{Column, Frame, Weighing, frames};
use crate::oracle;

/// A given ordered column of more levels is taken by intervals.
const FEW_LEVELS: usize = 10;

fn ranked(
    frame: &Frame,
    given: &[Column],
    groups: Option<Groups>,
    spec: &RankSpec,
) -> Vec<Vec<FeatureGain>> {
    let all = Frame { columns: [&frame.columns, given].concat(), ..frame.clone() };
    let (ordered, nominal) = (all.overridden(Kind::Ordered), all.overridden(Kind::Nominal));
    let kinds = Kinds { ordered: &ordered, nominal: &nominal, task: spec.task };
    let rows = Table::of_target(&frame.target, frame.weights.clone(), spec.task).expect("a target");
    rank_by_spec(&rows, &frame.columns, given, kinds, groups, spec).expect("ranks")
}

/// What the target holds in some rows, as the gain of a split needs it.
struct Labels<'a> {
    frame: &'a Frame,
    of_rows: Vec<Option<usize>>,
    numbers: bool,
}

impl Labels<'_> {
    fn new(frame: &Frame, numbers: bool) -> Labels<'_> {
        let rows: Vec<usize> = (0..frame.n_rows()).collect();
        Labels { frame, of_rows: binning::levels(&frame.target, &rows), numbers }
    }

    fn weight(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&row| self.frame.weights.as_ref().map_or(1.0, |w| w[row])).sum()
    }

    fn variance(&self, rows: &[usize]) -> f64 {
        let y = |row: usize| match self.frame.target.cells[row] {
            Some(Value::Int(y)) => y as f64,
            _ => panic!("a target of integers"),
        };
        let sum = |of: &dyn Fn(usize) -> f64| -> f64 {
            rows.iter().map(|&row| self.weight(&[row]) * of(row)).sum()
        };
        let mean = sum(&y) / self.weight(rows);
        sum(&|row| (y(row) - mean).powi(2)) / self.weight(rows)
    }

    fn counts(&self, rows: &[usize]) -> Vec<f64> {
        let mut counts = vec![0.0; self.of_rows.iter().flatten().max().map_or(0, |most| most + 1)];
        for &row in rows {
            counts[self.of_rows[row].expect("a class")] += self.weight(&[row]);
        }
        counts
    }

    fn gain(&self, branches: &[Vec<usize>]) -> f64 {
        let parent = branches.concat();
        match self.numbers {
            false => {
                let of_branches: Vec<Vec<f64>> = branches.iter().map(|b| self.counts(b)).collect();
                information_gain(&self.counts(&parent), &of_branches, LogBase::Two)
            }
            true => {
                let left_over = branches.iter().filter(|branch| !branch.is_empty());
                let left_over = left_over.map(|b| self.weight(b) * self.variance(b)).sum::<f64>();
                self.variance(&parent) - left_over / self.weight(&parent)
            }
        }
    }
}

/// The sum over strata of their weights times the gains of the branches that `branch` names.
fn conditional(
    labels: &Labels,
    rows: &[usize],
    strata: &[usize],
    branch: impl Fn(usize) -> usize,
) -> f64 {
    let mut of_strata: BTreeMap<usize, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    for &row in rows {
        let branches = of_strata.entry(strata[row]).or_default();
        branches.entry(branch(row)).or_default().push(row);
    }
    let of_stratum = |branches: BTreeMap<usize, Vec<usize>>| {
        let branches: Vec<Vec<usize>> = branches.into_values().collect();
        labels.weight(&branches.concat()) * labels.gain(&branches)
    };
    of_strata.into_values().map(of_stratum).sum()
}

/// The gain of a column in some rows, whatever makes it most.
fn expected(
    column: &Column,
    labels: &Labels,
    rows: &[usize],
    strata: &[usize],
    missing: RankMissing,
) -> f64 {
    let of_rows = binning::levels(column, rows);
    let mut level = vec![None; labels.frame.n_rows()];
    rows.iter().zip(of_rows).for_each(|(&row, of)| level[row] = of);
    let level = |row: usize| level[row];
    let rated: Vec<usize> = match missing {
        RankMissing::Known => rows.iter().copied().filter(|&row| level(row).is_some()).collect(),
        RankMissing::OwnLevel => rows.to_vec(),
    };
    let gain = |branch: &dyn Fn(usize) -> usize| conditional(labels, &rated, strata, branch);
    let best = match column.kind {
        Kind::Nominal => gain(&|row| level(row).map_or(0, |level| level + 1)),
        Kind::Ordered => {
            let n_levels = rated.iter().filter_map(|&row| level(row)).max().map_or(0, |l| l + 1);
            let cuts = (1..n_levels).flat_map(|cut| {
                [false, true].map(|missing_right| {
                    gain(&|row| level(row).map_or(missing_right, |level| level >= cut).into())
                })
            });
            let alone = gain(&|row| level(row).is_none().into());
            cuts.fold(alone, f64::max)
        }
    };
    best / labels.weight(rows)
}

/// The stratum of each row: by levels, or by intervals of more than ten levels.
fn strata(frame: &Frame, given: &[Column], rows: &[usize], numbers: bool) -> Vec<usize> {
    let mut keys = vec![Vec::new(); frame.n_rows()];
    for column in given {
        let n_levels = oracle::levels(column, rows).len();
        let bins: Vec<Option<usize>> = if column.kind == Kind::Nominal || n_levels <= FEW_LEVELS {
            binning::levels(column, rows)
        } else if numbers {
            binning::bins(column, rows, FEW_LEVELS)
        } else {
            let nominal: [String; 0] = [];
            let ordered = [column.name.clone()];
            let kinds = Kinds { ordered: &ordered, nominal: &nominal, task: Task::Classify };
            let weights = frame.weights.clone();
            let table = Table::encode(std::slice::from_ref(column), &frame.target, weights, kinds);
            let table = table.expect("encodes");
            let cuts = mdl_cuts_of(&table, LogBase::Two).expect("classes");
            let cuts: Vec<Value> = cuts.into_iter().map(|cut| cut.cut).collect();
            let bins = mdl_bins(&table.columns()[0], &cuts).into_iter();
            bins.map(|bin| bin.map(|bin| bin as usize)).collect()
        };
        rows.iter().zip(bins).for_each(|(&row, bin)| keys[row].push(bin));
    }
    let mut distinct: Vec<&Vec<Option<usize>>> = keys.iter().collect();
    distinct.sort();
    distinct.dedup();
    keys.iter().map(|key| distinct.binary_search(&key).expect("there")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() })]

    #[test]
    fn gains_are_those_of_the_formula(
        mut frame in frames(Weighing::Exact),
        n_given in 1..3usize,
        own_level: bool,
        n_groups in 1..4usize,
    ) {
        prop_assume!(frame.columns.len() > 1);
        let given = frame.columns.split_off(frame.columns.len() - n_given.min(frame.columns.len() - 1));
        let missing = if own_level { RankMissing::OwnLevel } else { RankMissing::Known };
        let numbers = frame.target.dtype == DType::I64 && n_groups == 2;
        let task = if numbers { Task::Regress } else { Task::Classify };
        let spec = RankSpec::default().missing(missing).task(task);
        let rows = oracle::positive_rows(&frame);
        prop_assume!(!rows.is_empty());
        // The groups of the rows that are kept.
        let of: Vec<u32> = rows.iter().map(|&row| (row * row % n_groups) as u32).collect();
        let groups = (n_groups > 1).then_some(Groups { of: &of, count: n_groups });
        let gains = ranked(&frame, &given, groups, &spec);
        let labels = Labels::new(&frame, numbers);
        let strata = strata(&frame, &given, &rows, numbers);
        for (column, of_groups) in frame.columns.iter().zip(&gains) {
            for (group, gain) in of_groups.iter().enumerate() {
                let of_group = rows.iter().zip(&of).filter(|(_, of)| **of as usize == group || n_groups == 1);
                let rows: Vec<usize> = of_group.map(|(&row, _)| row).collect();
                if rows.is_empty() {
                    continue;
                }
                let expected = expected(column, &labels, &rows, &strata, missing);
                let scale = if numbers { 1.0 + labels.variance(&rows) } else { 1.0 };
                let found = gain.given.as_ref().expect("asked for");
                prop_assert!(
                    (found.gain_given - expected).abs() < 1e-9 * scale,
                    "{}: {} {expected}", column.name, found.gain_given
                );
                prop_assert_eq!(column.kind == Kind::Ordered && found.gain_given > 0.0, !found.rule_given.is_empty());
            }
        }
    }
}

/// Neither of two bits says anything of whether they differ, but each says all beside the other.
#[test]
fn a_bit_tells_all_beside_the_other() {
    let bits = [0, 0, 1, 1].repeat(5);
    let others = [0, 1, 0, 1].repeat(5);
    let differs: Vec<i128> = bits.iter().zip(&others).map(|(a, b)| a ^ b).collect();
    let column = |name: &str, bits: Vec<i128>| Column::ints(name, DType::I64, bits);
    let (x, z) = (column("x", bits), column("z", others));
    let frame = Frame::new(vec![x, z.clone()], column("y", differs));
    let gains = ranked(&frame, &[z], None, &RankSpec::default());
    let figures = |at: usize| gains[at][0].given.clone().expect("asked for");
    assert_eq!((figures(0).gain_given, figures(0).rule_given.as_str()), (1.0, "x >= 1"));
    assert_eq!((figures(1).gain_given, figures(1).rule_given.as_str()), (0.0, ""));
}
