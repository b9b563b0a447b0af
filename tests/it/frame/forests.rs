//! Forests on frames: what they say is what their trees say together.

use super::*;

/// Frames with a target each, and the specs of their trees.
pub fn tried() -> Vec<(DataFrame, &'static str, TreeSpec)> {
    let weather = with_nulls(&weather());
    let cart = TreeSpec::cart;
    vec![
        (parquet("iris"), "species", cart().max_depth(3)),
        (parquet("wine"), "cultivar", cart()),
        (weather.clone(), "play", TreeSpec::c45()),
        (weather.clone(), "play", cart().missing(Missing::Majority)),
        (weather, "play", TreeSpec::id3()),
        (parquet("iris"), "sepal_width_cm", cart().min_samples_leaf(5)),
        (parquet("iris"), "petal_width_cm", cart().missing(Missing::Fractional)),
    ]
}

/// The frame with some values missing, and with a column of many texts.
fn with_nulls(df: &DataFrame) -> DataFrame {
    let n = df.height();
    let ids: Vec<String> = (0..n).map(|row| format!("t{}", row % 5)).collect();
    let columns = df.columns().iter().enumerate().map(|(at, column)| {
        let kept: BooleanChunked =
            (0..n).map(|row| column.name() == "play" || row % 7 != at).collect();
        let null = Column::new_scalar("".into(), Scalar::null(column.dtype().clone()), n);
        column.zip_with(&kept, &null).expect("a column")
    });
    let columns = columns.chain([Column::new("text".into(), ids)]).collect();
    DataFrame::new(n, columns).expect("a frame")
}

/// The mean of what each tree says by itself, added up in order.
fn mean(forest: &Forest, said: impl Fn(&Tree) -> Vec<f64>) -> Vec<f64> {
    let n = forest.n_trees();
    let mut sums: Vec<f64> = Vec::new();
    for at in 0..n {
        let said = said(&forest.tree(at).expect("a tree"));
        sums.resize(said.len(), 0.0);
        sums.iter_mut().zip(said).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().map(|sum| sum / n as f64).collect()
}

pub fn numbers(df: &DataFrame, column: &str) -> Vec<f64> {
    floats(df, column).into_iter().map(|x| x.expect("a number")).collect()
}

#[test]
fn a_forest_says_what_its_trees_say_together() {
    for (df, target, spec) in tried() {
        let spec = ForestSpec::new(spec).trees(9).seed(3);
        let forest = df.fit_forest(target, &spec).expect("fits").forest;
        if forest.is_regression() {
            let scored = forest.score(&df).expect("scores");
            let of = |tree: &Tree| numbers(&tree.score(&df).expect("scores"), "prediction");
            assert_eq!(numbers(&scored, "prediction"), mean(&forest, of));
            continue;
        }
        for votes in [false, true] {
            let spec = ScoreSpec::default().probability(true).votes(votes);
            let scored = forest.score_with(&df, &spec).expect("scores");
            let classes = &forest.schema().classes;
            let mut best: Vec<(f64, String)> = vec![(-1.0, String::new()); df.height()];
            for class in 0..classes.len() {
                let text = forest.schema().class_text(class);
                let name = format!("probability_{text}");
                let of = |tree: &Tree| {
                    let spec = ScoreSpec::default().probability(true);
                    let scored = tree.score_with(&df, &spec).expect("scores");
                    if !votes {
                        return numbers(&scored, &name);
                    }
                    let predicted = texts(&scored, "prediction").into_iter().flatten();
                    predicted.map(|class| f64::from(u8::from(class == text))).collect()
                };
                let shares = mean(&forest, of);
                assert_eq!(numbers(&scored, &name), shares, "{target} {votes}");
                for (best, share) in best.iter_mut().zip(shares) {
                    if share > best.0 {
                        *best = (share, text.clone());
                    }
                }
            }
            let predicted = texts(&scored, "prediction").into_iter().flatten();
            assert_eq!(
                predicted.collect::<Vec<_>>(),
                best.into_iter().map(|best| best.1).collect::<Vec<_>>()
            );
        }
    }
}

/// Frames of any height, expressions, queries and the model file all give the same.
#[test]
fn a_forest_scores_the_same_everywhere() {
    for (df, target, spec) in tried() {
        let spec = ForestSpec::new(spec).trees(5);
        let forest = df.fit_forest(target, &spec).expect("fits").forest;
        let model = Model::from_json(&forest.to_json()).expect("reads");
        assert_eq!(model, Model::Forest(forest.clone()));
        let with = ScoreSpec::default().probability(!forest.is_regression());
        let scored = forest.score_with(&df, &with).expect("scores");
        for rows in [0, 1, 7] {
            let head = df.head(Some(rows));
            let some = model.score_with(&head, &with).expect("scores");
            assert_same(&some, &scored.head(Some(rows)), target);
        }
        #[cfg(feature = "lazy")]
        {
            let lazy = forest.score_lazy(df.clone().lazy(), &with).expect("plans");
            assert_same(&lazy.frame.clone().collect().expect("runs"), &scored, target);
            assert_eq!(lazy.report().rows, df.height() as u64);
            let predicted = df.clone().lazy().with_column(forest.predict());
            let predicted = predicted.collect().expect("runs");
            assert_same(&predicted, &forest.score(&df).expect("scores"), target);
            if !forest.is_regression() {
                let shares = df.clone().lazy().select([model.predict_proba()]).collect();
                let shares =
                    shares.expect("runs").unnest(["probabilities"], None).expect("a struct");
                for class in 0..forest.schema().classes.len() {
                    let text = forest.schema().class_text(class);
                    let name = format!("probability_{text}");
                    assert_eq!(floats(&shares, &text), floats(&scored, &name));
                }
            }
        }
    }
}

/// A level that the training rows never had is counted, one that a tree's draw lacks is not.
#[test]
fn unseen_levels_are_counted() {
    let df = df![
        "tone" => ["a", "b", "c", "d", "a", "b", "c", "d"],
        "y" => [0, 1, 0, 1, 0, 1, 0, 1],
    ];
    let df = df.expect("a frame");
    let grouping = [Grouping::Subset, Grouping::OneVsRest, Grouping::Multiway];
    for spec in grouping.map(|grouping| TreeSpec::cart().grouping(grouping)) {
        let forest = df.fit_forest("y", &ForestSpec::new(spec).trees(20)).expect("fits").forest;
        let (_, report) = forest.score_with_report(&df, &ScoreSpec::default()).expect("scores");
        assert_eq!((report.rows, report.absent_levels), (8, 0));
        let new = df!["tone" => ["a", "x", "d"]].expect("a frame");
        let (_, report) = forest.score_with_report(&new, &ScoreSpec::default()).expect("scores");
        assert_eq!(report.absent_levels, 1);
    }
}

#[test]
fn importances_are_means_over_the_trees() {
    let iris = parquet("iris");
    let fit = iris.fit_forest("species", &ForestSpec::default().trees(30)).expect("fits");
    assert_eq!(
        schema(&fit.importance),
        "rank u32, feature str, importance f64, standard_error f64, total_gain f64, n_splits u64, \
         n_trees u32"
    );
    let shares = numbers(&fit.importance, "importance");
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12 && shares.is_sorted_by(|a, b| a >= b));
    let feature = word(&fit.importance, "feature", 0);
    assert!(feature.starts_with("petal"), "{feature}");
    let gain = |at: usize| {
        let used = fit.forest.tree(at).expect("a tree").importance().expect("a table");
        let at = texts(&used, "feature").iter().position(|f| f.as_deref() == Some(&feature));
        numbers(&used, "total_gain")[at.expect("there")]
    };
    let gains: Vec<f64> = (0..30).map(gain).collect();
    let mean = gains.iter().sum::<f64>() / 30.0;
    assert!((numbers(&fit.importance, "total_gain")[0] - mean).abs() < 1e-12);
    let spread = (gains.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / 29.0 / 30.0).sqrt();
    let error = numbers(&fit.importance, "standard_error")[0] * mean / shares[0];
    assert!((error - spread).abs() < 1e-12, "{error} {spread}");
    let one = iris.fit_forest("species", &ForestSpec::default().trees(1)).expect("fits");
    assert_eq!(floats(&one.importance, "standard_error")[0], None);
}

#[test]
fn what_a_model_does_not_have_is_said() {
    let iris = parquet("iris");
    let spec = ForestSpec::default().trees(3);
    let forest = iris.fit_forest("species", &spec).expect("fits").forest;
    let numbers = iris.fit_forest("sepal_width_cm", &spec).expect("fits").forest;
    let tree = iris.fit_tree("species", &TreeSpec::cart()).expect("fits").tree;
    let refused = |said: gaintree::Result<DataFrame>, words: &str| {
        let e = said.expect_err("refused");
        assert!(e.is_spec() && e.to_string().contains(words), "{e}");
    };
    let with = ScoreSpec::default;
    refused(forest.score_with(&iris, &with().leaf(true)), "the model is a forest");
    refused(tree.score_with(&iris, &with().votes(true)), "the model is one tree");
    refused(numbers.score_with(&iris, &with().votes(true)), "has no votes");
    refused(numbers.score_with(&iris, &with().probability(true)), "no class probabilities");
    // A tree of a forest is a tree, with no more levels than it needs.
    let weather = weather();
    let spec = ForestSpec::new(TreeSpec::cart().max_depth(1)).trees(3);
    let other = weather.fit_forest("play", &spec).expect("fits").forest;
    let alone = other.tree(1).expect("a tree");
    let features = alone.schema().features.iter();
    assert_eq!(features.filter(|f| !f.levels.is_empty()).count(), alone.n_leaves() - 1);
    assert_eq!(Tree::from_json(&alone.to_json()).expect("reads"), alone);
    let (tree, forest) = (tree.to_json(), forest.to_json());
    let e = Tree::from_json(&forest).expect_err("a forest").to_string();
    assert!(e.contains("it is a forest of 3 trees"), "{e}");
    assert!(Forest::from_json(&tree).expect_err("a tree").to_string().contains("it is a tree"));
    assert!(matches!(Model::from_json(&tree), Ok(Model::Tree(_))));
    for (from, to, words) in [
        ("\"trees\": 3,", "\"trees\": 4,", "it has 3 trees, but its spec says 4"),
        ("\"sample_share\": 1,", "\"sample_share\": 0,", "spec: sample_share is 0"),
        ("\"max_features\": \"auto\"", "\"max_features\": {\"count\":5}", "max_features is 5"),
        ("\"seed\": 0", "\"seed\": -1", "invalid value: integer `-1`"),
        ("\"seed\": 0", "\"seeds\": 0", "unknown field `seeds`"),
        ("\"n\":", "\"n\":0,\"n\":", "duplicate field `n`"),
        ("\"branches\":[1,", "\"branches\":[2,", "tree 0: node 0: branch 0 leads to node 2"),
    ] {
        assert!(forest.contains(from), "{from}");
        let e = Forest::from_json(&forest.replacen(from, to, 1)).expect_err("damaged");
        assert!(e.is_model() && e.to_string().contains(words), "{e}");
    }
}

#[test]
fn a_forest_is_judged_by_what_it_says() {
    let iris = parquet("iris");
    let spec = ForestSpec::new(TreeSpec::cart().max_depth(1)).trees(5);
    let forest = iris.fit_forest("species", &spec).expect("fits").forest;
    let scored = forest.score(&iris).expect("scores");
    let (actual, predicted) = (texts(&scored, "species"), texts(&scored, "prediction"));
    let right = actual.iter().zip(&predicted).filter(|(a, b)| a == b).count();
    let table = forest.evaluate(&iris).expect("judges");
    assert!(right < 150 && numbers(&table, "accuracy") == [right as f64 / 150.0]);
    let confusion = forest.confusion(&iris).expect("judges");
    let pairs = texts(&confusion, "actual").into_iter().zip(texts(&confusion, "predicted"));
    for ((a, p), n) in pairs.zip(numbers(&confusion, "n")) {
        let both = actual.iter().zip(&predicted).filter(|(x, y)| (*x, *y) == (&a, &p)).count();
        assert_eq!(n, both as f64);
    }
    let forest = iris.fit_forest("sepal_width_cm", &spec).expect("fits").forest;
    let scored = forest.score(&iris).expect("scores");
    let pairs = numbers(&scored, "prediction").into_iter().zip(numbers(&iris, "sepal_width_cm"));
    let rmse = (pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / 150.0).sqrt();
    let judged = Model::Forest(forest).evaluate(&iris).expect("judges");
    assert!((numbers(&judged, "rmse")[0] - rmse).abs() < 1e-12);
}
