//! Quantiles out of bag, held to their definition: all numbers of a row's leaves with their weights.

use gaintree::engine::drawn_rows;
use gaintree::engine::dtype::Kind;
use gaintree::prelude::*;
use gaintree::{Criterion, Forest, QuantileSpec};
use polars::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::frame::{assert_same, cases, data_frame, floats, parquet, schema};
use crate::frames::{Column as Made, Frame, Weighing, frames};
use crate::routing::slow_parts;
use crate::ways::ways;

const QUANTILES: [f64; 6] = [0.0, 0.1, 0.25, 0.5, 0.9, 1.0];

/// The least number at which the weights of a distribution reach a share of them all.
fn quantile(mut of: Vec<(f64, f64)>, share: f64) -> f64 {
    of.sort_by(|a, b| a.0.total_cmp(&b.0));
    let whole: f64 = of.iter().map(|(_, weight)| weight).sum();
    let mut sum = 0.0;
    for &(number, weight) in &of {
        sum += weight;
        // Sums of weights are rounded.
        if sum >= share * whole * (1.0 - 1e-11) {
            return number;
        }
    }
    of.last().expect("some rows").0
}

/// The rows of a tree by the node they ended in, with their weights: those of a node, and below it.
fn below(tree: &Tree, parts: &[(usize, u32, f64)], node: u32) -> Vec<(usize, f64)> {
    let is_below = |mut at: u32| loop {
        match tree.node_slice()[at as usize].parent {
            _ if at == node => return true,
            Some(parent) => at = parent,
            None => return false,
        }
    };
    let below = parts.iter().filter(|(_, at, _)| is_below(*at));
    below.map(|&(row, _, weight)| (row, weight)).collect()
}

/// Each row's quantiles, and the number of trees that left it out; `None` of a row of weight 0.
fn oracle(frame: &Frame, forest: &Forest) -> Vec<Option<(Vec<Option<f64>>, u32)>> {
    let weights = frame.weights.clone().unwrap_or_else(|| vec![1.0; frame.n_rows()]);
    let present: Vec<usize> = (0..frame.n_rows()).filter(|&row| weights[row] > 0.0).collect();
    let number = |row: usize| match frame.target.known(row) {
        Some(gaintree::engine::dtype::Value::Float(x)) => *x,
        other => unreachable!("{other:?}"),
    };
    let mut mixtures = vec![(Vec::new(), 0); frame.n_rows()];
    for at in 0..forest.n_trees() {
        let tree = forest.tree(at).expect("a tree");
        let times = drawn_rows(forest.spec(), at as u32, present.len()).expect("draws");
        let mut drawn = Vec::new();
        for (&row, &times) in present.iter().zip(&times).filter(|(_, times)| **times > 0) {
            let weight = weights[row] * f64::from(times);
            let parts = slow_parts(frame, &tree, row).0.into_iter();
            drawn.extend(parts.map(|(node, share)| (row, node, share * weight)));
        }
        for (&row, _) in present.iter().zip(&times).filter(|(_, times)| **times == 0) {
            mixtures[row].1 += 1;
            for (node, share) in slow_parts(frame, &tree, row).0 {
                let of_node = below(&tree, &drawn, node);
                let whole: f64 = of_node.iter().map(|(_, weight)| weight).sum();
                let shares = of_node.into_iter().map(|(of, weight)| (of, share * weight / whole));
                mixtures[row].0.extend(shares.map(|(of, share)| (number(of), share)));
            }
        }
    }
    let of_row = |row: usize| {
        let (mixture, n) = &mixtures[row];
        let of = |&q: &f64| (*n > 0).then(|| quantile(mixture.clone(), q));
        (weights[row] > 0.0).then(|| (QUANTILES.iter().map(of).collect(), *n))
    };
    (0..frame.n_rows()).map(of_row).collect()
}

fn counts(df: &DataFrame) -> Vec<Option<u32>> {
    df.column("n_trees").expect("there").u32().expect("u32").to_vec()
}

proptest! {
    #![proptest_config(cases(200))]

    /// Of every way with missing values, with weights, many rows in a leaf and few.
    #[test]
    fn quantiles_are_those_of_all_numbers_in_the_leaves(
        mut frame in frames(Weighing::Exact),
        spec in ways(),
        numbers in vec(-5..6i8, 200),
        leaf in 1..6u64,
        share in 0.3..1.0f64,
        bootstrap in any::<bool>(),
        seed in any::<u64>(),
    ) {
        frame.target = Made::floats("y", numbers[..frame.n_rows()].iter().map(|&x| f64::from(x) / 4.0));
        let mut spec = spec.criterion(Criterion::Variance).min_samples_leaf(leaf);
        spec.ordered = frame.overridden(Kind::Ordered);
        spec.nominal = frame.overridden(Kind::Nominal);
        spec.weight = frame.weights.is_some().then(|| "w".to_string());
        let df = data_frame(&frame);
        let spec = ForestSpec::new(spec).trees(4).seed(seed).bootstrap(bootstrap).sample_share(share);
        let Ok(fit) = df.fit_forest("y", &spec) else { return Ok(()) };
        let of = fit.forest.out_of_bag_quantiles(&df, &QuantileSpec::new(QUANTILES));
        let of = of.expect("answers");
        let expected = oracle(&frame, &fit.forest);
        let n_trees: Vec<Option<u32>> = expected.iter().map(|of| of.as_ref().map(|of| of.1)).collect();
        prop_assert_eq!(counts(&of), n_trees);
        for (at, q) in QUANTILES.iter().enumerate() {
            let expected: Vec<Option<f64>> =
                expected.iter().map(|of| of.as_ref().and_then(|(values, _)| values[at])).collect();
            prop_assert_eq!(floats(&of, &format!("quantile_{q}")), expected, "{}", q);
        }
    }
}

/// A tree without a rule says the quantiles of its draws; a target of 32 bits keeps its dtype.
#[test]
fn quantiles_of_one_leaf() {
    let y: Vec<f32> = (0..101).map(|i| i as f32 / 10.0).collect();
    let df = df!["x" => vec![1; 101], "y" => y].expect("a frame");
    let spec = ForestSpec::default().trees(1).bootstrap(false).sample_share(0.5);
    let forest = df.fit_forest("y", &spec).expect("fits").forest;
    let of = forest.out_of_bag_quantiles(&df, &QuantileSpec::new([0.5])).expect("answers");
    assert_eq!(schema(&of), "quantile_0.5 f32, n_trees u32");
    let times = drawn_rows(forest.spec(), 0, 101).expect("draws");
    let drawn: Vec<f32> = (0..101).filter(|&i| times[i] > 0).map(|i| i as f32 / 10.0).collect();
    let median = drawn[drawn.len().div_ceil(2) - 1];
    for (row, said) in
        of.column("quantile_0.5").expect("there").f32().expect("f32").iter().enumerate()
    {
        assert_eq!(said, (times[row] == 0).then_some(median));
    }
}

/// On data that the forest knows nothing of, intervals hold what they say; more rows than a tile has,
/// the same on any number of threads, and of a forest that was loaded.
#[test]
fn intervals_hold_their_share_and_threads_change_nothing() {
    let n = 10_000usize;
    let x: Vec<f64> = (0..n).map(|i| (i * 7919 % 10_007) as f64 / 10_007.0).collect();
    // Uniform on an interval that gets wider with x.
    let noise = |i: usize| ((i * i) % 10_007) as f64 / 10_007.0;
    let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| x * 3.0 + x * noise(i)).collect();
    let df = df!["x" => &x, "y" => &y].expect("a frame");
    let tree = TreeSpec::cart().min_samples_leaf(20);
    let forest = df.fit_forest("y", &ForestSpec::new(tree).trees(20).seed(3)).expect("fits").forest;
    let spec = |threads: usize| QuantileSpec::new([0.05, 0.5, 0.95]).threads(threads);
    let one = forest.out_of_bag_quantiles(&df, &spec(1)).expect("answers");
    let held = floats(&one, "quantile_0.05").into_iter().zip(floats(&one, "quantile_0.95")).zip(&y);
    let held = held.filter(|((low, high), y)| low.unwrap() <= **y && **y <= high.unwrap()).count();
    assert!((0.87..0.92).contains(&(held as f64 / n as f64)), "{held}");
    let loaded = Forest::from_json(&forest.to_json()).expect("reads");
    for threads in [2, 8] {
        let some = loaded.out_of_bag_quantiles(&df, &spec(threads)).expect("answers");
        assert_same(&some, &one, "quantiles");
    }
}

#[test]
fn what_has_no_quantiles_is_said() {
    let iris = parquet("iris");
    let fitted =
        |target: &str, spec: &ForestSpec| iris.fit_forest(target, spec).expect("fits").forest;
    let spec = ForestSpec::default().trees(30);
    let numbers = fitted("sepal_length_cm", &spec);
    let refused = |forest: &Forest, df: &DataFrame, quantiles: &[f64]| {
        let spec = QuantileSpec::new(quantiles.iter().copied());
        forest.out_of_bag_quantiles(df, &spec).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&fitted("species", &spec), &iris, &[0.5]),
        "quantiles are of numbers, but the forest's target `species` (str) has classes"
    );
    assert!(refused(&numbers, &iris, &[]).starts_with("no quantile is asked for"));
    for (quantiles, said) in [
        (&[0.5, 1.5][..], "quantile 1.5 is not from 0 to 1"),
        (&[-0.1], "quantile -0.1 is not from 0 to 1"),
        (&[f64::NAN], "quantile NaN is not from 0 to 1"),
        (&[0.5, 0.1, 0.5], "quantile 0.5 is asked for twice"),
    ] {
        assert_eq!(refused(&numbers, &iris, quantiles), said);
    }
    assert!(refused(&numbers, &iris.reverse(), &[0.5]).contains("not the rows"));
    assert!(refused(&numbers, &iris.clear(), &[0.5]).starts_with("no rows"));
    let whole = fitted("sepal_length_cm", &spec.bootstrap(false));
    assert!(refused(&whole, &iris, &[0.5]).contains("no row is out of bag"));
    let raised = gaintree::Monitor::default();
    raised.interrupt();
    let spec = QuantileSpec::new([0.5]).monitor(raised);
    assert!(numbers.out_of_bag_quantiles(&iris, &spec).is_err());
}
