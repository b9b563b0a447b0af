//! `contributions` of trees and forests, held to the definition: all subsets of the features.

use gaintree::engine::{Kinds, SharedTable, Table, grow_forest};
use gaintree::prelude::*;
use gaintree::{Criterion, Forest, Monitor};
use polars::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::agreement::{self, Case, NASTY};
use crate::frame::{assert_same, cases, cast, data_frame, floats, parquet, schema, texts, with};
use crate::frames::{Column as Made, Frame, Weighing, frames};
use crate::pruning::chain;
use crate::routing::{Next, next};
use crate::ways::ways;

// ---- the oracle ----------------------------------------------------------------------------

/// What a node says: the probability of a class, or its mean.
fn said(tree: &Tree, node: u32, class: Option<usize>) -> f64 {
    match class {
        Some(class) => tree.probability(node, class),
        None => tree.mean(node).expect("a mean"),
    }
}

/// Where a row goes from each inner node.
fn steps(frame: &Frame, tree: &Tree, row: usize) -> Vec<Option<Next>> {
    let step = |split| next(frame, tree, row, split).0;
    tree.node_slice().iter().map(|node| node.split.as_ref().map(step)).collect()
}

/// What the tree says below a node where the features of a set are known, a bit a feature.
fn value(
    tree: &Tree,
    steps: &[Option<Next>],
    class: Option<usize>,
    known: usize,
    node: u32,
) -> f64 {
    let Some(split) = &tree.node_slice()[node as usize].split else {
        return said(tree, node, class);
    };
    let below = |branch: u32| value(tree, steps, class, known, branch);
    let weight: f64 = split.branches.iter().map(|&branch| tree.weight(branch)).sum();
    let every = || split.branches.iter().map(|&b| tree.weight(b) / weight * below(b)).sum();
    match steps[node as usize].expect("an inner node") {
        _ if known >> split.rule.feature & 1 == 0 => every(),
        Next::Every => every(),
        Next::Branch(branch) => below(split.branches[branch]),
        Next::Stop => said(tree, node, class),
    }
}

/// What the trees say together of a row for each set of known features.
fn values(trees: &[Tree], frame: &Frame, class: Option<usize>, row: usize) -> Vec<f64> {
    let mut values = vec![0.0; 1 << trees[0].schema().features.len()];
    for tree in trees {
        let steps = steps(frame, tree, row);
        for (known, sum) in values.iter_mut().enumerate() {
            *sum += value(tree, &steps, class, known, 0) / trees.len() as f64;
        }
    }
    values
}

/// `s! (n - s - 1)! / n!`
fn weight(n: usize, s: usize) -> f64 {
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    factorial(s) * factorial(n - s - 1) / factorial(n)
}

/// The prediction, the base value, and the Shapley value of each feature, by their definition.
fn shapley(values: &[f64]) -> Vec<f64> {
    let n = values.len().ilog2() as usize;
    let of_feature = |feature: usize| {
        let without = (0..1usize << n).filter(|known| known >> feature & 1 == 0);
        let gains = without.map(|known| {
            weight(n, known.count_ones() as usize) * (values[known | 1 << feature] - values[known])
        });
        gains.sum::<f64>()
    };
    let ends = [values[(1 << n) - 1], values[0]];
    ends.into_iter().chain((0..n).map(of_feature)).collect()
}

/// The interaction of two features: of a feature with itself its main effect.
fn interaction(values: &[f64], one: usize, other: usize) -> f64 {
    let n = values.len().ilog2() as usize;
    if one == other {
        let half = |feature| interaction(values, one, feature) / 2.0;
        let others = (0..n).filter(|&feature| feature != one).map(half).sum::<f64>();
        return shapley(values)[2 + one] - others;
    }
    let (one, other) = (1 << one, 1 << other);
    let without = (0..1usize << n).filter(|known| known & (one | other) == 0);
    let gains = without.map(|known| {
        let alone = values[known | one] + values[known | other] - values[known];
        weight(n - 1, known.count_ones() as usize) * (values[known | one | other] - alone)
    });
    gains.sum()
}

// ---- what is compared ----------------------------------------------------------------------

/// Contributions by the model, and the probabilities or means that it scores.
fn made(model: &Model, df: &DataFrame, spec: &ContributionSpec) -> (DataFrame, Vec<f64>) {
    let of = model.contributions_with(df, spec).expect("explains");
    let scored = model
        .score_with(df, &ScoreSpec::default().probability(!model.is_regression()).prefix("of_"));
    let scored = scored.expect("scores");
    let name = match &spec.event {
        Some(class) => format!("of_probability_{class}"),
        None => "of_prediction".to_string(),
    };
    (of, numbers(&scored, &name))
}

fn numbers(df: &DataFrame, name: &str) -> Vec<f64> {
    floats(df, name).into_iter().map(|x| x.expect("a number")).collect()
}

/// The tables of each class or of the mean against the oracle, in the first rows and the last.
fn check(model: &Model, trees: &[Tree], rows: &Frame) -> Result<(), TestCaseError> {
    let (df, n) = (data_frame(rows), rows.n_rows());
    let names = model.schema().features.iter().map(|f| format!("contribution_{}", f.name));
    let names: Vec<String> =
        ["prediction", "base_value"].map(String::from).into_iter().chain(names).collect();
    let classes: Vec<Option<usize>> = match model.is_regression() {
        true => vec![None],
        false => (0..model.schema().classes.len()).map(Some).collect(),
    };
    for class in classes {
        let mut spec = ContributionSpec::default();
        spec.event = class.map(|class| model.schema().class_text(class));
        let (of, scored) = made(model, &df, &spec);
        let event = class.map(|_| "event str".to_string()).into_iter();
        let expected = event.chain(names.iter().map(|name| format!("{name} f64")));
        prop_assert_eq!(schema(&of), expected.collect::<Vec<_>>().join(", "));
        let columns: Vec<Vec<f64>> = names.iter().map(|name| numbers(&of, name)).collect();
        prop_assert_eq!(&columns[0], &scored);
        for row in 0..n {
            let sum: f64 = columns[1..].iter().map(|column| column[row]).sum();
            prop_assert!((sum - scored[row]).abs() < 1e-12, "{} {}", sum, scored[row]);
        }
        for row in (0..n).filter(|row| *row < 6 || row + 6 >= n) {
            let expected = shapley(&values(trees, rows, class, row));
            for ((name, column), expected) in names.iter().zip(&columns).zip(expected) {
                let got = column[row];
                prop_assert!(
                    (got - expected).abs() < 1e-10,
                    "{} {}: {} {}",
                    row,
                    name,
                    got,
                    expected
                );
            }
        }
        check_importance(model, &df, &spec, &of)?;
        let few = rows.take(&[0, n / 2, n - 1]);
        let table = model.interactions(&data_frame(&few), &spec).expect("pairs");
        check_interactions(model, &table, |row| values(trees, &few, class, row))?;
    }
    Ok(())
}

/// The columns of a table that names the event, if the target has classes.
fn with_event(model: &Model, columns: &str) -> String {
    format!("{columns}{}", if model.is_regression() { "" } else { ", event str" })
}

fn check_interactions(
    model: &Model,
    table: &DataFrame,
    values: impl Fn(usize) -> Vec<f64>,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(
        schema(table),
        with_event(model, "row u32, feature str, other str, interaction f64")
    );
    let name = |feature: u32| model.schema().features[feature as usize].name.clone();
    let (used, mut line) = (model.used_features(), 0);
    let (ones, others) = (texts(table, "feature"), texts(table, "other"));
    let (rows, interactions) = (numbers(table, "row"), numbers(table, "interaction"));
    for row in 0..3 {
        let values = values(row);
        for (at, &one) in used.iter().enumerate() {
            for &other in &used[at..] {
                prop_assert_eq!(rows[line], row as f64);
                prop_assert_eq!(
                    (&ones[line], &others[line]),
                    (&Some(name(one)), &Some(name(other)))
                );
                let expected = interaction(&values, one as usize, other as usize);
                let got = interactions[line];
                prop_assert!((got - expected).abs() < 1e-10, "{} {} {}", line, got, expected);
                line += 1;
            }
        }
    }
    prop_assert_eq!(line, table.height());
    Ok(())
}

fn check_importance(
    model: &Model,
    df: &DataFrame,
    spec: &ContributionSpec,
    of: &DataFrame,
) -> Result<(), TestCaseError> {
    let table = model.contribution_importance(df, spec).expect("ranks");
    prop_assert_eq!(schema(&table), with_event(model, "rank u32, feature str, mean_absolute f64"));
    let ranked = numbers(&table, "mean_absolute");
    prop_assert!(ranked.is_sorted_by(|a, b| a >= b));
    prop_assert_eq!(ranked.len(), model.schema().features.len());
    for (name, mean) in texts(&table, "feature").iter().flatten().zip(ranked) {
        let of_rows = numbers(of, &format!("contribution_{name}"));
        let expected = of_rows.iter().map(|x| x.abs()).sum::<f64>() / of_rows.len() as f64;
        prop_assert!((mean - expected).abs() < 1e-12);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    /// Trees of every way with missing values, on their rows and on rows they never saw.
    #[test]
    fn trees_say_what_all_subsets_say(case in agreement::cases(frames(Weighing::Exact), &NASTY)) {
        if let Some(Case { tree, rows }) = case {
            check(&Model::Tree(tree.clone()), &[tree], &rows)?;
        }
    }

    /// Forests of classes and of numbers, their classes weighted or not.
    #[test]
    fn forests_say_what_all_subsets_say(
        mut frame in frames(Weighing::Whole),
        mut spec in ways(),
        targets in prop_oneof![2 => Just(None), 1 => vec(-3..4i8, 200).prop_map(Some)],
        balanced in any::<bool>(),
        share in 0.3..1.0f64,
        seed in any::<u64>(),
    ) {
        if let Some(targets) = &targets {
            let targets = targets[..frame.n_rows()].iter().map(|&x| 1e3 + f64::from(x) / 3.0);
            frame.target = Made::floats("y", targets);
            spec = spec.criterion(Criterion::Variance);
        } else if balanced {
            spec = spec.class_weights(ClassWeights::Balanced);
        }
        let fitted = frame.first(share);
        // Rows of weight above 0, and two classes of them.
        prop_assume!(fitted.grow(&TreeSpec::cart()).is_ok());
        let spec = ForestSpec::new(spec).trees(3).seed(seed);
        let grown = fitted.table(Task::Auto).and_then(|t| grow_forest(&SharedTable::new(t), &spec));
        if let Ok(forest) = grown {
            let trees = trees_of(&forest);
            let rows = frame.with_cuts(&trees[0]);
            check(&Model::Forest(forest), &trees, &rows)?;
        }
    }
}

fn trees_of(forest: &Forest) -> Vec<Tree> {
    (0..forest.n_trees()).map(|at| forest.tree(at).expect("a tree")).collect()
}

/// Paths of many features, and features that come again and again on a path.
#[test]
fn deep_trees_of_many_features_say_what_all_subsets_say() {
    let diabetes = parquet("diabetes");
    let columns = diabetes.columns().iter();
    let mut columns: Vec<Made> =
        columns.map(|c| Made::floats(c.name(), numbers(&diabetes, c.name()))).collect();
    let target = columns.pop().expect("a target");
    let frame = Frame::new(columns, target);
    let tree = frame.grow(&TreeSpec::cart()).expect("grows");
    assert!(tree.depth() > 12 && tree.used_features().len() == 10);
    let few = frame.take(&[0, 7, 100, 441]);
    let off = |model: &Model, trees: &[Tree]| {
        let of = model.contributions(&data_frame(&few)).expect("explains");
        for row in 0..few.n_rows() {
            let values = values(trees, &few, None, row);
            let expected = shapley(&values);
            for (column, expected) in of.columns().iter().zip(expected) {
                let got = column.f64().expect("numbers").get(row).expect("a number");
                assert!((got - expected).abs() < 1e-9, "{}: {got} {expected}", column.name());
            }
        }
    };
    off(&Model::Tree(tree.clone()), &[tree]);
    let kinds = Kinds { task: Task::Auto, ordered: &[], nominal: &[] };
    let table = Table::encode(&frame.columns, &frame.target, None, kinds).expect("encodes");
    let forest = grow_forest(&SharedTable::new(table), &ForestSpec::default().trees(2).seed(4));
    let forest = forest.expect("grows");
    off(&Model::Forest(forest.clone()), &trees_of(&forest));
}

/// `x == t0`, `x == t1`, …: by hand, one feature takes all that the prediction is off the base value.
#[test]
fn a_hundred_thousand_levels_are_explained() {
    let tree = chain(100_000, |i| ([1, 100_001 - i as u64], [0, 1]));
    let df = df!["x" => [Some(-1.0), Some(0.5), Some(70_000.25), Some(2e5), None]];
    let of = tree.contributions(&df.expect("a frame")).expect("explains");
    let (said, base) = (numbers(&of, "prediction"), numbers(&of, "base_value"));
    for (row, contribution) in numbers(&of, "contribution_x").into_iter().enumerate() {
        assert!((base[row] + contribution - said[row]).abs() < 1e-9, "{row}");
    }
}

/// More rows than a tile has.
#[test]
fn threads_change_no_byte() {
    let iris = parquet("iris");
    for target in ["species", "petal_width_cm"] {
        let spec = ForestSpec::default().trees(7).seed(2);
        let forest = iris.fit_forest(target, &spec).expect("fits").forest;
        let of = |threads: usize| {
            let mut spec = ContributionSpec::default().threads(threads);
            spec.event = (target == "species").then(|| "virginica".to_string());
            let ranked = forest.contribution_importance(&iris, &spec).expect("ranks");
            (forest.contributions_with(&iris, &spec).expect("explains"), ranked)
        };
        let one = of(1);
        for threads in [2, 8] {
            let some = of(threads);
            assert_same(&some.0, &one.0, "contributions");
            assert_same(&some.1, &one.1, "importance");
        }
    }
}

#[test]
fn a_single_leaf_and_no_rows() {
    let df = df!["x" => [1, 1, 1], "y" => ["a", "b", "b"]].expect("a frame");
    let tree = df.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let of = tree.contributions(&df).expect("explains");
    assert_eq!(numbers(&of, "prediction"), [1.0 / 3.0; 3], "the rarer class");
    assert_eq!(numbers(&of, "base_value"), [1.0 / 3.0; 3]);
    assert_eq!(numbers(&of, "contribution_x"), [0.0; 3]);
    let none = tree.contributions(&df.head(Some(0))).expect("explains");
    assert_eq!((none.height(), schema(&none)), (0, schema(&of)));
    let ranked = tree.contribution_importance(&df, &ContributionSpec::default()).expect("ranks");
    assert_eq!(numbers(&ranked, "mean_absolute"), [0.0]);
}

#[test]
fn what_cannot_be_explained_is_said() {
    let iris = parquet("iris");
    let tree = |target: &str| iris.fit_tree(target, &TreeSpec::cart()).expect("fits").tree;
    let (species, width) = (tree("species"), tree("petal_width_cm"));
    let refused = |tree: &Tree, df: &DataFrame, spec: &ContributionSpec, words: &str| {
        for e in [
            tree.contributions_with(df, spec).expect_err("refused"),
            tree.interactions(df, spec).expect_err("refused"),
            tree.contribution_importance(df, spec).expect_err("refused"),
        ] {
            assert!(e.to_string().contains(words), "{e}");
        }
    };
    let (any, rose) = (ContributionSpec::default(), ContributionSpec::default().event("rose"));
    let setosa = ContributionSpec::default().event("setosa");
    refused(&species, &iris, &any, "the model has 3 classes: name the event");
    refused(&species, &iris, &rose, "event `rose` is no class of the model's target `species`");
    refused(&width, &iris, &setosa, "is a number: it has no classes");
    let less = iris.drop("petal_width_cm").expect("a frame");
    refused(&species, &less, &setosa, "`petal_width_cm`");
    let text = cast(&iris, "petal_width_cm", &DataType::String);
    refused(&species, &text, &setosa, "column `petal_width_cm` is str here");
    let lists = iris.column("petal_width_cm").expect("there").implode().expect("a list");
    let lists = lists.into_series().new_from_index(0, 150);
    let lists = with(&iris, lists.with_name("petal_width_cm".into()).into());
    refused(&species, &lists, &setosa, "which no model is fitted on");
    let e = species.contribution_importance(&iris.head(Some(0)), &setosa).expect_err("refused");
    assert!(e.to_string().contains("no row to explain"), "{e}");
    let monitor = Monitor::default();
    monitor.interrupt();
    let e = species.contributions_with(&iris, &setosa.clone().monitor(monitor));
    assert!(e.expect_err("refused").is_interrupted());
    let names: Vec<String> = (0..31).map(|i| format!("x{i}")).collect();
    let column = |i: usize| (0..32).map(|row| row == i).collect::<Vec<bool>>();
    let columns = names.iter().enumerate().map(|(i, name)| Column::new(name.into(), column(i)));
    let means: Vec<f64> = (0..32).map(|row| f64::from(row) + 0.5).collect();
    let columns = columns.chain([Column::new("y".into(), means)]).collect();
    let wide = DataFrame::new(32, columns).expect("a frame");
    let all = wide.fit_tree("y", &TreeSpec::cart()).expect("fits").tree;
    let e = all.interactions(&wide, &any).expect_err("refused").to_string();
    assert!(
        e.contains("the model's rules test 31 features, and interactions are of at most 30"),
        "{e}"
    );
    assert_eq!(all.contributions(&wide).expect("explains").height(), 32);
    // A missing value where none may be.
    let strict = iris.fit_tree("species", &TreeSpec::cart().missing(Missing::Error));
    let null = iris.column("petal_width_cm").expect("there").shift(1);
    refused(&strict.expect("fits").tree, &with(&iris, null), &setosa, "is missing in row 1");
}
