//! `Tree::reasons` and `Tree::explain_row`, held to a slow look at every test on the path of each leaf.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use gaintree::engine::dtype::DType;
use gaintree::engine::{LeafRule, RowChange, RowReasons};
use gaintree::{Missing, Tree, TreeSpec};
use proptest::prelude::*;

use crate::agreement::{Case, cases};
use crate::frames::{Column, Frame, Weighing, frames};
use crate::pruning::chain;
use crate::routing::{Answer, Next, answers, next};
use crate::rules::{conditions, conjunction, is_on};

/// A terminal would obey control characters, so they are escaped.
#[test]
fn control_characters_of_names_and_values_are_escaped() {
    let column = |name: &str, cells: [&str; 4]| {
        Column::texts(&format!("{name}\n\u{7}"), cells.map(|cell| format!("{cell}\u{1b}[31m")))
    };
    let frame = Frame::new(
        vec![column("x", ["a", "b", "b", "c"])],
        column("y", ["no", "yes", "yes", "yes"]),
    );
    let tree = frame.grow(&TreeSpec::id3()).expect("a tree");
    for text in [tree.to_text(20), tree.to_string(), reasons(&frame, &tree, 0).to_string()] {
        assert!(!text.replace('\n', "").contains(char::is_control), "{text}");
        assert!(text.contains(r"x\n\u{7}"), "{text}");
    }
    assert_eq!(tree.headline(), r"ID3 tree of `y\n\u{7}`: 4 nodes, 3 leaves, depth 1");
}

fn reasons(frame: &Frame, tree: &Tree, row: usize) -> RowReasons {
    let one = frame.take(&[row]);
    let column = |name: &str| Ok(one.columns.iter().find(|c| c.name == name).cloned());
    tree.reasons(column, &[]).expect("explains")
}

/// The nodes from the root to a node.
fn nodes_to(tree: &Tree, node: u32) -> Vec<u32> {
    let mut nodes = vec![node];
    while let Some(above) = tree.node_slice()[nodes[nodes.len() - 1] as usize].parent {
        nodes.push(above);
    }
    nodes.reverse();
    nodes
}

/// The features of the tests on the path to a leaf that the row fails.
fn failed(frame: &Frame, tree: &Tree, row: usize, leaf: u32) -> BTreeSet<u32> {
    let path = nodes_to(tree, leaf);
    let fails = |pair: &&[u32]| {
        let split = tree.node_slice()[pair[0] as usize].split.as_ref().expect("inner");
        let branch = split.branches.iter().position(|&b| b == pair[1]).expect("a branch");
        next(frame, tree, row, split).0 != Next::Branch(branch)
    };
    let feature = |pair: &[u32]| {
        tree.node_slice()[pair[0] as usize].split.as_ref().expect("inner").rule.feature
    };
    path.windows(2).filter(fails).map(feature).collect()
}

/// What the changes are to be, each with its features.
fn expected(
    frame: &Frame,
    tree: &Tree,
    rules: &[LeafRule],
    row: usize,
    answer: &Answer,
) -> Vec<(RowChange, BTreeSet<u32>)> {
    let leaves = rules.iter().filter(|rule| !rule.otherwise).map(|rule| {
        let features = failed(frame, tree, row, rule.leaf);
        let of_failed = |condition: &&str| {
            let column = frame.columns.iter().find(|c| is_on(condition, c)).expect("a column");
            let schema = &tree.schema().features;
            features.iter().any(|&f| schema[f as usize].name == column.name)
        };
        let (leaf, class) = (rule.leaf, tree.majority(rule.leaf));
        let said: Vec<&str> = conditions(&rule.rule).into_iter().filter(of_failed).collect();
        let change = RowChange {
            features: features.len() as u32,
            change: conjunction(&said),
            leaf,
            prediction: tree.answer_text(leaf),
            figure: tree.mean(leaf).unwrap_or_else(|| tree.probability(leaf, class)),
            n: tree.node_slice()[leaf as usize].n,
        };
        (change, features)
    });
    let mut leaves: Vec<_> = leaves.collect();
    leaves.sort_by_key(|(change, _)| (change.features, Reverse(change.n), change.leaf));
    let (mut lower, mut higher, mut others) = (0, 0, 0);
    leaves.retain(|(change, _)| match (answer.mean, tree.mean(change.leaf)) {
        (Some(mean), Some(other)) => {
            lower += usize::from(other < mean);
            higher += usize::from(other > mean);
            (other < mean && lower <= 5) || (other > mean && higher <= 5)
        }
        _ => {
            let is_other = tree.majority(change.leaf) != answer.class;
            others += usize::from(is_other);
            is_other && others <= 10
        }
    });
    leaves
}

fn check(tree: &Tree, rows: &Frame) -> Result<(), TestCaseError> {
    let (answers, rules) = (answers(rows, tree), tree.leaf_rules().expect("rules"));
    for (row, answer) in answers.iter().enumerate() {
        let why = reasons(rows, tree, row);
        // The answer is that of scoring.
        prop_assert_eq!((why.leaf, why.mean), (answer.leaf, answer.mean));
        prop_assert_eq!(why.in_parts, answer.parts.len() > 1);
        if let Some(share) = why.probability {
            prop_assert_eq!(&why.prediction, &tree.schema().class_text(answer.class));
            prop_assert_eq!(share, answer.probabilities[answer.class]);
        }
        // The path leads there, and what it changes sums to what the leaf says.
        let path: Vec<u32> = why.path.iter().map(|step| step.node).collect();
        prop_assert_eq!(path, nodes_to(tree, answer.leaf));
        let last = why.path.last().expect("a step");
        let class = tree.majority(answer.leaf);
        let figure = |node| tree.mean(node).unwrap_or_else(|| tree.probability(node, class));
        prop_assert_eq!(last.figure, figure(answer.leaf));
        let sum = why.path[0].figure + why.path.iter().filter_map(|step| step.change).sum::<f64>();
        prop_assert!((sum - last.figure).abs() <= 1e-12, "{sum} {}", last.figure);
        for step in &why.path {
            let Some(feature) = step.feature else {
                prop_assert_eq!((step.node, &step.condition, step.change), (0, &None, None));
                continue;
            };
            let name = &tree.schema().features[feature as usize].name;
            let column = rows.columns.iter().find(|c| c.name == *name).expect("a column");
            let value = column.known(row).map(|value| column.dtype.show(value));
            let plain = |text: &String| text.replace("-0", "0");
            prop_assert_eq!(step.value.as_ref().map(plain), value.as_ref().map(plain));
            let condition = step.condition.as_ref().expect("a condition");
            prop_assert!(is_on(condition, column), "{condition}");
        }
        // What would change it, and that it would.
        let changes = expected(rows, tree, &rules, row, answer);
        let said: Vec<&RowChange> = changes.iter().map(|(change, _)| change).collect();
        prop_assert_eq!(why.changes.iter().collect::<Vec<_>>(), said);
        for (change, features) in &changes {
            let is_there = |&other: &usize| answers[other].parts == [(change.leaf, 1.0)];
            let Some(other) = (0..rows.n_rows()).find(is_there) else { continue };
            let mut changed = rows.take(&[row]);
            for &feature in features {
                let name = &tree.schema().features[feature as usize].name;
                let at = rows.columns.iter().position(|c| c.name == *name).expect("a column");
                changed.columns[at].cells[0] = rows.columns[at].cells[other].clone();
            }
            prop_assert_eq!(&changed.routes(tree).nodes, &[change.leaf], "{}", change.change);
        }
        // It prints, with all there is to say.
        let text = why.to_string();
        prop_assert!(text.contains(why.changes.first().map_or("no leaf", |_| "what would change")));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// Classes and numbers, every way to split and with missing values, levels never seen.
    #[test]
    fn reasons_are_those_of_a_slow_look(case in cases(frames(Weighing::Exact), &[])) {
        if let Some(Case { tree, rows }) = case {
            check(&tree, &rows)?;
        }
    }
}

#[test]
fn a_missing_value_and_an_absent_level_are_said() {
    let size = [1.0, 2.0, 3.0, 11.0, 12.0, 13.0, f64::NAN];
    let frame = Frame::new(
        vec![Column::floats("size", size)],
        Column::texts("y", ["a", "a", "a", "b", "b", "b", "b"]),
    );
    let tree = frame.grow(&TreeSpec::cart()).expect("grows");
    let condition = |tree: &Tree, frame: &Frame, row| {
        let why = reasons(frame, tree, row);
        let last = why.path.last().expect("a step");
        (last.value.clone(), last.condition.clone().expect("a condition"))
    };
    let said = |value: Option<&str>, text: &str| (value.map(str::to_string), text.to_string());
    assert_eq!(condition(&tree, &frame, 6), said(None, "size >= 7 or missing"));
    assert_eq!(condition(&tree, &frame, 3), said(Some("11"), "size >= 7"));
    assert_eq!(reasons(&frame, &tree, 3).changes[0].change, "size < 7");

    let colours = Frame::new(
        vec![Column::texts("colour", ["red", "red", "blue", "green"])],
        Column::texts("y", ["a", "a", "b", "b"]),
    );
    let new = Frame::new(vec![Column::texts("colour", ["pink"])], Column::texts("y", ["a"]));
    let tree = colours.grow(&TreeSpec::cart()).expect("grows");
    let (value, text) = condition(&tree, &new, 0);
    assert_eq!(value.as_deref(), Some("pink"));
    assert!(text.ends_with(" or absent"), "{text}");
    // A branch per level has none for it: the row stops.
    let tree = colours.grow(&TreeSpec::id3()).expect("grows");
    let why = reasons(&new, &tree, 0);
    assert_eq!((why.leaf, why.path.len()), (0, 1));
    assert!(why.to_string().contains("node 0, which has no branch for its value"), "{why}");
    assert_eq!(why.changes[0].change, "colour == blue");
}

#[test]
fn a_row_in_parts_is_explained_to_its_largest_leaf() {
    let frame = Frame::new(
        vec![
            Column::texts("outlook", ["sunny", "sunny", "sunny", "rainy", "rainy"]),
            Column::texts("windy", ["yes", "no", "no", "no", "yes"]),
        ],
        Column::texts("play", ["no", "no", "no", "yes", "no"]),
    );
    let tree = frame.grow(&TreeSpec::id3().missing(Missing::Fractional)).expect("grows");
    let mut unknown = frame.take(&[3]);
    let outlook = unknown.columns.iter_mut().find(|c| c.name == "outlook").expect("there");
    outlook.cells[0] = None;
    let why = reasons(&unknown, &tree, 0);
    assert!(why.in_parts && why.to_string().contains("in parts"), "{why}");
    assert_eq!((why.prediction.as_str(), why.leaf), ("no", unknown.routes(&tree).nodes[0]));
    assert!((why.probability.expect("classes") - 0.6).abs() < 1e-12);
    let last = why.path.last().expect("a step");
    assert_eq!(last.condition.as_deref(), Some("outlook == sunny or missing"));
    assert_eq!((last.value.clone(), last.figure), (None, 1.0));
    let texts: Vec<&str> = why.changes.iter().map(|change| change.change.as_str()).collect();
    assert_eq!(texts, ["outlook == rainy"]);
}

/// Deeper than any stack, and more leaves than anybody reads.
#[test]
fn a_hundred_thousand_levels_are_explained() {
    let tree = chain(100_000, |i| ([1, 100_001 - i as u64], [0, 1]));
    let row = Frame::new(vec![Column::floats("x", [99_998.9])], Column::ints("y", DType::I64, [0]));
    let why = reasons(&row, &tree, 0);
    assert_eq!(why.path.len() as u32, tree.node_slice()[why.leaf as usize].depth + 1);
    assert!(why.path.len() > 99_000, "{}", why.path.len());
    let text = why.to_string();
    assert!(text.lines().count() < 70 && text.contains("… "), "{text}");
    assert!(why.changes.len() <= 10 && !why.changes.is_empty());
}

#[cfg(feature = "polars")]
mod in_polars {
    use gaintree::prelude::*;
    use polars::prelude::*;

    use crate::frame::{floats, parquet, schema, texts, with};

    const PATH: &str = "step u32, node_id u32, feature str, value str, condition str, n u64, \
        prediction str, probability f64, change f64";
    const CHANGES: &str = "n_features u32, change str, leaf_id u32, prediction str, \
        probability f64, n u64";

    #[test]
    fn a_row_of_iris_is_explained() {
        let iris = parquet("iris");
        let tree = iris.fit_tree("species", &TreeSpec::cart().max_depth(2)).expect("fits").tree;
        // The target need not be there, nor a column that no rule uses.
        let rows = iris.select(["petal_width_cm", "petal_length_cm"]).expect("there");
        let why = tree.explain_row(&rows, 70).expect("explains");
        assert_eq!((schema(&why.path).as_str(), schema(&why.changes).as_str()), (PATH, CHANGES));
        assert_eq!((why.prediction.as_str(), why.leaf_id, why.in_parts), ("virginica", 4, false));
        let said: Vec<String> = texts(&why.path, "condition").into_iter().flatten().collect();
        assert_eq!(said, ["petal_length_cm >= 2.45", "petal_width_cm >= 1.75"]);
        assert_eq!(texts(&why.path, "value")[2].as_deref(), Some("1.8"));
        assert_eq!(floats(&why.path, "probability")[2], why.probability);
        let changes: Vec<String> = texts(&why.changes, "change").into_iter().flatten().collect();
        assert_eq!(changes, ["petal_width_cm < 1.75", "petal_length_cm < 2.45"]);
        assert!(why.to_string().starts_with("virginica (probability 0.9783), leaf 4\n"), "{why}");
    }

    #[test]
    fn numbers_have_means() {
        let diabetes = parquet("diabetes");
        let spec = TreeSpec::cart().max_depth(5);
        let tree = diabetes.fit_tree("progression", &spec).expect("fits").tree;
        let why = tree.explain_row(&diabetes, 0).expect("explains");
        assert_eq!(schema(&why.path), PATH.replace("probability", "mean"));
        assert_eq!(schema(&why.changes), CHANGES.replace("probability", "mean"));
        let mean = why.mean.expect("a number");
        assert_eq!((why.probability, why.changes.height()), (None, 10));
        let lower = floats(&why.changes, "mean").into_iter().flatten().filter(|&m| m < mean);
        assert_eq!(lower.count(), 5);
    }

    #[test]
    fn a_tree_without_rules_has_nothing_to_change() {
        let df = df!["x" => [1, 2], "y" => ["a", "b"]].expect("a frame");
        let tree = df.fit_tree("y", &TreeSpec::cart().max_depth(0)).expect("fits").tree;
        let why = tree.explain_row(&df, 1).expect("explains");
        assert_eq!((why.path.height(), schema(&why.path)), (1, PATH.to_string()));
        assert_eq!((why.changes.height(), schema(&why.changes)), (0, CHANGES.to_string()));
        assert!(why.to_string().ends_with("\nno leaf gives another answer\n"), "{why}");
    }

    #[test]
    fn what_cannot_be_explained_says_so() {
        let iris = parquet("iris");
        let spec = TreeSpec::cart().max_depth(2).missing(Missing::Error);
        let tree = iris.fit_tree("species", &spec).expect("fits").tree;
        let beyond = tree.explain_row(&iris, 150).expect_err("no such row");
        assert!(beyond.is_spec() && beyond.to_string().contains("150 rows, 0 to 149"), "{beyond}");
        let none = tree.explain_row(&iris.slice(0, 0), 0).expect_err("no row").to_string();
        assert!(none.contains("with rows"), "{none}");
        let text = iris.column("petal_width_cm").expect("there").cast(&DataType::String);
        let wrong = |df: &DataFrame| tree.explain_row(df, 7).expect_err("fails").to_string();
        let said = wrong(&with(&iris, text.expect("casts")));
        assert!(said.contains("`petal_width_cm`") && said.contains("fitted on"), "{said}");
        let said = wrong(&iris.drop("petal_length_cm").expect("there"));
        assert!(said.contains("`petal_length_cm`: no such column"), "{said}");
        let nulls = Column::full_null("petal_width_cm".into(), 150, &DataType::Float64);
        let said = wrong(&with(&iris, nulls));
        assert!(said.contains("row 8,"), "{said}");
    }
}
