//! Numeric targets against a naive grower, in plain sums of squares.

use gaintree::engine::{Test, Value};
use gaintree::prelude::*;
use polars::prelude::*;
use proptest::prelude::*;

/// A column of numbers, some missing, and a target: all the naive grower knows.
#[derive(Clone, Debug)]
struct Data {
    columns: Vec<Vec<Option<i32>>>,
    y: Vec<f64>,
    weight: Vec<u8>,
}

impl Data {
    fn frame(&self) -> DataFrame {
        let columns = self.columns.iter().enumerate();
        let mut columns: Vec<Column> =
            columns.map(|(i, c)| Column::new(format!("x{i}").into(), c)).collect();
        columns.push(Column::new("y".into(), &self.y));
        columns.push(Column::new(
            "w".into(),
            self.weight.iter().map(|&w| u32::from(w)).collect::<Vec<_>>(),
        ));
        DataFrame::new_infer_height(columns).expect("a frame")
    }

    fn all_here(&self) -> Vec<Here> {
        (0..self.y.len()).map(|r| (r, f64::from(self.weight[r]))).collect()
    }

    fn mean(&self, rows: &[Here]) -> (f64, f64) {
        let weight: f64 = rows.iter().map(|(_, w)| w).sum();
        let base = self.y[rows[0].0];
        let sum: f64 = rows.iter().map(|&(r, w)| w * (self.y[r] - base)).sum();
        (weight, base + sum / weight)
    }

    fn squares(&self, rows: &[Here]) -> f64 {
        let (_, mean) = self.mean(rows);
        rows.iter().map(|&(r, w)| w * (self.y[r] - mean).powi(2)).sum()
    }

    /// The variance a two-way split takes away; `None` where a side is empty.
    fn reduction(&self, rows: &[Here], goes_right: impl Fn(usize) -> bool) -> Option<f64> {
        let (right, left): (Vec<Here>, Vec<Here>) = rows.iter().partition(|(r, _)| goes_right(*r));
        if left.is_empty() || right.is_empty() {
            return None;
        }
        let (weight, _) = self.mean(rows);
        Some((self.squares(rows) - self.squares(&left) - self.squares(&right)) / weight)
    }

    /// The best cut of columns without missing values, the first of the best: what it takes
    /// away, and the rows on its sides.
    fn best_split(&self, rows: &[Here]) -> Option<(f64, Vec<Here>, Vec<Here>)> {
        let mut best: Option<(f64, usize, i32)> = None;
        for (column, x) in self.columns.iter().enumerate() {
            let mut cuts: Vec<i32> = rows.iter().filter_map(|&(r, _)| x[r]).collect();
            cuts.sort_unstable();
            cuts.dedup();
            for cut in cuts {
                let reduction = self.reduction(rows, |r| x[r] >= Some(cut));
                if let Some(gain) = reduction.filter(|gain| best.is_none_or(|b| *gain > b.0)) {
                    best = Some((gain, column, cut));
                }
            }
        }
        let (gain, column, cut) = best?;
        let (right, left) = rows.iter().partition(|(r, _)| self.columns[column][*r] >= Some(cut));
        Some((gain, left, right))
    }

    /// The share of the variance, by weight of all rows, that a greedy tree of each depth from 1
    /// takes away.
    fn taken(&self, rows: &[Here], depth: usize) -> Vec<f64> {
        let mut taken = vec![0.0; depth];
        let mut open = vec![(rows.to_vec(), 0)];
        while let Some((rows, at)) = open.pop() {
            if at == depth {
                continue;
            }
            let Some((gain, left, right)) = self.best_split(&rows) else { continue };
            let share = self.mean(&rows).0 / self.weight.iter().map(|&w| f64::from(w)).sum::<f64>();
            taken[at..].iter_mut().for_each(|taken| *taken += gain * share);
            open.extend([(left, at + 1), (right, at + 1)]);
        }
        taken
    }

    /// The best reduction of any cut with missing on either side, or of `is missing`.
    fn best(&self, rows: &[Here]) -> Option<f64> {
        let mut gains: Vec<f64> = Vec::new();
        for x in &self.columns {
            let known = || rows.iter().filter_map(|&(r, _)| x[r]);
            let lowest = known().min();
            for cut in known().filter(|v| Some(*v) > lowest) {
                for missing in [true, false] {
                    gains.extend(self.reduction(rows, |r| x[r].map_or(missing, |v| v >= cut)));
                }
            }
            gains.extend(self.reduction(rows, |r| x[r].is_none()));
        }
        gains.into_iter().reduce(f64::max)
    }

    /// The best reduction of any cut over the known rows, times their share.
    fn best_of_known(&self, rows: &[Here]) -> Option<f64> {
        let mut gains: Vec<f64> = Vec::new();
        for x in &self.columns {
            let known: Vec<Here> = rows.iter().copied().filter(|&(r, _)| x[r].is_some()).collect();
            let lowest = known.iter().filter_map(|&(r, _)| x[r]).min();
            for cut in known.iter().filter_map(|&(r, _)| x[r]).filter(|v| Some(*v) > lowest) {
                let share = self.mean(&known).0 / self.mean(rows).0;
                let gain = self.reduction(&known, |r| x[r].is_some_and(|v| v >= cut));
                gains.extend(gain.map(|gain| share * gain));
            }
        }
        gains.into_iter().reduce(f64::max)
    }
}

/// A row, and the weight of it that is in a node.
type Here = (usize, f64);

fn data() -> impl Strategy<Value = Data> {
    (2usize..30, 1usize..4, prop_oneof![Just(0.0), Just(1e9), Just(-3e5)]).prop_flat_map(
        |(n, k, offset)| {
            let cell = prop_oneof![9 => (0..8).prop_map(Some), 1 => Just(None)];
            (
                prop::collection::vec(prop::collection::vec(cell, n), k),
                prop::collection::vec((0..40).prop_map(move |y| offset + f64::from(y) / 8.0), n),
                prop::collection::vec(prop_oneof![Just(1u8), 1..4u8], n),
            )
                .prop_map(|(columns, y, weight)| Data { columns, y, weight })
        },
    )
}

/// Every split of the tree is the best over the known rows, and shares out the others.
fn check_fractional(data: &Data, spec: &TreeSpec) -> Result<(), TestCaseError> {
    let tree = data.frame().fit_tree("y", spec).expect("fits").tree;
    let mut open = vec![(0u32, data.all_here())];
    while let Some((id, rows)) = open.pop() {
        let node = &tree.node_slice()[id as usize];
        prop_assert_eq!(node.n as usize, rows.len());
        let (weight, mean) = data.mean(&rows);
        prop_assert!((tree.weight(id) - weight).abs() <= 1e-9 * weight);
        prop_assert!((tree.mean(id).expect("a mean") - mean).abs() <= 1e-9 * mean.abs().max(1.0));
        let Some(split) = &node.split else {
            let one_number = rows.iter().all(|&(r, _)| data.y[r] == data.y[rows[0].0]);
            let is_deepest = Some(node.depth) == spec.max_depth;
            prop_assert!(
                is_deepest || one_number || weight < 2.0 || data.best_of_known(&rows).is_none()
            );
            continue;
        };
        let best = data.best_of_known(&rows).expect("a split");
        prop_assert!((split.gain - best.max(0.0)).abs() <= 1e-9, "{} {}", split.gain, best);
        let Test::AtLeast(Value::Int(cut)) = split.rule.test else { panic!("{split:?}") };
        let x = &data.columns[split.rule.feature as usize];
        let goes = |r: usize, branch| x[r].map(|v| usize::from(i128::from(v) >= cut) == branch);
        let known = |branch| -> f64 {
            rows.iter().filter(|(r, _)| goes(*r, branch) == Some(true)).map(|(_, w)| w).sum()
        };
        for (branch, &child) in split.branches.iter().enumerate() {
            let share = known(branch) / (known(0) + known(1));
            let here = rows.iter().filter_map(|&(r, w)| match goes(r, branch) {
                Some(is_its) => is_its.then_some((r, w)),
                None => Some((r, w * share)),
            });
            open.push((child, here.collect()));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// At every node, however far the numbers lie from 0.
    #[test]
    fn every_split_is_the_best_there_is(data in data()) {
        let tree = data.frame().fit_tree("y", &TreeSpec::cart().weight("w")).expect("fits").tree;
        let mut open = vec![(0u32, data.all_here())];
        while let Some((id, rows)) = open.pop() {
            let node = &tree.node_slice()[id as usize];
            prop_assert_eq!(node.n as usize, rows.len());
            let (weight, mean) = data.mean(&rows);
            prop_assert_eq!(tree.weight(id), weight);
            prop_assert!((tree.mean(id).expect("a mean") - mean).abs() <= 1e-12 * mean.abs().max(1.0));
            let variance = data.squares(&rows) / weight;
            prop_assert!((node.impurity - variance).abs() <= 1e-9);
            let Some(split) = &node.split else {
                // A leaf is of one number, or of rows that no column tells apart.
                prop_assert!(variance == 0.0 || data.best(&rows).is_none());
                continue;
            };
            let best = data.best(&rows).expect("a split");
            prop_assert!((split.gain - best.max(0.0)).abs() <= 1e-9, "{} {}", split.gain, best);
            let x = &data.columns[split.rule.feature as usize];
            let goes = |r: usize| match (&split.rule.test, x[r]) {
                (Test::IsMissing, value) => u32::from(value.is_none()),
                (_, None) => split.rule.missing_to.expect("a side"),
                (Test::AtLeast(Value::Int(cut)), Some(v)) => u32::from(i128::from(v) >= *cut),
                other => panic!("{other:?}"),
            };
            for (branch, &child) in split.branches.iter().enumerate() {
                let rows = rows.iter().copied().filter(|&(r, _)| goes(r) == branch as u32);
                open.push((child, rows.collect()));
            }
        }
    }

    /// Weight k is k copies of the row.
    #[test]
    fn weights_are_copies(data in data()) {
        let rows = (0..data.y.len()).flat_map(|r| std::iter::repeat_n(r, data.weight[r].into()));
        let rows: Vec<usize> = rows.collect();
        let copies = Data {
            columns: data.columns.iter().map(|x| rows.iter().map(|&r| x[r]).collect()).collect(),
            y: rows.iter().map(|&r| data.y[r]).collect(),
            weight: vec![1; rows.len()],
        };
        let tree = data.frame().fit_tree("y", &TreeSpec::cart().weight("w")).expect("fits").tree;
        let of_copies = copies.frame().drop("w").expect("there");
        let of_copies = of_copies.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
        for (id, (a, b)) in (0..).zip(tree.node_slice().iter().zip(of_copies.node_slice())) {
            prop_assert_eq!(tree.weight(id), of_copies.weight(id));
            let means = [&tree, &of_copies].map(|tree| tree.mean(id).expect("a mean"));
            prop_assert!((means[0] - means[1]).abs() <= 1e-12 * means[0].abs().max(1.0));
            prop_assert!((a.impurity - b.impurity).abs() <= 1e-9);
            let (Some(a), Some(b)) = (&a.split, &b.split) else { continue };
            prop_assert!((a.gain - b.gain).abs() <= 1e-9, "{} {}", a.gain, b.gain);
            // Rules that gain the same are told apart by rounding, which differs with the number
            // of rows; below them the trees need not be alike.
            if a.rule != b.rule {
                return Ok(());
            }
        }
        prop_assert_eq!(tree.n_nodes(), of_copies.n_nodes());
    }

    /// The same where rows with a missing value go down both branches.
    #[test]
    fn fractional_splits_are_the_best_there_are(data in data()) {
        let spec = TreeSpec::cart().weight("w").missing(Missing::Fractional);
        check_fractional(&data, &spec)?;
    }

    /// No set of levels that the limits allow is better, nor `is missing`.
    #[test]
    fn subsets_of_levels_are_exact(
        levels in prop::collection::vec(prop_oneof![8 => (0usize..6).prop_map(Some), 1 => Just(None)], 16),
        y in prop::collection::vec(0i32..50, 16),
        weight in prop_oneof![
            Just(vec![1u8; 16]),
            prop::collection::vec(1u8..4, 16),
        ],
        leaf in 1usize..6,
        least in prop_oneof![2 => Just(0.0), 1 => (0..20u8).prop_map(f64::from)],
        missing in prop_oneof![Just(Missing::Learn), Just(Missing::Majority)],
    ) {
        let y: Vec<f64> = y.into_iter().map(f64::from).collect();
        let texts: Vec<Option<String>> =
            levels.iter().map(|l| l.map(|l| format!("l{l}"))).collect();
        let data = Data { columns: Vec::new(), y, weight };
        let mut df = data.frame();
        df.with_column(Column::new("x".into(), texts)).expect("as high");
        let spec = TreeSpec::cart().max_depth(1).weight("w").missing(missing);
        let spec = spec.min_samples_leaf(leaf as u64).min_weight_leaf(least);
        let tree = df.fit_tree("y", &spec).expect("fits").tree;
        let found = tree.node_slice()[0].split.as_ref().map(|s| s.gain);

        let all = data.all_here();
        let known: Vec<Here> = all.iter().copied().filter(|&(r, _)| levels[r].is_some()).collect();
        let weight = |rows: &[Here]| rows.iter().map(|(_, w)| w).sum::<f64>();
        let learns = missing == Missing::Learn;
        let rated = if learns { &all } else { &known };
        let mut best: Option<f64> = None;
        for set in 0..64 {
            for missing_right in [true, false] {
                let is_right = |r: usize| levels[r].map_or(missing_right, |l| set >> l & 1 == 1);
                let sides = [true, false].map(|side| {
                    known.iter().copied().filter(|(r, _)| is_right(*r) == side).collect::<Vec<_>>()
                });
                let heavier = weight(&sides[0]) >= weight(&sides[1]);
                if !learns && (missing_right != heavier || sides.iter().any(Vec::is_empty)) {
                    continue;
                }
                let (right, left): (Vec<Here>, Vec<Here>) =
                    all.iter().partition(|(r, _)| is_right(*r));
                let is_large = |rows: &Vec<Here>| {
                    rows.len() >= leaf && !rows.is_empty() && weight(rows) >= least
                };
                if is_large(&right) && is_large(&left) {
                    let gain = data.reduction(rated, is_right).map(|g| g * weight(rated) / weight(&all));
                    best = best.into_iter().chain(gain).reduce(f64::max);
                }
            }
        }
        // Numbers that are all one are a leaf.
        prop_assert_eq!(found.is_some(), best.is_some() && data.squares(&all) > 0.0);
        let (found, best) = (found.unwrap_or(0.0), best.unwrap_or(0.0));
        prop_assert!((found - best).abs() <= 1e-9, "{} {}", found, best);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Below a split that shares rows out, of columns with few levels and with many: on both sides
    /// of where a column's entries are kept in order.
    #[test]
    fn fractional_splits_of_many_levels_are_the_best_there_are(
        n in 250..265usize, step in 1..20usize, late in 0..40u8, weighed in any::<bool>(),
    ) {
        let few = (0..n).map(|r| (r % 5 > 0).then_some((r % 3) as i32)).collect();
        let many = (0..n).map(|r| (r != 1).then_some(r as i32)).collect();
        let y = |r: usize| f64::from(((r * step) % 17) as u8 + if r * 5 > n * 3 { late } else { 0 });
        let weight = (0..n).map(|r| if weighed { 1 + (r % 3) as u8 } else { 1 }).collect();
        let data = Data { columns: vec![few, many], y: (0..n).map(y).collect(), weight };
        let spec = TreeSpec::cart().missing(Missing::Fractional).max_depth(2);
        check_fractional(&data, &if weighed { spec.weight("w") } else { spec.exclude(["w"]) })?;
    }
}

/// The root of scikit-learn's copy of the diabetes data, and what each depth takes away.
#[test]
fn diabetes_splits_as_a_naive_grower_splits_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/diabetes.parquet");
    let df = LazyFrame::scan_parquet(PlRefPath::new(path), Default::default())
        .and_then(LazyFrame::collect)
        .expect("reads");
    let floats = |name: &str| df.column(name).expect("there").f64().expect("floats").to_vec();
    let y: Vec<f64> = floats("progression").into_iter().flatten().collect();
    let features: Vec<&str> =
        df.columns().iter().map(|c| c.name().as_str()).filter(|n| *n != "progression").collect();
    // Ranks stand for the values: only their order matters to a cut.
    let ranks = |name: &&str| {
        let values: Vec<f64> = floats(name).into_iter().flatten().collect();
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        values.iter().map(|v| Some(sorted.partition_point(|s| s < v) as i32)).collect()
    };
    let data = Data { columns: features.iter().map(ranks).collect(), weight: vec![1; y.len()], y };

    let tree = df.fit_tree("progression", &TreeSpec::cart().max_depth(4)).expect("fits").tree;
    let root = tree.node_slice()[0].split.as_ref().expect("a split");
    assert_eq!(
        root.rule.describe(&tree.schema().features[root.rule.feature as usize]),
        "s5 >= 4.60015"
    );
    let all = data.all_here();
    let (best, ..) = data.best_split(&all).expect("a split");
    assert!((root.gain - best).abs() <= 1e-9 * best);
    let taken = data.taken(&all, 4);
    for (depth, expected) in (1..).zip(taken) {
        let spec = TreeSpec::cart().max_depth(depth);
        let tree = df.fit_tree("progression", &spec).expect("fits").tree;
        let taken: f64 = tree.feature_importance().iter().map(|i| i.total_gain).sum();
        assert!((taken - expected).abs() <= 1e-9 * expected, "{depth}: {taken} {expected}");
        let leaves = (0..tree.n_nodes() as u32).zip(tree.node_slice());
        let left: f64 = leaves
            .filter(|(_, node)| node.split.is_none())
            .map(|(id, node)| tree.weight(id) / 442.0 * node.impurity)
            .sum();
        let whole = tree.node_slice()[0].impurity;
        assert!((whole - left - taken).abs() <= 1e-9 * whole, "{depth}: {taken}");
        let figures = tree.evaluate(&df).expect("judged");
        let r2 = figures.column("r2").expect("r2").f64().expect("f64").get(0);
        assert!((r2.expect("a figure") - taken / whole).abs() < 1e-9);
    }
}

/// A billion and a millionth: sums of squares of such numbers hold nothing of the noise. The
/// oracle works on the noise alone, in whole numbers.
#[test]
fn noise_on_a_large_number_splits_as_noise_alone() {
    const UNIT: f64 = 1.0 / (1u64 << 20) as f64;
    let noise: Vec<i128> =
        (0..300).map(|i: i128| (i * i * 31 + i * 17) % 97 + i / 90 * 5).collect();
    let y = |offset: f64| noise.iter().map(|&k| offset + k as f64 * UNIT).collect::<Vec<f64>>();
    let x: Vec<i32> = (0..300).collect();
    let (n, sum) = (300i128, noise.iter().sum::<i128>());
    // What a cut before the row takes away, times n³ rows of the left and right, over the unit².
    let reduction = |at: i128| {
        let left: i128 = noise[..at as usize].iter().sum();
        let (right, rest) = (sum - left, n - at);
        let taken = left * left * rest * n + right * right * at * n - sum * sum * at * rest;
        taken as f64 / (at * rest * n * n) as f64 * UNIT * UNIT
    };
    let best = (1..n).max_by(|&a, &b| reduction(a).total_cmp(&reduction(b))).expect("a cut");
    let fit = |offset: f64| {
        let df = df!["x" => &x, "y" => y(offset)].expect("a frame");
        df.fit_tree("y", &TreeSpec::cart().max_depth(5)).expect("fits").tree
    };
    let (plain, far) = (fit(0.0), fit(1e9));
    let root = far.node_slice()[0].split.as_ref().expect("a split");
    assert_eq!(root.rule.test, Test::AtLeast(Value::Int(best)));
    assert!((root.gain - reduction(best)).abs() <= 1e-9 * reduction(best), "{}", root.gain);
    assert_eq!(far.n_nodes(), plain.n_nodes());
    for (a, b) in far.node_slice().iter().zip(plain.node_slice()) {
        let (Some(a), Some(b)) = (&a.split, &b.split) else { continue };
        assert_eq!(a.rule, b.rule);
        assert!((a.gain - b.gain).abs() <= 1e-9 * b.gain, "{} {}", a.gain, b.gain);
    }
}

/// Squares of such numbers would all be 0, and any column as good as another.
#[test]
fn numbers_too_small_to_be_squared_are_refused() {
    let tiny = |unit: f64| {
        let y: Vec<f64> = [1.0, 1.0, 2.0, 2.0].map(|y| y * unit).to_vec();
        let df = df!["a" => [1, 2, 1, 2], "x" => [1, 1, 2, 2], "y" => y].expect("a frame");
        df.fit_tree("y", &TreeSpec::cart())
    };
    let e = tiny(1e-170).expect_err("refused").to_string();
    assert!(e.contains("target `y` (f64) lies between 1e-170 and 2e-170"), "{e}");
    assert!(e.contains("multiply it"), "{e}");
    let tree = tiny(1e-139).expect("fits").tree;
    assert_eq!(tree.node_slice()[0].split.as_ref().expect("a split").rule.feature, 1);
    tiny(0.0).expect("one number");
}
