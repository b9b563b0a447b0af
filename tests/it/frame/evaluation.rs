//! Figures of predictions, against those of the rows one by one.

use super::*;

/// Rows of a target of `k` classes that follow two columns, with noise and missing values.
fn noisy(n: u32, k: u32, seed: u32) -> DataFrame {
    let mix = |row: u32, of: u32| {
        let x = row.wrapping_mul(2_654_435_761).wrapping_add(of.wrapping_mul(0x9e37_79b9) ^ seed);
        (x ^ (x >> 15)).wrapping_mul(0x2c1b_3c6d) >> 8
    };
    let x: Vec<Option<f64>> = (0..n)
        .map(|row| (mix(row, 1) % 9 > 0).then(|| f64::from(mix(row, 2) % 100) / 10.0))
        .collect();
    let town: Vec<String> = (0..n).map(|row| format!("t{}", mix(row, 3) % 6)).collect();
    let y: Vec<String> = (0..n)
        .map(|row| {
            let class = x[row as usize].unwrap_or(3.0) as u32 * k / 10 + mix(row, 3) % 6 / 4;
            let class = if mix(row, 4) % 4 == 0 { mix(row, 5) } else { class };
            format!("c{}", class % k)
        })
        .collect();
    df!["x" => x, "town" => town, "y" => y].expect("a frame")
}

/// The probability of a class and whether a row is of it, for each row.
fn scored(model: &Model, df: &DataFrame, class: &str) -> Vec<(f64, bool)> {
    let scored = model.score_with(df, &ScoreSpec::default().probability(true)).expect("scores");
    let p = floats(&scored, &format!("probability_{class}"));
    let y = texts(df, "y");
    p.into_iter().flatten().zip(y.iter().map(|y| y.as_deref() == Some(class))).collect()
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-12,
        (a, b) => a == b,
    }
}

/// Every pair of a row of the event and another.
fn auc_by_pairs(rows: &[(f64, bool)]) -> Option<f64> {
    let of = |event: bool| rows.iter().filter(move |row| row.1 == event).map(|row| row.0);
    let wins = |a: f64, b: f64| {
        if a > b {
            1.0
        } else if a == b {
            0.5
        } else {
            0.0
        }
    };
    let (mut n, mut won) = (0.0, 0.0);
    for a in of(true) {
        for b in of(false) {
            n += 1.0;
            won += wins(a, b);
        }
    }
    (n > 0.0).then(|| won / n)
}

/// The precision at each row of the event.
fn average_precision_by_rows(rows: &[(f64, bool)]) -> Option<f64> {
    let events: Vec<f64> = rows.iter().filter(|row| row.1).map(|row| row.0).collect();
    let precision = |&p: &f64| {
        let taken = rows.iter().filter(|row| row.0 >= p);
        taken.clone().filter(|row| row.1).count() as f64 / taken.count() as f64
    };
    let n = events.len() as f64;
    (n > 0.0).then(|| events.iter().map(precision).sum::<f64>() / n)
}

fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

#[test]
fn figures_are_those_of_the_rows_one_by_one() {
    let fractional = TreeSpec::c45().pruning(Pruning::None).max_depth(4);
    for (k, spec) in [
        (2, TreeSpec::cart().max_depth(3)),
        (2, fractional.clone()),
        (3, TreeSpec::cart().max_depth(4)),
        (5, fractional),
        // One leaf: all rows have the same probabilities.
        (3, TreeSpec::cart().max_depth(0)),
    ] {
        let train = noisy(400, k, 1);
        let tree = train.fit_tree("y", &spec).expect("fits").tree;
        check_figures(&Model::Tree(tree), k);
        let forest = train.fit_forest("y", &ForestSpec::new(spec).trees(7)).expect("fits").forest;
        check_figures(&Model::Forest(forest), k);
    }
}

fn check_figures(model: &Model, k: u32) {
    let test = noisy(300, k + 1, 2); // with a class never trained
    let evaluation = model.evaluation(&test).expect("judges");
    let Evaluation::Classes { brier, roc_auc, average_precision, event, .. } = evaluation else {
        panic!("classes")
    };
    let classes: Vec<String> = (0..k).map(|class| format!("c{class}")).collect();
    let rows: Vec<_> = classes.iter().map(|class| scored(model, &test, class)).collect();
    let by_class = model.by_class(&test).expect("judges");
    let areas: Vec<_> = rows.iter().map(|rows| auc_by_pairs(rows)).collect();
    let precisions: Vec<_> = rows.iter().map(|rows| average_precision_by_rows(rows)).collect();
    for class in 0..k as usize {
        assert!(close(floats(&by_class, "roc_auc")[class], areas[class]));
        assert!(close(floats(&by_class, "average_precision")[class], precisions[class]));
    }
    match event {
        Some(event) => {
            let event = classes.iter().position(|class| *class == event).expect("a class");
            assert!(close(roc_auc, areas[event]));
            assert!(close(average_precision, precisions[event]));
        }
        None => {
            assert!(k > 2 && close(roc_auc, mean(&areas)));
            assert!(close(average_precision, mean(&precisions)));
        }
    }
    let square = |row: usize| {
        let of_classes = rows.iter().map(|of| (of[row].0 - f64::from(u8::from(of[row].1))).powi(2));
        let is_known = rows.iter().any(|of| of[row].1);
        of_classes.sum::<f64>() + if is_known { 0.0 } else { 1.0 }
    };
    let expected = (0..300).map(square).sum::<f64>() / 300.0 / if k == 2 { 2.0 } else { 1.0 };
    assert!(close(Some(brier), Some(expected)), "{brier} {expected}");

    let spec = EvalSpec::default().event("c1").false_positive_cost(2.0).false_negative_cost(7.5);
    check_thresholds(&model.thresholds(&test, &spec).expect("a table"), &rows[1]);
    for bins in [1, 4, 10, 1000] {
        let table = model.calibration(&test, &spec.clone().bins(bins)).expect("a table");
        check_calibration(&table, &rows[1], bins);
    }
}

/// Every probability is a threshold, and each does what it says.
fn check_thresholds(table: &DataFrame, rows: &[(f64, bool)]) {
    assert_eq!(
        schema(table),
        "event str, threshold f64, predicted u64, true_positives u64, false_positives u64, \
         false_negatives u64, true_negatives u64, precision f64, recall f64, false_positive_rate f64, f1 f64, lift f64, \
         cost f64, is_best bool"
    );
    let mut expected: Vec<f64> = rows.iter().map(|row| row.0).collect();
    expected.push(f64::INFINITY);
    expected.sort_by(|a, b| b.total_cmp(a));
    expected.dedup();
    // As it prints, each takes the rows of its probability and none of a lower one.
    let thresholds: Vec<f64> = floats(table, "threshold").into_iter().flatten().collect();
    assert_eq!(thresholds.len(), expected.len());
    for (at, &threshold) in thresholds.iter().enumerate() {
        let lower = expected.get(at + 1).copied().unwrap_or(f64::NEG_INFINITY);
        assert!(threshold <= expected[at] && threshold > lower, "{threshold} {lower}");
        let printed = format!("{threshold:.6}").parse();
        assert!(printed == Ok(threshold) || expected[at] - lower < 1e-6, "{threshold}");
    }
    let share = |a: f64, b: f64| (b > 0.0).then_some(a / b);
    let costs: Vec<f64> = floats(table, "cost").into_iter().flatten().collect();
    for (at, &threshold) in expected.iter().enumerate() {
        let count = |taken: bool, event: bool| {
            rows.iter().filter(|row| (row.0 >= threshold, row.1) == (taken, event)).count() as f64
        };
        let [tp, fp, missed, tn] =
            [count(true, true), count(true, false), count(false, true), count(false, false)];
        let precision = share(tp, tp + fp);
        let base = share(tp + missed, rows.len() as f64);
        for (name, figure) in [
            ("predicted", Some(tp + fp)),
            ("true_positives", Some(tp)),
            ("false_positives", Some(fp)),
            ("false_negatives", Some(missed)),
            ("true_negatives", Some(tn)),
            ("precision", precision),
            ("recall", share(tp, tp + missed)),
            ("false_positive_rate", share(fp, fp + tn)),
            ("f1", share(2.0 * tp, 2.0 * tp + fp + missed)),
            ("lift", precision.zip(base).map(|(precision, base)| precision / base)),
            ("cost", Some((2.0 * fp + 7.5 * missed) / rows.len() as f64)),
        ] {
            assert!(close(floats(table, name)[at], figure), "{name} at {threshold}");
        }
        let is_best = floats(table, "is_best")[at] == Some(1.0);
        let first =
            costs.iter().position(|&cost| cost == costs.iter().copied().fold(f64::MAX, f64::min));
        assert_eq!(is_best, first == Some(at), "{threshold}");
    }
}

/// Bins divide the rows, rise, and part no rows of one probability.
fn check_calibration(table: &DataFrame, rows: &[(f64, bool)], bins: usize) {
    let (lows, highs) = (floats(table, "at_least"), floats(table, "at_most"));
    let mut before = f64::NEG_INFINITY;
    let mut n = 0.0;
    for at in 0..table.height() {
        let (low, high) = (lows[at].expect("a figure"), highs[at].expect("a figure"));
        assert!(before < low && low <= high);
        before = high;
        let here: Vec<_> = rows.iter().filter(|row| (low..=high).contains(&row.0)).collect();
        let count = here.len() as f64;
        assert_eq!(floats(table, "n")[at], Some(count));
        let mean = here.iter().map(|row| row.0).sum::<f64>() / count;
        assert!(close(floats(table, "mean_probability")[at], Some(mean)));
        let share = here.iter().filter(|row| row.1).count() as f64 / count;
        assert!(close(floats(table, "actual_share")[at], Some(share)));
        n += count;
    }
    assert_eq!(n, rows.len() as f64);
    if bins == 1000 {
        let mut all: Vec<f64> = rows.iter().map(|row| row.0).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        assert_eq!(table.height(), all.len(), "a bin for each probability");
    }
}

/// The interval of an accuracy is the binomial one, of a mean absolute error that of a mean.
#[test]
fn intervals_are_as_wide_as_theory_says() {
    let test = noisy(1000, 2, 9);
    let tree = noisy(500, 2, 8).fit_tree("y", &TreeSpec::cart().max_depth(4)).expect("fits").tree;
    let spec = EvalSpec::default().bootstrap(Bootstrap::new(2000).seed(5));
    let table = tree.intervals(&test, &spec).expect("a table");
    assert_eq!(schema(&table), "figure str, value f64, low f64, high f64, event str");
    let names = ["accuracy", "log_loss", "brier", "roc_auc", "average_precision"];
    assert_eq!(texts(&table, "figure"), names.map(|name| Some(name.to_string())));
    let [values, lows, highs] = ["value", "low", "high"].map(|name| floats(&table, name));
    for at in 0..names.len() {
        assert!(lows[at] < values[at] && values[at] < highs[at], "{}", names[at]);
    }
    let width = |at: usize| highs[at].expect("a figure") - lows[at].expect("a figure");
    let p = values[0].expect("a figure");
    let expected = 2.0 * 1.96 * (p * (1.0 - p) / 1000.0).sqrt();
    assert!((width(0) / expected - 1.0).abs() < 0.1, "{} {expected}", width(0));
    let threads = |n| tree.intervals(&test, &spec.clone().threads(n)).expect("a table");
    assert_same(&threads(1), &threads(2), "whatever the threads");
    let narrower = spec.clone().bootstrap(Bootstrap::new(2000).seed(5).confidence(0.5));
    let narrower = tree.intervals(&test, &narrower).expect("a table");
    assert!(floats(&narrower, "low")[0] > lows[0] && floats(&narrower, "high")[0] < highs[0]);

    let numbers = df!["x" => (0..400).collect::<Vec<i32>>(),
        "y" => (0..400).map(|i| f64::from(i / 100) + f64::from(i * 7919 % 101) / 50.0).collect::<Vec<f64>>()]
    .expect("a frame");
    let tree = numbers.fit_tree("y", &TreeSpec::cart().max_depth(2)).expect("fits").tree;
    let table = tree.intervals(&numbers, &spec).expect("a table");
    assert_eq!(texts(&table, "figure"), ["rmse", "mae", "r2"].map(|name| Some(name.to_string())));
    let scored = tree.score(&numbers).expect("scores");
    let errors: Vec<f64> = floats(&scored, "prediction")
        .iter()
        .zip(floats(&numbers, "y"))
        .map(|(a, b)| (a.expect("a number") - b.expect("a number")).abs())
        .collect();
    let mean = errors.iter().sum::<f64>() / 400.0;
    let deviation = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / 400.0).sqrt();
    let found =
        floats(&table, "high")[1].expect("a figure") - floats(&table, "low")[1].expect("a figure");
    let expected = 2.0 * 1.96 * deviation / 20.0;
    assert!((found / expected - 1.0).abs() < 0.1, "{found} {expected}");
}

#[test]
fn what_cannot_be_judged_so_is_said() {
    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart()).expect("fits").tree;
    let plain = EvalSpec::default();
    for (spec, words) in [
        (plain.clone(), vec!["3 classes", "event"]),
        (plain.clone().event("rose"), vec!["`rose`", "`species`", "`setosa`"]),
        (plain.clone().event("setosa").bins(0), vec!["bins is 0"]),
        (plain.clone().event("setosa").false_positive_cost(f64::NAN), vec!["false_positive_cost"]),
        (
            plain.clone().event("setosa").false_negative_cost(-1.0),
            vec!["false_negative_cost", "-1"],
        ),
        (plain.clone().event("setosa").bootstrap(9), vec!["resamples is 9", "10"]),
        (
            plain.clone().event("setosa").bootstrap(Bootstrap::new(10).confidence(1.0)),
            vec!["confidence is 1"],
        ),
    ] {
        let e = tree.thresholds(&iris, &spec).expect_err("refused");
        assert!(e.is_spec(), "{e}");
        assert!(words.iter().all(|word| e.to_string().contains(word)), "{e}");
    }
    let diabetes = parquet("diabetes");
    let tree = diabetes.fit_tree("progression", &TreeSpec::cart().max_depth(2)).expect("fits").tree;
    for e in [
        tree.thresholds(&diabetes, &plain).expect_err("refused"),
        tree.evaluation_with(&diabetes, &plain.clone().event("1")).expect_err("refused"),
    ] {
        assert!(e.is_spec() && e.to_string().contains("number"), "{e}");
    }
    let raised = gaintree::Monitor::default();
    raised.interrupt();
    let spec = plain.bootstrap(10).monitor(raised);
    assert!(tree.intervals(&diabetes, &spec).expect_err("stopped").is_interrupted());
}
