//! A tree as an operator `TreeEnsemble` of `ai.onnx.ml` 5, which gives the index of each row's answer.

use super::graph_builder::{GraphBuilder, ONNX, ONNX_ML};
use super::proto::{AttributeProto, TensorProto, element};
use crate::error::{Error, Result};
use crate::export::Next;
use crate::export::binary_tree::{BinaryTest, BinaryTree, NumberCondition};
use crate::export::feature_numbers::FeatureNumbers;
use crate::tree::{Split, TreeData};

/// The modes of nodes.
const BRANCH_GTE: u8 = 2;
const BRANCH_EQ: u8 = 4;
const BRANCH_MEMBER: u8 = 6;
/// How the trees of an ensemble are added up; here it is one.
const SUM: i64 = 1;
/// What is done to the sum.
const NONE: i64 = 0;

/// Most tests on a row's way. ONNX Runtime reads a tree by recursion: with many more it crashes
/// where a thread's stack has 2 MB.
const MAX_DEPTH: u32 = 2_000;

/// The tests of a tree. `column_of` gives the index of a used feature among the columns.
pub(super) fn binary_tree(
    tree: &TreeData,
    columns: &[FeatureNumbers],
    column_of: &[u32],
) -> Result<BinaryTree> {
    let of = |split: &Split| &columns[column_of[split.rule.feature as usize] as usize];
    let level = |split: &Split, level| of(split).level(level);
    let tests = BinaryTree::new(tree, |split, cut| of(split).cut(cut), level)?;
    match tests.depth {
        ..=MAX_DEPTH => Ok(tests),
        depth => Err(Error::spec(format!(
            "the tree asks up to {depth} tests of a row, and ONNX Runtime crashes on trees of many \
             more than {MAX_DEPTH}: prune it, or fit it with max_depth"
        ))),
    }
}

/// Adds the operator on a matrix of doubles, and gives the name of its output: for each row the index
/// of its answer, as int64.
pub(super) fn answer_indices(
    graph: &mut GraphBuilder,
    tree: &BinaryTree,
    column_of: &[u32],
    matrix: &str,
    axis: &str,
) -> String {
    // An ensemble has a test.
    let alike = [BinaryTest {
        feature: 0,
        condition: NumberCondition::AtLeast(0.0),
        holds_for_missing: false,
        next: [tree.root; 2],
    }];
    let tests = match tree.root {
        Next::Test(_) => tree.tests.as_slice(),
        Next::Answer(_) => alike.as_slice(),
    };
    let ints = |name: &str, value: &dyn Fn(&BinaryTest) -> i64| {
        AttributeProto::ints(name, tests.iter().map(value).collect())
    };
    let index = |next: Next| match next {
        Next::Test(index) | Next::Answer(index) => i64::from(index),
    };
    let is_answer = |next: Next| i64::from(matches!(next, Next::Answer(_)));
    let (n, n_answers) = (tests.len(), tree.answers.len());
    let modes = tests.iter().map(|test| match test.condition {
        NumberCondition::AtLeast(_) => BRANCH_GTE,
        NumberCondition::Equals(_) => BRANCH_EQ,
        NumberCondition::In(_) => BRANCH_MEMBER,
    });
    let split = |test: &BinaryTest| match test.condition {
        NumberCondition::AtLeast(number) | NumberCondition::Equals(number) => number,
        NumberCondition::In(_) => 0.0,
    };
    let splits: Vec<f64> = tests.iter().map(split).collect();
    let answers: Vec<f64> = (0..n_answers).map(|answer| answer as f64).collect();
    let mut attributes = vec![
        AttributeProto::int("aggregate_function", SUM),
        AttributeProto::int("n_targets", 1),
        AttributeProto::int("post_transform", NONE),
        AttributeProto::ints("tree_roots", vec![0]),
        AttributeProto::tensor("nodes_modes", TensorProto::bytes(&[n], modes)),
        AttributeProto::tensor("nodes_splits", TensorProto::doubles(&[n], &splits)),
        ints("nodes_featureids", &|test| column_of[test.feature as usize].into()),
        ints("nodes_missing_value_tracks_true", &|test| test.holds_for_missing.into()),
        ints("nodes_falsenodeids", &|test| index(test.next[0])),
        ints("nodes_falseleafs", &|test| is_answer(test.next[0])),
        ints("nodes_truenodeids", &|test| index(test.next[1])),
        ints("nodes_trueleafs", &|test| is_answer(test.next[1])),
        AttributeProto::ints("leaf_targetids", vec![0; n_answers]),
        AttributeProto::tensor("leaf_weights", TensorProto::doubles(&[n_answers], &answers)),
    ];
    let members = members(tests);
    if !members.is_empty() {
        let members = TensorProto::doubles(&[members.len()], &members);
        attributes.push(AttributeProto::tensor("membership_values", members));
    }
    let answer = graph.node((ONNX_ML, "TreeEnsemble"), &[matrix], attributes);
    let answer = graph.cast(&answer, element::INT64);
    graph.node((ONNX, "Squeeze"), &[&answer, axis], Vec::new())
}

/// The members of all sets, each set with a NaN after it.
fn members(tests: &[BinaryTest]) -> Vec<f64> {
    let sets = tests.iter().filter_map(|test| match &test.condition {
        NumberCondition::In(numbers) => Some(numbers),
        NumberCondition::AtLeast(_) | NumberCondition::Equals(_) => None,
    });
    sets.flat_map(|set| set.iter().copied().chain([f64::NAN])).collect()
}
