//! Pairs of columns beside the naive formulas.

use std::collections::HashMap;

use gaintree::LogBase;
use gaintree::criterion::{entropy, symmetric_uncertainty};
use gaintree::engine::{
    Column as Encoded, PairGain, Source, pair_gain_of_levels, pair_gains, redundant_columns,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::binning;
use crate::frames::{Column, Frame, Weighing, frames};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn pairs_are_those_of_the_formulas(frame in frames(Weighing::Exact), bins in 2..12u32) {
        let encode = |c: &Column| Encoded::encode(c.name.clone(), c.dtype.clone(), c.kind, c.cells());
        let columns = frame.columns.iter().map(encode).collect::<Result<Vec<_>, _>>();
        let columns = columns.expect("encodes");
        let pairs = pair_gains(&columns, bins, LogBase::Two, None);
        let n = columns.len();
        prop_assert_eq!(pairs.len(), n * (n - 1) / 2);
        for pair in pairs {
            check(&frame, pair.columns, bins as usize, &pair)?;
        }
    }

    /// Columns are in a group if a chain of pairs joins them.
    #[test]
    fn groups_are_chains_of_pairs(
        n in 2..9usize, shared in vec(0..6u8, 36), threshold in 1..6u8,
    ) {
        let share = |a: usize, b: usize| f64::from(shared[a.max(b) * (a.max(b) - 1) / 2 + a.min(b)]) / 5.0;
        let pairs: Vec<PairGain> = (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| [a, b]))
            .map(|columns| {
                let symmetric_uncertainty = share(columns[0], columns[1]);
                PairGain { columns, n: 1, entropies: [1.0; 2], info_gain: 0.0, symmetric_uncertainty }
            })
            .collect();
        let threshold = f64::from(threshold) / 5.0;
        // What is tied to what, by ties of ties.
        let mut tied: Vec<Vec<bool>> = (0..n)
            .map(|a| (0..n).map(|b| a == b || share(a, b) >= threshold).collect())
            .collect();
        for via in 0..n {
            let of_via = tied[via].clone();
            for of_a in tied.iter_mut().filter(|of_a| of_a[via]) {
                of_a.iter_mut().zip(&of_via).for_each(|(tie, via)| *tie |= via);
            }
        }
        let mut expected = Vec::new();
        let mut n_groups = 0;
        for (first, of_first) in tied.iter().enumerate() {
            let members: Vec<usize> = (0..n).filter(|&b| of_first[b]).collect();
            if members[0] != first || members.len() == 1 {
                continue;
            }
            for &column in &members {
                let others = members.iter().filter(|&&other| other != column);
                let shares: Vec<f64> = others.clone().map(|&other| share(column, other)).collect();
                let greatest = shares.iter().copied().fold(0.0, f64::max);
                let nearest = shares.iter().position(|share| *share == greatest).expect("one");
                let nearest = *others.clone().nth(nearest).expect("there");
                let least = shares.iter().copied().fold(1.0, f64::min);
                expected.push((n_groups, column, nearest, greatest, least));
            }
            n_groups += 1;
        }
        let found = redundant_columns(&pairs, threshold).into_iter();
        let found: Vec<_> =
            found.map(|c| (c.group, c.column, c.nearest, c.greatest, c.least)).collect();
        prop_assert_eq!(found, expected);
    }

    /// By all their levels columns are compared as nominal ones are, either way round alike, and a
    /// column tells all of itself.
    #[test]
    fn levels_are_compared_as_they_are(frame in frames(Weighing::Exact)) {
        let encode = |c: &Column| Encoded::encode(c.name.clone(), c.dtype.clone(), c.kind, c.cells());
        let columns = frame.columns.iter().map(encode).collect::<Result<Vec<_>, _>>();
        let columns = columns.expect("encodes");
        for (a, one) in columns.iter().enumerate() {
            for (b, other) in columns.iter().enumerate() {
                let pair = pair_gain_of_levels(one, other, LogBase::Two);
                check(&frame, [a, b], usize::MAX, &pair)?;
                let back = pair_gain_of_levels(other, one, LogBase::Two).symmetric_uncertainty;
                prop_assert!((pair.symmetric_uncertainty - back).abs() < 1e-12);
                if a == b {
                    let varies = f64::from(u8::from(pair.entropies[0] > 0.0));
                    prop_assert_eq!(pair.symmetric_uncertainty, varies);
                }
            }
        }
    }
}

/// Holds what is said of two columns to the formulas.
fn check(
    frame: &Frame,
    columns: [usize; 2],
    bins: usize,
    pair: &PairGain,
) -> Result<(), TestCaseError> {
    let rows: Vec<usize> = (0..frame.n_rows()).collect();
    let of_rows = |at: usize| binning::bins(&frame.columns[at], &rows, bins);
    let [a, b] = columns.map(of_rows);
    let both: Vec<(usize, usize)> =
        a.into_iter().zip(b).filter_map(|(a, b)| Some((a?, b?))).collect();
    let of = |key: fn(&(usize, usize)) -> (usize, usize)| {
        let mut counts: HashMap<(usize, usize), f64> = HashMap::new();
        both.iter().for_each(|pair| *counts.entry(key(pair)).or_default() += 1.0);
        entropy(&counts.into_values().collect::<Vec<_>>(), LogBase::Two)
    };
    let [first, second, joint] = [of(|p| (p.0, 0)), of(|p| (p.1, 0)), of(|p| *p)];
    let near = |x: f64, y: f64| (x - y).abs() < 1e-9;
    prop_assert_eq!(pair.n, both.len() as u64);
    prop_assert!(near(pair.entropies[0], first) && near(pair.entropies[1], second));
    prop_assert!(near(pair.info_gain, first + second - joint));
    let uncertainty = symmetric_uncertainty(pair.info_gain, first, second);
    prop_assert!(near(pair.symmetric_uncertainty, uncertainty.min(1.0)));
    Ok(())
}
