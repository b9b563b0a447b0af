//! Pairs of columns beside the naive formulas.

use std::collections::HashMap;

use gaintree::LogBase;
use gaintree::criterion::{entropy, symmetric_uncertainty};
use gaintree::engine::{Column as Encoded, Source, pair_gains};
use proptest::prelude::*;

use crate::binning;
use crate::frames::{Column, Weighing, frames};

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
            let rows: Vec<usize> = (0..frame.n_rows()).collect();
            let of_rows = |at: usize| binning::bins(&frame.columns[at], &rows, bins as usize);
            let [a, b] = pair.columns.map(of_rows);
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
        }
    }
}
