//! Permutation importance beside a loop that permutes the columns of frames and scores them.

use gaintree::engine::{drawn_rows, permuted_rows};
use gaintree::{Interrupt, PermutationLoss, PermutationSpec};

use super::forests::{numbers, tried};
use super::*;

/// The mean loss of a model's answers for a frame.
fn mean_loss(model: &Model, df: &DataFrame, loss: PermutationLoss) -> f64 {
    let schema = match model {
        Model::Tree(tree) => tree.schema(),
        Model::Forest(forest) => forest.schema(),
    };
    let with = ScoreSpec::default().probability(!schema.classes.is_empty());
    let scored = model.score_with(df, &with).expect("scores");
    let n = df.height() as f64;
    if schema.classes.is_empty() {
        let pairs = numbers(df, &schema.target).into_iter().zip(numbers(&scored, "prediction"));
        return pairs.map(|(actual, said)| (actual - said).powi(2)).sum::<f64>() / n;
    }
    let (actual, predicted) = (texts(df, &schema.target), texts(&scored, "prediction"));
    if loss == PermutationLoss::Error {
        return actual.iter().zip(&predicted).filter(|(a, p)| a != p).count() as f64 / n;
    }
    let k = schema.classes.len();
    let squares = (0..k).map(|class| {
        let text = schema.class_text(class);
        let shares = numbers(&scored, &format!("probability_{text}")).into_iter();
        let is_own = actual.iter().map(|actual| actual.as_ref() == Some(&text));
        shares
            .zip(is_own)
            .map(|(share, own)| (share - f64::from(u8::from(own))).powi(2))
            .sum::<f64>()
    });
    squares.sum::<f64>() / n / if k == 2 { 2.0 } else { 1.0 }
}

/// The frame with the values of some columns in another order.
fn permuted(df: &DataFrame, columns: &[String], order: &[u32]) -> DataFrame {
    let order: IdxCa = order.iter().map(|&row| Some(row)).collect();
    let mut made = df.clone();
    for name in columns {
        made.with_column(df.column(name).expect("there").take(&order).expect("rows"))
            .expect("made");
    }
    made
}

/// Every feature by itself but two, which are a group; and the index of the first of each.
fn groups(features: &[String]) -> Vec<(String, Vec<String>, u32)> {
    let pair = ("pair".to_string(), vec![features[2].clone(), features[0].clone()], 0);
    let alone = (0..features.len()).filter(|at| ![0, 2].contains(at));
    let alone = alone.map(|at| (features[at].clone(), vec![features[at].clone()], at as u32));
    [pair].into_iter().chain(alone).collect()
}

/// Holds a table to the rises of each group's loss.
fn check(table: &DataFrame, rises: &[(String, Vec<f64>)], what: &str) {
    assert_eq!(schema(table), "rank u32, feature str, importance f64, standard_error f64, z f64");
    let (names, means) = (texts(table, "feature"), numbers(table, "importance"));
    assert!(means.is_sorted_by(|a, b| a >= b) && names.len() == rises.len(), "{what}");
    for (row, name) in names.iter().enumerate() {
        let name = name.as_ref().expect("a name");
        let (_, rises) = rises.iter().find(|(of, _)| of == name).expect("a group");
        let n = rises.len() as f64;
        let mean = rises.iter().sum::<f64>() / n;
        assert!((means[row] - mean).abs() < 1e-12, "{what} {name}: {} {mean}", means[row]);
        let squares: f64 = rises.iter().map(|rise| (rise - mean).powi(2)).sum();
        let error = (squares / (n - 1.0) / n).sqrt();
        let found = floats(table, "standard_error")[row];
        assert!((found.expect("several") - error).abs() < 1e-12, "{what} {name}");
        match floats(table, "z")[row] {
            None => assert!(error < 1e-12, "{what} {name}"),
            Some(z) => assert!((z * error - mean).abs() < 1e-9, "{what} {name}"),
        }
    }
}

#[test]
fn permuted_columns_are_scored() {
    for (df, target, tree) in tried() {
        let spec = ForestSpec::new(tree.clone()).trees(3).seed(2);
        let forest = df.fit_forest(target, &spec).expect("fits").forest;
        let alone = df.fit_tree(target, &tree.max_depth(3)).expect("fits").tree;
        let features: Vec<String> =
            forest.schema().features.iter().map(|feature| feature.name.clone()).collect();
        for loss in [PermutationLoss::Error, PermutationLoss::Brier] {
            if forest.is_regression() && loss == PermutationLoss::Brier {
                continue;
            }
            let spec = PermutationSpec::default().loss(loss).repeats(3).seed(7);
            let spec = spec.group("pair", [&features[0], &features[2]]);
            for model in [Model::Forest(forest.clone()), Model::Tree(alone.clone())] {
                let before = mean_loss(&model, &df, loss);
                let rises = groups(&features).into_iter().map(|(name, columns, first)| {
                    let rise = |repeat| {
                        let order = permuted_rows(7, first, repeat, df.height());
                        mean_loss(&model, &permuted(&df, &columns, &order), loss) - before
                    };
                    (name, (0..3).map(rise).collect())
                });
                let table = model.permutation_importance(&df, &spec).expect("permutes");
                check(&table, &rises.collect::<Vec<_>>(), target);
                let one = model.permutation_importance(&df, &spec.clone().threads(1));
                assert_same(&one.expect("permutes"), &table, target);
            }
        }
    }
}

#[test]
fn permuted_rows_out_of_bag_are_scored_by_their_trees() {
    for (df, target, tree) in tried() {
        let spec = ForestSpec::new(tree).trees(4).seed(6);
        let forest = df.fit_forest(target, &spec).expect("fits").forest;
        let features: Vec<String> =
            forest.schema().features.iter().map(|feature| feature.name.clone()).collect();
        let loss =
            if forest.is_regression() { PermutationLoss::Error } else { PermutationLoss::Brier };
        let spec = PermutationSpec::default().loss(loss).repeats(2).seed(9);
        let spec = spec.group("pair", [&features[2], &features[0]]);
        let mut rises: Vec<(String, Vec<f64>)> =
            groups(&features).into_iter().map(|(name, ..)| (name, Vec::new())).collect();
        for at in 0..4 {
            let times = drawn_rows(forest.spec(), at, df.height()).expect("draws");
            let rows: IdxCa = (0..)
                .zip(&times)
                .filter(|(_, times)| **times == 0)
                .map(|(row, _)| Some(row))
                .collect();
            let rows = df.take(&rows).expect("rows");
            let tree = Model::Tree(forest.tree(at as usize).expect("a tree"));
            let before = mean_loss(&tree, &rows, loss);
            for ((_, columns, first), (_, rises)) in groups(&features).iter().zip(&mut rises) {
                let rise = |repeat: u64| {
                    let draw = u64::from(at) * 2 + repeat;
                    let order = permuted_rows(9, *first, draw, rows.height());
                    mean_loss(&tree, &permuted(&rows, columns, &order), loss) - before
                };
                rises.push((rise(0) + rise(1)) / 2.0);
            }
        }
        let table = forest.out_of_bag_importance(&df, &spec).expect("permutes");
        check(&table, &rises, target);
        let one = forest.out_of_bag_importance(&df, &spec.clone().threads(1)).expect("permutes");
        assert_same(&one, &table, target);
    }
}

/// What tells the classes stands above what does not, and a row of weight 0 is as if absent.
#[test]
fn noise_is_of_no_importance() {
    let iris = parquet("iris");
    let noise: Vec<i32> = (0..150).map(|row| row * row % 31).collect();
    let weights: Vec<f64> = (0..150).map(|row| f64::from(u8::from(row % 4 > 0))).collect();
    let df =
        with(&with(&iris, Column::new("noise".into(), noise)), Column::new("w".into(), weights));
    let spec = ForestSpec::new(TreeSpec::cart().weight("w")).trees(60);
    let forest = df.fit_forest("species", &spec).expect("fits").forest;
    let table = forest.out_of_bag_importance(&df, &PermutationSpec::default()).expect("permutes");
    let named = |name: &str| {
        texts(&table, "feature").iter().position(|f| f.as_deref() == Some(name)).expect("listed")
    };
    let z = |name: &str| floats(&table, "z")[named(name)].expect("several trees");
    let found = ["petal_width_cm", "petal_length_cm", "noise"].map(z);
    assert!(found[0] > 5.0 && found[1] > 5.0 && found[2] < 3.0, "{found:?}");
    let present = only(&df, col("w").gt(lit(0)));
    let again = forest.out_of_bag_importance(&present, &PermutationSpec::default());
    assert_same(&again.expect("permutes"), &table, "without rows of no weight");
}

#[test]
fn what_cannot_be_permuted_is_said() {
    let iris = parquet("iris");
    let spec = ForestSpec::default().trees(3);
    let forest = iris.fit_forest("species", &spec).expect("fits").forest;
    let of_numbers = iris.fit_forest("sepal_width_cm", &spec).expect("fits").forest;
    let tree = iris.fit_tree("species", &TreeSpec::cart()).expect("fits").tree;
    let plain = PermutationSpec::default;
    for (spec, words) in [
        (plain().repeats(0), "repeats is 0"),
        (plain().group("none", Vec::<String>::new()), "group `none` has no feature"),
        (plain().group("g", ["petal_with_cm"]), "petal_width_cm"),
        (
            plain().group("a", ["petal_width_cm"]).group("b", ["petal_width_cm"]),
            "in the groups twice",
        ),
        (plain().group("sepal_width_cm", ["petal_width_cm"]), "would be called `sepal_width_cm`"),
    ] {
        for said in [
            forest.permutation_importance(&iris, &spec),
            forest.out_of_bag_importance(&iris, &spec),
            tree.permutation_importance(&iris, &spec),
        ] {
            let e = said.expect_err("refused").to_string();
            assert!(e.contains(words), "{e}");
        }
    }
    let refused = |said: gaintree::Result<DataFrame>, words: &str| {
        let e = said.expect_err("refused").to_string();
        assert!(e.contains(words), "{e}");
    };
    refused(
        of_numbers.permutation_importance(&iris, &plain().loss(PermutationLoss::Brier)),
        "loss brier",
    );
    refused(tree.permutation_importance(&iris.head(Some(0)), &plain()), "no rows");
    refused(forest.out_of_bag_importance(&iris.reverse(), &plain()), "not the rows");
    let whole = iris.fit_forest("species", &spec.bootstrap(false)).expect("fits").forest;
    refused(whole.out_of_bag_importance(&iris, &plain()), "no row is out of bag");
    let few = df!["x" => [1, 2], "y" => ["a", "b"]].expect("a frame");
    let share = ForestSpec::default().trees(2).bootstrap(false).sample_share(0.999);
    let always = few.fit_forest("y", &share).expect("fits").forest;
    refused(always.out_of_bag_importance(&few, &plain()), "each tree drew every row");
    let interrupt = Interrupt::default();
    interrupt.raise();
    let stopped = plain().interrupt(interrupt);
    for said in [
        forest.out_of_bag_importance(&iris, &stopped),
        tree.permutation_importance(&iris, &stopped),
    ] {
        assert!(said.expect_err("stopped").is_interrupted());
    }
}
