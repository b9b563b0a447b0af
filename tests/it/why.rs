//! `Tree::candidates`: why a node split as it did.

use gaintree::engine::dtype::DType;
use gaintree::prelude::*;
use polars::prelude::*;
use proptest::prelude::*;

use crate::frame::{
    can_be_learnt, cases, data_frame, figure, floats, parquet, schema, spec_for, specs, texts,
    weather, with, word,
};
use crate::frames::{Weighing, frames};

const TABLE: &str = "rank u32, feature str, rule str, gain f64, split_info f64, gain_ratio f64, \
    allowed bool, chosen bool, tied bool, missing_to str";

fn why(tree: &Tree, df: &DataFrame, node: u32) -> DataFrame {
    tree.candidates(df, node).expect("a table")
}

fn truths(table: &DataFrame, name: &str) -> Vec<bool> {
    let column = table.column(name).expect("a column");
    column.bool().expect("truths").iter().map(|t| t.expect("no null")).collect()
}

fn marked(table: &DataFrame, name: &str) -> Vec<usize> {
    (0..table.height()).filter(|&row| truths(table, name)[row]).collect()
}

#[test]
fn iris_has_two_columns_that_tie_at_the_root() {
    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart()).expect("fits").tree;
    let root = why(&tree, &iris, 0);
    assert_eq!(schema(&root), TABLE);
    let order: Vec<String> = texts(&root, "feature").into_iter().flatten().collect();
    assert_eq!(order, ["petal_length_cm", "petal_width_cm", "sepal_length_cm", "sepal_width_cm"]);
    assert_eq!(word(&root, "rule", 0), "petal_length_cm >= 2.45");
    assert_eq!(word(&root, "rule", 1), "petal_width_cm >= 0.8");
    assert_eq!(word(&root, "missing_to", 0), "petal_length_cm >= 2.45", "the heavier branch");
    assert_eq!(floats(&root, "gain")[0], floats(&root, "gain")[1]);
    assert_eq!(marked(&root, "chosen"), [0]);
    assert_eq!(marked(&root, "tied"), [0, 1]);
    assert_eq!(marked(&root, "allowed"), [0, 1, 2, 3]);
    // A pure leaf: nothing is allowed, and columns that vary gain nothing.
    let leaf = why(&tree, &iris, 1);
    assert_eq!(floats(&leaf, "gain"), [Some(0.0); 4]);
    assert!(marked(&leaf, "allowed").is_empty() && marked(&leaf, "chosen").is_empty());
}

#[test]
fn c45_shows_what_its_guard_keeps_out() {
    let tree = weather().fit_tree("play", &TreeSpec::c45()).expect("fits").tree;
    let root = why(&tree, &weather(), 0);
    assert_eq!(word(&root, "rule", 0), "outlook each {overcast, rainy, sunny}");
    assert_eq!(texts(&root, "missing_to"), [const { None }; 4], "a multiway rule stops it");
    assert_eq!(marked(&root, "chosen"), [0]);
    assert_eq!(marked(&root, "allowed"), [0, 1], "windy and temperature gain less than the mean");
    assert_eq!(floats(&root, "rank"), [1.0, 2.0, 3.0, 4.0].map(Some));

    // A row number has the highest gain by far, and no say in the mean.
    let numbers: Vec<String> = (0..14).map(|row| format!("no {row}")).collect();
    let numbered = with(&weather(), Series::new("id".into(), numbers).into());
    let spec = TreeSpec::c45().min_samples_leaf(1).pruning(Pruning::None);
    let tree = numbered.fit_tree("play", &spec).expect("fits").tree;
    let root = why(&tree, &numbered, 0);
    assert!((figure(&root, "id", "gain") - 0.940286).abs() < 1e-6);
    let rule = tree.node_slice()[0].split.as_ref().expect("splits").rule.feature;
    let chosen = marked(&root, "chosen")[0];
    assert_eq!(word(&root, "feature", chosen), tree.schema().features[rule as usize].name);
}

#[test]
fn a_frame_of_other_rows_is_judged_by_itself() {
    let iris = parquet("iris");
    let tree = iris.fit_tree("species", &TreeSpec::cart().max_depth(1)).expect("fits").tree;
    // Without setosa nothing reaches the left branch, and all rows the right one.
    let rest = iris.slice(50, 100);
    let none = why(&tree, &rest, 1);
    assert_eq!(schema(&none), TABLE);
    assert_eq!(floats(&none, "gain"), [None; 4]);
    assert_eq!(texts(&none, "feature")[0].as_deref(), Some("sepal_length_cm"), "in column order");
    let right = why(&tree, &rest, 2);
    assert_eq!(word(&right, "rule", 0), "petal_width_cm >= 1.75");
    assert!(marked(&right, "allowed").is_empty(), "max_depth makes it a leaf");
    let root = why(&tree, &rest, 0);
    assert_eq!(word(&root, "rule", marked(&root, "chosen")[0]), "petal_width_cm >= 1.75");
}

#[test]
fn numbers_are_judged_by_variance() {
    let diabetes = parquet("diabetes");
    let target = diabetes.columns().last().expect("columns").name().to_string();
    let spec = TreeSpec::cart().task(Task::Regress).max_depth(3).min_samples_leaf(5);
    let tree = diabetes.fit_tree(&target, &spec).expect("fits").tree;
    assert!(chosen_is_the_rule(&tree, &diabetes).is_ok());
}

#[test]
fn what_cannot_be_judged_says_so() {
    let iris = parquet("iris");
    let weights: Vec<f64> = (0..150).map(|row| f64::from(row % 3) + 0.5).collect();
    let iris = with(&iris, Series::new("w".into(), weights).into());
    let tree = iris.fit_tree("species", &TreeSpec::cart().weight("w")).expect("fits").tree;
    let wrong = |df: &DataFrame| {
        let e = tree.candidates(df, 0).expect_err("fails");
        assert!(e.is_data(), "{e}");
        e.to_string()
    };
    for name in ["species", "w", "petal_width_cm", "sepal_width_cm"] {
        assert!(wrong(&iris.drop(name).expect("is there")).contains(&format!("`{name}`")));
    }
    let text =
        iris.column("sepal_width_cm").expect("there").cast(&DataType::String).expect("casts");
    assert!(wrong(&with(&iris, text)).contains("`sepal_width_cm`"));
    let beyond = tree.candidates(&iris, tree.n_nodes() as u32).expect_err("no such node");
    assert!(beyond.is_spec() && beyond.to_string().contains("node_id"), "{beyond}");
}

/// The first node of which the chosen candidate is not the tree's rule, with both.
fn chosen_is_the_rule(tree: &Tree, df: &DataFrame) -> std::result::Result<(), TestCaseError> {
    for (id, node) in tree.node_slice().iter().enumerate() {
        let table = why(tree, df, id as u32);
        prop_assert_eq!(schema(&table), TABLE);
        prop_assert_eq!(table.height(), tree.schema().features.len());
        let (chosen, allowed) = (marked(&table, "chosen"), marked(&table, "allowed"));
        let tied = marked(&table, "tied");
        let Some(split) = &node.split else {
            prop_assert!(chosen.is_empty() && allowed.is_empty(), "leaf {}\n{}", id, table);
            continue;
        };
        prop_assert_eq!(chosen.len(), 1);
        prop_assert_eq!(chosen.first(), allowed.first());
        let feature = &tree.schema().features[split.rule.feature as usize];
        let row = chosen[0];
        prop_assert_eq!(word(&table, "rule", row), split.rule.summary(feature), "node {}", id);
        prop_assert_eq!(word(&table, "feature", row), feature.name.clone());
        prop_assert_eq!(floats(&table, "gain")[row], Some(split.gain));
        let to = split.rule.missing_to.map(|b| split.rule.describe_branch(feature, b));
        prop_assert_eq!(texts(&table, "missing_to")[row].clone(), to);
        prop_assert!(tied.is_empty() || (tied.len() > 1 && tied[0] == row), "{}", table);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn on_the_training_frame_the_chosen_candidate_is_the_rule(
        made in prop_oneof![frames(Weighing::Exact), frames(Weighing::Whole), frames(Weighing::Fractions)],
        spec in specs(),
        leaves in (0..3u32, 2..6u64),
        regress in any::<bool>(),
    ) {
        prop_assume!(can_be_learnt(&made));
        // A pruned tree's leaves might have split.
        let spec = spec_for(&made, spec.min_samples_split(leaves.1)).pruning(Pruning::None);
        let spec = if leaves.0 == 0 { spec.max_depth(2) } else { spec };
        let regress = regress && made.target.dtype == DType::I64;
        let spec = if regress { spec.task(Task::Regress) } else { spec };
        let df = data_frame(&made);
        let tree = df.fit_tree("y", &spec).expect("fits").tree;
        chosen_is_the_rule(&tree, &df)?;
    }
}
