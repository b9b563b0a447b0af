//! Out-of-bag answers beside those of the trees that left a row out, one tree and one row at a time.

use gaintree::engine::drawn_rows;
use gaintree::{OutOfBag, Voting};

use super::forests::{numbers, tried};
use super::*;

/// What each tree says of each row: the share, or the vote, of each class, or its mean.
fn said(forest: &Forest, df: &DataFrame, votes: bool) -> Vec<Vec<Vec<f64>>> {
    let of_tree = |at: usize| {
        let tree = forest.tree(at).expect("a tree");
        let spec = ScoreSpec::default().probability(!forest.is_regression());
        let scored = tree.score_with(df, &spec).expect("scores");
        if forest.is_regression() {
            return numbers(&scored, "prediction").into_iter().map(|mean| vec![mean]).collect();
        }
        let predicted = texts(&scored, "prediction");
        let names = (0..forest.schema().classes.len()).map(|c| forest.schema().class_text(c));
        let classes: Vec<Vec<f64>> = names
            .map(|text| match votes {
                true => predicted
                    .iter()
                    .map(|class| f64::from(u8::from(class.as_ref() == Some(&text))))
                    .collect(),
                false => numbers(&scored, &format!("probability_{text}")),
            })
            .collect();
        (0..df.height()).map(|row| classes.iter().map(|class| class[row]).collect()).collect()
    };
    (0..forest.n_trees()).map(of_tree).collect()
}

fn first_highest(shares: &[f64]) -> usize {
    (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b])).expect("some")
}

/// Holds out-of-bag answers to the trees' own, row by row, for each number of trees.
fn check(df: &DataFrame, target: &str, forest: &Forest, out: &OutOfBag, votes: bool) {
    let weights = forest.spec().tree.weight.as_ref().map(|name| numbers(df, name));
    let is_present = |row: &usize| weights.as_ref().is_none_or(|w| w[*row] > 0.0);
    let present: Vec<usize> = (0..df.height()).filter(is_present).collect();
    let (said, n) = (said(forest, df, votes), forest.n_trees());
    let times: Vec<Vec<u32>> = (0..n as u32)
        .map(|tree| drawn_rows(forest.spec(), tree, present.len()).expect("draws"))
        .collect();
    // The mean of a row by the first so many trees.
    let answer = |at: usize, row: usize, first: usize| -> Option<Vec<f64>> {
        let trees: Vec<usize> = (0..first).filter(|&tree| times[tree][at] == 0).collect();
        let of_first = said[*trees.first()?][row].clone();
        let mut sums = vec![0.0; of_first.len()];
        for tree in &trees {
            sums.iter_mut().zip(&said[*tree][row]).for_each(|(sum, x)| *sum += x);
        }
        Some(sums.iter().map(|sum| sum / trees.len() as f64).collect())
    };
    let actual = texts(df, target);
    let regression = forest.is_regression().then(|| numbers(df, target));
    let class = |shares: &[f64]| Some(forest.schema().class_text(first_highest(shares)));
    let predicted = texts(&out.predictions, "prediction");
    let n_trees = out.predictions.column("n_trees").expect("there").u32().expect("u32");
    let n_trees: Vec<Option<u32>> = n_trees.iter().collect();
    for row in (0..df.height()).filter(|row| !is_present(row)) {
        assert_eq!((&predicted[row], n_trees[row]), (&None, None));
    }
    let mut wrong = 0;
    for (at, &row) in present.iter().enumerate() {
        let left_out = times.iter().filter(|times| times[at] == 0).count() as u32;
        assert_eq!(n_trees[row], Some(left_out));
        let Some(answer) = answer(at, row, n) else {
            assert_eq!(predicted[row], None);
            continue;
        };
        if regression.is_some() {
            assert_eq!(floats(&out.predictions, "prediction")[row], Some(answer[0]));
            continue;
        }
        assert_eq!(predicted[row], class(&answer), "{target} row {row}");
        wrong += usize::from(predicted[row] != actual[row]);
        for (c, share) in answer.iter().enumerate() {
            let name = format!("probability_{}", forest.schema().class_text(c));
            assert_eq!(floats(&out.predictions, &name)[row], Some(*share));
        }
    }
    assert_eq!(numbers(&out.curve, "n_trees"), (1..=n).map(|n| n as f64).collect::<Vec<_>>());
    for first in 1..=n {
        let answers = present
            .iter()
            .enumerate()
            .filter_map(|(at, &row)| answer(at, row, first).map(|answer| (row, answer)));
        let (mut rows, mut errors) = (0.0, 0.0);
        for (row, answer) in answers {
            rows += 1.0;
            errors += match &regression {
                Some(numbers) => (answer[0] - numbers[row]).powi(2),
                None => f64::from(u8::from(class(&answer) != actual[row])),
            };
        }
        let name = if regression.is_some() { "rmse" } else { "error" };
        assert_eq!(numbers(&out.curve, "n_rows")[first - 1], rows);
        let error = floats(&out.curve, name)[first - 1];
        match (rows > 0.0).then_some(errors / rows) {
            None => assert_eq!(error, None),
            Some(mean) => {
                let mean = if regression.is_some() { mean.sqrt() } else { mean };
                assert!(
                    (error.expect("an error") - mean).abs() <= 1e-12 * mean,
                    "{error:?} {mean}"
                );
            }
        }
    }
    let answered = n_trees.iter().filter(|n| n.is_some_and(|n| n > 0)).count();
    assert_eq!(out.always_drawn as usize, present.len() - answered);
    match out.evaluation.as_ref().expect("rows") {
        Evaluation::Classes { rows, accuracy, .. } => {
            assert_eq!(
                (*rows, *accuracy),
                (answered as u64, (answered - wrong) as f64 / answered as f64,)
            );
            let confusion = out.confusion.as_ref().expect("of classes");
            assert_eq!(numbers(confusion, "n").iter().sum::<f64>(), answered as f64);
        }
        Evaluation::Numbers { rows, rmse, .. } => {
            let last = *numbers(&out.curve, "rmse").last().expect("a tree");
            assert_eq!(*rows, answered as u64);
            assert!((rmse - last).abs() <= 1e-12 * last && out.confusion.is_none());
        }
    }
}

/// Frames of classes and of numbers, with missing values and without.
#[test]
fn rows_are_answered_by_the_trees_that_left_them_out() {
    for (df, target, spec) in tried() {
        for (bootstrap, sample_share) in [(true, 1.0), (false, 0.7)] {
            let spec = ForestSpec::new(spec.clone()).trees(6).seed(5);
            let spec = spec.bootstrap(bootstrap).sample_share(sample_share);
            let fit = df.fit_forest(target, &spec).expect("fits");
            let (forest, out) = (&fit.forest, fit.out_of_bag.expect("some rows are left out"));
            check(&df, target, forest, &out, false);
            // A forest that was loaded makes the same draws.
            let loaded = Forest::from_json(&forest.to_json()).expect("reads");
            assert_eq!(&loaded, forest);
            let again = loaded.out_of_bag(&df).expect("answers");
            assert_same(&again.predictions, &out.predictions, target);
            if !forest.is_regression() {
                let judged = forest.out_of_bag_with(&df, Voting::Hard, &EvalSpec::default());
                check(&df, target, forest, &judged.expect("answers"), true);
            }
        }
    }
}

/// Rows of weight 0 are as if absent, and 70 trees are more than a mask has bits.
#[test]
fn weighted_rows_and_many_trees() {
    let iris = parquet("iris");
    let weight = |row: usize| [0.0, 1.0, 0.25, 3.0, 1e-3][row % 5];
    let weights: Vec<f64> = (0..150).map(weight).collect();
    let df = with(&iris, Column::new("w".into(), weights));
    for target in ["species", "petal_width_cm"] {
        let tree = TreeSpec::cart().weight("w").max_depth(2);
        let spec = ForestSpec::new(tree.clone()).trees(70).seed(9);
        let fit = df.fit_forest(target, &spec).expect("fits");
        check(&df, target, &fit.forest, &fit.out_of_bag.expect("answers"), false);
    }
    let tree = TreeSpec::cart().weight("w").class_weights(ClassWeights::Balanced);
    let fit = df.fit_forest("species", &ForestSpec::new(tree).trees(4)).expect("fits");
    check(&df, "species", &fit.forest, &fit.out_of_bag.expect("answers"), false);
}

/// More rows than a tile has, and the same on any number of threads.
#[test]
fn threads_change_no_answer() {
    let n = 10_000;
    let x: Vec<f64> = (0..n).map(|i| (i * 7919 % 10_007) as f64 / 16.0).collect();
    let noise = |i: usize| (i * i % 1_009) as f64 / 1_009.0;
    let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| x.sin() + noise(i)).collect();
    let df = df!["x" => &x, "z" => (0..n as i64).map(|i| i % 11).collect::<Vec<_>>(), "y" => y];
    let df = df.expect("a frame");
    let fitted = |threads: usize| {
        let tree = TreeSpec::cart().min_samples_leaf(50).threads(threads);
        df.fit_forest("y", &ForestSpec::new(tree).trees(5)).expect("fits")
    };
    let one = fitted(1).out_of_bag.expect("answers");
    for threads in [2, 8] {
        let fit = fitted(threads);
        let out = fit.out_of_bag.expect("answers");
        assert_same(&out.predictions, &one.predictions, "predictions");
        assert_same(&out.curve, &one.curve, "curve");
    }
    check(&df, "y", &fitted(2).forest, &one, false);
}

#[test]
fn what_cannot_be_answered_is_said() {
    let iris = parquet("iris");
    let fitted = |spec: &ForestSpec| iris.fit_forest("species", spec).expect("fits");
    let spec = ForestSpec::default().trees(3).seed(1);
    let fit = fitted(&spec);
    let out = fit.out_of_bag.as_ref().expect("answers");
    let always = out.always_drawn;
    assert!(always > 0);
    let said = format!("{always} of 150 rows were drawn for every tree");
    assert!(fit.notes.iter().any(|note| note.starts_with(&said)), "{:?}", fit.notes);
    assert_eq!(out.predictions.column("prediction").expect("there").null_count() as u64, always);

    // Without draws no row is left out, and nothing is answered that was not asked for.
    let all_rows = spec.clone().bootstrap(false);
    for quiet in [all_rows.clone(), spec.clone().out_of_bag(false)] {
        let fit = fitted(&quiet);
        assert!(fit.out_of_bag.is_none() && fit.notes.is_empty(), "{:?}", fit.notes);
    }
    assert_eq!(fitted(&spec.clone().out_of_bag(false)).forest, fit.forest);
    let refused = |forest: &Forest, df: &DataFrame, words: &str| {
        let e = forest.out_of_bag(df).expect_err("refused").to_string();
        assert!(e.contains(words), "{e}");
    };
    refused(&fitted(&all_rows).forest, &iris, "no row is out of bag, as each tree has all of them");
    // One of two rows is always drawn.
    let few = df!["x" => [1, 2], "y" => ["a", "b"]].expect("a frame");
    let whole = ForestSpec::default().trees(1).bootstrap(false).sample_share(0.999);
    let fit = few.fit_forest("y", &whole).expect("fits");
    let out = fit.out_of_bag.expect("there");
    assert!(out.evaluation.is_none() && out.always_drawn == 2);
    assert_eq!(floats(&out.curve, "error"), [None]);

    let forest = &fit_of(&iris, &spec);
    let other = "these are not the rows that the forest was fitted on";
    refused(forest, &iris.head(Some(149)), other);
    refused(forest, &iris.reverse(), other);
    refused(forest, &iris.head(Some(0)), "no rows to evaluate on");
    refused(forest, &iris.drop("species").expect("a frame"), "species");
    let strange = with(&iris, Column::new("species".into(), vec!["rose"; 150]));
    refused(forest, &strange, other);
    let numbers = iris.fit_forest("petal_width_cm", &spec).expect("fits").forest;
    refused(&numbers, &iris.reverse(), other);
    let weighted = with(&iris, Column::new("w".into(), vec![2.0; 150]));
    let by_weight = ForestSpec::new(TreeSpec::cart().weight("w")).trees(3).seed(1);
    let by_weight = fit_of(&weighted, &by_weight);
    refused(&by_weight, &iris, "w");
    refused(&by_weight, &with(&iris, Column::new("w".into(), vec![1.0; 150])), other);
}

fn fit_of(df: &DataFrame, spec: &ForestSpec) -> Forest {
    df.fit_forest("species", spec).expect("fits").forest
}
