//! Permutation importance beside a loop that permutes the columns of frames and scores them.

use gaintree::engine::{drawn_rows, permuted_rows};
use gaintree::{Monitor, PermutationLoss, PermutationSpec};

use super::forests::{numbers, tried};
use super::*;

/// All losses of classes.
const LOSSES: [PermutationLoss; 4] = [
    PermutationLoss::Brier,
    PermutationLoss::LogLoss,
    PermutationLoss::RocAuc,
    PermutationLoss::Error,
];

/// How often a row of a class has a lower share of it than another row, pair by pair.
fn one_less_roc_auc(shares: &[f64], is_own: &[bool]) -> Option<f64> {
    let of =
        |own: bool| (0..shares.len()).filter(move |&row| is_own[row] == own).map(|row| shares[row]);
    let pairs = || of(true).flat_map(|own| of(false).map(move |other| (own, other)));
    let lost = pairs().map(|(own, other)| match own.total_cmp(&other) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    });
    let n = pairs().count();
    (n > 0).then(|| lost.sum::<f64>() / n as f64)
}

/// The loss of a model's answers for a frame; numbers have one. Not a number of the ROC curve of one
/// class.
fn loss_of(model: &Model, df: &DataFrame, loss: Option<PermutationLoss>) -> f64 {
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
    let k = schema.classes.len();
    let of_classes: Vec<(Vec<f64>, Vec<bool>)> = (0..k)
        .map(|class| {
            let text = schema.class_text(class);
            let shares = numbers(&scored, &format!("probability_{text}"));
            (shares, actual.iter().map(|actual| actual.as_ref() == Some(&text)).collect())
        })
        .collect();
    let rows = || of_classes.iter().flat_map(|(shares, own)| shares.iter().zip(own));
    match loss.unwrap_or(PermutationLoss::Brier) {
        PermutationLoss::Error => {
            actual.iter().zip(&predicted).filter(|(a, p)| a != p).count() as f64 / n
        }
        PermutationLoss::Brier => {
            let square = |(share, own): (&f64, &bool)| (share - f64::from(u8::from(*own))).powi(2);
            rows().map(square).sum::<f64>() / n / if k == 2 { 2.0 } else { 1.0 }
        }
        PermutationLoss::LogLoss => {
            let own = rows().filter(|(_, own)| **own);
            own.map(|(share, _)| -share.max(2f64.powi(-52)).ln()).sum::<f64>() / n
        }
        PermutationLoss::RocAuc => {
            let areas = of_classes.iter().filter_map(|(shares, own)| one_less_roc_auc(shares, own));
            let areas: Vec<f64> = areas.collect();
            areas.iter().sum::<f64>() / areas.len() as f64
        }
    }
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

/// None, and each there is for a forest's target.
fn losses(forest: &Forest) -> Vec<Option<PermutationLoss>> {
    let named = LOSSES.into_iter().map(Some).filter(|_| !forest.is_regression());
    [None].into_iter().chain(named).collect()
}

#[test]
fn permuted_columns_are_scored() {
    for (df, target, tree) in tried() {
        let spec = ForestSpec::new(tree.clone()).trees(3).seed(2);
        let forest = df.fit_forest(target, &spec).expect("fits").forest;
        let alone = df.fit_tree(target, &tree.max_depth(3)).expect("fits").tree;
        let features: Vec<String> =
            forest.schema().features.iter().map(|feature| feature.name.clone()).collect();
        for loss in losses(&forest) {
            let mut spec = PermutationSpec::default().repeats(3).seed(7);
            spec.loss = loss;
            let spec = spec.group("pair", [&features[0], &features[2]]);
            for model in [Model::Forest(forest.clone()), Model::Tree(alone.clone())] {
                let before = loss_of(&model, &df, loss);
                let rises = groups(&features).into_iter().map(|(name, columns, first)| {
                    let rise = |repeat| {
                        let order = permuted_rows(7, first, repeat, df.height());
                        loss_of(&model, &permuted(&df, &columns, &order), loss) - before
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
        for loss in losses(&forest) {
            let mut spec = PermutationSpec::default().repeats(2).seed(9);
            spec.loss = loss;
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
                let before = loss_of(&tree, &rows, loss);
                if before.is_nan() {
                    continue;
                }
                for ((_, columns, first), (_, rises)) in groups(&features).iter().zip(&mut rises) {
                    let rise = |repeat: u64| {
                        let draw = u64::from(at) * 2 + repeat;
                        let order = permuted_rows(9, *first, draw, rows.height());
                        loss_of(&tree, &permuted(&rows, columns, &order), loss) - before
                    };
                    rises.push((rise(0) + rise(1)) / 2.0);
                }
            }
            let table = forest.out_of_bag_importance(&df, &spec).expect("permutes");
            check(&table, &rises, target);
            let one =
                forest.out_of_bag_importance(&df, &spec.clone().threads(1)).expect("permutes");
            assert_same(&one, &table, target);
        }
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

/// Of a class of 2 %, no permuted feature changes a predicted class, but the default loss sees what the
/// model goes by, and a table of zeros is noted.
#[test]
fn a_rare_class_has_importances() {
    let x: Vec<i32> = (0..1000).map(|row| row * 7 % 100).collect();
    let z: Vec<i32> = (0..1000).map(|row| row % 9).collect();
    let rare: Vec<bool> = (0..1000).map(|row| row * 7 % 100 < 10 && row / 100 % 3 == 0).collect();
    let df = df!["x" => x, "z" => z, "rare" => rare].expect("a frame");
    let tree = df.fit_tree("rare", &TreeSpec::cart().max_depth(1)).expect("fits").tree;
    let found = |spec: PermutationSpec| {
        let (table, note) = tree.permutation_importance_with_note(&df, &spec).expect("permutes");
        (numbers(&table, "importance"), note)
    };
    for spec in [
        None,
        Some(PermutationLoss::Brier),
        Some(PermutationLoss::LogLoss),
        Some(PermutationLoss::RocAuc),
    ] {
        let (importance, note) = found({
            let mut of = PermutationSpec::default();
            of.loss = spec;
            of
        });
        assert!(importance[0] > 0.001 && importance[1] == 0.0 && note.is_none(), "{spec:?}");
    }
    let (importance, note) = found(PermutationSpec::default().loss(PermutationLoss::Error));
    assert_eq!(importance, [0.0, 0.0]);
    assert!(note.expect("a note").contains("--loss brier"));
    let leaf = df.fit_tree("rare", &TreeSpec::cart().max_depth(0)).expect("fits").tree;
    let spec = PermutationSpec::default();
    let (_, note) = leaf.permutation_importance_with_note(&df, &spec).expect("permutes");
    let note = note.expect("a note");
    assert!(note.contains("the model has no rule"), "{note}");
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
    for loss in LOSSES {
        let words = format!("loss {} is of classes", loss.name());
        refused(of_numbers.permutation_importance(&iris, &plain().loss(loss)), &words);
    }
    let area = plain().loss(PermutationLoss::RocAuc);
    refused(tree.permutation_importance(&iris.head(Some(9)), &area), "rows are of one class");
    refused(tree.permutation_importance(&iris.head(Some(0)), &plain()), "no rows");
    refused(forest.out_of_bag_importance(&iris.reverse(), &plain()), "not the rows");
    let whole = iris.fit_forest("species", &spec.bootstrap(false)).expect("fits").forest;
    refused(whole.out_of_bag_importance(&iris, &plain()), "no row is out of bag");
    let few = df!["x" => [1, 2], "y" => ["a", "b"]].expect("a frame");
    let share = ForestSpec::default().trees(2).bootstrap(false).sample_share(0.999);
    let always = few.fit_forest("y", &share).expect("fits").forest;
    refused(always.out_of_bag_importance(&few, &plain()), "each tree drew every row");
    let one_out = ForestSpec::default().trees(2).bootstrap(false).sample_share(0.5);
    let one_out = few.fit_forest("y", &one_out).expect("fits").forest;
    refused(one_out.out_of_bag_importance(&few, &area), "or left out rows of one class");
    let monitor = Monitor::default();
    monitor.interrupt();
    let stopped = plain().monitor(monitor);
    for said in [
        forest.out_of_bag_importance(&iris, &stopped),
        tree.permutation_importance(&iris, &stopped),
    ] {
        assert!(said.expect_err("stopped").is_interrupted());
    }
}
